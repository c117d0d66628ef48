# SPDX-License-Identifier: Apache-2.0
"""The engine's checker, as raw.py describes it: the one file here that imports the engine.

Each launch has findings of its own, and what the host does in no order with its tasks is a list of conflicts; both become RawFinding.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Any

from aclimb._engine import AutoSync, CheckSession, describe_address
from aclimb._engine import CheckedLaunch as CheckedLaunch
from aclimb._engine import Doubt as Doubt
from aclimb._engine import FindingKind as FindingKind
from aclimb._engine import FindingSide as FindingSide
from aclimb._engine import TapeEvent as TapeEvent
from aclimb.check.raw import Images, RawFinding, RawSession, Where
from aclimb.check.settings import Settings
from aclimb.runtime import device as devices
from aclimb.runtime.kernel import parameter_names
from aclimb.runtime.observed import collect_unseen

if TYPE_CHECKING:
    from aclimb._engine import Finding as NativeFinding
    from aclimb._engine import ProvokedLaunch
    from aclimb.check.finding import Finding

_PATIENCE_S = 600  # for what is still judged when the check ends
_WAYS = {"reads": "r", "writes": "w", "updates": "u", "atomic": "a"}
_PLACES = ("reserved_id", "mixed_groups", "mixed_pipes", "partial_clean", "needless_sync")  # that touch nothing themselves
_NUMBER = {  # what the one number of a finding is
    "race_cores": "synchronised",
    "atomic_float": "sums",
    "reserved_id": "id",
    "mixed_groups": "id",
    "mixed_pipes": "id",
    "bank_conflict": "cycles",
    "short_copy": "size",
    "compare_tail": "left",
    "reused": "allocated_at",
}
_LOG_FULL = (
    "{kernel} makes more accesses to global memory than a check keeps (256 MiB of them): races of those behind were not looked for; "
    "check a smaller shape"
)
_LEFT_OUT = "{kernel} was launched inside a profile that leaves instructions or blocks out (timing_only, sampled): that was not checked"


def open_session(settings: Settings) -> RawSession:
    """A session that is not open yet."""
    return Session(settings)


class Session:
    """What is queued between open and close, launch by launch; `raw` is the engine's own."""

    def __init__(self, settings: Settings | None = None, *, tape: bool = False) -> None:
        self.settings = settings or Settings()
        self.raw = CheckSession(
            auto_sync=AutoSync[self.settings.auto_sync],
            cache=self.settings.cache,
            init=self.settings.init != "off",
            eager=self.settings.init == "eager",
            advice=self.settings.advice,
            tape=tape,
        )
        self._unseen, self._while_open = list[str](), ExitStack()

    def open(self) -> None:
        self._unseen = self._while_open.enter_context(collect_unseen())
        self.raw.open()

    def close(self) -> None:
        """When everything that was queued has ended and is judged."""
        self.raw.close()
        self._while_open.close()
        for device in devices.opened():
            device.native.wait_idle()
        until = time.monotonic() + _PATIENCE_S
        while not self.raw.settled and time.monotonic() < until:
            time.sleep(0.001)

    def __enter__(self) -> Session:
        self.open()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    @property
    def launches(self) -> int:
        return len(self.raw.launches)

    @property
    def notes(self) -> list[str]:
        told = ((Doubt.log_full, _LOG_FULL), (Doubt.left_out, _LEFT_OUT))
        return [*self._unseen, *(text.format(kernel=kernel) for doubt, text in told for kernel in self._doubted(doubt))]

    def _doubted(self, doubt: Doubt) -> list[str]:
        return sorted({each.kernel for each in self.raw.launches if any(what == doubt for what, _ in each.doubts)})

    def raw_findings(self) -> list[RawFinding]:
        launches = self.raw.launches
        found: list[RawFinding] = [finding for number, each in enumerate(launches) for finding in _of_launch(each, number)]
        return [*found, *(_conflict(each, launches) for each in self._conflicts())]

    def _conflicts(self) -> Sequence[Any]:
        conflicts = getattr(self.raw, "conflicts", None)
        return conflicts() if conflicts is not None else ()

    def findings(self) -> list[Finding]:
        """With their words."""
        from aclimb.check.collect import collect

        return collect(self.raw_findings(), rules=self.settings.rules, advice=self.settings.advice)

    def images(self) -> Images:
        """Of every kernel, once."""
        kernels = {each.kernel: each for each in reversed(self.raw.launches)}
        return {f"{kernel} {name}": image for kernel, each in sorted(kernels.items()) for name, image in each.images.items()}


# --- findings of a launch


@dataclass(frozen=True, slots=True)
class _Sync:
    where: Where
    text: str
    at: str = "between"


@dataclass(frozen=True, slots=True)
class _Kind:
    name: str


@dataclass(frozen=True, slots=True)
class _Side:
    where: Where = ("", 0)
    unit: int = -1
    block: int = -1
    core_type: Any = None
    core_idx: int = -1
    agent: str = ""
    role: str = ""
    op: str = ""
    operand: int = 0
    memory: str = "GM"
    begin: int = 0
    end: int = 0
    base: int = 0
    parameter: str = ""
    offset: int = 0
    sub: int = -1
    sub_name: str = ""
    kernel: str = ""
    task: int = -1
    place: tuple[str, int] | None = None


@dataclass(frozen=True, slots=True)
class _Raw:
    kind: Any
    first: _Side
    second: _Side | None
    begin: int
    end: int
    count: int = 1
    blocks: int = 1
    sync: tuple[_Sync, ...] = ()
    numbers: Mapping[str, int] = field(default_factory=dict)
    images: Images = field(default_factory=dict)
    claimed: bool = False  # by the process of an isolated device

    @property
    def bytes(self) -> int:
        return self.end - self.begin


def _of_launch(launch: CheckedLaunch, number: int) -> Iterator[_Raw]:
    findings = launch.findings
    images = launch.images if findings else {}
    for each in findings:
        numbers = {"num_blocks": launch.num_blocks, "behind_set": int(each.first.set)}
        if each.kind.name in _NUMBER:
            numbers[_NUMBER[each.kind.name]] = each.number
        second = each.second
        if second is not None:
            numbers["before_wait"] = int(not second.waited)
        yield _Raw(
            kind=_Kind("early_workspace") if _is_workspace(each, launch) else each.kind,
            first=_side(each.first, each, launch, number),
            second=_side(second, each, launch, number) if second is not None else None,
            begin=each.begin,
            end=each.end,
            count=each.met,
            blocks=each.blocks,
            sync=tuple(_sync(mark) for mark in each.order),
            numbers=numbers,
            images=images,
            claimed=launch.claimed,
        )


def _side(side: FindingSide, finding: NativeFinding, launch: CheckedLaunch, number: int) -> _Side:
    base, parameter, offset = whose(launch, finding.begin) if finding.memory == "GM" else (0, "", 0)
    return _Side(
        where=side.where,
        unit=side.unit,
        block=side.block,
        core_type=side.core_type,
        core_idx=side.core_idx,
        agent=side.agent,
        role="" if finding.kind.name in _PLACES else _WAYS[side.way],
        op=side.instruction,
        operand=side.operand,
        memory=finding.memory,
        begin=finding.begin,
        end=finding.end,
        base=base,
        parameter=parameter,
        offset=offset,
        sub=side.sub,
        sub_name=side.member,
        kernel=launch.kernel,
        task=number,
        place=launch.place,
    )


def _is_workspace(finding: NativeFinding, launch: CheckedLaunch) -> bool:
    """Whether neighbours meet in what both of them call a workspace: K9 is about those, whichever of the two is early."""
    if finding.kind.name not in ("early_set", "early_write", "early_read") or finding.second is None:
        return False
    return all("workspace" in _name_in_member(launch, each, finding.begin).lower() for each in (finding.first, finding.second))


def _name_in_member(launch: CheckedLaunch, side: FindingSide, address: int) -> str:
    """How a member of a fused kernel calls what leads there; its parameters are named `<member>_<number>.<name>`."""
    base, prefix, names = _allocation(address), f"{side.member}_{side.sub}.", parameter_names(launch.kernel)
    leads = [
        (value, names.get(number, "").removeprefix(prefix))
        for number, value in enumerate(launch.args)
        if base and base <= value <= address and names.get(number, "").startswith(prefix)
    ]
    return max(leads)[1] if leads else ""


def whose(launch: CheckedLaunch | ProvokedLaunch, address: int) -> tuple[int, str, int]:
    """The allocation, and the argument that leads there: its name, or its number, and the distance from it."""
    base = _allocation(address)
    leads = [(value, number) for number, value in enumerate(launch.args) if base and base <= value <= address]
    if not leads:
        return base, "", 0
    value, number = max(leads)
    return base, parameter_names(launch.kernel).get(number, f"argument {number + 1}"), address - value


def _allocation(address: int) -> int:
    return int(describe_address(address)[1])


def _sync(mark: Sequence[Any]) -> _Sync:
    """In the words that syncs.py reads."""
    kind, source, target, number, mode, where, *more = mark
    at, call = (*more, "between", "")[:2] if more else ("between", "")
    match kind:
        case "set" | "wait":
            text = f"{'SetFlag' if kind == 'set' else 'WaitFlag'} {source}_{target} id {number}"
        case "barrier":
            text = f"PipeBarrier {source}"
        case "cross_set":
            text = f"CrossCoreSetFlag mode {mode} {source} id {number}"
        case "cross_wait":
            text = f"CrossCoreWaitFlag id {number}"
        case _:
            text = call or "SyncAll"
    return _Sync(where, text, at)


# --- what the host does


def _conflict(conflict: Sequence[Any], launches: Sequence[CheckedLaunch]) -> _Raw:
    """Two tasks, or a task and the host itself; the places are those of the host program."""
    first, second, begin, end, both_write = conflict
    by_host = [doing for doing in (first, second) if doing[2]]
    kind = "streams" if not by_host else "freed_too_early" if by_host[0][0] == "free" else "host_access"
    sides = [_task(doing, number, launches, begin, end, both_write) for number, doing in enumerate((first, second))]
    return _Raw(_Kind(kind), sides[0], sides[1], begin, end)


def _task(doing: Any, number: int, launches: Sequence[CheckedLaunch], begin: int, end: int, both_write: bool) -> _Side:
    what, index, by_host, place = doing
    launch = launches[index] if 0 <= index < len(launches) else None
    base, parameter, offset = whose(launch, begin) if launch else (_allocation(begin), "", 0)
    return _Side(
        agent="host" if by_host else "task", role="w" if both_write else "", op=what, begin=begin, end=end, base=base, parameter=parameter,
        offset=offset, kernel=launch.kernel if launch else "", task=number, place=place,
    )  # fmt: skip
