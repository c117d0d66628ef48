# SPDX-License-Identifier: Apache-2.0
"""Findings as the engine hands them over, without an engine: an image is a source file, an offset in it is a line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from aclimb.check import cases
from aclimb.check import collect as collecting
from aclimb.check.finding import Finding as Shown
from aclimb.check.settings import Settings
from aclimb.report.places import SourcePlace
from aclimb.runtime.device import opened

SOURCE = """\
#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void add_custom(GM_ADDR gx, GM_ADDR gy, GM_ADDR gz) {
    Init(gx, gy, gz);
    DataCopy(x, gx, 2048);
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    Add(z, x, y, 2048);
    DataCopy(gz, z, 2048);
    CrossCoreSetFlag<0, PIPE_V>(3);
    CrossCoreWaitFlag(3);
    DataCopy(t, gz[2048], 2048);
    float first = z.GetValue(0);
    PipeBarrier<PIPE_V>();
    SetNextTaskStart<PIPE_V>();
    WaitPreTaskEnd();
    words.SetValue(0, 1);
}
"""
LINES = {text.strip(): number for number, text in enumerate(SOURCE.splitlines(), 1)}
ADD, OUT, IN = LINES["Add(z, x, y, 2048);"], LINES["DataCopy(gz, z, 2048);"], LINES["DataCopy(x, gx, 2048);"]


def named(name: str) -> Any:
    return SimpleNamespace(name=name)


@dataclass(frozen=True)
class Standing:
    kind: str
    where: tuple[str, int]
    src: str = "S"
    dst: str = "S"
    id: int = 0
    mode: int = 0
    at: str = "between"
    instruction: str = ""


@dataclass(frozen=True)
class Side:
    where: tuple[str, int] = ("AIV", ADD)
    unit: int = 0
    block: int = 0
    core_type: Any = field(default_factory=lambda: named("AIV"))
    core_idx: int = 0
    agent: str = "V"
    way: str = "writes"
    instruction: str = "Add"
    operand: int = 0
    sub: int = -1
    member: str = ""
    waited: bool = True
    set: bool = False


@dataclass(frozen=True)
class Finding:
    kind: Any
    first: Side
    second: Side | None = None
    memory: str = "UB"
    begin: int = 0x2000
    end: int = 0x3000
    met: int = 1
    blocks: int = 1
    number: int = 0
    order: Sequence[Standing] = ()


@dataclass(frozen=True)
class Launch:
    """One launch and what was found in it; the last three are what the process knows of its addresses."""

    findings: Sequence[Finding] = ()
    kernel: str = "add_custom"
    num_blocks: int = 1
    place: tuple[str, int] | None = None
    claimed: bool = False
    images: dict[str, bytes | None] = field(default_factory=dict)
    base: int = 0
    parameter: str = ""
    offset: int = 0
    workspace: bool = False

    @property
    def finding(self) -> Finding:
        (finding,) = self.findings
        return finding


@dataclass(frozen=True)
class Task:
    kind: str = "launch"
    launch: int = -1
    by_host: bool = False
    place: tuple[str, int] | None = None


@dataclass(frozen=True)
class Conflict:
    """Two tasks, with the launches that they mean; their numbers are those in this list."""

    kind: Any
    first: Task
    second: Task
    launches: Sequence[Launch] = ()
    begin: int = 0x7F0000001000
    end: int = 0x7F0000002000
    both_write: bool = False


Found = Launch | Conflict


def one(kind: str, side: dict[str, Any], **more: Any) -> Launch:
    """A finding with one side. What is no word of a finding is one of its launch."""
    return _launch(kind, Side(**side), None, more)


def two(kind: str, first: dict[str, Any], second: dict[str, Any], **more: Any) -> Launch:
    """V writes z, MTE3 reads it; two sides of a race that rules change as they like."""
    other = {"where": ("AIV", OUT), "agent": "MTE3", "way": "reads", "instruction": "DataCopy", "operand": 1, **second}
    return _launch(kind, Side(**first), Side(**other), more)


def race(kind: str = "race", first: dict[str, Any] | None = None, second: dict[str, Any] | None = None, **more: Any) -> Launch:
    return two(kind, first or {}, second or {}, **more)


def _launch(kind: str, first: Side, second: Side | None, more: dict[str, Any]) -> Launch:
    launch = {name: more.pop(name) for name in list(more) if name in Launch.__dataclass_fields__}
    return Launch([Finding(named(kind), first, second, **more)], **launch)


def sorted_out(found: Iterable[Found]) -> tuple[list[Launch], list[Conflict]]:
    """What a session has: launches, and conflicts that number them."""
    launches, conflicts = list[Launch](), list[Conflict]()
    for each in found:
        if isinstance(each, Launch):
            launches.append(each)
            continue
        moved = [replace(task, launch=task.launch + len(launches)) if task.launch >= 0 else task for task in (each.first, each.second)]
        conflicts.append(replace(each, first=moved[0], second=moved[1]))
        launches += each.launches
    return launches, conflicts


class Places:
    """Looks up lines in one source file."""

    def __init__(self, file: Path, launch: Launch) -> None:
        self.file, self.launch = str(file), launch

    def find(self, where: tuple[str, int]) -> SourcePlace | None:
        image, line = where
        return SourcePlace(self.file, line, "") if image else None

    def called(self, where: tuple[str, int], instruction: str) -> str:
        return instruction

    def whose(self, address: int) -> tuple[int, str, int]:
        return self.launch.base, self.launch.parameter, self.launch.offset

    def name_in_member(self, side: Side, address: int) -> str:
        return "workspace" if self.launch.workspace else "z"


def point_to(source: Path, put: Callable[[Any, str, Any], None] = setattr) -> None:
    """Lines of launches are those of this file."""
    put(collecting, "LaunchPlaces", lambda launch: Places(source, launch))
    put(cases, "whose", lambda address, launch: (launch.base, launch.parameter, launch.offset) if launch else (0, "", 0))


def collected(*found: Found, settings: Settings) -> list[Shown]:
    launches, conflicts = sorted_out(found)
    return collecting.collect(launches, conflicts, settings=settings)  # type: ignore[arg-type]


@dataclass
class Session:
    """The engine's session: what it will have found, and that it was opened and closed."""

    launches: Sequence[Launch] = (Launch(),)
    conflicts: Sequence[Conflict] = ()
    notes: Sequence[str] = ()
    calls: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, *found: Launch) -> Session:
        """One launch, in which all of it was found."""
        return cls([Launch([each.finding for each in found])])

    def open(self) -> None:
        self.calls.append("open")

    def close(self) -> None:
        self.calls.append("close")
        for device in opened():
            device.native.wait_idle()
