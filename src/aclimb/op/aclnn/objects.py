# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: N802 - C's names
"""aclTensor, arrays, scalars and lists: numbers outside, small records inside. None of them owns device memory."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from aclimb.calls.errors import recent
from aclimb.errors import AclimbError, InvalidArgument, Refused
from aclimb.op.node.borrowed import Borrowed
from aclimb.op.node.dtypes import GE_DTYPES, dtype_of
from aclimb.op.node.node import OpTensor
from aclimb.op.node.shape import Shape, StorageShape
from aclimb.op.status import (
    ACLNN_ERR_INNER_CREATE_EXECUTOR,
    ACLNN_ERR_INNER_FIND_KERNEL_ERROR,
    ACLNN_ERR_INNER_INFERSHAPE_ERROR,
    ACLNN_ERR_INNER_NOT_TRANS_EXECUTOR,
    ACLNN_ERR_INNER_NULLPTR,
    ACLNN_ERR_INNER_WRONG_ATTR_INFO_SIZE,
    ACLNN_ERR_PARAM_INVALID,
    ACLNN_ERR_PARAM_NULLPTR,
    ACLNN_ERR_RUNTIME_ERROR,
    Format,
    OpError,
)
from aclimb.runtime import addresses
from aclimb.runtime.buffer import Buffer
from aclimb.runtime.device import Device, opened
from aclimb.runtime.handles import BAD_HANDLE, NULL, Handles

P = ParamSpec("P")
T = TypeVar("T")
_CODES = (ACLNN_ERR_PARAM_NULLPTR, ACLNN_ERR_PARAM_INVALID, ACLNN_ERR_RUNTIME_ERROR, ACLNN_ERR_INNER_INFERSHAPE_ERROR,
          ACLNN_ERR_INNER_FIND_KERNEL_ERROR, ACLNN_ERR_INNER_WRONG_ATTR_INFO_SIZE, ACLNN_ERR_INNER_CREATE_EXECUTOR,
          ACLNN_ERR_INNER_NOT_TRANS_EXECUTOR, ACLNN_ERR_INNER_NULLPTR)  # fmt: skip
_DTYPES = {number: name for name, number in GE_DTYPES.items()} | {16: "complex64", 17: "complex128"}


# --- codes


def refusal(path: str, error: AclimbError, *, null: int = ACLNN_ERR_PARAM_NULLPTR, other: int = ACLNN_ERR_RUNTIME_ERROR) -> int:
    """The number that aclnn has for it; the sentence goes where acl.get_recent_err_msg() finds it."""
    if isinstance(error, OpError) and error.code in _CODES:
        code = error.code
    elif isinstance(error, Refused):
        code = {NULL: null, BAD_HANDLE: ACLNN_ERR_PARAM_INVALID}.get(error.code, other)
    elif isinstance(error, InvalidArgument) or (isinstance(error, OpError) and error.stage == "plan"):
        code = ACLNN_ERR_PARAM_INVALID
    else:
        code = other
    recent.add(code, f"{path}: {error}")
    return code


def coded(null: int = ACLNN_ERR_PARAM_NULLPTR) -> Callable[[Callable[P, None]], Callable[P, int]]:
    """A call that gives 0, or the code of what it refused."""

    def wrap(function: Callable[P, None]) -> Callable[P, int]:
        @functools.wraps(function)
        def call(*args: P.args, **named: P.kwargs) -> int:
            try:
                function(*args, **named)
            except AclimbError as error:
                return refusal(function.__name__, error, null=null)
            return 0

        call.__annotations__["return"] = "int"
        return call

    return wrap


def made(function: Callable[P, int]) -> Callable[P, int]:
    """A call that gives a handle, or 0 where C gives a null pointer."""

    @functools.wraps(function)
    def call(*args: P.args, **named: P.kwargs) -> int:
        try:
            return function(*args, **named)
        except AclimbError as error:
            refusal(function.__name__, error)
            return 0

    return call


# --- tensors


@dataclass(frozen=True, slots=True)
class AclTensor:
    """A view of device memory: `dims` of it, counted in `strides`, from element `offset` on."""

    dims: tuple[int, ...]
    dtype: np.dtype[Any]
    strides: tuple[int, ...]
    offset: int
    format: int
    storage_dims: tuple[int, ...]
    data: int
    origin_format: int | None = None  # where it differs from the format
    host: NDArray[Any] | None = None  # of a tensor in host memory: what lies at `data`

    @property
    def address(self) -> int:
        return self.data + self.offset * self.dtype.itemsize if self.data else 0

    @property
    def device(self) -> Device | None:
        return next((device for device in opened() if device.native.contains(self.address)), None)

    def at(self, address: int) -> AclTensor:
        """The same view of other memory."""
        return replace(self, data=address)

    @property
    def is_contiguous(self) -> bool:
        plain = plain_strides(self.dims)
        return 0 in self.dims or all(stride == own for side, stride, own in zip(self.dims, self.strides, plain, strict=True) if side > 1)

    @property
    def bytes_from_data(self) -> int:
        """From `data` to the end of the view, or of the storage where that ends later."""
        last = self.offset + sum((side - 1) * stride for side, stride in zip(self.dims, self.strides, strict=True))
        return max(last + 1 if 0 not in self.dims else 0, math.prod(self.storage_dims)) * self.dtype.itemsize

    def as_argument(self) -> OpTensor:
        """As operators take it. What is not contiguous is not copied together here: it is refused."""
        if 0 not in self.dims:
            if not self.address:
                raise OpError(ACLNN_ERR_PARAM_NULLPTR, f"a tensor of {self.dtype}{list(self.dims)} has no data")
            if self.device is None:
                raise OpError(ACLNN_ERR_PARAM_INVALID, f"the data of a tensor is at 0x{self.address:x}, which is not device memory")
        return self.on(self.device or Device())

    def on(self, device: Device) -> OpTensor:
        """The same without a look at the address."""
        if not self.is_contiguous:
            raise OpError(ACLNN_ERR_PARAM_INVALID, f"a tensor has strides {list(self.strides)} for {list(self.dims)}; make it "
                          "contiguous first")  # fmt: skip
        storage = self.dims if self.format == Format.ND else self.storage_dims
        memory = Borrowed(self.address, storage, self.dtype, device)
        return OpTensor(StorageShape(Shape(self.dims), Shape(storage)), self.dtype, self.format, cast(Buffer, memory))


def plain_strides(dims: Sequence[int]) -> tuple[int, ...]:
    return tuple(math.prod(dims[index + 1 :]) for index in range(len(dims)))


TENSORS: Handles[AclTensor] = Handles("aclTensor")
TENSOR_LISTS: Handles[list[int]] = Handles("aclTensorList")
ARRAY_DTYPES = {"aclIntArray": "int64", "aclFloatArray": "float32", "aclBoolArray": "bool"}
ARRAYS: dict[str, Handles[NDArray[Any]]] = {kind: Handles(kind) for kind in ARRAY_DTYPES}
SCALARS: Handles[NDArray[Any]] = Handles("aclScalar")
SCALAR_LISTS: Handles[list[int]] = Handles("aclScalarList")


def dtype_of_number(number: int) -> np.dtype[Any]:
    if number not in _DTYPES:
        raise InvalidArgument(f"data type {number} does not exist; there are {', '.join(f'{n} ({name})' for n, name in _DTYPES.items())}")
    return np.dtype(dtype_of(_DTYPES[number]))


def dtype_number(dtype: np.dtype[Any]) -> int:
    """The aclDataType of a tensor's elements."""
    return next(number for number in _DTYPES if dtype_of_number(number) == dtype)


def tensor(
    dims: Sequence[int], dtype: int, strides: Sequence[int] | None, offset: int, format: int, storage_dims: Sequence[int], data: int | None
) -> AclTensor:
    if strides is not None and len(strides) != len(dims):
        raise InvalidArgument(f"{len(strides)} strides are given for {len(dims)} dims")
    if any(dim < 0 for dim in (*dims, *storage_dims)) or offset < 0:
        raise InvalidArgument(f"dims are {list(dims)}, storage dims {list(storage_dims)}, the offset is {offset}; none may be below 0")
    spread = tuple(strides) if strides is not None else plain_strides(dims)
    return AclTensor(tuple(dims), dtype_of_number(dtype), spread, offset, format, tuple(storage_dims), data or 0)


@made
def aclCreateTensor(
    dims: Sequence[int], dtype: int, strides: Sequence[int] | None, offset: int, format: int, storage_dims: Sequence[int], data: int | None
) -> int:
    """aclCreateTensor: strides and offset count elements, None for contiguous; the memory stays the caller's."""
    return TENSORS.add(tensor(dims, dtype, strides, offset, format, storage_dims, data))


@coded()
def aclDestroyTensor(tensor: int) -> None:
    """aclDestroyTensor: the device memory stays."""
    TENSORS.end(tensor or 0)


def aclGetViewShape(tensor: int) -> tuple[list[int], int]:
    """aclGetViewShape: (dims, ret)."""
    try:
        return list(TENSORS[tensor or 0].dims), 0
    except AclimbError as error:
        return [], refusal("aclGetViewShape", error)


@made
def aclCreateTensorList(tensors: Sequence[int]) -> int:
    """aclCreateTensorList: the list has the tensors from now on."""
    return TENSOR_LISTS.add([each for each in tensors if TENSORS[each]])


@coded()
def aclDestroyTensorList(tensors: int) -> None:
    """aclDestroyTensorList: its tensors are destroyed with it."""
    for each in TENSOR_LISTS.end(tensors or 0):
        TENSORS.pop(each, None)


# --- arrays and scalars


def add_array(kind: str, values: Iterable[Any]) -> int:
    """A copy of the values, under a handle."""
    return ARRAYS[kind].add(np.array(list(values), ARRAY_DTYPES[kind]))


def array_at(kind: str, address: int, count: int) -> int:
    """Make an array of the values at an address."""
    return ARRAYS[kind].add(values_at(address, count, np.dtype(ARRAY_DTYPES[kind]), "the array"))


def values_at(address: int, count: int, dtype: np.dtype[Any], what: str) -> NDArray[Any]:
    """A copy of values in host memory; any byte but 0 is a true bool."""
    if count == 0:
        return np.empty(0, dtype)
    data = addresses.read(address, min(count * dtype.itemsize, 2**63), what)
    return np.frombuffer(data, np.uint8) != 0 if dtype.kind == "b" else np.frombuffer(data, dtype)


@made
def aclCreateIntArray(values: Iterable[int]) -> int:
    """aclCreateIntArray."""
    return add_array("aclIntArray", values)


@made
def aclCreateFloatArray(values: Iterable[float]) -> int:
    """aclCreateFloatArray."""
    return add_array("aclFloatArray", values)


@made
def aclCreateBoolArray(values: Iterable[bool]) -> int:
    """aclCreateBoolArray."""
    return add_array("aclBoolArray", values)


@coded()
def aclDestroyIntArray(array: int) -> None:
    """aclDestroyIntArray."""
    ARRAYS["aclIntArray"].end(array or 0)


@coded()
def aclDestroyFloatArray(array: int) -> None:
    """aclDestroyFloatArray."""
    ARRAYS["aclFloatArray"].end(array or 0)


@coded()
def aclDestroyBoolArray(array: int) -> None:
    """aclDestroyBoolArray."""
    ARRAYS["aclBoolArray"].end(array or 0)


@made
def aclCreateScalar(value: float | complex, dtype: int) -> int:
    """aclCreateScalar."""
    return SCALARS.add(np.asarray(value).astype(dtype_of_number(dtype)))


def scalar_at(address: int, dtype: int) -> int:
    """Of the element that lies there."""
    return SCALARS.add(values_at(address, 1, dtype_of_number(dtype), "the scalar").reshape(()))


@coded()
def aclDestroyScalar(scalar: int) -> None:
    """aclDestroyScalar."""
    SCALARS.end(scalar or 0)


@made
def aclCreateScalarList(scalars: Sequence[int]) -> int:
    """aclCreateScalarList: the list has the scalars from now on."""
    return SCALAR_LISTS.add([each for each in scalars if SCALARS[each] is not None])


@coded()
def aclDestroyScalarList(scalars: int) -> None:
    """aclDestroyScalarList: its scalars are destroyed with it."""
    for each in SCALAR_LISTS.end(scalars or 0):
        SCALARS.pop(each, None)
