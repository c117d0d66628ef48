# SPDX-License-Identifier: Apache-2.0
"""torch's tensors as an operator takes them, and device memory as torch's tensors. A device address is readable on the host, so what an
operator computed is a tensor where it lies, and is taken from there by the next operator."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import torch

from aclimb.errors import InvalidArgument
from aclimb.op.node.borrowed import Borrowed
from aclimb.op.node.node import ND, OpTensor
from aclimb.op.node.shape import MAX_DIMS, Shape, StorageShape
from aclimb.runtime.buffer import Block, Buffer
from aclimb.runtime.device import Device
from aclimb.runtime.memory import bytes_behind
from aclimb.runtime.spare import SPARE

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
NUMPY: dict[torch.dtype, np.dtype[Any]] = {
    torch.bfloat16: BFLOAT16,
    **{
        getattr(torch, name): np.dtype(name)
        for name in ("float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "bool")
    },
    **{getattr(torch, name): np.dtype(name) for name in ("uint16", "uint32", "uint64")},
}
TORCH = {each: kind for kind, each in NUMPY.items()}
Staged = tuple[Device, int, Block]  # a copy in device memory, to be given back when the device is done with it


def numpy_dtype(tensor: torch.Tensor) -> np.dtype[Any]:
    found = NUMPY.get(tensor.dtype)
    if found is None:
        raise InvalidArgument(f"a tensor of {tensor.dtype} cannot be an argument of an operator; there are {', '.join(map(str, NUMPY))}")
    return found


def shape_of(tensor: torch.Tensor) -> StorageShape:
    dims = tuple(map(int, tensor.shape))
    make = Shape.known if len(dims) <= MAX_DIMS else Shape  # which says what is wrong
    return StorageShape(make(dims), make(dims))


def without_memory(tensor: torch.Tensor) -> OpTensor:
    """What shape inference looks at."""
    return OpTensor(shape_of(tensor), numpy_dtype(tensor), ND)


def on_device(tensor: torch.Tensor, device: Device, staged: list[Staged]) -> OpTensor:
    """A tensor on the CPU. One that lies in device memory already, as results do, stays there; another is copied to what `staged` gets."""
    if tensor.requires_grad:
        tensor = tensor.detach()
    if not tensor.is_contiguous():
        tensor = tensor.contiguous()
    address, size = tensor.data_ptr(), tensor.nbytes
    if size and bytes_behind(device, address) < size:
        piece = SPARE.take(device, size)
        staged.append((device, size, piece))
        piece.copy_in(address, 0, size)
        address = piece.address
    return at_address(tensor, address, device)


def give_back(staged: list[Staged]) -> None:
    for each in staged:
        SPARE.give(*each)


def at_address(tensor: torch.Tensor, address: int, device: Device) -> OpTensor:
    """A contiguous tensor whose bytes are in device memory."""
    dtype, shape = numpy_dtype(tensor), shape_of(tensor)
    borrowed: Any = Borrowed(address, tuple(tensor.shape), dtype, device)
    return OpTensor(shape, dtype, ND, borrowed, None, tensor)


class _Held:
    """Keeps the device memory for as long as an array looks at it."""

    __slots__ = ("__array_interface__", "buffer")

    def __init__(self, buffer: Buffer, dtype: np.dtype[Any]) -> None:
        self.buffer = buffer
        self.__array_interface__ = {"shape": buffer.shape, "typestr": dtype.str, "data": (buffer.address, False), "version": 3}


def as_torch(buffer: Buffer) -> torch.Tensor:
    """The same memory for torch. Only when the device is done with it."""
    if buffer.dtype == BFLOAT16:
        return torch.from_numpy(np.asarray(_Held(buffer, np.dtype(np.int16)))).view(torch.bfloat16)
    return torch.from_numpy(np.asarray(_Held(buffer, buffer.dtype)))
