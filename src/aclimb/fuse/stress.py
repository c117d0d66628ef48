# SPDX-License-Identifier: Apache-2.0
"""A kernel under schedules that provoke: is its result always the same, and that of a SuperKernel the one of separate launches?

On hardware an instruction runs some time after it was issued. Here it normally runs at once, which hides a missing order. Under a schedule
it waits in the queue of its pipe, and the schedule decides what runs next, within what flags, barriers and queues allow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from aclimb.errors import InvalidArgument
from aclimb.fuse.accesses import Access
from aclimb.fuse.trial import FusedTrial
from aclimb.runtime import Buffer, Kernel, LaunchConfig, Stream
from aclimb.runtime.fused_runs import Priorities
from aclimb.schedules.difference import AS_IS, Difference
from aclimb.schedules.schedule import Schedule
from aclimb.schedules.search import DEPTHS, Bound, Search
from aclimb.schedules.shrink import Shrinker
from aclimb.schedules.trial import Trial

SHOWN = 8  # differences that a report prints


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


def stress(
    kernel: Kernel,
    *args: Any,
    config: LaunchConfig | None = None,
    seeds: Iterable[int] | None = None,
    schedules: int = 200,
    replay: str | Iterable[str] | None = None,
    stream: Stream | None = None,
    stop: bool = False,
) -> Report:
    """Runs any kernel once as always and once for each schedule, with the same buffers put back each time, and compares.

    A SuperKernel is compared with separate launches of its members; words of its own (locks, profiling) with its run without a schedule.
    Any other kernel needs a `config`, and is compared with its plain launch.

    Of `schedules` the first are extremes: each pipe as late as the order allows, each as early, single cores last or first. Then come
    priorities by chance, for which a report without a difference says how likely a mistake was missed, and random interleavings. A
    difference is made smaller before it is reported, and has a string with it: `replay` runs that schedule again, or several of them. With
    `seeds` only those run: 0 is what follows SetNextTaskStart, in a plain kernel everything, as late as the order allows; 1 the next
    sub-kernel as early, the cores in reverse order; others are random interleavings.

    `stop` ends at the first difference. The buffers are left as they were found: what they hold at the beginning should not be the result
    already. Float atomics of several cores may add up to other last bits: that is a difference too.
    """
    stream = stream or Stream(next((each.device for each in args if isinstance(each, Buffer)), None))
    if kernel.binary.plan is not None and config is not None:
        raise InvalidArgument(f"{kernel.name} is a SuperKernel, which knows its blocks; leave config out")
    trial = FusedTrial(kernel, args, stream) if kernel.binary.plan is not None else Trial(kernel, args, stream, config)
    search = Search(trial.cores, _count(schedules))
    chosen = _chosen(search, seeds, replay)
    run = _Run(trial, search, shrinks=seeds is None and replay is None)
    try:
        run.begin()
        for schedule in chosen:
            if stop and run.differences:
                break
            run.one(schedule)
    finally:
        trial.put_back()
    accesses = trial.accesses if isinstance(trial, FusedTrial) else ()
    return Report(kernel.name, run.count, tuple(run.differences), accesses, trial.is_fused, run.bounds())


class _Run:
    """Schedule after schedule: what was found, and how much was tried."""

    def __init__(self, trial: Trial, search: Search, shrinks: bool) -> None:
        self._trial, self._search = trial, search
        self._shrinker = Shrinker(trial.run, trial.cores) if shrinks else None
        self.differences: list[Difference] = []
        self.count = 0
        self._by_depth: Counter[int] = Counter()

    def begin(self) -> None:
        self._trial.begin()
        found = self._trial.compare()
        self.differences += [found] if found else []

    def one(self, schedule: Schedule) -> None:
        self.count += 1
        order = schedule.engine(self._trial.cores)
        found = self._trial.run(schedule, order)
        if isinstance(order, Priorities):
            self._search.steps, self._search.agents = max(self._search.steps, order.steps), max(self._search.agents, order.agents)
        if schedule.kind == "pct":
            self._by_depth[schedule.depth] += 1
        if found and self._shrinker and len(self.differences) < SHOWN:
            found = self._shrinker.shrink(found)
        self.differences += [found] if found else []

    def bounds(self) -> tuple[Bound, ...]:
        tried = [(depth, self._by_depth[depth]) for depth in DEPTHS if self._by_depth[depth]]
        return tuple(Bound(depth, runs, self._search.agents, self._search.steps) for depth, runs in tried)


def _count(schedules: int) -> int:
    if not isinstance(schedules, int) or isinstance(schedules, bool) or schedules < 0:
        raise InvalidArgument(f"schedules is {schedules!r}; it takes how many to try, 0 and up")
    return schedules


def _chosen(search: Search, seeds: Iterable[int] | None, replay: str | Iterable[str] | None) -> Iterator[Schedule]:
    if seeds is not None and replay is not None:
        raise InvalidArgument("seeds and replay are two ways to choose; give one of them")
    if replay is not None:
        return iter([Schedule.parse(each) for each in ([replay] if isinstance(replay, str) else replay)])
    return search.schedules() if seeds is None else map(_of_seed, seeds)


def _of_seed(seed: int) -> Schedule:
    if not isinstance(seed, int) or seed < 0:
        raise InvalidArgument(f"a seed is {seed!r}; it takes 0 and up")
    return Schedule("seed", seed=seed)
