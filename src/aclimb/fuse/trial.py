# SPDX-License-Identifier: Apache-2.0
"""A SuperKernel with its buffers, run again and again: what its members leave in them when they are launched one by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from aclimb.fuse.accesses import Access, record
from aclimb.fuse.fuse import plan_of
from aclimb.fuse.separate import MemberLaunch, launch_separately, parts_of
from aclimb.runtime import Buffer, Kernel, LaunchConfig, Stream
from aclimb.runtime.fused_runs import on_one_thread
from aclimb.schedules.difference import Difference
from aclimb.schedules.schedule import Schedule
from aclimb.schedules.trial import Trial, seed_of


class FusedTrial(Trial):
    """Of a SuperKernel: it has to compute what separate launches of its members do."""

    is_fused = True

    def __init__(self, kernel: Kernel, args: tuple[Any, ...], stream: Stream) -> None:
        super().__init__(kernel, args, stream, LaunchConfig(plan_of(kernel.binary).num_blocks))
        self._parts = parts_of(kernel, args)
        self.accesses: tuple[Access, ...] = ()

    def begin(self) -> None:
        """The separate launches, and the SuperKernel without a schedule."""
        with on_one_thread(self._stream):
            launch_separately(self._parts, self._stream)
            separate = self._contents()
            self.put_back()
            self.accesses = record(self._kernel, *self._args, stream=self._stream)
        members = {each.address for each in _member_buffers(self._parts)} - {each.address for each in self._own_words()}
        fused = self._contents()
        self._wanted = {name: (separate if address in members else fused)[name] for address, (name, _) in self._buffers.items()}

    def _own_words(self) -> Iterator[Buffer]:
        """Given for the SuperKernel itself: which it writes, and separate launches do not."""
        members = {f"{part.sub.name}.{p.name}" for part in self._parts for p in part.sub.info.parameters}
        for parameter, each in zip(self._kernel.info.parameters, self._args, strict=False):
            if isinstance(each, Buffer) and parameter.name not in members:
                yield each

    def _difference(self, schedule: Schedule | None, name: str, first: int, last: int) -> Difference:
        return _blamed(schedule, name, first, last, self._kernel, self.accesses)


def _member_buffers(parts: Iterable[MemberLaunch]) -> Iterator[Buffer]:
    return (each for part in parts for each in part.args if isinstance(each, Buffer))


def _blamed(schedule: Schedule | None, name: str, first: int, last: int, kernel: Kernel, accesses: tuple[Access, ...]) -> Difference:
    names = [sub.name for sub in plan_of(kernel.binary).subs]
    hits = [a for a in accesses if a.writes and a.parameter == name and a.first <= last and a.last >= first]
    writers = {a.sub for a in hits}
    concerned = hits + [a for a in accesses if not a.writes and a.sub in writers]
    late = {a.sub for a in accesses if a.writes and a.phase == "after set" and any(_meet(a, other) for other in concerned)}
    early = {a.sub for a in concerned if not a.writes and a.phase == "before wait"}
    by, behind, ahead = (tuple(names[sub] for sub in sorted(subs)) for subs in (writers, late, early))
    return Difference(seed_of(schedule), name, first, last, by, behind, ahead, schedule=schedule)


def _meet(one: Access, other: Access) -> bool:
    return one.parameter == other.parameter and one.first <= other.last and one.last >= other.first
