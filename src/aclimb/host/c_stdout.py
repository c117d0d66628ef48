# SPDX-License-Identifier: Apache-2.0
"""In a C program, what Python prints goes through C's stdout: in the order in which both wrote, whoever reads it."""

from __future__ import annotations

import ctypes
import io
import os
import sys
from typing import Any

_C = ctypes.CDLL(None)
_C.fwrite.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_void_p]
_C.fwrite.restype = ctypes.c_size_t
_C.fflush.argtypes = [ctypes.c_void_p]


class _Stdout(io.RawIOBase):
    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        whole = bytes(data)
        if _C.fwrite(whole, 1, len(whole), _stdout()) != len(whole):
            raise OSError("stdout cannot be written to")
        return len(whole)

    def flush(self) -> None:
        if not self.closed:
            _C.fflush(_stdout())

    def fileno(self) -> int:
        return 1

    def isatty(self) -> bool:
        return os.isatty(1)


def _stdout() -> ctypes.c_void_p:
    return ctypes.c_void_p.in_dll(_C, "stdout")  # a program may have put another there


def use() -> None:
    """From now on, for sys.stdout; where it was closed, it stays closed."""
    if sys.stdout is not None and not isinstance(sys.stdout.buffer, _Stdout):
        sys.stdout.flush()
        sys.stdout = io.TextIOWrapper(_Stdout(), encoding="utf-8", errors="surrogateescape", write_through=True)
