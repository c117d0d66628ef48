# SPDX-License-Identifier: Apache-2.0
"""Which conflicting accesses of a program are in no order: by search in a graph, without clocks.

Every instruction has a moment from which it may touch memory and one at which all it does is done. A pair is in order when the end of
one leads to the beginning of the other. The engine decides the same with clocks while a kernel runs; the two share no code, and tests
compare their answers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from events import GM, Pair, Program, Touch, touches_conflict
from order_graph import LINE, Graph, Hang, Placed, Sets, Slot, graph_of

__all__ = ["Hang", "Order", "order_of", "some_races"]

ENOUGH_FRACTALS = 10  # from here on an Mmad that adds to the result of another comes behind it


@dataclass(frozen=True)
class Order:
    """What the search found. Of a pair, the smaller place comes first."""

    races: frozenset[Pair]
    supplied: frozenset[Pair]  # in order because the compiler of the AIV puts a flag there
    ambiguous: bool  # sets of one cross-core flag from two pipes at a time: which of them was waited for depends on time


def order_of(program: Program) -> Order:
    search = _Search(graph_of(program))
    known = search.solve()
    races = set()
    for x, y, by_line in _conflicts(search.graph.placed):
        if not (_is_behind(x, y, known, by_line) or _is_behind(y, x, known, by_line)):
            races.add((min(x.where, y.where), max(x.where, y.where)))
    return Order(frozenset(races), frozenset(search.supplied), search.ambiguous)


def _is_behind(x: Placed, y: Placed, known: list[int], by_line: bool = False) -> bool:
    """x has ended when y begins. By line: they share no byte, but a line of the cache."""
    own = x.where[0] == y.where[0] and x.access.pipe == y.access.pipe == "S"
    return bool(known[y.begin] & x.end) if own else bool(known[y.line if by_line else y.filled] & x.seen)


def some_races(program: Program) -> frozenset[Pair]:
    """Of long programs: one pair at least where there is any. Looks only at those that touched a byte last, in an order that respects the
    graph: whoever is behind them is behind everything they are behind."""
    search = _Search(graph_of(program))
    known = search.solve()
    turn = {node: at for at, node in enumerate(search.solved)}
    races = set()
    for x, y in _neighbours(sorted(search.graph.placed, key=lambda each: turn[each.begin]), known):
        races.add((min(x.where, y.where), max(x.where, y.where)))
    return frozenset(races)


class _Search:
    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.solved: list[int] = []  # nodes, in an order that the graph allows
        self.supplied: set[Pair] = set()
        self.ambiguous = False
        self.choices = {node: [self.choose(node, *each) for each in counts] for node, counts in graph.counts.items()}

    def solve(self) -> list[int]:
        """The bits known at each node. Nodes were made in almost the right order; the rest is found by going round."""
        before, bits, slots, choices = self.graph.before, self.graph.bits, self.graph.slots, self.choices
        known = [-1] * len(before)
        pending: list[int] = list(range(len(before)))
        while pending:
            left: list[int] = []
            for node in pending:
                found = bits.get(node, 0)
                for each in before[node]:
                    if known[each] < 0:
                        found = -1
                        break
                    found |= known[each]
                if found >= 0 and node in slots:
                    found = self.with_compiler(slots[node], found, known)
                if found >= 0 and node in choices:
                    found = self.with_choices(choices[node], found, known)
                known[node] = found
                (left if found < 0 else self.solved).append(node)
            if len(left) == len(pending):
                raise Hang(f"{len(left)} events wait for each other")
            pending = left
        return known

    # --- flags of the compiler

    def with_compiler(self, slot: Slot, have: int, known: list[int]) -> int:
        """What an access knows behind the flags that the compiler has to put in front of it; -1: not to be said yet."""
        placed, mine = self.graph.placed, self.graph.placed[slot.access]
        if slot.own != mine.begin and known[slot.own] < 0:
            return -1
        in_order = have if slot.own == mine.begin else have | known[slot.own]
        open_ones = [placed[i] for i in slot.rivals if not placed[i].end & in_order]
        if not open_ones:
            return have
        if any(known[each.begin] < 0 for each in open_ones):
            return -1
        last = _last_ones(mine, open_ones, known)
        for node in {node for each in last for node in slot.edges[each.access.pipe]}:
            if known[node] < 0:
                return -1
            have |= known[node]
        self.supplied |= {(each.where, mine.where) for each in last}
        return have

    # --- one cross-core flag, set from two pipes

    def choose(self, token: int, sets: Sets, count: int) -> list[list[int]]:
        """Which `count` sets may have been counted when the token came: of each pipe the first ones, and none that comes behind it."""
        behind = self.nodes_behind(token)
        by_pipe = defaultdict(list)
        for node, pipe in sets:
            if node not in behind:
                by_pipe[pipe].append(node)
        found = []
        for taken in product(*(range(len(nodes) + 1) for nodes in by_pipe.values())):
            if sum(taken) == count:
                found.append([node for nodes, most in zip(by_pipe.values(), taken, strict=True) for node in nodes[:most]])
        self.ambiguous |= len(found) > 1
        return found

    def nodes_behind(self, first: int) -> set[int]:
        behind = defaultdict(list)
        for node, before in enumerate(self.graph.before):
            for each in before:
                behind[each].append(node)
        found, todo = set(), [first]
        while todo:
            for each in behind[todo.pop()]:
                if each not in found:
                    found.add(each)
                    todo.append(each)
        return found

    def with_choices(self, choices: list[list[list[int]]], have: int, known: list[int]) -> int:
        for subsets in choices:
            certain = -1
            for subset in subsets:
                in_this = 0
                for node in subset:
                    if known[node] < 0:
                        return -1
                    in_this |= known[node]
                certain &= in_this
            have |= certain
        return have


def _last_ones(mine: Placed, others: list[Placed], known: list[int]) -> list[Placed]:
    """Those of the others that were the last to touch some byte: one that ended before another of them began came with that one."""
    last = []
    for each in others:
        later = [other for other in others if other is not each and known[other.begin] & each.end]
        if not later or not _all_bytes_in(mine, each, later):
            last.append(each)
    return last


def _all_bytes_in(mine: Placed, each: Placed, later: list[Placed]) -> bool:
    """Whatever `mine` and `each` share, one of the later ones shares with `mine` too."""
    left = set(_common(mine, each))
    for other in later:
        left -= set(_common(mine, other))
    return not left


def _common(x: Placed, y: Placed) -> Iterator[tuple[str, int]]:
    for a in x.access.touches:
        for b in y.access.touches:
            if touches_conflict(a, b):
                yield from ((a.memory, byte) for byte in range(max(a.begin, b.begin), min(a.end, b.end)))


# --- who conflicts with whom


def _conflicts(placed: list[Placed]) -> Iterator[tuple[Placed, Placed, bool]]:
    spaces = defaultdict(list)
    for index, each in enumerate(placed):
        for touch in each.access.touches:
            space = GM if touch.memory == GM else (each.where[0], touch.memory)
            spaces[space].append((*_reach(each, touch), index, touch))
    seen = set()
    for touches in spaces.values():
        touches.sort(key=lambda row: row[0])
        active: list[tuple[int, int, int, Touch]] = []
        for row in touches:
            begin, _, index, touch = row
            active = [each for each in active if each[1] > begin]
            for _, _, other, other_touch in active:
                pair = min(other, index), max(other, index)
                if other != index:
                    meets = _meeting(placed[other], other_touch, placed[index], touch)
                    if meets:
                        seen.add((*pair, meets == "line"))
            active.append(row)
    for i, j, by_line in seen:
        yield placed[i], placed[j], by_line


def _neighbours(placed: list[Placed], known: list[int]) -> Iterator[tuple[Placed, Placed]]:
    spaces = defaultdict(list)
    for index, each in enumerate(placed):
        for touch in each.access.touches:
            spaces[GM if touch.memory == GM else (each.where[0], touch.memory)].append((index, touch))
    for touches in spaces.values():
        for piece in _pieces(placed, touches):
            last: list[tuple[Placed, Touch]] = []
            for index, touch in piece:
                y, kept = placed[index], []
                for x, other in last:
                    in_order = _is_behind(x, y, known)
                    meets = "" if x is y else _meeting(x, other, y, touch)
                    if meets and not (_is_behind(x, y, known, True) if meets == "line" else in_order):
                        yield x, y
                    if not (in_order and _replaces(touch, other)):
                        kept.append((x, other))
                last = [*kept, (y, touch)]


def _pieces(placed: list[Placed], touches: list[tuple[int, Touch]]) -> Iterator[list[tuple[int, Touch]]]:
    """Bytes that the same accesses touch, in the order of those; what many rows of one tile have in common comes once."""
    reaches = [_reach(placed[index], touch) for index, touch in touches]
    piece_at = {edge: at for at, edge in enumerate(sorted({edge for reach in reaches for edge in reach}))}
    who: list[list[int]] = [[] for _ in piece_at]
    for number, (begin, end) in enumerate(reaches):
        for at in range(piece_at[begin], piece_at[end]):
            who[at].append(number)
    seen = set()
    for numbers in who:
        once = {(touches[number][0], touches[number][1].role): touches[number] for number in numbers}  # repeats that come back to it
        key = tuple(once)
        if key not in seen and any(role != "r" for _, role in key):
            seen.add(key)
            yield list(once.values())


def _replaces(touch: Touch, other: Touch) -> bool:
    """Whoever conflicts with the other conflicts with this one too."""
    return touch.role in ("w", "u") or touch.role == other.role == "r" or (touch.role == "a" and touch == other)


def _reach(placed: Placed, touch: Touch) -> tuple[int, int]:
    """A cached store writes its whole line back."""
    if placed.access.cached and touch.writes and touch.memory == GM:
        return touch.begin // LINE * LINE, (touch.end + LINE - 1) // LINE * LINE
    return touch.begin, touch.end


def _meeting(x: Placed, a: Touch, y: Placed, b: Touch) -> str:
    """ "bytes" where they conflict, "line" where two writes share a line of the cache, else ""."""
    if x.where[0] == y.where[0] and x.access.pipe == y.access.pipe == "S":
        return ""  # the scalar unit runs in order, also through its cache
    if touches_conflict(a, b):
        return "" if _ordered_by_cube(x, a, y, b) else "bytes"
    if not (a.writes and b.writes):
        return ""
    wide = [touch._replace(begin=_reach(each, touch)[0], end=_reach(each, touch)[1]) for each, touch in ((x, a), (y, b))]
    return "line" if touches_conflict(*wide) and wide != [a, b] else ""


def _ordered_by_cube(x: Placed, a: Touch, y: Placed, b: Touch) -> bool:
    if a.memory != "L0C" or x.where[0] != y.where[0]:
        return False
    if {x.access.pipe, y.access.pipe} == {"M", "FIX"}:
        return x.access.unit_flag and y.access.unit_flag
    later = b if x.where < y.where else a
    both = x.access.pipe == y.access.pipe == "M" and later.role == "u"
    return both and min(x.access.fractals, y.access.fractals) >= ENOUGH_FRACTALS
