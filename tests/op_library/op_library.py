# SPDX-License-Identifier: Apache-2.0
"""libopapi.so called as a C program calls it: aclTensors over device memory, two phases by their prototypes, results read back."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

import acl
from aclimb.host import places
from aclimb.host.door import open_door
from aclimb.op import aclnn
from aclimb.op.aclnn.objects import dtype_number
from aclimb.op.builtin import ROWS

_C_TYPES = {"b": ctypes.c_bool, "i": ctypes.c_int64, "u": ctypes.c_uint64, "n": ctypes.c_int, "c": ctypes.c_int8, "d": ctypes.c_int,
            "f": ctypes.c_float, "g": ctypes.c_double}  # fmt: skip
HOST_TO_DEVICE, DEVICE_TO_HOST, ND = 1, 2, 2


@dataclass
class Out:
    """A result that is expected. `before` is what stands there, where that is read, too."""

    expected: Any
    before: Any = None


@cache
def library() -> ctypes.CDLL:
    open_door()
    return ctypes.CDLL(str(places.library().with_name("libopapi.so")))


class Tensor:
    """An array on the device and its aclTensor; every second element of a larger memory when it is spread."""

    def __init__(self, array: NDArray[Any], spread: int = 1) -> None:
        self.array, self._spread = array, spread
        self._host = np.zeros(max(array.size * spread, 1), array.dtype)
        self._host[: array.size * spread : spread] = array.reshape(-1)
        self.address, ret = acl.rt.malloc(self._host.nbytes, 0)
        assert ret == 0
        self._copy(self.address, self._host.ctypes.data, HOST_TO_DEVICE)
        plain = [int(np.prod(array.shape[index + 1 :], dtype=np.int64)) * spread for index in range(array.ndim)]
        self.handle = aclnn.aclCreateTensor(array.shape, dtype_number(array.dtype), plain, 0, ND, [self._host.size], self.address)
        assert self.handle

    def read(self) -> NDArray[Any]:
        self._copy(self._host.ctypes.data, self.address, DEVICE_TO_HOST)
        return self._host[: self.array.size * self._spread : self._spread].reshape(self.array.shape)

    def _copy(self, dst: int, src: int, kind: int) -> None:
        assert acl.rt.memcpy(dst, self._host.nbytes, src, self._host.nbytes, kind) == 0

    def free(self) -> None:
        aclnn.aclDestroyTensor(self.handle)
        acl.rt.free(self.address)


def plan(name: str, arguments: Sequence[Any]) -> tuple[int, int]:
    """The first phase, with handles and numbers as they are: code, executor."""
    letters = [letter[0] for letter, _ in ROWS[name].parameters]
    size, executor = ctypes.c_uint64(), ctypes.c_void_p()
    values = [_C_TYPES.get(letter, ctypes.c_void_p)(each) for letter, each in zip(letters, arguments, strict=True)]
    code = library()[f"{name}GetWorkspaceSize"](*values, ctypes.byref(size), ctypes.byref(executor))
    assert size.value == 0
    return code, executor.value or 0


def run(name: str, executor: int, stream: int) -> int:
    code: int = library()[name](None, ctypes.c_uint64(0), ctypes.c_void_p(executor), ctypes.c_void_p(stream))
    return code


def call(name: str, arguments: Sequence[Any], stream: int, spread: int = 1) -> list[NDArray[Any]]:
    """Both phases and a synchronise. Gives the tensors that are written, one for each Out among the arguments."""
    made: list[Tensor] = []
    try:
        handles = [_handle(letter[0], each, made, spread) for (letter, _), each in zip(ROWS[name].parameters, arguments, strict=True)]
        code, executor = plan(name, handles)
        assert code == 0, acl.get_recent_err_msg()
        assert run(name, executor, stream) == 0, acl.get_recent_err_msg()
        written = [made[index] for index, each in enumerate(_tensors_of(arguments)) if isinstance(each, Out)]
        assert acl.rt.synchronize_stream(stream) == 0, acl.get_recent_err_msg()
        return [each.read() for each in written]
    finally:
        for each in made:
            each.free()


def _tensors_of(arguments: Sequence[Any]) -> list[Any]:
    flat = [each for value in arguments for each in (value if isinstance(value, list) else [value])]
    return [each for each in flat if isinstance(each, Out) or (isinstance(each, np.ndarray) and each.flags.writeable)]


def _handle(letter: str, value: Any, made: list[Tensor], spread: int) -> Any:
    if value is None:
        return 0
    if isinstance(value, Out):
        made.append(Tensor(np.zeros_like(value.expected) if value.before is None else value.before, spread))
        return made[-1].handle
    if letter in "tr":
        made.append(Tensor(value, spread))
        return made[-1].handle
    if letter == "T":
        made.extend(Tensor(each) for each in value)
        return aclnn.aclCreateTensorList([each.handle for each in made[len(made) - len(value) :]])
    if letter == "s":
        return aclnn.aclCreateScalar(value, dtype_number(np.asarray(value).dtype))
    if letter == "l":
        return aclnn.aclCreateIntArray(value)
    return dtype_number(np.dtype(value)) if letter == "d" else value
