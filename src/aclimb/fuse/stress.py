# SPDX-License-Identifier: Apache-2.0
"""A kernel under schedules that provoke: is its result always the same, and that of a SuperKernel the one of separate launches?

On hardware an instruction runs some time after it was issued. Here it normally runs at once, which hides a missing order. Under a schedule
it waits in the queue of its pipe, and the seed decides what runs next, within what flags, barriers and queues allow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from aclimb.errors import AclimbError, InvalidArgument
from aclimb.fuse.accesses import Access, record
from aclimb.fuse.fuse import plan_of
from aclimb.fuse.separate import MemberLaunch, launch_separately, parts_of
from aclimb.runtime import Buffer, Kernel, LaunchConfig, Stream, launch
from aclimb.runtime.fused_runs import ScheduleMode, scheduled

LATE, EARLY = 0, 1  # the first two seeds are the two extremes
AS_IS = -1  # stands for a seed where there is no schedule
_NAMES = {LATE: "what follows SetNextTaskStart as late as it may", EARLY: "the next sub-kernel as early as it may"}
_PLAIN_NAMES = {LATE: "every pipe as late as it may", EARLY: "the cores in reverse order"}


@dataclass(frozen=True, slots=True)
class Difference:
    """A schedule under which the result is not that of separate launches; of a plain kernel, not that of a plain launch."""

    seed: int  # AS_IS: the run without a schedule
    parameter: str  # whose memory differs; "" when the run failed
    first: int  # bytes, of the first stretch that differs
    last: int
    writers: tuple[str, ...]  # sub-kernels that write there
    after_set: tuple[str, ...]  # sub-kernels that write there, or what the writers read, behind their SetNextTaskStart
    before_wait: tuple[str, ...]  # writers that read before their WaitPreTaskEnd
    error: str = ""
    is_fused: bool = True

    def __str__(self) -> str:
        how = "without a schedule" if self.seed == AS_IS else f"seed {self.seed}"
        names = _NAMES if self.is_fused else _PLAIN_NAMES
        how += f" ({names[self.seed]})" if self.seed in names else ""
        if self.error:
            return f"{how}: {self.error}"
        text = f"{how}: {self.parameter} bytes {self.first}-{self.last} differ"
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

    @property
    def is_stable(self) -> bool:
        return not self.differences

    def __str__(self) -> str:
        if self.is_stable:
            return f"{self.kernel}: the same result {'as separate launches ' if self.is_fused else ''}under {self.runs} schedules"
        rows = [f"    {difference}" for difference in self.differences[:8]]
        rest = [f"    ... and {len(self.differences) - 8} more"] if len(self.differences) > 8 else []
        return "\n".join([f"{self.kernel}: {self._summary()}", *rows, *rest])

    def _summary(self) -> str:
        changed = f"{sum(each.seed != AS_IS for each in self.differences)} of {self.runs} schedules change the result"
        if not self.is_fused:
            return f"{changed}; something has to wait for what it uses: a flag, a barrier or SyncAll is missing"
        return f"the result is not that of separate launches; {changed}" if self.differences[0].seed == AS_IS else changed


def stress(
    kernel: Kernel,
    *args: Any,
    config: LaunchConfig | None = None,
    seeds: Iterable[int] = range(200),
    stream: Stream | None = None,
    stop: bool = False,
) -> Report:
    """Runs any kernel once as always and once for each seed, with the same buffers put back each time, and compares.

    A SuperKernel is compared with separate launches of its members; words of its own (locks, profiling) with its run without a schedule.
    Any other kernel needs a `config`, and is compared with its plain launch. Seed 0 runs what follows SetNextTaskStart, in a plain kernel
    everything, as late as the order allows; seed 1 the next sub-kernel as early, the cores in reverse order; others are random
    interleavings. `stop` ends at the first difference. The buffers are left as they were found: what they hold at the beginning should not
    be the result already. Float atomics of several cores may add up to other last bits: that is a difference too.
    """
    stream = stream or Stream(next((each.device for each in args if isinstance(each, Buffer)), None))
    if kernel.binary.plan is not None and config is not None:
        raise InvalidArgument(f"{kernel.name} is a SuperKernel, which knows its blocks; leave config out")
    trial = _FusedTrial(kernel, args, stream) if kernel.binary.plan is not None else _Trial(kernel, args, stream, config)
    differences, runs = [], 0
    try:
        accesses = trial.begin()
        found = trial.compare(AS_IS)
        differences += [found] if found else []
        for seed in seeds:
            if not isinstance(seed, int) or seed < 0:
                raise InvalidArgument(f"a seed is {seed!r}; it takes 0 and up")
            if stop and differences:
                break
            runs += 1
            found = trial.run(seed)
            differences += [found] if found else []
    finally:
        trial.put_back()
    return Report(kernel.name, runs, tuple(differences), accesses, trial.is_fused)


class _Trial:
    """The buffers of a kernel: what they held before, and what they have to hold behind it."""

    is_fused = False

    def __init__(self, kernel: Kernel, args: tuple[Any, ...], stream: Stream, config: LaunchConfig | None) -> None:
        wanted = kernel.info.parameters
        if len(args) != len(wanted):
            raise InvalidArgument(f"{kernel.info.signature} takes {len(wanted)} arguments; {len(args)} given")
        if not isinstance(config, LaunchConfig):
            given = "" if config is None else f"config is {config!r}; "
            raise InvalidArgument(
                f"{given}{kernel.name} is no SuperKernel, which knows its blocks; add config=LaunchConfig(num_blocks=...)"
            )
        self._kernel, self._args, self._stream, self._config = kernel, args, stream, config
        named = {p.name: each for p, each in zip(kernel.info.parameters, args, strict=False) if isinstance(each, Buffer)}
        self._buffers = {each.address: (name, each) for name, each in reversed(named.items())}
        self._before = self._contents()
        self._wanted: dict[str, np.ndarray[Any, Any]] = {}
        self._accesses: tuple[Access, ...] = ()

    def _contents(self) -> dict[str, np.ndarray[Any, Any]]:
        return {name: each.to_numpy() for name, each in self._buffers.values()}

    def put_back(self) -> None:
        for name, each in self._buffers.values():
            each.copy_from(self._before[name])

    def begin(self) -> tuple[Access, ...]:
        """The run to compare with; the result of a run without a schedule stays in the buffers."""
        self._launch()
        self._wanted = self._contents()
        return ()

    def _launch(self) -> None:
        launch(self._stream, self._config, self._kernel, *self._args)
        self._stream.synchronize()

    def run(self, seed: int) -> Difference | None:
        self.put_back()
        mode = {LATE: ScheduleMode.late, EARLY: ScheduleMode.early}.get(seed, ScheduleMode.random)
        try:
            with scheduled(self._stream, mode, seed):
                self._launch()
        except AclimbError as error:
            return Difference(seed, "", 0, 0, (), (), (), f"{type(error).__name__}: {error}", self.is_fused)
        return self.compare(seed)

    def compare(self, seed: int) -> Difference | None:
        for name, each in self._buffers.values():
            got, wanted = each.to_numpy().view(np.uint8).ravel(), self._wanted[name].view(np.uint8).ravel()
            if not np.array_equal(got, wanted):
                where = np.unique(np.flatnonzero(got != wanted) // each.dtype.itemsize)
                return self._difference(seed, name, *_first_stretch(where, each.dtype.itemsize))
        return None

    def _difference(self, seed: int, name: str, first: int, last: int) -> Difference:
        return Difference(seed, name, first, last, (), (), (), is_fused=False)


class _FusedTrial(_Trial):
    is_fused = True

    def __init__(self, kernel: Kernel, args: tuple[Any, ...], stream: Stream) -> None:
        super().__init__(kernel, args, stream, LaunchConfig(plan_of(kernel.binary).num_blocks))
        self._parts = parts_of(kernel, args)

    def begin(self) -> tuple[Access, ...]:
        """The separate launches, and the SuperKernel without a schedule."""
        launch_separately(self._parts, self._stream)
        separate = self._contents()
        self.put_back()
        self._accesses = record(self._kernel, *self._args, stream=self._stream)
        members = {each.address for each in _member_buffers(self._parts)} - {each.address for each in self._own_words()}
        fused = self._contents()
        self._wanted = {name: (separate if address in members else fused)[name] for address, (name, _) in self._buffers.items()}
        return self._accesses

    def _own_words(self) -> Iterator[Buffer]:
        """Given for the SuperKernel itself: which it writes, and separate launches do not."""
        members = {f"{part.sub.name}.{p.name}" for part in self._parts for p in part.sub.info.parameters}
        for parameter, each in zip(self._kernel.info.parameters, self._args, strict=False):
            if isinstance(each, Buffer) and parameter.name not in members:
                yield each

    def _difference(self, seed: int, name: str, first: int, last: int) -> Difference:
        return _blamed(seed, name, first, last, self._kernel, self._accesses)


def _member_buffers(parts: Iterable[MemberLaunch]) -> Iterator[Buffer]:
    return (each for part in parts for each in part.args if isinstance(each, Buffer))


def _first_stretch(where: np.ndarray[Any, Any], size: int) -> tuple[int, int]:
    """Its first and last byte, small holes in it allowed; `where` are elements of that size."""
    breaks = np.flatnonzero(np.diff(where) * size > 32)
    return int(where[0]) * size, (int(where[breaks[0]] if breaks.size else where[-1]) + 1) * size - 1


def _blamed(seed: int, name: str, first: int, last: int, kernel: Kernel, accesses: tuple[Access, ...]) -> Difference:
    names = [sub.name for sub in plan_of(kernel.binary).subs]
    hits = [a for a in accesses if a.writes and a.parameter == name and a.first <= last and a.last >= first]
    writers = {a.sub for a in hits}
    concerned = hits + [a for a in accesses if not a.writes and a.sub in writers]
    late = {a.sub for a in accesses if a.writes and a.phase == "after set" and any(_meet(a, other) for other in concerned)}
    early = {a.sub for a in concerned if not a.writes and a.phase == "before wait"}
    by, behind, ahead = (tuple(names[sub] for sub in sorted(subs)) for subs in (writers, late, early))
    return Difference(seed, name, first, last, by, behind, ahead)


def _meet(one: Access, other: Access) -> bool:
    return one.parameter == other.parameter and one.first <= other.last and one.last >= other.first
