# SPDX-License-Identifier: Apache-2.0
"""What the methods of opdev/*.h ask: a name and values in, numbers out. The C++ side is host/include/aclimb/level0.h."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np

from aclimb.errors import InvalidArgument
from aclimb.op.aclnn.executors import EXECUTORS, end
from aclimb.op.aclnn.objects import (
    SCALARS,
    TENSORS,
    AclTensor,
    dtype_number,
    dtype_of_number,
    plain_strides,
    scalar_at,
    values_at,
)
from aclimb.op.execute.operator import Operator
from aclimb.op.level0.executor import HANDLES, OpExecutor
from aclimb.op.level0.functions import FUNCTIONS
from aclimb.op.status import ACLNN_ERR_PARAM_INVALID, OpError
from aclimb.runtime.context import stream_of

Find = Callable[[str], Operator]  # the operator of a type, for the library that asks
Values = Iterator[Any]
CALLS: dict[str, Callable[..., tuple[int, ...]]] = {}


def asked(function: Callable[..., tuple[int, ...]]) -> Callable[..., tuple[int, ...]]:
    CALLS[function.__name__] = function
    return function


def call(method: str, values: list[Any], find: Find) -> tuple[int, ...]:
    """Raises what is wrong; the caller has the code for it."""
    if method in FUNCTIONS:
        return (FUNCTIONS[method](_executor(values[0]), *values[1:]),)
    if method in ("launch", "infer"):
        return _on_operator(method, iter(values), find)
    return CALLS[method](*values)


def _executor(handle: int) -> OpExecutor:
    found = EXECUTORS[handle]
    if not isinstance(found, OpExecutor):
        raise OpError(ACLNN_ERR_PARAM_INVALID, "the executor was not made by CREATE_EXECUTOR")
    return found


def _counted(values: Values) -> list[Any]:
    """A number, and as many values."""
    return list(islice(values, next(values)))


def _on_operator(method: str, values: Values, find: Find) -> tuple[int, ...]:
    executor, operator, hf32 = _executor(next(values)), find(next(values)), next(values)
    inputs, outputs, attrs = _counted(values), _counted(values), _counted(values)
    if method == "launch":
        executor.launch(operator, inputs, outputs, attrs, bool(hf32))
    else:
        executor.infer(operator, inputs, outputs, attrs)
    return ()


# --- executors


@asked
def create() -> tuple[int, ...]:
    return (EXECUTORS.add(OpExecutor()),)


@asked
def destroy(executor: int) -> tuple[int, ...]:
    EXECUTORS.end(executor).close()
    return ()


@asked
def workspace_size(executor: int) -> tuple[int, ...]:
    return (EXECUTORS[executor].workspace_size,)


@asked
def run(workspace: int, size: int, executor: int, stream: int) -> tuple[int, ...]:
    found = EXECUTORS[executor]
    if workspace and size < found.workspace_size:
        raise OpError(ACLNN_ERR_PARAM_INVALID, f"the workspace has {size} bytes; this call needs {found.workspace_size}")
    try:
        found.run(workspace, stream_of(stream))
    finally:
        if found.spent:
            end(executor)
    return ()


@asked
def repeatable(executor: int) -> tuple[int, ...]:
    EXECUTORS[executor].make_repeatable()
    return ()


# --- what an executor makes


@asked
def allocate(executor: int, dtype: int, format: int, origin_format: int, *shapes: int) -> tuple[int, ...]:
    """Shapes of storage and of origin."""
    values = iter(shapes)
    storage, origin = tuple(_counted(values)), tuple(_counted(values))
    return (_executor(executor).allocate(origin, storage, dtype_of_number(dtype), format, origin_format),)


@asked
def allocate_host(executor: int, dtype: int, *dims: int) -> tuple[int, ...]:
    return (_executor(executor).host_tensor(np.zeros(dims, dtype_of_number(dtype))),)


@asked
def host_values(executor: int, dtype: int, given: int, address: int, count: int) -> tuple[int, ...]:
    """A host tensor of values of type `given`, converted."""
    values = values_at(address, count, dtype_of_number(given), "the values")
    return (_executor(executor).host_tensor(values.astype(dtype_of_number(dtype))),)


@asked
def scalar_tensor(executor: int, dtype: int, scalar: int) -> tuple[int, ...]:
    return (_executor(executor).host_tensor(SCALARS[scalar].astype(dtype_of_number(dtype)).reshape(1)),)


@asked
def scalar(executor: int, dtype: int, address: int) -> tuple[int, ...]:
    handle = scalar_at(address, dtype)
    _executor(executor)._owned.append((SCALARS, handle))
    return (handle,)


@asked
def array(executor: int, kind: str, dtype: int, address: int, count: int) -> tuple[int, ...]:
    return (_executor(executor).own(HANDLES[kind], values_at(address, count, dtype_of_number(dtype), "the array")),)


@asked
def list_of(executor: int, kind: str, *handles: int) -> tuple[int, ...]:
    return (_executor(executor).own(HANDLES[kind], list(handles)),)


@asked
def view(executor: int, tensor: int, offset: int, *dims: int) -> tuple[int, ...]:
    """Elements one after the other, from `offset` on."""
    return (_executor(executor).view(TENSORS[tensor], dims, plain_strides(dims), offset),)


# --- tensors


def _origin_format(tensor: AclTensor) -> int:
    return tensor.format if tensor.origin_format is None else tensor.origin_format


_READ: dict[str, Callable[[AclTensor], tuple[int, ...]]] = {
    "view_shape": lambda tensor: tensor.dims,
    "origin_shape": lambda tensor: tensor.dims,
    "storage_shape": lambda tensor: tensor.storage_dims,
    "strides": lambda tensor: tensor.strides,
    "offset": lambda tensor: (tensor.offset,),
    "format": lambda tensor: (tensor.format,),
    "origin_format": lambda tensor: (_origin_format(tensor),),
    "dtype": lambda tensor: (dtype_number(tensor.dtype),),
    "host": lambda tensor: (tensor.data if tensor.host is not None else 0,),
    "address": lambda tensor: (tensor.data,),
}
_SHAPES = ("view_shape", "origin_shape", "storage_shape", "strides")


@asked
def read(tensor: int, what: str) -> tuple[int, ...]:
    """A shape comes behind its rank."""
    found = _READ[what](TENSORS[tensor])
    return (len(found), *found) if what in _SHAPES else found


_WRITE: dict[str, Callable[[AclTensor, tuple[int, ...]], AclTensor]] = {
    "view_shape": lambda tensor, dims: replace(tensor, dims=dims, strides=plain_strides(dims)),
    "origin_shape": lambda tensor, dims: replace(tensor, dims=dims, strides=plain_strides(dims)),
    "storage_shape": lambda tensor, dims: replace(tensor, storage_dims=dims),
    "strides": lambda tensor, strides: replace(tensor, strides=strides),
    "offset": lambda tensor, offset: replace(tensor, offset=offset[0]),
    "format": lambda tensor, format: replace(tensor, format=format[0], origin_format=_origin_format(tensor)),
    "origin_format": lambda tensor, format: replace(tensor, origin_format=format[0]),
    "dtype": lambda tensor, dtype: replace(tensor, dtype=dtype_of_number(dtype[0])),
}


@asked
def write(tensor: int, what: str, *values: int) -> tuple[int, ...]:
    found = TENSORS[tensor]
    if what == "strides" and (len(values) != len(found.dims) or any(each < 0 for each in values)):
        raise InvalidArgument(f"strides are {list(values)} for {list(found.dims)}; it takes one for each dim, from 0 on")
    if any(each < 0 for each in values) and what not in ("format", "origin_format"):
        raise InvalidArgument(f"{what} is {list(values)}; it takes 0 and more")
    TENSORS[tensor] = _WRITE[what](found, values)
    return ()


@asked
def fill(tensor: int, first: int, dtype: int, given: int, address: int, count: int) -> tuple[int, ...]:
    """Values of type `given` into a host tensor, as values of type `dtype`."""
    found = TENSORS[tensor]
    if found.host is None:
        raise InvalidArgument("SetData fills a host tensor, as executor->AllocHostTensor makes one; this one lies on the device")
    if dtype_of_number(dtype) != found.dtype:
        raise InvalidArgument(f"SetData is given type {dtype}; the tensor is {found.dtype}")
    if not 0 <= first <= first + count <= found.host.size:
        raise InvalidArgument(f"SetData fills elements {first} to {first + count - 1}; the tensor has {found.host.size}")
    found.host.reshape(-1)[first : first + count] = values_at(address, count, dtype_of_number(given), "the values").astype(found.dtype)
    return ()


# --- arrays, lists, scalars


@asked
def data(kind: str, handle: int) -> tuple[int, ...]:
    """Where the values of an array lie, and how many there are."""
    found = HANDLES[kind][handle]
    return found.ctypes.data, len(found)


@asked
def size(kind: str, handle: int) -> tuple[int, ...]:
    return (len(HANDLES[kind][handle]),)


@asked
def item(kind: str, handle: int, index: int) -> tuple[int, ...]:
    found = HANDLES[kind][handle]
    if not 0 <= index < len(found):
        raise InvalidArgument(f"element {index} of an {kind} of {len(found)} is asked for")
    return (found[index],)


@asked
def scalar_type(scalar: int) -> tuple[int, ...]:
    return (dtype_number(SCALARS[scalar].dtype),)


@asked
def scalar_value(scalar: int) -> tuple[int, ...]:
    """As the bits of a double, and as a whole number, which is wrapped to 64 bits."""
    value = SCALARS[scalar]
    real = value.real if value.dtype.kind == "c" else value
    (as_float,) = struct.unpack("<q", struct.pack("<d", float(real)))
    whole = int(real) if np.isfinite(float(real)) else 0
    return as_float, (whole + 2**63) % 2**64 - 2**63
