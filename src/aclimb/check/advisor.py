# SPDX-License-Identifier: Apache-2.0
"""Where SetNextTaskStart and WaitPreTaskEnd of each member of a SuperKernel could stand: the set as early, the wait as late as is safe.

The launch is run once. Its tape is judged again with one call moved, in halves, until one instruction further would be refuted; what a move
saves is the difference of two simulations of the timeline.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from aclimb.check.engine_side import Session, TapeEvent
from aclimb.check.patches import moved_line
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
    patch: str  # a unified diff, "" where moving a line is not enough

    @property
    def can_move(self) -> bool:
        return self.moves > 0

    def __str__(self) -> str:
        where = self.now or "between the members, by the plan"
        if not self.can_move:
            return f"{self.name:16} {self.call:16} {where}: nothing to gain"
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
        return "".join(each.patch for each in self.calls)


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


@dataclass(frozen=True, slots=True)
class _Placed:
    """The calls of one member on all cores: where each stands, and where it could. Positions are before which event."""

    now: dict[int, int]
    best: dict[int, int]

    @property
    def moved(self) -> dict[int, int]:
        return {unit: to for unit, to in self.best.items() if to != self.now[unit]}


def _is_call(event: TapeEvent, member: int, *, is_set: bool) -> bool:
    return event.member == member and (event.early_set if is_set else event.early_wait)


class _Search:
    def __init__(self, kernel: Kernel, session: Session, profile: Profile) -> None:
        self.launch = session.launches[0]
        self.events: list[list[TapeEvent]] = [self.launch.events(unit) for unit in range(self.launch.units)]
        self.places = LaunchPlaces(self.launch)
        self.names = [sub.info.name for sub in plan_of(kernel.binary).subs]
        self.timed = profile.launches[0] if profile.launches else None

    def run(self, proof: Proof) -> Advised:
        advice, moves = [], []
        for member, name in enumerate(self.names):
            for call in (WAIT, SET):
                placed = self._place(member, is_set=call == SET)
                if placed is None:
                    continue
                own = self._timing_moves(member, placed, is_set=call == SET)
                moves += own
                advice.append(self._advice(member, name, call, placed, own))
        return Advised(proof, tuple(advice), self._saves(moves))

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
        return _Placed(now, self._search(member, now, limits, is_set=is_set))

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

    def _advice(self, member: int, name: str, call: str, placed: _Placed, own: Sequence[tuple[int, int, int]]) -> Advice:
        is_set = call == SET
        unit = max(placed.now, key=lambda each: (placed.best[each], -each) if is_set else (-placed.best[each], -each))
        stands = self._line_of_call(member, unit, is_set=is_set)
        beside = self._beside(unit, member, placed.best[unit], is_set=is_set)
        at = self.places.find(beside.where) if beside else None
        moves = min(abs(placed.best[each] - placed.now[each]) for each in placed.now)
        count, which = self._round(unit, member, beside, placed.best[unit]) if beside else (1, 1)
        round_ = "" if count <= 1 else f"in the last of {count} rounds" if which == count else f"in round {which} of {count}"
        movable = bool(moves and stands and at and count == 1)
        patch = moved_line(stands, at, behind=is_set) if movable and stands and at else ""
        call_there = self.places.called(beside.where, beside.instruction) if beside else ""
        return Advice(member, name, call, stands.short() if stands else "", at.short() if at else "the beginning of the kernel", call_there,
                      round_, moves, self._saves(own) if moves else None, patch)  # fmt: skip

    def _line_of_call(self, member: int, unit: int, *, is_set: bool) -> SourcePlace | None:
        call = next((event for event in self.events[unit] if _is_call(event, member, is_set=is_set)), None)
        return self.places.find(call.where) if call else None

    def _beside(self, unit: int, member: int, to: int, *, is_set: bool) -> TapeEvent | None:
        """The instruction that keeps the call from going further."""
        events = self.events[unit]
        order = range(to - 1, -1, -1) if is_set else range(to, len(events))
        return next((events[i] for i in order if events[i].member == member and events[i].touches), None)

    def _round(self, unit: int, member: int, beside: TapeEvent, to: int) -> tuple[int, int]:
        """How often its line runs on that core, and which of them it is."""
        same = [i for i, event in enumerate(self.events[unit]) if event.member == member and event.where == beside.where]
        return len(same), max(sum(i < to for i in same), 1)

    # --- what it saves

    def _timing_moves(self, member: int, placed: _Placed, *, is_set: bool) -> list[tuple[int, int, int]]:
        return [(unit, i, to) for unit, to in placed.moved.items()
                for i, event in enumerate(self.events[unit]) if _is_call(event, member, is_set=is_set)]  # fmt: skip

    def _saves(self, moves: Sequence[tuple[int, int, int]]) -> float | None:
        if self.timed is None or not moves:
            return None
        return self.timed.retimed_us([]) - self.timed.retimed_us(moves)
