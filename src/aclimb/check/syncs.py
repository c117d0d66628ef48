# SPDX-License-Identifier: Apache-2.0
"""A synchronisation that stands near two accesses, read from the engine's words.

The words: the call, then what it was given. One of
    SetFlag MTE2_V id 0              WaitFlag MTE2_V id 0
    PipeBarrier V                    PipeBarrier ALL
    CrossCoreSetFlag mode 0 MTE3 id 3    CrossCoreWaitFlag id 3
    SetNextTaskStart MTE3            WaitPreTaskEnd
    DataSyncBarrier DDR              DataCacheCleanAndInvalid
    SyncAll, IBSet, IBWait, WaitPreBlock, NotifyNextBlock, and for the host EventRecord, EventWait, Synchronize
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

ACROSS = ("CrossCoreSetFlag", "CrossCoreWaitFlag", "SyncAll", "IBSet", "IBWait", "WaitPreBlock", "NotifyNextBlock")
_FLAG = re.compile(r"(?:S|V|M|MTE[123]|FIX)_(?:S|V|M|MTE[123]|FIX)")
_PLACES = ("before_first", "between", "behind_first", "before_second", "behind_second")


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


def read(text: str, at: str = "between", file: str = "", line: int = 0) -> Sync:
    """Words that are not known stay as they are: they are shown and never acted upon."""
    call, *words = text.split()
    flag = next((word for word in words if _FLAG.fullmatch(word)), "")
    numbers = {key: int(value) for key, value in pairwise(words) if key in ("id", "mode") and value.isdigit()}
    rest = [word for word in words if word not in ("id", "mode", flag) and not word.isdigit()]
    pipe = rest[0].removeprefix("PIPE_") if rest else ""
    return Sync(call, flag, pipe, numbers.get("id", -1), numbers.get("mode", -1), at if at in _PLACES else "between", file, line)
