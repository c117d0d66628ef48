# SPDX-License-Identifier: Apache-2.0
"""Functions of the program that the runtime calls. From C each is an object that calls it, from Python whatever can be called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from aclimb.errors import InvalidArgument, Refused
from aclimb.runtime import failures, reports
from aclimb.runtime.failures import INFOS, queue_on
from aclimb.runtime.handles import NULL
from aclimb.runtime.loader import BINARIES

TABLE = """
aclrtLaunchCallback                   o callback, o data, i block, p stream                             ->
aclrtLaunchHostFunc                   p stream, o callback, o data                                      ->
aclrtExceptionInfoCallbackRegister    o callback                                                        ->
aclrtExceptionInfoCallbackUnregister  o callback                                                        ->
aclrtBinarySetExceptionCallback       p binary, o callback, o data                                      ->
aclrtGetArgsFromExceptionInfo         p info                                                            -> address, size
aclrtGetFuncHandleFromExceptionInfo   p info                                                            -> function
"""

NO_BLOCK, BLOCK = 0, 1


def _require(callback: Any) -> None:
    if not callable(callback):
        raise Refused(NULL, "callback cannot be called")


def aclrtLaunchCallback(callback: Callable[[Any], Any], data: Any, block: int, stream: int) -> None:
    """Runs callback(data) in the subscribed thread, in stream order; with block 1 later tasks wait for it."""
    _require(callback)
    on = queue_on(stream)
    if block not in (NO_BLOCK, BLOCK):
        raise InvalidArgument(f"block type is {block}; it takes 0 (no block) or 1 (block)")
    reports.launch_callback(callback, data, block == BLOCK, on)


def aclrtLaunchHostFunc(stream: int, callback: Callable[[Any], Any], data: Any) -> None:
    """Runs callback(data) on a thread of aclimb; the stream waits for it."""
    _require(callback)
    reports.launch_host_function(callback, data, queue_on(stream))


def aclrtExceptionInfoCallbackRegister(callback: Callable[[int], Any]) -> None:
    """callback(info) is called for each task that failed, beside the others that are registered."""
    _require(callback)
    failures.register(callback)


def aclrtExceptionInfoCallbackUnregister(callback: Callable[[int], Any]) -> None:
    _require(callback)
    failures.unregister(callback)


def aclrtBinarySetExceptionCallback(binary: int, callback: Callable[[int, Any], Any] | None, data: Any) -> None:
    """callback(info, data) is called when a kernel of this binary failed; None clears it, the last one counts."""
    BINARIES[binary].on_exception = None if callback is None else (callback, data)


def aclrtGetArgsFromExceptionInfo(info: int) -> tuple[int, int]:
    """The argument block that the kernel was given, in device memory; for as long as the callback runs."""
    block = INFOS[info].args
    return (block.address, block.size) if block is not None else (0, 0)


def aclrtGetFuncHandleFromExceptionInfo(info: int) -> int:
    return INFOS[info].function
