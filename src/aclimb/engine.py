# SPDX-License-Identifier: Apache-2.0
"""The door to the native engine: started once, on the first use of a device, with the settings of that moment.

A forked child has none of its threads, and locks in whatever state they were. There every call through the door is refused.
"""

from __future__ import annotations

import os
import sys
import sysconfig
import threading
from collections.abc import Callable
from enum import EnumType
from pathlib import Path
from typing import Any, NoReturn

from aclimb import _engine, knobs
from aclimb.errors import ForkedProcess, InvalidArgument

_lock = threading.Lock()
_started_in: int | None = None
_when_started: list[Callable[[], None]] = []

# Frames of these are never the place where a program asked for something.
_OWN_FOLDERS = [f"{Path(__file__).parent}/", f"{Path(__file__).parent.parent / 'acl'}/", "<calls of "]
_engine.set_own_folders(_OWN_FOLDERS)


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
        _engine.set_quarantine(knobs.quarantine())
        _engine.start(knobs.threads() or os.cpu_count() or 1)
        os.register_at_fork(after_in_child=_close_in_child)
        _started_in = os.getpid()
    for call in _when_started:
        call()


def when_started(call: Callable[[], None]) -> None:
    """`call` runs once, when a device is used for the first time."""
    _when_started.append(call)


def instructions() -> list[_engine.Instruction]:
    """The rows of instructions.def, by number."""
    return _engine.instructions()


def time_limit() -> float:
    """Seconds that a launch without a limit of its own may run."""
    return _engine.time_limit()


def set_time_limit(seconds: float) -> None:
    start()
    _engine.set_time_limit(seconds)


def leave_to_c() -> None:
    """The program is C or C++: Ctrl-C does what it says, or ends it, without interrupting a kernel first; no Python frame is the user's.

    But those that stand for a line of the program (host/embedded.py).
    """
    _engine.leave_sigint()
    installed = {f"{sysconfig.get_path(each)}/" for each in ("stdlib", "purelib", "platlib")}
    script = getattr(sys.modules["__main__"], "__file__", None)  # `aclimb` itself, which runs the program
    _engine.set_own_folders([*_OWN_FOLDERS, "<", *sorted(installed), *([script] if script else [])])


# --- after fork()

_forked = False
_in_child: list[Callable[[], None]] = []
_HARMLESS = ("simd_level", "simd_levels", "instructions", "threads", "time_limit", "place_of", "profiling")
_OF_HOST_MEMORY = ("read_host", "readable_bytes", "describe_address", "is_device_address")


def _close_in_child() -> None:
    """Whatever leads to the engine, from now on, leads to the error; destructors are native and keep still by themselves."""
    global _forked
    _forked = True
    for name, thing in list(vars(_engine).items()):
        if isinstance(thing, EnumType):
            continue
        if isinstance(thing, type):
            for method in [each for each in vars(thing) if not each.startswith("_") or each in ("__init__", "__len__")]:
                setattr(thing, method, property(_refuse) if isinstance(vars(thing)[method], property) else _refuse)
        elif callable(thing) and name not in _HARMLESS + _OF_HOST_MEMORY:
            setattr(_engine, name, _refuse)
    for call in _in_child:
        call()


def _refuse(*_: Any, **__: Any) -> NoReturn:
    raise ForkedProcess(
        f"aclimb was used in process {_started_in} before fork(); this child, {os.getpid()}, has no device. "
        "Use multiprocessing with the 'spawn' start method, or open the device after the fork"
    )


def when_forked(call: Callable[[], None]) -> None:
    """`call` runs in a child that is forked after the engine was started."""
    _in_child.append(call)


def forked() -> bool:
    return _forked


def require_own_process() -> None:
    """The engine's threads do not exist in a forked child, so nothing would ever run there."""
    if _forked:
        _refuse()
