# SPDX-License-Identifier: Apache-2.0
"""Where SetNextTaskStart and WaitPreTaskEnd of each member of a SuperKernel could stand: the set as early, the wait as late as is safe.

The launch is run once. Its tape is judged again with one call moved, in halves, until one instruction further would be refuted; what a move
saves is the difference of two simulations of the timeline.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from aclimb.check.engine_side import Session, TapeEvent
from aclimb.check.patches import MovedLine, patch_of
from aclimb.check.places import LaunchPlaces
from aclimb.check.proof import Proof, answer_of, checked_run
from aclimb.errors import FuseError
from aclimb.fuse.fuse import plan_of
from aclimb.report.places import SourcePlace
from aclimb.runtime import Kernel, Stream
from aclimb.trace.profiling import Profile

SET, WAIT = "SetNextTaskStart", "WaitPreTaskEnd"


@dataclass(frozen=True, slots=True)
class Advice:
    """One call of one member: where it stands, and where it could."""

    member: int
    name: str
    call: str
    now: str  # the line it stands at; "" where the plan does it between two members
    best: str  # behind or before which line
    instruction: str  # what is done there
    round: str  # "in the last of 4 rounds", "" where the line runs once
    moves: int  # instructions, on the core where it moves least
    saves_us: float | None  # modelled; None where nothing moves
    is_dropped: bool  # it could move, but not beside the others
    line: MovedLine | None  # None where moving a line is not enough, or is not proved together with the others

    @property
    def patch(self) -> str:
        """A unified diff, "" where there is none."""
        return patch_of([self.line]) if self.line else ""

    @property
    def can_move(self) -> bool:
        return self.moves > 0

    def __str__(self) -> str:
        where = self.now or "between the members, by the plan"
        if not self.can_move:
            why = "may move by itself, but not together with the others" if self.is_dropped else "nothing to gain"
            return f"{self.name:16} {self.call:16} {where}: {why}"
        side = "behind" if self.call == SET else "before"
        round_ = f", {self.round}" if self.round else ""
        saves = f", saves {self.saves_us:.2f} us (modelled)" if self.saves_us is not None else ""
        return f"{self.name:16} {self.call:16} {where}: may stand {side} the {self.instruction} at {self.best}{round_}{saves}"


@dataclass(frozen=True, slots=True)
class Advised:
    """What the advisor says about a chain."""

    proof: Proof
    calls: tuple[Advice, ...]
    together_us: float | None  # all moves at once, against the chain as it is

    def __str__(self) -> str:
        if not self.proof:
            return f"{self.proof}\n    mend that first: there is no safe place to start from"
        rows = [str(each) for each in self.calls]
        if self.together_us:
            rows.append(f"together they save {self.together_us:.2f} us (modelled)")
        return "\n".join(rows)

    @property
    def patch(self) -> str:
        """All lines moved at once, which is proved as well."""
        return patch_of([each.line for each in self.calls if each.line])


def advise(kernel: Kernel, *args: Any, stream: Stream | None = None, soc: str | None = None) -> Advised:
    """The earliest safe SetNextTaskStart and the latest safe WaitPreTaskEnd of each member of a SuperKernel."""
    if kernel.binary.plan is None:
        raise FuseError(f"{kernel.name} is no SuperKernel; fuse it with its neighbours first")
    with Profile(soc=soc) as profile:
        session, failure = checked_run(kernel, args, None, stream)
    proof = answer_of(kernel, session, failure)
    if not proof:
        return Advised(proof, (), None)
    return _Search(kernel, session, profile).run(proof)


Moves = list[tuple[int, int, bool, int]]  # core, member, is a set, before which event


@dataclass(frozen=True, slots=True)
class _Placed:
    """The calls of one member on all cores: where each stands, and where it could. Positions are before which event."""

    member: int
    is_set: bool
    now: dict[int, int]
    best: dict[int, int]
    is_dropped: bool = False  # it could move alone, and not beside the others

    @property
    def moved(self) -> dict[int, int]:
        return {unit: to for unit, to in self.best.items() if to != self.now[unit]}

    def moves(self, to: dict[int, int]) -> Moves:
        return [(unit, self.member, self.is_set, at) for unit, at in to.items()]


def _is_call(event: TapeEvent, member: int, *, is_set: bool) -> bool:
    return event.member == member and (event.early_set if is_set else event.early_wait)


def _closest(placed: _Placed) -> int:
    """The core on which the call may go least far."""
    best = placed.best
    return max(placed.now, key=lambda unit: (best[unit], -unit) if placed.is_set else (-best[unit], -unit))


class _Search:
    def __init__(self, kernel: Kernel, session: Session, profile: Profile) -> None:
        self.launch = session.launches[0]
        self.events: list[list[TapeEvent]] = [self.launch.events(unit) for unit in range(self.launch.units)]
        self.places = LaunchPlaces(self.launch)
        self.names = [sub.info.name for sub in plan_of(kernel.binary).subs]
        self.timed = profile.launches[0] if profile.launches else None

    def run(self, proof: Proof) -> Advised:
        found = [self._place(member, is_set=is_set) for member in range(len(self.names)) for is_set in (False, True)]
        placed = self._together([each for each in found if each is not None])
        lines, moves = self._lines(placed), [move for each in placed for move in self._timing_moves(each)]
        return Advised(proof, tuple(self._advice(each, line) for each, line in zip(placed, lines, strict=True)), self._saves(moves))

    # --- all at once

    def _together(self, placed: Sequence[_Placed]) -> list[_Placed]:
        """Those that save most first; what is not safe beside them stays where it is."""
        taken, kept = Moves(), dict[int, _Placed]()
        for index in sorted(range(len(placed)), key=lambda index: self._worth(placed[index]), reverse=True):
            each = placed[index]
            own = each.moves(each.moved)
            is_safe = self.launch.judge([*taken, *own]) == (False, [])
            kept[index] = each if is_safe else replace(each, best=each.now, is_dropped=True)
            taken += own if is_safe else []
        return [kept[index] for index in range(len(placed))]

    def _worth(self, placed: _Placed) -> tuple[float, int]:
        """What it saves by itself, and how far it moves."""
        distance = sum(abs(placed.best[unit] - placed.now[unit]) for unit in placed.now)
        return self._saves(self._timing_moves(placed)) or 0, distance

    def _lines(self, placed: Sequence[_Placed]) -> list[MovedLine | None]:
        """The lines whose moves make the calls stand there. All of them are judged again as they would stand then."""
        taken, lines = Moves(), list[MovedLine | None]()
        for each in placed:
            line, own = self._line(each, taken)
            lines.append(line)
            taken += own
        return lines

    def _line(self, placed: _Placed, taken: Moves) -> tuple[MovedLine | None, Moves]:
        """The nearest line to the best place, on the side that is safe, at which the call would stand in order."""
        unit = _closest(placed)
        stands = self._line_of_call(placed, unit)
        between = self._between(placed, unit)
        for index in between if stands and placed.moved else ():
            at = self.places.find(self.events[unit][index].where)
            line = MovedLine(stands, at, behind=placed.is_set) if stands and at else None
            to = self._at_line(placed, at) if line and at and line.is_possible else None
            own = placed.moves(to) if to else Moves()
            if own and self.launch.judge([*taken, *own]) == (False, []):
                return line, own
        return None, Moves()

    def _between(self, placed: _Placed, unit: int) -> list[int]:
        """The instructions from the best place to where the call stands now: a set goes behind one of them, a wait before one."""
        best, now = placed.best[unit], placed.now[unit]
        order = range(best - 1, now) if placed.is_set else range(best, now - 1, -1)
        events = self.events[unit]
        return [i for i in order if 0 <= i < len(events) and self._is_inside(events[i], placed.member)]

    def _at_line(self, placed: _Placed, at: SourcePlace) -> dict[int, int] | None:
        """Where the call stands on every core when it is written at that line; None where the line does not run exactly once on each."""
        to = {}
        for unit, events in enumerate(self.events):
            there = [i for i, event in enumerate(events) if self._is_at(event, at)]
            if unit not in placed.now:
                continue
            if len(there) != 1 or not self._is_inside(events[there[0]], placed.member):
                return None
            to[unit] = there[0] + placed.is_set
        return to

    def _is_at(self, event: TapeEvent, at: SourcePlace) -> bool:
        place = self.places.find(event.where)
        return place is not None and (place.file, place.line) == (at.file, at.line)

    def _is_inside(self, event: TapeEvent, member: int) -> bool:
        return event.member == member and (event.touches or event.orders) and not (event.early_set or event.early_wait)

    # --- where

    def _place(self, member: int, *, is_set: bool) -> _Placed | None:
        now = {}
        for unit, events in enumerate(self.events):
            mine = [i for i, event in enumerate(events) if _is_call(event, member, is_set=is_set)]
            inside = [event for event in events if event.member == member and not event.early_set and not event.early_wait]
            if mine and inside:
                now[unit] = mine[0] if is_set else mine[-1] + 1
        if not now or (is_set and member == len(self.names) - 1) or (not is_set and member == 0):
            return None
        limits = {unit: self._limit(unit, member, is_set=is_set) for unit in now}
        return _Placed(member, is_set, now, self._search(member, now, limits, is_set=is_set))

    def _limit(self, unit: int, member: int, *, is_set: bool) -> int:
        inside = [i for i, event in enumerate(self.events[unit]) if event.member == member and (event.touches or event.orders)]
        return inside[0] if is_set else inside[-1] + 1

    def _search(self, member: int, now: dict[int, int], limits: dict[int, int], *, is_set: bool) -> dict[int, int]:
        """In halves, on all cores at once: a set that comes too early on one core is missed by nobody else's."""
        safe, unsafe = dict(now), {unit: limit - 1 if is_set else limit + 1 for unit, limit in limits.items()}
        while any(abs(unsafe[unit] - safe[unit]) > 1 for unit in now):
            tried = {unit: (safe[unit] + unsafe[unit]) // 2 if abs(unsafe[unit] - safe[unit]) > 1 else safe[unit] for unit in now}
            guilty = self._guilty(member, tried, is_set=is_set)
            for unit, to in tried.items():
                (unsafe if unit in guilty else safe)[unit] = to
        if self._guilty(member, safe, is_set=is_set):
            return dict(now)  # they are safe one by one only: leave them
        return safe

    def _guilty(self, member: int, positions: dict[int, int], *, is_set: bool) -> set[int]:
        stuck, pairs = self.launch.judge([(unit, member, is_set, to) for unit, to in positions.items()])
        if stuck:
            return set(positions)
        if is_set:
            return {first for before, first, _, _ in pairs if before == member}
        return {second for _, _, after, second in pairs if after >= member}

    # --- in words

    def _advice(self, placed: _Placed, line: MovedLine | None) -> Advice:
        unit, is_set = _closest(placed), placed.is_set
        stands = self._line_of_call(placed, unit)
        beside = self._beside(unit, placed)
        at = self.places.find(beside.where) if beside else None
        count, which = self._round(unit, placed.member, beside, placed.best[unit]) if beside else (1, 1)
        moves = min(abs(placed.best[each] - placed.now[each]) for each in placed.now)
        return Advice(
            member=placed.member,
            name=self.names[placed.member],
            call=SET if is_set else WAIT,
            now=stands.short() if stands else "",
            best=at.short() if at else "the beginning of the kernel",
            instruction=self.places.called(beside.where, beside.instruction) if beside else "",
            round="" if count <= 1 else f"in the last of {count} rounds" if which == count else f"in round {which} of {count}",
            moves=moves,
            saves_us=self._saves(self._timing_moves(placed)) if moves else None,
            is_dropped=placed.is_dropped,
            line=line,
        )

    def _line_of_call(self, placed: _Placed, unit: int) -> SourcePlace | None:
        call = next((event for event in self.events[unit] if _is_call(event, placed.member, is_set=placed.is_set)), None)
        return self.places.find(call.where) if call else None

    def _beside(self, unit: int, placed: _Placed) -> TapeEvent | None:
        """The instruction that keeps the call from going further."""
        events, to = self.events[unit], placed.best[unit]
        order = range(to - 1, -1, -1) if placed.is_set else range(to, len(events))
        return next((events[i] for i in order if self._is_inside(events[i], placed.member)), None)

    def _round(self, unit: int, member: int, beside: TapeEvent, to: int) -> tuple[int, int]:
        """How often its line runs on that core, and which of them it is."""
        same = [i for i, event in enumerate(self.events[unit]) if event.member == member and event.where == beside.where]
        return len(same), max(sum(i < to for i in same), 1)

    # --- what it saves

    def _timing_moves(self, placed: _Placed) -> list[tuple[int, int, int]]:
        return [(unit, i, to) for unit, to in placed.moved.items()
                for i, event in enumerate(self.events[unit]) if _is_call(event, placed.member, is_set=placed.is_set)]  # fmt: skip

    def _saves(self, moves: Sequence[tuple[int, int, int]]) -> float | None:
        if self.timed is None or not moves:
            return None
        return self.timed.retimed_us([]) - self.timed.retimed_us(moves)
