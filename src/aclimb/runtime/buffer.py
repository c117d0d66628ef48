# SPDX-License-Identifier: Apache-2.0
"""Device memory with a type and a shape."""

from __future__ import annotations

import math
from typing import Any, Protocol

import numpy as np
from numpy.typing import DTypeLike, NDArray

from aclimb import _engine, engine
from aclimb.errors import DeviceError, InvalidArgument, OutOfMemory
from aclimb.runtime import capturing, guard, leaks
from aclimb.runtime.device import Device
from aclimb.runtime.stream import Stream


class SupportsDLPack(Protocol):
    def __dlpack__(self) -> Any: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...


_DLPACK_CPU = 1

LARGEST = 2**63 - 1  # bytes that the engine can be asked for; no device has as many


Block = _engine.Buffer  # device memory with an owner, and nothing else


class Buffer(_engine.Buffer):
    """`Buffer(shape, dtype)` is new device memory with undefined content; `Buffer.from_array(x)` a copy of x.

    The memory is freed with the object, or earlier by `free()`; both wait for what is queued on the device.
    """

    device: Device
    shape: tuple[int, ...]
    dtype: np.dtype[Any]

    def __init__(self, shape: int | tuple[int, ...], dtype: DTypeLike = np.uint8, device: Device | None = None) -> None:
        engine.require_own_process()
        sides = (shape,) if isinstance(shape, int) else tuple(shape)
        kind = _dtype(dtype)
        if any(not isinstance(side, int | np.integer) or side < 0 for side in sides):
            raise InvalidArgument(f"shape {sides} has a side that is not a whole number of at least 0")
        sides = tuple(map(int, sides))  # sides of NumPy's would wrap
        where, size = device or Device(), math.prod(sides) * kind.itemsize
        super().__init__(where.native, min(max(size, 1), LARGEST))
        self.device, self.shape, self.dtype = where, sides, kind
        if not self.address:
            free = where.memory_total - where.memory_used
            raise OutOfMemory(f"{size} bytes do not fit: {where} has {free} of {where.memory_total} bytes free; "
                              "free buffers, or raise ACLIMB_DEVICE_MEMORY")  # fmt: skip
        leaks.made("buffers", self)

    @classmethod
    def from_array(cls, array: NDArray[Any] | SupportsDLPack | Any, device: Device | None = None) -> Buffer:
        """New device memory with the content of a NumPy array, or of any DLPack array in host memory."""
        host = as_numpy(array)
        buffer = cls(host.shape, host.dtype, device)
        buffer.copy_from(host)
        return buffer

    def copy_from(self, array: NDArray[Any] | SupportsDLPack | Any, stream: Stream | None = None) -> None:
        """Overwrites the memory, after what is queued on the device.

        With a stream the copy is a task there, and the call returns at once; the array is yours again when it does.
        """
        host = np.ascontiguousarray(as_numpy(array))
        self._require_live()
        if host.nbytes != self._size:
            raise InvalidArgument(
                f"array of {host.nbytes} bytes, {host.dtype}{list(host.shape)}, copied to a buffer of {self._size}; they must be equal"
            )
        if stream is not None:
            self._queue(stream, self.address, host.ctypes.data, stage=True)
        else:
            self.device.native.wait_idle()
            self.copy_in(host.ctypes.data, 0, host.nbytes)

    def copy_to(self, array: NDArray[Any], stream: Stream | None = None) -> None:
        """Overwrites a NumPy array, after what is queued on the device; raises the fault of a kernel that failed.

        With a stream the copy waits for the tasks of that stream only, and their faults stay for its `synchronize()`. The call returns
        when the array is filled; at once if it lies in page-locked memory.
        """
        self._require_live()
        guard.require_device_work("read device memory")
        if not isinstance(array, np.ndarray) or not array.flags.c_contiguous or not array.flags.writeable:
            raise InvalidArgument(f"{_shape_of(array)} cannot be copied to; it takes a NumPy array that is contiguous and writeable")
        if array.nbytes != self._size:
            raise InvalidArgument(f"buffer of {self._size} bytes copied to {_shape_of(array)} of {array.nbytes}; they must be equal")
        if stream is not None:
            self._queue(stream, array.ctypes.data, self.address, stage=False)
        else:
            self.device.synchronize()
            self.copy_out(array.ctypes.data, 0, self._size)

    def _queue(self, stream: Stream, dst: int, src: int, *, stage: bool) -> None:
        guard.require_device_work("copy device memory")
        if stream.device is not self.device:
            raise InvalidArgument(f"the buffer is of {self.device}, the stream of {stream.device}; copy on a stream of the same device")
        capturing.require_not_captured(stream)
        size = self._size
        if size and _engine.copy_later(stream.native, dst, src, size, stage=stage) is not _engine.Side.none:
            raise DeviceError(f"{self!r} was freed while it was to be copied")

    def to_numpy(self) -> NDArray[Any]:
        """A copy in host memory, after what is queued on the device; raises the fault of a kernel that failed."""
        self._require_live()
        guard.require_device_work("read device memory")
        capturing.require_no_capture("read device memory")
        self.device.synchronize()
        host = np.empty(self.shape, self.dtype)
        self.copy_out(host.ctypes.data, 0, self._size)
        return host

    def free(self) -> None:
        """Gives the memory back now. Freeing twice is harmless; using the buffer afterwards is an error."""
        engine.require_own_process()
        self.release()
        leaks.ended(self)

    @property
    def _size(self) -> int:
        return math.prod(self.shape) * self.dtype.itemsize

    def _require_live(self) -> None:
        engine.require_own_process()
        if not self.address:
            raise DeviceError(f"{self!r} was freed")

    def __repr__(self) -> str:
        if "dtype" not in vars(self):  # a debugger may ask while an argument is being refused
            return "<Buffer that was never made>"
        state = f"at 0x{self.address:x}" if self.address else "freed"
        return f"<Buffer {self.dtype}{list(self.shape)} {state} on {self.device}>"


def _shape_of(array: Any) -> str:
    return f"{array.dtype}{list(array.shape)}" if isinstance(array, np.ndarray) else f"a {type(array).__name__}"


def _dtype(dtype: DTypeLike) -> np.dtype[Any]:
    try:
        made = np.dtype(dtype)
    except TypeError:
        made = None
    if made is None or made.hasobject:
        raise InvalidArgument(f"dtype {dtype!r} cannot live in device memory; use a NumPy number type, or one of ml_dtypes (bfloat16)")
    return made


def as_numpy(array: Any) -> NDArray[Any]:
    if isinstance(array, np.ndarray):
        _dtype(array.dtype)
        return array
    if not hasattr(array, "__dlpack__"):
        if isinstance(array, np.generic):
            return np.asarray(array)
        raise InvalidArgument(f"{type(array).__name__} is neither a NumPy array nor a DLPack array; wrap it in numpy.asarray(...)")
    kind = array.__dlpack_device__()[0]
    if kind != _DLPACK_CPU:
        raise InvalidArgument(
            f"{type(array).__name__} lives on DLPack device type {int(kind)}; aclimb takes arrays in host memory (type 1): "
            "copy it there first"
        )
    try:
        return np.from_dlpack(array)
    except (BufferError, RuntimeError, TypeError) as error:
        return _bfloat16_from_dlpack(array, error)


def _bfloat16_from_dlpack(array: Any, error: Exception) -> NDArray[Any]:
    """NumPy has no bfloat16 of its own: take the bits through a 16-bit view of the producer."""
    if "bfloat16" not in str(getattr(array, "dtype", "")):
        raise InvalidArgument(f"{type(array).__name__} cannot be read through DLPack: {error}") from error
    import ml_dtypes

    view = getattr(array, "view", None)
    if view is None:
        raise InvalidArgument(f"{type(array).__name__} of bfloat16 cannot be read: {error}") from error
    integer = getattr(__import__(type(array).__module__.split(".")[0]), "int16", np.int16)
    return np.from_dlpack(view(integer)).view(ml_dtypes.bfloat16)
