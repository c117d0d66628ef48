# SPDX-License-Identifier: Apache-2.0
"""How kernels run on a stream for a while: in another legal order, on one thread, or with a list of what they touch."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from aclimb import _engine
from aclimb.runtime.stream import Stream

ScheduleMode = _engine.ScheduleMode
Priorities = _engine.Priorities
PriorityKind = _engine.PriorityKind
ProvokedLaunch = _engine.ProvokedLaunch
ProvokeSession = _engine.ProvokeSession
Begun = _engine.Begun
AccessedRange = tuple[int, bool, bool, bool, int, int]  # sub-kernel, after its wait, after its set, writes, begin, end


@contextmanager
def scheduled(stream: Stream, mode: ScheduleMode, seed: int) -> Iterator[None]:
    stream.native.set_schedule(mode, seed)
    try:
        yield
    finally:
        stream.native.set_schedule(None)


@contextmanager
def ordered(stream: Stream, order: Priorities) -> Iterator[None]:
    """It counts its steps anew in each launch, and has those of the last one afterwards."""
    stream.native.set_priorities(order)
    try:
        yield
    finally:
        stream.native.set_schedule(None)


@contextmanager
def on_one_thread(stream: Stream) -> Iterator[None]:
    """One core after the other: the same run each time, also of cores that race."""
    stream.native.one_worker = True
    try:
        yield
    finally:
        stream.native.one_worker = False


@contextmanager
def accesses(stream: Stream) -> Iterator[list[AccessedRange]]:
    """The list is filled when the `with` block ends."""
    log, ranges = _engine.Accesses(), list[AccessedRange]()
    stream.native.set_accesses(log)
    try:
        yield ranges
    finally:
        stream.native.set_accesses(None)
        ranges += log.ranges()
