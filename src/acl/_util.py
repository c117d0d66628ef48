# SPDX-License-Identifier: Apache-2.0
"""acl.util: addresses of Python objects and back, and threads with the ids that subscribe_report takes."""

from __future__ import annotations

import ctypes
import math
import threading
import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aclimb.errors import InvalidArgument
from aclimb.runtime import addresses
from aclimb.runtime.addresses import described, unreadable

TABLE = """
numpy_to_ptr                        o array                             => ptr
numpy_contiguous_to_ptr             o array                             => ptr
ptr_to_numpy                        k ptr, o shape, i type              => array
bytes_to_ptr                        o data                              => ptr
ptr_to_bytes                        k ptr, k size                       => data
start_thread                        o function, o argument              -> thread
stop_thread                         k thread                            ->
"""

_TYPES = {0: np.bool_, 1: np.int8, 2: np.uint8, 3: np.int16, 4: np.uint16, 5: np.int32, 6: np.uint32, 7: np.int64, 8: np.uint64,
          9: np.longlong, 10: np.ulonglong, 11: np.float32, 12: np.float64, 23: np.float16}  # fmt: skip


def numpy_to_ptr(array: Any) -> int:
    """The array has to outlive the address."""
    if not isinstance(array, np.ndarray):
        raise ValueError(f"numpy_to_ptr takes a numpy.ndarray, not {type(array).__name__}")
    warnings.warn("acl.util.numpy_to_ptr is deprecated; use bytes_to_ptr, or numpy_contiguous_to_ptr", DeprecationWarning, stacklevel=3)
    if not array.flags.c_contiguous:
        warnings.warn("the array is not contiguous: its address is that of its first element", RuntimeWarning, stacklevel=3)
    return array.ctypes.data


def numpy_contiguous_to_ptr(array: Any) -> tuple[int, NDArray[Any]]:
    """The address, and the contiguous array that has to outlive it."""
    if not isinstance(array, np.ndarray):
        raise ValueError(f"numpy_contiguous_to_ptr takes a numpy.ndarray, not {type(array).__name__}")
    contiguous = np.ascontiguousarray(array)
    return contiguous.ctypes.data, contiguous


def ptr_to_numpy(ptr: int, shape: Any, type: int) -> NDArray[Any]:
    """A view of host memory, writeable, no copy."""
    if not isinstance(shape, tuple) or not all(isinstance(side, int) and side >= 0 for side in shape):
        raise TypeError("acl.util.ptr_to_numpy args parse failed")
    if type not in _TYPES:
        raise ValueError(f"NumPy type number is {type}; it takes {', '.join(map(str, _TYPES))}")
    dtype = np.dtype(_TYPES[type])
    size = math.prod(shape) * dtype.itemsize
    _require_host(ptr, size, "ptr_to_numpy")
    memory = (ctypes.c_char * size).from_address(ptr)
    return np.ndarray(shape, dtype, memoryview(memory))


def bytes_to_ptr(data: Any) -> int:
    """The bytes have to outlive the address."""
    if not isinstance(data, bytes):
        raise ValueError(f"bytes_to_ptr takes bytes, not {type(data).__name__}")
    return ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p).value or 0


def ptr_to_bytes(ptr: int, size: int) -> bytes:
    """A copy of host memory."""
    _require_host(ptr, size, "ptr_to_bytes")
    data = addresses.copy_of(ptr, size)
    if data is None:
        raise ValueError(f"ptr_to_bytes: {unreadable(ptr, size)}")
    return data


def _require_host(ptr: int, size: int, call: str) -> None:
    if ptr == 0:
        raise ValueError(f"{call}: the address is 0 (NULL)")
    if addresses.is_on_device(ptr):
        raise ValueError(f"{call}: 0x{ptr:x} is {described(ptr)}, which the host cannot read; copy it with acl.rt.memcpy(..., 2) first")
    if size >= 2**63 or addresses.readable_bytes(ptr, size) < size:
        raise ValueError(f"{call}: {unreadable(ptr, min(size, 2**64 - 1))}")


# --- threads


class _Thread(threading.Thread):
    def __init__(self, function: Any, argument: Any) -> None:
        super().__init__(daemon=True)
        self.function, self.argument = function, argument
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            self.function() if self.argument is None else self.function(self.argument)
        except BaseException as error:
            self.error = error


_threads: dict[int, _Thread] = {}


def start_thread(function: Any, argument: Any) -> int:
    """Runs function(argument), or function() when that is None."""
    if not callable(function):
        raise TypeError("acl.util.start_thread args parse failed")
    thread = _Thread(function, argument)
    thread.start()
    number = thread.ident or 0
    _threads[number] = thread
    return number


def stop_thread(thread: int) -> None:
    """Waits for its end; raises RuntimeError when its function raised."""
    found = _threads.pop(thread, None)
    if found is None:
        raise InvalidArgument(f"{thread} is not a thread of start_thread that runs")
    found.join()
    if found.error is not None:
        raise RuntimeError(f"the function of thread {thread} raised {found.error!r}") from found.error
