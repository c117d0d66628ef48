# SPDX-License-Identifier: Apache-2.0
"""acl.rt: streams."""

from __future__ import annotations

from typing import Any

from acl._devices import cores_of, nanoseconds
from aclimb import knobs
from aclimb.errors import InvalidArgument, Refused
from aclimb.flow import Waited
from aclimb.runtime import capturing, no_effect
from aclimb.runtime import context as contexts
from aclimb.runtime.context import STREAMS, ContextStream, any_stream, current, stream_of
from aclimb.runtime.failures import STREAM_ABORTED, settle

TABLE = """
create_stream                                                           -> stream                  aclrtCreateStream
create_stream_with_config           I priority, I flag                  -> stream                  aclrtCreateStreamWithConfig
destroy_stream                      k stream                            ->                         aclrtDestroyStream
destroy_stream_force                k stream                            ->                         aclrtDestroyStreamForce
synchronize_stream                  k stream                            ->                         aclrtSynchronizeStream
synchronize_stream_with_timeout     k stream, i timeout_ms              ->                         aclrtSynchronizeStreamWithTimeout
stream_query                        k stream                            -> status                  aclrtStreamQuery
stream_abort                        k stream                            ->                         aclrtStreamAbort
stream_get_id                       k stream                            -> id                      aclrtStreamGetId
get_stream_available_num                                                -> count                   aclrtGetStreamAvailableNum
set_stream_failure_mode             k stream, k mode                    ->                         aclrtSetStreamFailureMode
set_stream_attribute                k stream, i kind, o value           ->                         aclrtSetStreamAttribute
get_stream_attribute                k stream, i kind                    -> value                   aclrtGetStreamAttribute
set_stream_res_limit                k stream, i kind, I value           ->                         aclrtSetStreamResLimit
get_stream_res_limit                k stream, i kind                    -> value                   aclrtGetStreamResLimit
reset_stream_res_limit              k stream                            ->                         aclrtResetStreamResLimit
use_stream_res_in_current_thread    k stream                            ->                         aclrtUseStreamResInCurrentThread
not_use_stream_res_in_current_thread  k stream                          ->                         aclrtUnuseStreamResInCurrentThread
"""

WITHOUT_EFFECT = """
set_stream_overflow_switch          k stream, I on                      ->                         aclrtSetStreamOverflowSwitch
get_stream_overflow_switch          k stream                            -> on                      aclrtGetStreamOverflowSwitch
"""

SYNC_TIMEOUT, INVALID_PARAM, WRONG_STATE = 507046, 100000, 207000
PERSISTENT, CPU_SCHEDULE, DEVICE_USE_ONLY = 0x4, 0x10, 0x20
_NOT_WAITED_FOR = PERSISTENT | CPU_SCHEDULE | DEVICE_USE_ONLY
_TIME_FLAGS = {0x1: "FAST_LAUNCH (0x1)", 0x2: "FAST_SYNC (0x2)", 0x8: "HUGE (0x8)"}  # they change time on hardware, and nothing here
FAILURE_MODE, OVERFLOW_SWITCH, USER_TAG = 1, 2, 3
_KEYS = {FAILURE_MODE: "failureMode", OVERFLOW_SWITCH: "overflowSwitch", USER_TAG: "userCustomTag"}


def create_stream() -> int:
    return current().new_stream(0)


def create_stream_with_config(priority: int, flag: int) -> int:
    """Every stream is served alike: a priority and the flags FAST_LAUNCH, FAST_SYNC and HUGE have no effect, and the log says so."""
    if flag & CPU_SCHEDULE and flag & DEVICE_USE_ONLY:
        raise InvalidArgument(f"stream flags 0x{flag:x}: CPU_SCHEDULE (0x10) and DEVICE_USE_ONLY (0x20) exclude each other")
    if priority:
        no_effect.say("stream priority")
    for bit, name in _TIME_FLAGS.items():
        if flag & bit:
            no_effect.say(f"stream flag {name}")
    return current().new_stream(flag)


def destroy_stream(stream: int) -> None:
    """Waits for what is queued."""
    _destroy(stream, wait=True)


def destroy_stream_force(stream: int) -> None:
    """Drops what is queued, and ends what runs."""
    _destroy(stream, wait=False)


def _destroy(number: int, *, wait: bool) -> None:
    current()
    if number == 0:
        raise Refused(INVALID_PARAM, "stream is 0: the default stream ends with its context")
    stream = stream_of(number)
    if stream is stream.context.default_stream:
        raise InvalidArgument("this is the default stream; it ends with its context")
    contexts.end_stream(stream, wait=wait)
    STREAMS.pop(number, None)
    stream.context.streams.pop(number, None)


def synchronize_stream(stream: int) -> None:
    """Waits for what is queued; returns the code of a kernel that failed, once."""
    wait_for(any_stream(stream), 0)


def synchronize_stream_with_timeout(stream: int, timeout_ms: int) -> None:
    found = any_stream(stream)
    wait_for(found, nanoseconds(timeout_ms))


def wait_for(stream: ContextStream, at_most_ns: int) -> None:
    capturing.require_not_captured(stream)
    if stream.flags & _NOT_WAITED_FOR:
        return
    waited = stream.native.wait(at_most_ns)
    if waited is Waited.timed_out:
        raise Refused(SYNC_TIMEOUT, f"stream {stream.id} was not done within {at_most_ns / 1e6:g} ms; its tasks go on")
    settle([stream])
    if waited is Waited.aborted:
        raise Refused(STREAM_ABORTED, f"stream {stream.id} was aborted while this thread waited for it")


def stream_query(stream: int) -> int:
    """0: everything queued is done, 1: not yet."""
    return int(not any_stream(stream).idle)


def stream_abort(stream: int) -> None:
    """Ends what runs, drops what waits; the stream stays usable."""
    found = any_stream(stream)
    found.native.abort()
    found.native.wait()


def stream_get_id(stream: int) -> int:
    return any_stream(stream).id


def get_stream_available_num() -> int:
    """How many more streams the current device can have."""
    return max(0, knobs.streams() - current().device_streams())


def set_stream_failure_mode(stream: int, mode: int) -> None:
    """0: later tasks still run after a failure, 1: the context stops. Once for each stream."""
    found = any_stream(stream)
    if mode not in (0, 1):
        raise InvalidArgument(f"failure mode is {mode}; it takes 0 (continue) or 1 (stop)")
    if found.failure_mode_set:
        raise Refused(WRONG_STATE, f"the failure mode of stream {found.id} was set already, and can be set once")
    found.failure_mode_set = True
    found.attributes["failureMode"] = mode
    if mode == 1:
        found.context.native.stop_mode = True


def set_stream_attribute(stream: int, kind: int, value: Any) -> None:
    if not isinstance(value, dict):
        raise TypeError("acl.rt.set_stream_attribute args parse failed")
    found = any_stream(stream)
    if kind not in _KEYS:
        raise InvalidArgument(f"stream attribute {kind} does not exist; there are {', '.join(f'{k} ({v})' for k, v in _KEYS.items())}")
    number = value.get(_KEYS[kind], 0)
    if kind == FAILURE_MODE:
        set_stream_failure_mode(stream, number)
        return
    if kind == OVERFLOW_SWITCH and number:
        no_effect.say("stream attribute overflowSwitch")
    found.attributes[_KEYS[kind]] = number


def get_stream_attribute(stream: int, kind: int) -> dict[str, int]:
    found = any_stream(stream)
    if kind not in _KEYS:
        raise InvalidArgument(f"stream attribute {kind} does not exist; there are {', '.join(f'{k} ({v})' for k, v in _KEYS.items())}")
    return {_KEYS[kind]: found.attributes.get(_KEYS[kind], 0)}


def set_stream_overflow_switch(stream: int, on: int) -> None:
    """Kept, not used: overflow is not detected."""
    found = any_stream(stream)
    if on:
        no_effect.say("stream attribute overflowSwitch")
    found.attributes["overflowSwitch"] = on


def get_stream_overflow_switch(stream: int) -> int:
    return any_stream(stream).attributes.get("overflowSwitch", 0)


def set_stream_res_limit(stream: int, kind: int, value: int) -> None:
    """How many cores an operator library shall use on this stream."""
    found = any_stream(stream)
    most = cores_of(found.device.chip, kind)
    if not 1 <= value <= most:
        raise InvalidArgument(f"the limit is {value} cores; it takes 1 to {most}")
    found.limits[kind] = value


def get_stream_res_limit(stream: int, kind: int) -> int:
    found = any_stream(stream)
    return found.limits.get(kind, cores_of(found.device.chip, kind))


def reset_stream_res_limit(stream: int) -> None:
    any_stream(stream).limits.clear()


def use_stream_res_in_current_thread(stream: int) -> None:
    contexts.use_limits_of(any_stream(stream))


def not_use_stream_res_in_current_thread(stream: int) -> None:
    any_stream(stream)
    contexts.use_limits_of(None)
