# SPDX-License-Identifier: Apache-2.0
"""A synchronisation that stands near two accesses, and how a kernel writes it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from aclimb.report.places import SourcePlace

if TYPE_CHECKING:
    from aclimb.check.places import Standing

ACROSS = ("CrossCoreSetFlag", "CrossCoreWaitFlag", "SyncAll", "IBSet", "IBWait", "WaitPreBlock", "NotifyNextBlock")
_CALLS = {
    "set": "SetFlag", "wait": "WaitFlag", "barrier": "PipeBarrier", "cross_set": "CrossCoreSetFlag", "cross_wait": "CrossCoreWaitFlag",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sync:
    call: str
    flag: str = ""  # MTE2_V
    pipe: str = ""  # of a barrier, a cross-core set, SetNextTaskStart
    id: int = -1
    mode: int = -1
    at: str = "between"
    file: str = ""
    line: int = 0

    @property
    def is_across(self) -> bool:
        """Whether it orders cores."""
        return self.call in ACROSS

    @property
    def short(self) -> str:
        return f"{Path(self.file).name}:{self.line}" if self.file else ""

    @property
    def written(self) -> str:
        """As the kernel has it."""
        number = "" if self.id < 0 else str(self.id)
        match self.call:
            case "SetFlag" | "WaitFlag":
                return f"{self.call}<HardEvent::{self.flag}>({number})"
            case "PipeBarrier":
                return f"PipeBarrier<PIPE_{self.pipe}>()"
            case "CrossCoreSetFlag":
                return f"CrossCoreSetFlag<{max(self.mode, 0)}, PIPE_{self.pipe}>({number})"
            case "SetNextTaskStart" if self.pipe:
                return f"SetNextTaskStart<PIPE_{self.pipe}>()"
            case _:
                return f"{self.call}({number})"


def sync_of(standing: Standing, place: SourcePlace | None) -> Sync:
    """What the engine found there. Nothing at all is the barrier between two members that the plan has."""
    kind = standing.kind
    return Sync(
        _CALLS.get(kind) or standing.instruction.partition(" ")[0] or "SyncAll",
        flag=f"{standing.src}_{standing.dst}" if kind in ("set", "wait") else "",
        pipe="" if kind == "other" and standing.src == "ALL" else standing.src,
        id=-1 if kind in ("barrier", "other") else standing.id,
        mode=standing.mode if kind == "cross_set" else -1,
        at=standing.at,
        file=place.file if place else "",
        line=place.line if place else 0,
    )
