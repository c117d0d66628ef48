# SPDX-License-Identifier: Apache-2.0
"""What acl says of a task that failed: the code by kind of kernel and fault, told once, by the next synchronise."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from aclimb.errors import InvalidArgument, Refused
from aclimb.flow import Fault, FaultKind
from aclimb.runtime import guard
from aclimb.runtime.context import Context, ContextStream, stream_of
from aclimb.runtime.finish import Failure, collect
from aclimb.runtime.handles import Handles
from aclimb.runtime.loader import FUNCTIONS
from aclimb.runtime.where import users_frames

_TIMEOUTS = {
    FaultKind.time_limit,
    FaultKind.interrupted,
    FaultKind.hang,
    FaultKind.hang_across_cores,
    FaultKind.sync_participants,
    FaultKind.queue_no_free_buffer,
    FaultKind.queue_empty,
    FaultKind.queue_limit,
}
_TRAPS = {FaultKind.trap, FaultKind.trap_call, FaultKind.assertion}
_OTHER = {FaultKind.copy_refused: 507013, FaultKind.event_wait_timeout: 107019, FaultKind.operator_failed: 507018}
_CORE_CODES = {"timeout": (507014, 507034), "trap": (507016, 507036), "exception": (507015, 507035)}  # AIC and MIX, AIV
STREAM_ABORTED = 107023

_log = logging.getLogger("aclimb")
_callback: Callable[[int], Any] | None = None
_registered: list[Callable[[int], Any]] = []  # beside it; C may have any number


@dataclass(frozen=True, slots=True)
class ExceptionInfo:
    """What an exception callback can ask about."""

    task: int
    stream: int
    thread: int
    device: int
    code: int
    args: Any  # the engine's ArgsBlock, or None
    function: int  # its handle, 0 for a task that is no launch


INFOS: Handles[ExceptionInfo] = Handles("exception info")


def code_of_failure(fault: Fault) -> int:
    kind = fault.kind
    if kind in _OTHER:
        return _OTHER[kind]
    group = "timeout" if kind in _TIMEOUTS else "trap" if kind in _TRAPS else "exception"
    return _CORE_CODES[group][not fault.kernel_type.has_aic]


def set_callback(call: Callable[[int], Any] | None) -> None:
    """fn(info) is called once for each failure, before the synchronise that finds it returns."""
    global _callback
    _callback = call


def register(call: Callable[[int], Any]) -> None:
    if call not in _registered:
        _registered.append(call)


def unregister(call: Callable[[int], Any]) -> None:
    if call not in _registered:
        raise InvalidArgument("this callback is not registered")
    _registered.remove(call)


def settle(streams: Iterable[ContextStream]) -> None:
    """After a wait: raises what failed on these streams since the last time, the last failure's code first."""
    last: Refused | None = None
    for stream in streams:
        refused = _settle_one(stream)
        last = refused or last
    if last is not None:
        raise last


def _settle_one(stream: ContextStream) -> Refused | None:
    return _take(stream) or (stopped(stream.context) if stream.context.native.stopped else None)


def _take(stream: ContextStream) -> Refused | None:
    """The last failure's code; every sentence, newest first."""
    failures = collect(stream.native)
    for failure in failures:
        _tell(stream, failure)
    if not failures:
        return None
    refused = Refused(code_of_failure(failures[-1].fault), "\n".join(each.error.in_full() for each in reversed(failures)))
    if stream.context.native.stopped:
        stream.context.stopped_by = stream.context.stopped_by or refused
    return refused


def stopped(context: Context) -> Refused:
    """What every call on a context answers after a task failed in stop mode."""
    for stream in context.all_streams():
        if context.stopped_by is None:
            _take(stream)
    reason = context.stopped_by or Refused(_CORE_CODES["exception"][0], "")
    return Refused(reason.code, f"the context stopped when a task failed; reset the device or destroy the context. {reason}")


def _tell(stream: ContextStream, failure: Failure) -> None:
    fault = failure.fault
    info = ExceptionInfo(fault.task, stream.id, fault.thread, stream.context.user_id, code_of_failure(fault), fault.args, fault.owner)
    number = INFOS.add(info)
    try:
        if _callback is not None and not _survives(_callback, number):
            set_callback(None)
        for call in [each for each in list(_registered) if not _survives(each, number)]:
            _registered.remove(call)
        function = FUNCTIONS.get(fault.owner)
        if function is not None and function.binary.on_exception is not None:
            call, data = function.binary.on_exception
            if not _survives(call, number, data):
                function.binary.on_exception = None
    finally:
        INFOS.end(number)


def _survives(call: Callable[..., Any], *values: Any) -> bool:
    try:
        call(*values)
    except Exception as error:
        _log.error("the exception callback raised; it is not called any more", exc_info=(type(error), error, users_frames(error)))
        return False
    return True


def queue_on(number: int) -> ContextStream:
    """The stream to queue on, in a context that has not stopped."""
    guard.require_device_work("queue work on a stream")
    stream = stream_of(number)
    if stream.context.native.stopped:
        raise stopped(stream.context)
    return stream
