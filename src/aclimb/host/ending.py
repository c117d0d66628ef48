# SPDX-License-Identifier: Apache-2.0
"""The end of a C or C++ program, as Python hears of it: from exit(), on whatever thread, behind all handlers of the program."""

from __future__ import annotations

import atexit
import os
import sys
import traceback
from collections.abc import Callable

from aclimb import _door
from aclimb.check import environment
from aclimb.runtime import unreported

_at_end: Callable[[int], int] | None = None
_process = 0


def expect(at_end: Callable[[int], int] | None) -> None:
    """`at_end(status)` gives the status to end with; a forked child ends without it."""
    global _at_end, _process
    _at_end, _process = at_end, os.getpid()


def end(status: int) -> int:
    """What Python does when it ends, except that it stays: other threads of the program may still be in a call."""
    try:
        if unreported.tell() and status == 0:  # a fault that the program never saw
            status = 1
        if _at_end is not None and os.getpid() == _process:
            status = _at_end(status)
        status = environment.end_of_c(status)
    except BaseException:
        traceback.print_exc()
        status = status or 1
    atexit._run_exitfuncs()  # what was registered last comes first; the door is closed among them, but for this thread
    _door.end(True)
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    return status
