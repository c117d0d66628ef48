# SPDX-License-Identifier: Apache-2.0
"""The door to the native engine: started once, on the first use of a device, with the settings of that moment."""

from __future__ import annotations

import os
import threading

from aclimb import _engine, knobs
from aclimb.errors import ForkedProcess, InvalidArgument

_lock = threading.Lock()
_started_in: int | None = None


def start() -> None:
    """Starts the worker threads. Later calls return at once."""
    global _started_in
    with _lock:
        if _started_in is not None:
            return
        level = knobs.isa()
        if not _engine.set_simd_level("" if level == "auto" else level):
            raise InvalidArgument(
                f"{knobs.isa.variable} is {level!r}; this host runs {', '.join(_engine.simd_levels())}. Unset it for the fastest"
            )
        _engine.set_time_limit(knobs.timeout())
        _engine.start(knobs.threads() or os.cpu_count() or 1)
        os.register_at_fork(after_in_child=_mark_forked)
        _started_in = os.getpid()


_forked = False


def _mark_forked() -> None:
    global _forked
    _forked = True


def require_own_process() -> None:
    """The engine's threads do not exist in a forked child, so nothing would ever run there."""
    if _forked:
        raise ForkedProcess(
            f"aclimb was used in process {_started_in} before fork(); this child, {os.getpid()}, has no device. "
            "Use multiprocessing with the 'spawn' start method, or open the device after the fork"
        )
