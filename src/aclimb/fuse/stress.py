# SPDX-License-Identifier: Apache-2.0
"""A SuperKernel under schedules that provoke: does its result depend on what overlaps?

On hardware an instruction runs some time after it was issued. Here it normally runs at once, which hides a missing order. Under a schedule
it waits in the queue of its pipe, and the seed decides what runs next, within what flags, barriers and queues allow.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from aclimb.errors import AclimbError, InvalidArgument
from aclimb.fuse.accesses import Access, record
from aclimb.fuse.fuse import plan_of
from aclimb.runtime import Buffer, Kernel, LaunchConfig, Stream, launch

LATE, EARLY = 0, 1  # the first two seeds are the two extremes
_NAMES = {LATE: "what follows SetNextTaskStart as late as it may", EARLY: "the next sub-kernel as early as it may"}


@dataclass(frozen=True, slots=True)
class Difference:
    """A schedule under which the result is another one."""

    seed: int
    parameter: str  # whose memory differs; "" when the run failed
    first: int  # bytes, of the first stretch that differs
    last: int
    writers: tuple[str, ...]  # sub-kernels that write there
    after_set: tuple[str, ...]  # sub-kernels that write there, or what the writers read, behind their SetNextTaskStart
    before_wait: tuple[str, ...]  # writers that read before their WaitPreTaskEnd
    error: str = ""

    def __str__(self) -> str:
        how = f"seed {self.seed}" + (f" ({_NAMES[self.seed]})" if self.seed in _NAMES else "")
        if self.error:
            return f"{how}: {self.error}"
        text = (
            f"{how}: {self.parameter} bytes {self.first}-{self.last} differ, written by {', '.join(self.writers) or 'nobody that was seen'}"
        )
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

    @property
    def is_stable(self) -> bool:
        return not self.differences

    def __str__(self) -> str:
        if self.is_stable:
            return f"{self.kernel}: the same result under {self.runs} schedules"
        rows = [f"    {difference}" for difference in self.differences[:8]]
        rest = [f"    ... and {len(self.differences) - 8} more"] if len(self.differences) > 8 else []
        return "\n".join([f"{self.kernel}: {len(self.differences)} of {self.runs} schedules change the result", *rows, *rest])


def stress(kernel: Kernel, *args: Any, seeds: Iterable[int] = range(200), stream: Stream | None = None, stop: bool = False) -> Report:
    """Runs the SuperKernel once as always and once for each seed, with the same buffers put back each time, and compares them all.

    Seed 0 runs what follows SetNextTaskStart as late as the order allows, seed 1 the next sub-kernel as early; others are random
    interleavings. `stop` ends at the first difference. The buffers are left as they were found: what they hold at the beginning should not
    be the result already.
    """
    plan = plan_of(kernel.binary)
    stream = stream or Stream(next((each.device for each in args if isinstance(each, Buffer)), None))
    buffers = {p.name: each for p, each in zip(kernel.info.parameters, args, strict=False) if isinstance(each, Buffer)}
    distinct = {each.address: (name, each) for name, each in reversed(buffers.items())}
    before = {name: each.to_numpy() for name, each in distinct.values()}
    accesses = record(kernel, *args, stream=stream)
    wanted = {name: each.to_numpy() for name, each in distinct.values()}
    differences, runs = [], 0
    for seed in seeds:
        if not isinstance(seed, int) or seed < 0:
            raise InvalidArgument(f"a seed is {seed!r}; it takes 0 and up")
        _put_back(distinct, before)
        runs += 1
        found = _run(seed, kernel, args, stream, plan.num_blocks, wanted, distinct, accesses)
        if found is not None:
            differences.append(found)
            if stop:
                break
    _put_back(distinct, before)
    return Report(kernel.name, runs, tuple(differences), accesses)


def _put_back(buffers: dict[int, tuple[str, Buffer]], before: dict[str, np.ndarray[Any, Any]]) -> None:
    for name, each in buffers.values():
        each.copy_from(before[name])


def _run(
    seed: int,
    kernel: Kernel,
    args: tuple[Any, ...],
    stream: Stream,
    blocks: int,
    wanted: dict[str, np.ndarray[Any, Any]],
    buffers: dict[int, tuple[str, Buffer]],
    accesses: tuple[Access, ...],
) -> Difference | None:
    stream.native.set_schedule({LATE: 1, EARLY: 2}.get(seed, 3), seed)
    try:
        launch(stream, LaunchConfig(blocks), kernel, *args)
        stream.synchronize()
    except AclimbError as error:
        return Difference(seed, "", 0, 0, (), (), (), f"{type(error).__name__}: {error}")
    finally:
        stream.native.set_schedule(0, 0)
    for name, each in buffers.values():
        got, old = each.to_numpy().view(np.uint8).ravel(), wanted[name].view(np.uint8).ravel()
        if not np.array_equal(got, old):
            where = np.unique(np.flatnonzero(got != old) // each.dtype.itemsize)
            return _difference(seed, name, where, each.dtype.itemsize, kernel, accesses)
    return None


def _difference(seed: int, name: str, where: np.ndarray[Any, Any], size: int, kernel: Kernel, accesses: tuple[Access, ...]) -> Difference:
    """`where` are elements of that size."""
    first = int(where[0]) * size
    breaks = np.flatnonzero(np.diff(where) * size > 32)  # the first stretch, small holes in it allowed
    last = (int(where[breaks[0]] if breaks.size else where[-1]) + 1) * size - 1
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
