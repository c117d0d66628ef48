# SPDX-License-Identifier: Apache-2.0
"""A process and all that it started, however they are grouped: how much memory they hold, and their end."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
from pathlib import Path

_LIBC = ctypes.CDLL(None)
_PR_SET_PDEATHSIG = 1
_HELD = ("RssAnon:", "RssShmem:")  # code of libraries is shared with everybody, and is no task's own


def tree(pid: int) -> list[int]:
    """The process and its descendants, parents first."""
    found, at = [pid], 0
    while at < len(found):
        for thread in _threads(found[at]):
            with contextlib.suppress(OSError):  # a thread that ended since: the others have children as well
                found += map(int, Path(f"/proc/{found[at]}/task/{thread}/children").read_text().split())
        at += 1
    return found


def _threads(pid: int) -> list[str]:
    try:
        return os.listdir(f"/proc/{pid}/task")
    except OSError:
        return []  # it has ended


def memory_of(pid: int) -> int:
    """Bytes that the tree holds for itself."""
    total = 0
    for each in tree(pid):
        with contextlib.suppress(OSError):
            lines = Path(f"/proc/{each}/status").read_text().splitlines()
            total += sum(int(line.split()[1]) for line in lines if line.startswith(_HELD))
    return total * 1024


def kill_tree(pid: int, *, with_root: bool = True) -> None:
    """Stops the root first, so that it starts nothing behind our back."""
    with contextlib.suppress(ProcessLookupError):
        if with_root:
            os.kill(pid, signal.SIGSTOP)
    for each in reversed(tree(pid)):
        if each != pid or with_root:
            with contextlib.suppress(ProcessLookupError):
                os.kill(each, signal.SIGKILL)


def end_with_parent() -> None:
    """For `preexec_fn`: where somebody kills the worker so that it can do nothing any more, what it started goes with it."""
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
