# SPDX-License-Identifier: Apache-2.0
"""Commands with a time limit. Each leads a process group, and whatever of the group is left when it ends, or is too slow, is killed."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from aclimb.fleet.trees import end_with_parent

_MOST = 1 << 18  # bytes that are kept of the beginning, and of the end
_GLANCE_S = 0.1
_PATIENCE_S = 1.0  # for the rest of the output of one that was killed


@dataclass(frozen=True, slots=True)
class Ended:  # a command -> what it says of the unit
    code: int  # negative: minus the signal
    output: str  # both streams
    timed_out: bool = False

    @property
    def ok(self) -> bool:
        return self.code == 0 and not self.timed_out


def run(command: Sequence[str | Path], folder: Path, environment: Mapping[str, str], seconds: float) -> Ended:
    words = [str(word) for word in command]
    try:
        process = subprocess.Popen(words, cwd=folder, env=dict(environment), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=end_with_parent)  # fmt: skip
    except OSError as error:
        return Ended(127, f"{words[0]}: {error.strerror}\n")
    until, heard = time.monotonic() + seconds, _Heard()
    with process, selectors.DefaultSelector() as selector:
        assert process.stdout is not None
        os.set_blocking(process.stdout.fileno(), False)
        selector.register(process.stdout, selectors.EVENT_READ)
        try:
            while not (over := _is_over(process.pid)) and time.monotonic() < until:
                heard.listen(selector, process.stdout.fileno(), _GLANCE_S)
        finally:
            os.killpg(process.pid, signal.SIGKILL)  # not reaped yet: the number is still its own
        process.wait()
        heard.to_the_end(selector, process.stdout.fileno())
    return Ended(process.returncode, heard.text(), timed_out=not over)


def _is_over(pid: int) -> bool:
    """Without reaping it."""
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


class _Heard:
    """The beginning and the end of what a command said, however long it is."""

    def __init__(self) -> None:
        self._head, self._tail, self._left_out, self._ended = b"", b"", 0, False

    def listen(self, selector: selectors.BaseSelector, file: int, seconds: float) -> bool:
        """Whether anything came."""
        if self._ended:
            time.sleep(seconds / 10)
            return False
        if not selector.select(seconds):
            return False
        try:
            data = os.read(file, 1 << 16)
        except BlockingIOError:
            return False
        self._ended = not data
        self._add(data)
        return bool(data)

    def to_the_end(self, selector: selectors.BaseSelector, file: int) -> None:
        until = time.monotonic() + _PATIENCE_S
        while not self._ended and time.monotonic() < until:
            self.listen(selector, file, _GLANCE_S)

    def _add(self, data: bytes) -> None:
        room = _MOST - len(self._head)
        self._head += data[:room]
        self._tail += data[room:]
        if len(self._tail) > 2 * _MOST:
            self._left_out += len(self._tail) - _MOST
            self._tail = self._tail[-_MOST:]

    def text(self) -> str:
        between = f"\n... {self._left_out} bytes left out ...\n".encode() if self._left_out else b""
        return (self._head + between + self._tail).decode(errors="replace")
