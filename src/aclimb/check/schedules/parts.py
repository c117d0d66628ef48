# SPDX-License-Identifier: Apache-2.0
"""Parts of the schedules: each is one run of the program. They do not depend on how many workers there are, so results do not either."""

from __future__ import annotations

import re
from dataclasses import dataclass

from aclimb.errors import InvalidArgument
from aclimb.schedules.schedule import Schedule

LARGEST = 25  # schedules: a run of the program, with all that it does beside its launches, is worth that many
MOST = 100_000
_WRITTEN = re.compile(r"(\d+)-(\d+)/(\d+)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Part:
    """Schedules `first` up to, not including, `end` out of `total`, by their number in schedules.search; or the one of a replay string."""

    first: int = 0
    end: int = 1
    total: int = 1
    replay: str = ""

    def __str__(self) -> str:
        return self.replay or f"{self.first}-{self.end}/{self.total}"

    @property
    def words(self) -> str:
        return f"schedule {self.replay}" if self.replay else f"schedules {self.first + 1} to {self.end}"

    @classmethod
    def of(cls, text: str) -> Part:
        if found := _WRITTEN.fullmatch(text):
            first, end, total = map(int, found.groups())
            return cls(first, end, total)
        schedule = Schedule.parse(text)
        if schedule.kind == "witness":
            raise InvalidArgument(f"replay is {text!r}, which is about two instructions of one launch; aclimb.fuse.witness runs it")
        return cls(replay=str(schedule))


def parts_of(total: int) -> list[Part]:
    if not 1 <= total <= MOST:
        raise InvalidArgument(f"--schedules is {total}; it takes 1 to {MOST}")
    return [Part(first, min(first + LARGEST, total), total) for first in range(0, total, LARGEST)]
