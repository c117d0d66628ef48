# SPDX-License-Identifier: Apache-2.0
"""acl.rt: callbacks of streams, and the callback for exceptions."""

from __future__ import annotations

from typing import Any

from aclimb.errors import InvalidArgument, Refused
from aclimb.runtime import failures, reports
from aclimb.runtime.context import any_stream
from aclimb.runtime.failures import INFOS, queue_on

TABLE = """
subscribe_report                    k thread, k stream                  ->                         aclrtSubscribeReport
unsubscribe_report                  k thread, k stream                  ->                         aclrtUnSubscribeReport
process_report                      i timeout_ms                        ->                         aclrtProcessReport
launch_callback                     o function, o value, i block, k stream  ->                     aclrtLaunchCallback
set_exception_info_callback         o? function                         ->                         aclrtSetExceptionInfoCallback
get_task_id_from_exception_info     k info                              => id                      aclrtGetTaskIdFromExceptionInfo
get_stream_id_from_exception_info   k info                              => id                      aclrtGetStreamIdFromExceptionInfo
get_thread_id_from_exception_info   k info                              => id                      aclrtGetThreadIdFromExceptionInfo
get_device_id_from_exception_info   k info                              => id                      aclrtGetDeviceIdFromExceptionInfo
get_error_code_from_exception_info  k info                              => code                    aclrtGetErrorCodeFromExceptionInfo
"""

INVALID_PARAM = 100000
NO_BLOCK, BLOCK = 0, 1


def subscribe_report(thread: int, stream: int) -> None:
    """The thread gets the stream's callbacks; it has to call process_report in a loop."""
    reports.subscribe(thread, any_stream(stream))


def unsubscribe_report(thread: int, stream: int) -> None:
    reports.unsubscribe(thread, any_stream(stream))


def process_report(timeout_ms: int) -> None:
    """Waits for one callback for this thread and runs it; -1 waits for ever."""
    if timeout_ms == 0 or timeout_ms < -1:
        raise Refused(INVALID_PARAM, f"timeout is {timeout_ms} ms; it takes -1 (for ever), or 1 and more")
    reports.process_report(timeout_ms)


def launch_callback(function: Any, value: Any, block: int, stream: int) -> None:
    """Runs function(value) in the subscribed thread, in stream order; with block 1 later tasks wait for it."""
    if not callable(function):
        raise TypeError("acl.rt.launch_callback args parse failed")
    on = queue_on(stream)
    if block not in (NO_BLOCK, BLOCK):
        raise InvalidArgument(f"block type is {block}; it takes 0 (no block) or 1 (block)")
    reports.launch_callback(function, value, block == BLOCK, on)


def set_exception_info_callback(function: Any) -> None:
    """function(info) is called for each task that failed, before the synchronise returns; None clears it."""
    if function is not None and not callable(function):
        raise TypeError("acl.rt.set_exception_info_callback args parse failed")
    failures.set_callback(function)


def get_task_id_from_exception_info(info: int) -> int:
    return INFOS[info].task


def get_stream_id_from_exception_info(info: int) -> int:
    return INFOS[info].stream


def get_thread_id_from_exception_info(info: int) -> int:
    return INFOS[info].thread


def get_device_id_from_exception_info(info: int) -> int:
    return INFOS[info].device


def get_error_code_from_exception_info(info: int) -> int:
    return INFOS[info].code
