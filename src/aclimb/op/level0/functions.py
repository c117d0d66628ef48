# SPDX-License-Identifier: Apache-2.0
"""The L0 functions that come with the toolkit: each queues what it computes, on the host, and gives the tensor that will have it.

C++: namespace l0op of aclnn_kernels/*.h, and opdev/framework_op.h.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from aclimb.op.aclnn.objects import ARRAYS, TENSORS, AclTensor, dtype_of_number, plain_strides
from aclimb.op.level0.executor import OpExecutor
from aclimb.op.status import ACLNN_ERR_PARAM_INVALID, ACLNN_ERR_PARAM_NULLPTR, Format, OpError

_MOST_DIMS = 8
_COPY = "aclnnInplaceCopy"
Function = Callable[..., int]
FUNCTIONS: dict[str, Function] = {}


def l0op(function: Function) -> Function:
    FUNCTIONS["".join(each.capitalize() for each in function.__name__.split("_"))] = function
    return function


def _tensor(name: str, handle: int) -> AclTensor:
    if not handle:
        raise OpError(ACLNN_ERR_PARAM_NULLPTR, f"{name} is nullptr")
    return TENSORS[handle]


def _wrong(text: str) -> OpError:
    return OpError(ACLNN_ERR_PARAM_INVALID, text)


def _require_contiguous(name: str, tensor: AclTensor) -> None:
    if not tensor.is_contiguous:
        raise _wrong(f"{name} has strides {list(tensor.strides)} for {list(tensor.dims)}; l0op::Contiguous comes first")


def _values(name: str, handle: int) -> tuple[int, ...]:
    """Return the values of an aclIntArray, or of a host tensor of integers."""
    arrays = ARRAYS["aclIntArray"]
    if handle in arrays:
        return tuple(arrays[handle].tolist())
    tensor = _tensor(name, handle)
    if tensor.host is None:
        raise _wrong(f"{name} is a tensor of the device, whose values are not known yet; give a host tensor (executor->ConvertToTensor)")
    return tuple(tensor.host.reshape(-1).tolist())


@l0op
def cast(executor: OpExecutor, x: int, dtype: int) -> int:
    """A tensor that has the type already is given back."""
    tensor, kind = _tensor("self", x), dtype_of_number(dtype)
    if tensor.dtype == kind:
        return x
    out = executor.allocate(tensor.dims, tensor.dims, kind, int(Format.ND), int(Format.ND))
    executor.compute(_COPY, TENSORS[out], tensor)
    return out


@l0op
def contiguous(executor: OpExecutor, x: int) -> int:
    """A tensor that is contiguous is given back."""
    tensor = _tensor("x", x)
    last = tensor.offset + sum((side - 1) * stride for side, stride in zip(tensor.dims, tensor.strides, strict=True))
    if 0 not in tensor.dims and last >= max(math.prod(tensor.storage_dims), 1):
        raise _wrong(f"a view of {list(tensor.dims)} with strides {list(tensor.strides)} from element {tensor.offset} on goes beyond its "
                     f"storage of {list(tensor.storage_dims)}")  # fmt: skip
    if tensor.is_contiguous:
        return x
    out = executor.allocate_like(tensor.dims, tensor)
    executor.compute(_COPY, TENSORS[out], tensor)
    return out


@l0op
def view_copy(executor: OpExecutor, x: int, y: int) -> int:
    source, into = _tensor("x", x), _tensor("y", y)
    _require_contiguous("x", source)
    if (source.dims, source.dtype) != (into.dims, into.dtype):
        raise _wrong(f"x is {source.dtype}{list(source.dims)} and y {into.dtype}{list(into.dims)}; ViewCopy takes two of one kind")
    if into.data != source.data or into.offset != source.offset or into.strides != source.strides:
        executor.compute(_COPY, into, source)
    return y


@l0op
def copy_npu_to_npu(executor: OpExecutor, x: int, y: int) -> int:
    source, into = _tensor("src", x), _tensor("dst", y)
    if math.prod(source.dims) != math.prod(into.dims) or source.dtype != into.dtype:
        raise _wrong(f"src is {source.dtype}{list(source.dims)} and dst {into.dtype}{list(into.dims)}; they have the same size")
    executor.compute(_COPY, into, _seen_as(into.dims, source))
    return y


@l0op
def copy_to_npu(executor: OpExecutor, x: int) -> int:
    tensor = _tensor("src", x)
    if tensor.host is None:
        raise _wrong("src lies on the device; CopyToNpu takes a host tensor")
    out = executor.allocate_like(tensor.dims, tensor)
    executor.compute(_COPY, TENSORS[out], tensor)
    return out


@l0op
def reshape(executor: OpExecutor, x: int, *dims: int) -> int:
    """The same memory: nothing is computed."""
    tensor = _tensor("x", x)
    _require_contiguous("x", tensor)
    if 0 in dims or math.prod(dims) != math.prod(tensor.dims):
        raise _wrong(f"x has {list(tensor.dims)}, {math.prod(tensor.dims)} elements; Reshape cannot make {list(dims)} of it")
    return executor.view(tensor, dims, plain_strides(dims), tensor.offset)


@l0op
def slice(executor: OpExecutor, x: int, y: int, offsets: int, size: int) -> int:
    """`y`: where it goes, or 0."""
    tensor, starts, sides = _tensor("x", x), _values("offsets", offsets), _values("size", size)
    if not len(starts) == len(sides) == len(tensor.dims):
        raise _wrong(f"x has {len(tensor.dims)} dims; there are {len(starts)} offsets and {len(sides)} sizes")
    for dim, start, side in zip(tensor.dims, starts, sides, strict=True):
        if not 0 <= start <= start + side <= dim:
            raise _wrong(f"offsets {list(starts)} and sizes {list(sides)} go beyond x, which is {list(tensor.dims)}")
    offset = tensor.offset + sum(start * stride for start, stride in zip(starts, tensor.strides, strict=True))
    part = TENSORS[executor.view(tensor, sides, tensor.strides, offset)]
    out = y or executor.allocate_like(sides, tensor)
    executor.compute(_COPY, TENSORS[out], part)
    return out


@l0op
def transpose(executor: OpExecutor, x: int, y: int, perm: int) -> int:
    """`y`: where it goes, or 0."""
    tensor, order = _tensor("x", x), _values("perm", perm)
    _require_contiguous("x", tensor)
    if sorted(order) != list(range(len(tensor.dims))) or len(order) > _MOST_DIMS:
        last = len(tensor.dims) - 1
        raise _wrong(f"perm is {list(order)} for x of {last + 1} dims; it takes each of 0 to {last} once, of at most {_MOST_DIMS} dims")
    out = y or executor.allocate_like(tuple(tensor.dims[each] for each in order), tensor)
    executor.compute("aclnnPermute", tensor, order, TENSORS[out])
    return out


@l0op
def pad(executor: OpExecutor, x: int, paddings: int) -> int:
    """With zeros; a pair of numbers for each dim."""
    tensor, pairs = _tensor("self", x), _values("paddings", paddings)
    if len(pairs) != 2 * len(tensor.dims) or any(each < 0 for each in pairs):
        raise _wrong(f"paddings are {list(pairs)}; self has {len(tensor.dims)} dims and takes two numbers from 0 on for each")
    dims = tuple(before + side + after for side, before, after in zip(tensor.dims, pairs[::2], pairs[1::2], strict=True))
    out = executor.allocate_like(dims, tensor)
    from_the_last = tuple(number for index in range(len(tensor.dims) - 1, -1, -1) for number in pairs[2 * index : 2 * index + 2])
    executor.compute("aclnnConstantPadNd", tensor, from_the_last, np.zeros((), tensor.dtype), TENSORS[out])
    return out


@l0op
def trans_data(executor: OpExecutor, x: int, format: int, groups: int) -> int:
    """C0 fills 32 bytes."""
    return _trans_data(executor, x, format, groups, 32 // _tensor("x", x).dtype.itemsize)


@l0op
def trans_data_special(executor: OpExecutor, x: int, format: int, groups: int) -> int:
    """C0 is 16 for types of 4 bytes."""
    size = _tensor("x", x).dtype.itemsize
    return _trans_data(executor, x, format, groups, 16 if size == 4 else 32 // size)


def _trans_data(executor: OpExecutor, x: int, format: int, groups: int, c0: int) -> int:
    """Between ND and FRACTAL_NZ: blocks of 16 rows and C0 columns, one column of blocks after the other."""
    tensor = _tensor("x", x)
    if tensor.format == format:
        return x
    if {tensor.format, format} != {int(Format.ND), int(Format.FRACTAL_NZ)} or groups > 1 or len(tensor.dims) < 2:
        raise _wrong(f"TransData from format {tensor.format} to {format} with {groups} groups is not supported; it converts between ND (2) "
                     "and FRACTAL_NZ (29), 2 dims and more, without groups")  # fmt: skip
    *batch, rows, columns = tensor.dims
    high, wide, ahead = -(-rows // 16), -(-columns // c0), len(batch)
    whole, by_rows, fractal = (*batch, high * 16, wide * c0), (*batch, high, 16, wide, c0), (*batch, wide, high, 16, c0)
    padded = executor.allocate_like(whole, tensor)
    if format == Format.FRACTAL_NZ:
        missing = (0, whole[-1] - columns, 0, whole[-2] - rows)
        executor.compute("aclnnConstantPadNd", tensor, missing, np.zeros((), tensor.dtype), TENSORS[padded])
        out = executor.allocate(tensor.dims, fractal, tensor.dtype, int(Format.FRACTAL_NZ), int(Format.ND))
        order = (*range(ahead), ahead + 2, ahead, ahead + 1, ahead + 3)
        executor.compute("aclnnPermute", _seen_as(by_rows, TENSORS[padded]), order, _seen_as(fractal, TENSORS[out]))
        return out
    order = (*range(ahead), ahead + 1, ahead + 2, ahead, ahead + 3)
    executor.compute("aclnnPermute", _seen_as(fractal, tensor), order, _seen_as(by_rows, TENSORS[padded]))
    out = executor.allocate_like(tensor.dims, tensor)
    executor.compute(_COPY, TENSORS[out], TENSORS[executor.view(TENSORS[padded], tensor.dims, plain_strides(whole), 0)])
    return out


def _seen_as(dims: tuple[int, ...], of: AclTensor) -> AclTensor:
    """Plain memory of those dims."""
    return AclTensor(dims, of.dtype, plain_strides(dims), of.offset, int(Format.ND), dims, of.data)
