# SPDX-License-Identifier: Apache-2.0
"""Faults that nobody asked for, because nobody synchronised their stream: told when the program ends."""

from __future__ import annotations

import atexit
import sys
import time
from collections.abc import Iterable

from aclimb import engine
from aclimb.errors import AclimbError
from aclimb.runtime.device import opened
from aclimb.runtime.finish import Failure, collect

_PATIENCE_S = 1.0  # for what is still queued when the program ends
_MOST = 20  # that are kept; a program may run for weeks
_kept: list[AclimbError] = []
_more = 0


def keep(failures: Iterable[Failure]) -> None:
    """Of a stream that ends before anybody asked it."""
    global _more
    for each in failures:
        if len(_kept) < _MOST:
            _kept.append(each.error)
        else:
            _more += 1


def tell() -> bool:
    """Prints them to stderr, once, with how many streams were not done; whether there were any."""
    if engine.forked():
        return False
    until = time.monotonic() + _PATIENCE_S
    global _more
    errors, left, more = [*_kept], 0, _more
    _kept.clear()
    _more = 0
    for device in opened():
        for native in device.queues():
            if not native.idle:
                native.wait(max(int((until - time.monotonic()) * 1e9), 1))
            errors += [each.error for each in collect(native)]
        left += sum(not native.idle for native in device.queues())
    head = "aclimb: nobody synchronised the stream of this task, which failed:"
    lines = [f"{head}\n{type(each).__name__}: {each.in_full()}" for each in errors]
    if more:
        lines.append(f"aclimb: and {more} more, which nobody synchronised either")
    if left:
        lines.append(f"aclimb: the program ended before the tasks of {left} stream{'s' if left > 1 else ''}; synchronise them first")
    if lines:
        print("\n".join(lines), file=sys.stderr, flush=True)
    return bool(lines)


atexit.register(tell)
