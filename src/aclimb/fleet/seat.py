# SPDX-License-Identifier: Apache-2.0
"""One worker process that is watched: it crashes, hangs or takes too much memory for its own account, and the next task finds a new one."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from typing import IO, Any

from aclimb.fleet import frames, trees
from aclimb.fleet.task import Answer, Ending, Limits, Task

_START_S = 120.0  # for Python and its imports, on a machine that has other work
_GLANCE_S = 0.02  # between two looks at the memory
Moved = tuple[tuple[str, str], ...]


class Seat:
    def __init__(self, environment: Mapping[str, str] | None = None, node: str = "") -> None:
        self._environment = dict(os.environ if environment is None else environment)
        self._node = node
        self._worker: _Worker | None = None
        self._lock = threading.Lock()
        self._closed = False

    def do(self, task: Task, moved: Moved = ()) -> Answer:
        """Runs the task to one of its endings; never raises for what the task does."""
        began = time.monotonic()
        try:
            worker = self._ready()
        except _Gone as gone:
            return self._failed(Ending.crashed, f"the worker did not start: {gone}", began)
        began = time.monotonic()  # what a worker's start takes is not the task's
        try:
            ending, value, reason = worker.ask((task.function, task.arguments, moved), task.limits)
        except _Gone as gone:
            self._drop()
            return self._failed(gone.ending, str(gone), began)
        return Answer(ending, value, reason, time.monotonic() - began, self._node)

    def _failed(self, ending: Ending, reason: str, began: float) -> Answer:
        return Answer(ending, None, reason, time.monotonic() - began, self._node)

    def _ready(self) -> _Worker:
        with self._lock:
            if self._closed:
                raise _Gone(Ending.lost, "the fleet was closed")
            if self._worker is None:
                self._worker = _Worker(self._environment)
            worker = self._worker
        try:
            worker.wait_until_ready()
        except _Gone:
            self._drop()
            raise
        return worker

    def _drop(self) -> None:
        with self._lock:
            worker, self._worker = self._worker, None
        if worker is not None:
            worker.end()

    def set(self, variable: str, value: str) -> None:
        """Of the environment; between two tasks."""
        if self._environment.get(variable) != value:
            self._environment[variable] = value
            self._drop()

    def close(self) -> None:
        """From any thread: whoever waits for an answer is told that the worker is gone."""
        with self._lock:
            self._closed = True
            if self._worker is not None:
                self._worker.kill()

    def end(self) -> None:
        """When nobody waits any more: gives everything back."""
        self.close()
        self._drop()


class _Gone(Exception):
    """There is no worker any more, and why."""

    def __init__(self, ending: Ending, reason: str) -> None:
        super().__init__(reason)
        self.ending = ending


class _Worker:
    """The process, its two pipes, and a file with what it says."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._said: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - as long as the process
        read, self._write = os.pipe()
        self._read, write = os.pipe()
        command = [sys.executable, "-P", "-m", "aclimb.fleet.worker", str(read), str(write)]
        try:
            self._process = subprocess.Popen(command, env=dict(environment), stdin=subprocess.DEVNULL, stdout=self._said,
                                             stderr=subprocess.STDOUT, pass_fds=(read, write), start_new_session=True)  # fmt: skip
        finally:
            os.close(read)
            os.close(write)
        self._receiver, self._is_ready = frames.Receiver(self._read), False

    def wait_until_ready(self) -> None:
        if not self._is_ready:
            self._answer(Limits(seconds=_START_S))
            self._is_ready = True

    def ask(self, request: tuple[object, ...], limits: Limits) -> tuple[Ending, object, str]:
        self._said.seek(0)
        self._said.truncate()
        try:
            frames.send(self._write, request)
        except OSError:
            raise self._how_it_ended() from None
        found: tuple[Ending, object, str] = self._answer(limits)
        return found

    def _answer(self, limits: Limits) -> Any:
        began = time.monotonic()
        while True:
            left = None if limits.seconds is None else limits.seconds - (time.monotonic() - began)
            if left is not None and left <= 0:
                raise _Gone(Ending.slow, f"it was still running after {limits.seconds:g} s, and was ended")
            waits = [each for each in (left, _GLANCE_S if limits.memory else None) if each is not None]
            try:
                message = self._receiver.receive(min(waits) if waits else None)
            except (EOFError, OSError):
                raise self._how_it_ended() from None
            if message is not None:
                return message[0]
            if limits.memory and trees.memory_of(self._process.pid) > limits.memory:
                raise _Gone(Ending.memory, f"it needed more memory than the {_in_words(limits.memory)} that it may have, and was ended")

    def _how_it_ended(self) -> _Gone:
        try:
            code = self._process.wait(5)
        except subprocess.TimeoutExpired:
            return _Gone(Ending.crashed, "the worker closed its pipe")
        self._said.seek(0)
        lines = [line.strip() for line in self._said.read().decode(errors="replace").splitlines() if line.strip()]
        how = f"by {trees.signal_name(-code)}" if code < 0 else f"with exit code {code}"
        return _Gone(Ending.crashed, f"the process ended {how}" + (f": {lines[-1]}" if lines else ""))

    def kill(self) -> None:
        if self._process.poll() is None:
            trees.kill_tree(self._process.pid)

    def end(self) -> None:
        self.kill()
        self._process.wait()
        for each in (self._read, self._write):
            with contextlib.suppress(OSError):
                os.close(each)
        self._said.close()


def _in_words(size: int) -> str:
    for unit, name in ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB")):
        if size >= unit:
            return f"{size / unit:.4g} {name}"
    return f"{size} bytes"
