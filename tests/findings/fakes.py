# SPDX-License-Identifier: Apache-2.0
"""Findings as the engine hands them over, without an engine: an image is a source file, an offset in it is a line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

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
class Sync:
    where: tuple[str, int]
    text: str
    at: str = "between"


@dataclass(frozen=True)
class Side:
    where: tuple[str, int] = ("AIV", ADD)
    unit: int = 0
    block: int = 0
    core_type: Any = field(default_factory=lambda: named("AIV"))
    core_idx: int = 0
    agent: str = "V"
    role: str = "w"
    op: str = "Add"
    operand: int = 0
    memory: str = "UB"
    begin: int = 0x2000
    end: int = 0x3000
    base: int = 0
    parameter: str = ""
    offset: int = 0
    sub: int = -1
    sub_name: str = ""
    kernel: str = "add_custom"
    task: int = 1
    place: tuple[str, int] | None = None


@dataclass(frozen=True)
class Raw:
    kind: Any
    first: Side
    second: Side | None = None
    begin: int = 0x2000
    end: int = 0x3000
    count: int = 1
    blocks: int = 1
    bytes: int = 4096
    sync: Sequence[Sync] = ()
    numbers: Mapping[str, int] = field(default_factory=dict)
    images: Mapping[str, Any] = field(default_factory=dict)
    claimed: bool = False


def race(kind: str = "race", **changes: Any) -> Raw:
    """V writes z, MTE3 reads it; two sides of a race that rules change as they like."""
    first = Side(**{"where": ("AIV", ADD), "agent": "V", "role": "w", "op": "Add", "operand": 0, **changes.pop("first", {})})
    second = Side(**{"where": ("AIV", OUT), "agent": "MTE3", "role": "r", "op": "DataCopy", "operand": 1, **changes.pop("second", {})})
    return Raw(**{"kind": named(kind), "first": first, "second": second, **changes})


class Places:
    """Looks up lines in one source file."""

    def __init__(self, file: Path) -> None:
        self.file = str(file)

    def find(self, where: tuple[str, int]) -> SourcePlace | None:
        image, line = where
        return SourcePlace(self.file, line, "") if image else None

    def called(self, where: tuple[str, int], instruction: str) -> str:
        return instruction


@dataclass
class Session:
    """The engine's session: what it will have found, and that it was opened and closed."""

    raws: Sequence[Raw] = ()
    launches: int = 1
    notes: Sequence[str] = ()
    calls: list[str] = field(default_factory=list)

    def open(self) -> None:
        self.calls.append("open")

    def close(self) -> None:
        self.calls.append("close")
        for device in opened():
            device.native.wait_idle()

    def raw_findings(self) -> Sequence[Raw]:
        return self.raws

    def images(self) -> Mapping[str, Any]:
        return {}
