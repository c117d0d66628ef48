# SPDX-License-Identifier: Apache-2.0
"""A result that a schedule changed, with the string that brings it back."""

from __future__ import annotations

from dataclasses import dataclass

from aclimb.schedules.schedule import EARLY, LATE, Schedule

AS_IS = -1  # stands for a seed where there is no schedule
_NAMES = {LATE: "what follows SetNextTaskStart as late as it may", EARLY: "the next sub-kernel as early as it may"}
_PLAIN_NAMES = {LATE: "every pipe as late as it may", EARLY: "the cores in reverse order"}


@dataclass(frozen=True, slots=True)
class Difference:
    """A schedule under which the result is not that of separate launches; of a plain kernel, not that of a plain launch."""

    seed: int | None  # AS_IS: the run without a schedule; None: a schedule that no seed stands for
    parameter: str  # whose memory differs; "" when the run failed
    first: int  # bytes, of the first stretch that differs
    last: int
    writers: tuple[str, ...]  # sub-kernels that write there
    after_set: tuple[str, ...]  # sub-kernels that write there, or what the writers read, behind their SetNextTaskStart
    before_wait: tuple[str, ...]  # writers that read before their WaitPreTaskEnd
    error: str = ""
    is_fused: bool = True
    schedule: Schedule | None = None  # None: without one

    @property
    def replay(self) -> str:
        """What stress(..., replay=...) takes to see it again."""
        return str(self.schedule or "")

    def __str__(self) -> str:
        return f"{self.how}: {self.words}" + (f'; replay="{self.schedule}"' if self.schedule else "")

    @property
    def how(self) -> str:
        """Under which schedule."""
        if self.schedule is None:
            return "without a schedule"
        names = _NAMES if self.is_fused else _PLAIN_NAMES
        named = self.schedule.kind == "seed" and self.seed in names
        return self.schedule.words + (f" ({names[self.schedule.seed]})" if named else "")

    @property
    def words(self) -> str:
        """What differs."""
        if self.error:
            return self.error
        text = f"{self.parameter} bytes {self.first}-{self.last} differ"
        if not self.is_fused:
            return text
        text += f", written by {', '.join(self.writers) or 'nobody that was seen'}"
        if self.after_set:
            text += f"; {', '.join(self.after_set)} writes behind its SetNextTaskStart"
        return text + (f"; {', '.join(self.before_wait)} reads before its WaitPreTaskEnd" if self.before_wait else "")
