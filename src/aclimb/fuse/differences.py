# SPDX-License-Identifier: Apache-2.0
"""What came of a kernel under schedules: each difference with the string that brings it back, and what it means that there is none."""

from __future__ import annotations

from dataclasses import dataclass

from aclimb.fuse.accesses import Access
from aclimb.fuse.schedules import EARLY, LATE, Schedule
from aclimb.fuse.search import Bound

AS_IS = -1  # stands for a seed where there is no schedule
SHOWN = 8  # differences that a report prints
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


@dataclass(frozen=True, slots=True)
class Report:
    """What came of all schedules."""

    kernel: str
    runs: int
    differences: tuple[Difference, ...]
    accesses: tuple[Access, ...]
    is_fused: bool = True
    bounds: tuple[Bound, ...] = ()  # by depth, of the priorities by chance among the runs

    @property
    def is_stable(self) -> bool:
        return not self.differences

    def __str__(self) -> str:
        if self.is_stable:
            as_what = "as separate launches " if self.is_fused else ""
            return "\n".join([f"{self.kernel}: the same result {as_what}under {self.runs} schedules", *self._bound()])
        rows = [f"    {difference}" for difference in self.differences[:SHOWN]]
        rest = [f"    ... and {len(self.differences) - SHOWN} more"] if len(self.differences) > SHOWN else []
        return "\n".join([f"{self.kernel}: {self._summary()}", *rows, *rest])

    def _bound(self) -> list[str]:
        if not self.bounds:
            return []
        each = ", ".join(f"{bound.missed:.4g} at depth {bound.depth}" for bound in self.bounds)
        of = f"{self.bounds[0].agents} agents, {self.bounds[0].steps} steps"
        return [f"    a mistake is missed with a probability of at most {each} ({of})"]

    def _summary(self) -> str:
        changed = f"{sum(each.seed != AS_IS for each in self.differences)} of {self.runs} schedules change the result"
        if not self.is_fused:
            return f"{changed}; something has to wait for what it uses: a flag, a barrier or SyncAll is missing"
        return f"the result is not that of separate launches; {changed}" if self.differences[0].seed == AS_IS else changed
