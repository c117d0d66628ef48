# SPDX-License-Identifier: Apache-2.0
"""insert_sync: flags between the units of a core, put in by the compiler.

The user's own enque, flags and barriers go (they are listed); a deque gives the tensor that was allocated from its queue. Then the
statements are followed as they run: each piece of memory knows which units touched it, and which units have waited for them since. Before a
statement whose unit has not waited, a flag is set and waited for; between two statements of one unit a barrier stands. A loop is followed
until nothing new comes round. What is not known is taken for the worst: the parts of one buffer overlap, both branches of an if are taken.

The result is right on a chip that adds nothing of its own (aclimb.check with auto_sync="off" finds nothing), and in every order here.
"""

from __future__ import annotations

import linecache
import warnings
from pathlib import Path

from aclimb.asc.codegen.errors import Refusal
from aclimb.asc.codegen.sync.accesses import accesses_of, effect_of
from aclimb.asc.codegen.tree import Block, Declare, Effect, Kernel, Line, Node, Place
from aclimb.asc.codegen.values import Object
from aclimb.asc.language.core.enums import HardEvent
from aclimb.errors import BuildWarning

_ERASED = {"set_flag", "wait_flag", "pipe_barrier"}
State = dict[object, dict[tuple[str, bool], frozenset[str]]]  # memory -> (unit, whether it wrote) -> units that have waited for it
ALL_UNITS = frozenset({"S", "V", "M", "MTE1", "MTE2", "MTE3", "FIX"})


def insert(kernel: Kernel, pipe: str) -> None:
    """Changes the tree. `pipe`: the name of the TPipe, "" where there is none."""
    erased: list[Place | None] = []
    _erase(kernel.body, {}, erased)
    _list_erased(kernel, erased)
    _hoist(kernel)
    _Flow(pipe).follow(kernel.body, {}, writes=True)
    kernel.body.append(Line(None, "PipeBarrier<PIPE_ALL>()", note="insert_sync: everything ends before the kernel does"))


# --- what the user wrote


def _erase(nodes: list[Node], allocated: dict[str, list[str]], erased: list[Place | None]) -> None:
    for node in list(nodes):
        effect = effect_of(node)
        if isinstance(node, Block):
            _erase(node.body, allocated, erased)
            _erase(node.other or [], allocated, erased)
        elif effect is None:
            continue
        elif (not effect.owner and effect.call.name in _ERASED) or (effect.owner in ("TQue", "TQueBind") and effect.call.name == "enque"):
            nodes.remove(node)
            erased.append(node.place)
        elif effect.owner in ("TQue", "TQueBind") and effect.receiver is not None:
            queue = effect.receiver.text
            if effect.call.name == "alloc_tensor":
                allocated.setdefault(queue, []).append(_bound_name(node))
            elif effect.call.name == "deque":
                _take(node, queue, allocated)


def _bound_name(node: Node) -> str:
    return node.variable.name if isinstance(node, Declare) else node.text.partition(" = ")[0] if isinstance(node, Line) else ""


def _take(node: Node, queue: str, allocated: dict[str, list[str]]) -> None:
    """A deque: the tensor that was allocated first and not taken yet."""
    waiting = allocated.get(queue)
    if not waiting:
        at = f" at line {node.place.line}" if node.place else ""
        raise Refusal(
            f"{queue}.deque{at} has no tensor that was allocated before it", hint="with insert_sync, allocate and deque in the same block"
        )
    name = waiting.pop(0)
    if isinstance(node, Declare):
        node.init = name
    elif isinstance(node, Line):
        node.text = f"{node.text.partition(' = ')[0]} = {name}"


def _list_erased(kernel: Kernel, erased: list[Place | None]) -> None:
    places = [place for place in dict.fromkeys(erased) if place is not None]
    if not places:
        return
    rows = [f"{Path(place.file).name}:{place.line}  {linecache.getline(place.file, place.line).strip()}" for place in places]
    kernel.notes += ["insert_sync took these away, and put flags of its own:", *(f"  {row}" for row in rows)]
    warnings.warn(
        f"insert_sync takes away {len(places)} calls of {kernel.name} that order its units: {'; '.join(rows)}", BuildWarning, stacklevel=2
    )


def _hoist(kernel: Kernel) -> None:
    """The pipe, and what buffers are made of, stand at the top."""
    top = [node for node in kernel.body if isinstance(node, Declare) and isinstance(node.type, Object) and node.type.kind == "TPipe"]
    kernel.body[:] = top + [node for node in kernel.body if node not in top]


# --- following the statements


class _Flow:
    def __init__(self, pipe: str) -> None:
        self.pipe, self._count = pipe, 0

    def follow(self, nodes: list[Node], state: State, *, writes: bool) -> State:
        """The state behind the statements. With `writes` the flags are put in."""
        out: list[Node] = []
        before = self._count
        for node in nodes:
            if isinstance(node, Block):
                state = self._block(node, state, out, writes=writes)
            else:
                state = self._one(effect_of(node), node, state, out)
            out.append(node)
        if writes:
            nodes[:] = out
        else:
            self._count = before
        return state

    def _block(self, node: Block, state: State, out: list[Node], *, writes: bool) -> State:
        state = self._one(node.effect, node, state, out)
        if not node.is_loop:
            one = self.follow(node.body, _copied(state), writes=writes)
            other = self.follow(node.other, _copied(state), writes=writes) if node.other else state
            return _merged(one, other)
        entry = state
        while True:
            around = _merged(entry, self.follow(node.body, _copied(entry), writes=False))
            if around == entry:
                break
            entry = around
        return _merged(entry, self.follow(node.body, _copied(entry), writes=writes))

    def _one(self, effect: Effect | None, node: Node, state: State, out: list[Node]) -> State:
        found = accesses_of(effect)
        if found is None:
            return state
        if found.unit == "ALL":
            out.append(Line(node.place, "PipeBarrier<PIPE_ALL>()"))
            return {}
        touched = [*((each, False) for each in found.reads), *((each, True) for each in found.writes)]
        while needed := _needed(state, found.unit, touched):
            # Who has been waited for by another that is needed too comes with it.
            unit = next((each for each in needed if not needed[each] & (needed.keys() - {each})), next(iter(needed)))
            out += self._flag(unit, found.unit, node.place)
            state = _ordered(state, unit, found.unit)
        for memory, is_write in touched:
            state.setdefault(memory, {})[found.unit, is_write] = frozenset({"S"} if found.unit == "S" else ())
        return state

    def _flag(self, first: str, second: str, place: Place | None) -> list[Node]:
        event = f"{first}_{second}"
        if first == second:
            return [Line(place, f"PipeBarrier<PIPE_{first}>()")]
        if event not in HardEvent.__members__:
            return [Line(place, "PipeBarrier<PIPE_ALL>()")]
        if not self.pipe:
            return [Line(place, f"SetFlag<HardEvent::{event}>(EVENT_ID0)"), Line(place, f"WaitFlag<HardEvent::{event}>(EVENT_ID0)")]
        self._count += 1
        name = f"{event.lower()}_{self._count}"
        return [
            Line(place, f"TEventID {name} = {self.pipe}.FetchEventID(HardEvent::{event})"),
            Line(place, f"SetFlag<HardEvent::{event}>({name})"),
            Line(place, f"WaitFlag<HardEvent::{event}>({name})"),
        ]


def _needed(state: State, unit: str, touched: list[tuple[object, bool]]) -> dict[str, frozenset[str]]:
    """Units that have to be waited for, with those that have waited for them."""
    needed: dict[str, frozenset[str]] = {}
    for memory, is_write in touched:
        for (other, wrote), waited in state.get(memory, {}).items():
            if (is_write or wrote) and unit not in waited:
                needed[other] = needed.get(other, waited) & waited
    return needed


def _copied(state: State) -> State:
    return {memory: dict(units) for memory, units in state.items()}


def _merged(one: State, other: State) -> State:
    """What either way leaves behind; waited for is what both ways have waited for."""
    out = _copied(one)
    for memory, units in other.items():
        mine = out.setdefault(memory, {})
        for key, waited in units.items():
            mine[key] = mine[key] & waited if key in mine else waited
    return out


def _ordered(state: State, first: str, second: str) -> State:
    """`second` has waited for `first`, and with it for all that `first` had waited for. Who waits for the scalar unit's sake waits for all:
    what is issued later comes later."""
    waits = ALL_UNITS if second == "S" else frozenset({second})
    return {
        memory: {key: waited | waits if key[0] == first or first in waited else waited for key, waited in units.items()}
        for memory, units in state.items()
    }
