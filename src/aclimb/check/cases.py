# SPDX-License-Identifier: Apache-2.0
"""From what the engine found to cases: each side with its file, its line and the name that the user gave the tensor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from aclimb.binary.source_lines import source_text
from aclimb.check.finding import ATOMIC, Access
from aclimb.check.places import CheckedLaunch, Conflict, Finding, FindingSide, HostTask, LaunchPlaces, whose
from aclimb.check.syncs import Sync, sync_of
from aclimb.report.places import SourcePlace

Relation = Literal["core", "block", "cores", "tasks", "host", "one"]
_EARLY = ("early_set", "early_write", "early_read")
_SCALAR_CALLS = ("GetValue", "SetValue")


@dataclass(frozen=True, slots=True)
class Case:
    """One finding of the engine, as the rules read it."""

    kind: str
    first: Access
    second: Access | None
    relation: Relation
    syncs: tuple[Sync, ...] = ()
    count: int = 1
    blocks: int = 1
    num_blocks: int = 0  # of the launch
    number: int = 0  # what else its kind can say: bytes, cycles, an id
    behind_set: bool = False  # the first comes behind its SetNextTaskStart
    before_wait: bool = False  # the second comes before its WaitPreTaskEnd

    @property
    def accesses(self) -> tuple[Access, ...]:
        return (self.first,) if self.second is None else (self.first, self.second)

    @property
    def other(self) -> Access:
        """The second side, of a kind that has one."""
        assert self.second is not None, f"{self.kind} has one side only"
        return self.second

    @property
    def memory(self) -> str:
        return self.first.memory

    def as_place(self) -> Case:
        """Return the case without tensors and roles: its accesses touch no bytes themselves."""
        first, second = (each and replace(each, tensor="", role="") for each in (self.first, self.second))
        assert first is not None
        return replace(self, first=first, second=second)

    def standing(self, *at: str) -> tuple[Sync, ...]:
        """The synchronisation that stands there."""
        return tuple(each for each in self.syncs if each.at in at)


# --- accesses of a launch


def case_of(finding: Finding, places: LaunchPlaces) -> Case:
    one, two = finding.first, finding.second
    first, second = _access(one, finding, places), _access(two, finding, places) if two else None
    relation = _relation(one, two)
    if second is not None and relation == "core" and second.pipe == "D" and second.line <= first.line:
        first, second = second, first  # a store ends with its write-back, which may never come: its line stands first all the same
    return Case(
        kind="early_workspace" if _is_workspace(finding, places) else finding.kind.name,
        first=first,
        second=second,
        relation=relation,
        syncs=tuple(sync_of(each, places.find(each.where)) for each in finding.order),
        count=finding.met,
        blocks=finding.blocks,
        num_blocks=places.launch.num_blocks,
        number=finding.number,
        behind_set=one.set,
        before_wait=two is not None and not two.waited,
    )


def _relation(first: FindingSide, second: FindingSide | None) -> Relation:
    if second is None:
        return "one"
    if first.unit == second.unit:
        return "core"
    return "block" if first.block == second.block else "cores"


def _is_workspace(finding: Finding, places: LaunchPlaces) -> bool:
    """Whether neighbours meet in what both of them call a workspace: K9 is about those, whichever of the two is early."""
    if finding.kind.name not in _EARLY or finding.second is None:
        return False
    return all("workspace" in places.name_in_member(each, finding.begin).lower() for each in (finding.first, finding.second))


def _access(side: FindingSide, finding: Finding, places: LaunchPlaces) -> Access:
    begin, end, buffer = finding.begin, finding.end, ""
    if finding.memory == "GM":
        begin, end, buffer = _shown(finding, places.whose(finding.begin))
    place, call = places.find(side.where), places.called(side.where, side.instruction)
    return Access(
        file=place.file if place else "",
        line=place.line if place else 0,
        text=source_text(place.file, place.line) if place else "",
        pipe=side.agent,
        core=f"{side.core_type.name} {side.core_idx}",
        block=side.block,
        tensor=_tensor(place, call, side.operand) if side.operand >= 0 else "",
        role=ATOMIC if side.way == "atomic" else side.way,
        memory=finding.memory,
        begin=begin,
        end=end,
        buffer=buffer,
        kernel=places.launch.kernel,
        member=f"{side.sub} {side.member}".strip() if side.sub >= 0 else "",
        call=call,
        launched_at=places.launch.place,
    )


def _shown(bytes_: Finding | Conflict, whose: tuple[int, str, int]) -> tuple[int, int, str]:
    """Global memory is counted from the parameter, else from the allocation: its addresses differ from run to run."""
    base, parameter, offset = whose
    begin = offset if parameter else bytes_.begin - base if base else 0
    return begin, begin + bytes_.end - bytes_.begin, parameter


def _tensor(place: SourcePlace | None, call: str, operand: int) -> str:
    """As the user wrote it; "" where the line does not show it."""
    if place is None:
        return ""
    named = SourcePlace(place.file, place.line, call)
    if call in _SCALAR_CALLS:  # t.GetValue(i), or t(i)
        return named.receiver(call) or ""
    return named.argument(operand) or ""


# --- what the host does


def case_of_tasks(conflict: Conflict, launches: Sequence[CheckedLaunch]) -> Case:
    """Two tasks, or a task and the host itself; the places are those of the host program."""
    first, second = (_task(each, conflict, launches) for each in (conflict.first, conflict.second))
    return Case(conflict.kind.name, first, second, "host" if first.is_host or second.is_host else "tasks")


def _task(task: HostTask, conflict: Conflict, launches: Sequence[CheckedLaunch]) -> Access:
    launch = launches[task.launch] if task.launch >= 0 else None
    begin, end, buffer = _shown(conflict, whose(conflict.begin, launch))
    file, line = task.place or ("", 0)
    return Access(
        file=file,
        line=line,
        text=source_text(file, line, trusted=True) if file else "",
        pipe="host" if task.by_host else "task",
        role="writes" if conflict.both_write else "",
        memory="GM",
        begin=begin,
        end=end,
        buffer=buffer,
        kernel=launch.kernel if launch else "",
        call=task.kind,
    )
