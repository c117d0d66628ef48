# SPDX-License-Identifier: Apache-2.0
"""The steps from a file to a launch one by one, for tests that look between them; and a guard for tests that could stand still."""

from __future__ import annotations

import contextlib
import ctypes
import faulthandler
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from host import ok
from numpy.typing import NDArray

import acl

# Launch attributes.
SCHEDULE_MODE, DYNAMIC_UB, ENGINE, BLOCK_OFFSET, PREFETCH, DUMP, TIMEOUT, TIMEOUT_US, PROFILING = range(1, 10)


@contextlib.contextmanager
def loaded(path: Path | str) -> Iterator[int]:
    """The binary of that file; unloaded at the end unless the test did so."""
    binary: int = ok(acl.rt.binary_load_from_file(str(path), []))
    try:
        yield binary
    finally:
        acl.rt.binary_unload(binary)


def attributes(**values: int) -> list[dict[str, int]]:
    """attributes(timeout_us=5) is a launch configuration."""
    return [{"id": globals()[name.upper()], "value": value} for name, value in values.items()]


def raw(value: Any) -> bytes:
    """The bytes of a parameter: an int is an address of 8 bytes, everything else is bytes or a NumPy value."""
    if isinstance(value, bytes):
        return value
    data: bytes = (np.uint64(value) if isinstance(value, int) else value).tobytes()
    return data


def packed(*values: Any) -> NDArray[np.uint8]:
    """A block as a kernel reads it: every parameter at the next multiple of 8, nothing behind the last one."""
    block = b""
    for value in values:
        block = block.ljust(-(-len(block) // 8) * 8, b"\0") + raw(value)
    return np.frombuffer(block, np.uint8).copy()


def append(args: int, *values: Any) -> list[int]:
    """Appends them all; the handle of each."""
    handles = []
    for value in values:
        data = np.frombuffer(raw(value), np.uint8)
        handles.append(ok(acl.rt.kernel_args_append(args, data.ctypes.data, data.nbytes)))
    return handles


def update(args: int, parameter: int, value: Any) -> int:
    """The code of an update."""
    data = np.frombuffer(raw(value), np.uint8)
    answer: int = acl.rt.kernel_args_para_update(args, parameter, data.ctypes.data, data.nbytes)
    return answer


def fill(host: int, value: Any) -> None:
    """Writes to host memory, as a program does with a placeholder buffer."""
    ctypes.memmove(host, raw(value), len(raw(value)))


class UserList:
    """An argument list in memory of our own. `.args` is its handle."""

    def __init__(self, function: int, size: int, *, exactly: int | None = None) -> None:
        self._handle = np.zeros(ok(acl.rt.kernel_args_get_handle_mem_size(function)), np.uint8)
        self._memory = np.zeros(ok(acl.rt.kernel_args_get_mem_size(function, size)) if exactly is None else exactly, np.uint8)
        self.args = self._handle.ctypes.data
        ok(acl.rt.kernel_args_init_by_user_mem(function, self.args, self._memory.ctypes.data, self._memory.nbytes))


def launch_list(function: int, num_blocks: int, stream: int, args: int, config: Sequence[dict[str, int]] = ()) -> int:
    """The code of a launch of a list that is ready, or not."""
    answer: int = acl.rt.launch_kernel_with_config(function, num_blocks, stream, list(config), args, 0)
    return answer


@contextlib.contextmanager
def no_longer_than(seconds: float) -> Iterator[None]:
    """A deadlock ends the process, with the stack of every thread, instead of the patience of whoever waits."""
    faulthandler.dump_traceback_later(seconds, exit=True, file=sys.__stderr__ or sys.stderr)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()
