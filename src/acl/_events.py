# SPDX-License-Identifier: Apache-2.0
"""acl.rt: events."""

from __future__ import annotations

from acl._devices import nanoseconds
from aclimb.errors import InvalidArgument, Refused
from aclimb.flow import Waited
from aclimb.runtime import capturing, counts
from aclimb.runtime.context import EVENTS, ContextEvent, current
from aclimb.runtime.event import stamp_ns
from aclimb.runtime.failures import queue_on, settle

TABLE = """
create_event                                                            -> event                   aclrtCreateEvent
create_event_with_flag              I flag                              -> event                   aclrtCreateEventWithFlag
create_event_ex_with_flag           I flag                              -> event                   aclrtCreateEventExWithFlag
destroy_event                       k event                             ->                         aclrtDestroyEvent
record_event                        k event, k stream                   ->                         aclrtRecordEvent
reset_event                         k event, k stream                   ->                         aclrtResetEvent
stream_wait_event                   k stream, k event                   ->                         aclrtStreamWaitEvent
query_event                         k event                             -> status                  aclrtQueryEvent
query_event_status                  k event                             -> status                  aclrtQueryEventStatus
query_event_wait_status             k event                             -> status                  aclrtQueryEventWaitStatus
synchronize_event                   k event                             ->                         aclrtSynchronizeEvent
synchronize_event_with_timeout      k event, i timeout_ms               ->                         aclrtSynchronizeEventWithTimeout
event_elapsed_time                  k start, k end                      -> milliseconds:f          aclrtEventElapsedTime
event_get_timestamp                 k event                             -> microseconds            aclrtEventGetTimestamp
set_op_wait_timeout                 I seconds                           ->                         aclrtSetOpWaitTimeout
"""

SYNC, STREAM_PROGRESS, TIME_LINE, DEVICE_USE_ONLY, EXTERNAL, IPC = 0x1, 0x2, 0x8, 0x10, 0x20, 0x40
_ALL = SYNC | STREAM_PROGRESS | TIME_LINE | DEVICE_USE_ONLY | EXTERNAL | IPC
_EX = SYNC | STREAM_PROGRESS | 0x4 | TIME_LINE
NOT_DONE, NEVER_RECORDED, EVENT_TIMEOUT, WRONG_STATE, NO_EVENT = 107006, 507000, 507047, 207000, 207007
MAX_EVENTS = 65536


class _Limit:
    wait_ns = 0  # how long a stream waits for an event; 0: for ever


def create_event() -> int:
    """For ordering and timing; cannot be reset."""
    return _create(SYNC | TIME_LINE, ex=False)


def create_event_with_flag(flag: int) -> int:
    _require_flag(flag, _ALL, (DEVICE_USE_ONLY, EXTERNAL))
    return _create(flag, ex=False)


def create_event_ex_with_flag(flag: int) -> int:
    """Recording again moves the mark; counts as complete before its first record."""
    if flag != IPC:
        _require_flag(flag, _EX, ())
    return _create(flag, ex=True)


def _create(flag: int, *, ex: bool) -> int:
    context = current()
    if len(EVENTS) >= MAX_EVENTS:
        raise Refused(NO_EVENT, f"{MAX_EVENTS} events exist, and that is the limit; destroy some")
    return context.new_event(flag, ex=ex)


def _require_flag(flag: int, known: int, alone: tuple[int, ...]) -> None:
    if flag == 0 or flag & ~known:
        raise InvalidArgument(f"event flag is 0x{flag:x}; it takes a combination of the bits 0x{known:x}")
    if any(flag & bit and flag != bit for bit in alone):
        raise InvalidArgument(f"event flag is 0x{flag:x}; {' and '.join(f'0x{bit:x}' for bit in alone)} stand alone")


def destroy_event(event: int) -> None:
    """Streams that wait for it still see it happen."""
    found = EVENTS.end(event)
    found.context.events.discard(event)
    counts.discount("events", found)


def record_event(event: int, stream: int) -> None:
    found, on = EVENTS[event], queue_on(stream)
    if found.context.device is not on.device:
        raise InvalidArgument(f"the event belongs to {found.context.device}, the stream to {on.device}; make the event there")
    if not capturing.record_event(on, found):
        on.native.record(found.native)


def reset_event(event: int, stream: int) -> None:
    """In stream order; for events made with the flag SYNC."""
    found = EVENTS[event]
    if found.ex:
        raise Refused(WRONG_STATE, "an event of create_event_ex_with_flag needs no reset: record it again")
    queue_on(stream).native.reset(found.native)


def stream_wait_event(stream: int, event: int) -> None:
    """Holds for the record that is the last one now; an event never recorded is not waited for."""
    found, on = EVENTS[event], queue_on(stream)
    if not capturing.wait_event(on, found):
        on.native.await_event(found.native, _Limit.wait_ns)


def query_event(event: int) -> int:
    """0: done, 1: not yet."""
    return int(not _done(_plain(event)))


def query_event_status(event: int) -> int:
    """1: done, 0: not yet."""
    return int(_done(EVENTS[event]))


def query_event_wait_status(event: int) -> int:
    """0: done, 1: not yet."""
    return int(not _done(_plain(event)))


def _plain(event: int) -> ContextEvent:
    found = EVENTS[event]
    if found.ex:
        raise Refused(WRONG_STATE, "an event of create_event_ex_with_flag is asked by query_event_status")
    return found


def _done(event: ContextEvent) -> bool:
    recorded, done, _ = event.native.status
    return done or (event.ex and not recorded)


def synchronize_event(event: int) -> None:
    _synchronize(EVENTS[event], 0)


def synchronize_event_with_timeout(event: int, timeout_ms: int) -> None:
    _synchronize(EVENTS[event], nanoseconds(timeout_ms))


def _synchronize(event: ContextEvent, at_most_ns: int) -> None:
    """Also delivers what failed before the record."""
    if event.native.wait(at_most_ns) is Waited.timed_out:
        raise Refused(EVENT_TIMEOUT, f"the event was not done within {at_most_ns / 1e6:g} ms")
    settle([stream for stream in event.context.all_streams() if event.native.is_recorded_on(stream.native)])


def event_elapsed_time(start: int, end: int) -> float:
    """Between the two records, in milliseconds: host time, or modelled time inside a profile."""
    return (_stamp_ns(end, "end") - _stamp_ns(start, "start")) / 1e6


def event_get_timestamp(event: int) -> int:
    return _stamp_ns(event, "the") // 1000


def _stamp_ns(number: int, which: str) -> int:
    native = EVENTS[number].native
    recorded, done, _ = native.status
    if not recorded:
        raise Refused(NEVER_RECORDED, f"{which} event 0x{number:x} was never recorded")
    if not done:
        raise Refused(NOT_DONE, f"{which} event 0x{number:x} is not done yet; synchronise it first")
    return stamp_ns(native)


def set_op_wait_timeout(seconds: int) -> None:
    """How long a stream waits for an event before it goes on with an error; 0: for ever."""
    _Limit.wait_ns = seconds * 1_000_000_000
