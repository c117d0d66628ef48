# SPDX-License-Identifier: Apache-2.0
"""What a capture consists of: launches, copies between them, and events that lead from one stream to another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from aclimb import _engine

if TYPE_CHECKING:
    from aclimb.runtime.kernel import Kernel
    from aclimb.runtime.stream import Stream


@dataclass(frozen=True, slots=True)
class CapturedLaunch:
    """One recorded launch. `kernel` is None where its Python object is gone."""

    name: str
    kernel: Kernel | None
    num_blocks: int
    tiling_key: int | None
    args: bytes
    in_device_memory: bool  # the arguments are read from there when it runs
    workspace: int
    stream: int
    request: _engine.LaunchRequest = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class CapturedMove:
    """One recorded copy or fill: it moves what lies there when the graph runs."""

    kind: str  # MEMCPY_ASYNC or MEMSET_ASYNC
    size: int
    before: int  # the launch that follows it
    stream: int
    queue: Callable[[Stream], None] = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Mark:
    """A point of a capture: so many launches, and so many tasks of any kind, lie before it."""

    launches: int
    tasks: int


@dataclass(frozen=True, slots=True)
class Crossing:
    """An event that was recorded on one stream of a capture and awaited on another."""

    behind: Mark
    source: int
    before: Mark
    target: int


@dataclass(frozen=True, slots=True)
class Decision:
    """Why a recorded launch was fused, or was not. `reason` is one of CANN's names."""

    index: int
    kernel: str
    scope: str
    fused_into: str  # "" for none
    reason: str
    text: str

    def __str__(self) -> str:
        return f"[{self.index}] {self.kernel}: " + (f"in {self.fused_into}" if self.fused_into else f"{self.reason}: {self.text}")


def unjoined(origin: int, streams: list[int], tasks: list[int], crossings: list[Crossing]) -> int:
    """How many of the streams have tasks (listed by stream) that no event leads back to the first one, directly or through others."""
    led_back = {origin: len(tasks)}  # by stream: of all tasks, those before this one
    for each in reversed(crossings):
        if led_back.get(each.target, -1) >= each.before.tasks:
            led_back[each.source] = max(led_back.get(each.source, -1), each.behind.tasks)
    last = {number: index + 1 for index, number in enumerate(tasks)}
    return sum(led_back.get(number, -1) < last.get(number, 0) for number in streams)
