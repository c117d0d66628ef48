# SPDX-License-Identifier: Apache-2.0
"""aclTensor and its kind as C has them: arrays with a count, scalars by address. Codes are those of aclnn."""

from __future__ import annotations

from typing import Any

from aclimb.errors import AclimbError
from aclimb.op import aclnn
from aclimb.op.aclnn import (  # noqa: F401 - for the rows
    aclDestroyAclOpExecutor,
    aclDestroyBoolArray,
    aclDestroyFloatArray,
    aclDestroyIntArray,
    aclDestroyScalar,
    aclDestroyScalarList,
    aclDestroyTensor,
    aclDestroyTensorList,
    aclSetAclOpExecutorRepeatable,
    aclSetDynamicInputTensorAddr,
    aclSetDynamicOutputTensorAddr,
    aclSetDynamicTensorAddr,
    aclSetInputTensorAddr,
    aclSetOutputTensorAddr,
    aclSetTensorAddr,
    objects,
)
from aclimb.op.aclnn.objects import ARRAYS, SCALAR_LISTS, TENSOR_LISTS, TENSORS, coded, dtype_number, made, refusal
from aclimb.op.single.aclop import array

_VIEW = "o dims, k num_dims, i dtype, o strides, o offset, i format, o storage_dims, k num_storage_dims, p data"
_EXECUTOR, _IN_LIST = "p executor, k index, p tensor, p address", "p executor, k ir_index, k relative_index, p tensors, p address"

TABLE = f"""
aclCreateTensor                       {_VIEW}  => tensor
aclInitTensor                         p tensor, {_VIEW}  => ret
aclCreateScalar                       p value, i dtype                  => scalar
aclCreateIntArray                     p values, k count                 => array
aclCreateFloatArray                   p values, k count                 => array
aclCreateBoolArray                    p values, k count                 => array
aclCreateTensorList                   o tensors, k count                => tensors
aclCreateScalarList                   o scalars, k count                => scalars
aclDestroyTensor                      p tensor                          => ret
aclDestroyScalar                      p scalar                          => ret
aclDestroyIntArray                    p array                           => ret
aclDestroyFloatArray                  p array                           => ret
aclDestroyBoolArray                   p array                           => ret
aclDestroyTensorList                  p tensors                         => ret
aclDestroyScalarList                  p scalars                         => ret
aclGetViewShape                       p tensor                          => dims:l, count, ret
aclGetStorageShape                    p tensor                          => dims:l, count, ret
aclGetViewStrides                     p tensor                          => strides:l, count, ret
aclGetViewOffset                      p tensor                          => offset, ret
aclGetFormat                          p tensor                          => format, ret
aclGetDataType                        p tensor                          => dtype, ret
aclGetRawTensorAddr                   p tensor                          => address, ret
aclSetRawTensorAddr                   p tensor, p address               => ret
aclGetIntArraySize                    p array                           => count, ret
aclGetFloatArraySize                  p array                           => count, ret
aclGetBoolArraySize                   p array                           => count, ret
aclGetTensorListSize                  p tensors                         => count, ret
aclGetScalarListSize                  p scalars                         => count, ret
aclSetAclOpExecutorRepeatable         p executor                        => ret
aclDestroyAclOpExecutor               p executor                        => ret
aclSetInputTensorAddr                 {_EXECUTOR}  => ret
aclSetOutputTensorAddr                {_EXECUTOR}  => ret
aclSetTensorAddr                      {_EXECUTOR}  => ret
aclSetDynamicInputTensorAddr          {_IN_LIST}  => ret
aclSetDynamicOutputTensorAddr         {_IN_LIST}  => ret
aclSetDynamicTensorAddr               {_IN_LIST}  => ret
AclSetInputTensorAddr                 {_EXECUTOR}  => ret
AclSetOutputTensorAddr                {_EXECUTOR}  => ret
AclSetTensorAddr                      {_EXECUTOR}  => ret
AclSetDynamicInputTensorAddr          {_IN_LIST}  => ret
AclSetDynamicOutputTensorAddr         {_IN_LIST}  => ret
AclSetDynamicTensorAddr               {_IN_LIST}  => ret
"""

WITHOUT_EFFECT = """
aclnnInit                             z config_path                     => ret
aclnnFinalize                                                           => ret
"""

UNSUPPORTED = {
    "tensors of operators are not dumped; a kernel can print them": """
aclDumpOpTensors                      ->
""",
}


def aclnnInit(config_path: str | None) -> int:
    """aclInit is enough."""
    return 0


def aclnnFinalize() -> int:
    return 0


# --- tensors


def _view(call: str, *values: Any) -> tuple[Any, ...]:
    dims, num_dims, dtype, strides, offset, format, storage_dims, num_storage_dims, data = values
    plain = array(call, num_dims, strides) if strides is not None else None
    return array(call, num_dims, dims), dtype, plain, offset, format, array(call, num_storage_dims, storage_dims), data


@made
def aclCreateTensor(*values: Any) -> int:
    """Strides and offset count elements, no strides for contiguous; the memory stays the caller's."""
    return TENSORS.add(objects.tensor(*_view("aclCreateTensor", *values)))


@coded()
def aclInitTensor(tensor: int, *values: Any) -> None:
    """Another view under the same handle."""
    _ = TENSORS[tensor]
    TENSORS[tensor] = objects.tensor(*_view("aclInitTensor", *values))


def aclGetViewShape(tensor: int) -> tuple[list[int], int, int]:
    """An array of its own, which the caller frees."""
    return _list_of("aclGetViewShape", tensor, "dims")


def aclGetStorageShape(tensor: int) -> tuple[list[int], int, int]:
    """An array of its own, which the caller frees."""
    return _list_of("aclGetStorageShape", tensor, "storage_dims")


def aclGetViewStrides(tensor: int) -> tuple[list[int], int, int]:
    """An array of its own, which the caller frees."""
    return _list_of("aclGetViewStrides", tensor, "strides")


def _list_of(call: str, tensor: int, field: str) -> tuple[list[int], int, int]:
    found, ret = _ask(call, lambda: list(getattr(TENSORS[tensor], field)))
    return (found, len(found), 0) if ret == 0 else ([], 0, ret)


def _ask(call: str, question: Any) -> tuple[Any, int]:
    try:
        return question(), 0
    except AclimbError as error:
        return 0, refusal(call, error)


def aclGetViewOffset(tensor: int) -> tuple[int, int]:
    return _ask("aclGetViewOffset", lambda: TENSORS[tensor].offset)


def aclGetFormat(tensor: int) -> tuple[int, int]:
    return _ask("aclGetFormat", lambda: TENSORS[tensor].format)


def aclGetDataType(tensor: int) -> tuple[int, int]:
    return _ask("aclGetDataType", lambda: dtype_number(TENSORS[tensor].dtype))


def aclGetRawTensorAddr(tensor: int) -> tuple[int, int]:
    return _ask("aclGetRawTensorAddr", lambda: TENSORS[tensor].data)


@coded()
def aclSetRawTensorAddr(tensor: int, address: int) -> None:
    TENSORS[tensor] = TENSORS[tensor].at(address)


# --- scalars, arrays and lists


@made
def aclCreateScalar(value: int, dtype: int) -> int:
    """`value` is the address of one element."""
    return objects.scalar_at(value, dtype)


@made
def aclCreateIntArray(values: int, count: int) -> int:
    """`values` is the address of that many."""
    return objects.array_at("aclIntArray", values, count)


@made
def aclCreateFloatArray(values: int, count: int) -> int:
    """`values` is the address of that many."""
    return objects.array_at("aclFloatArray", values, count)


@made
def aclCreateBoolArray(values: int, count: int) -> int:
    """`values` is the address of that many."""
    return objects.array_at("aclBoolArray", values, count)


@made
def aclCreateTensorList(tensors: Any, count: int) -> int:
    """The list has the tensors from now on."""
    return aclnn.aclCreateTensorList(array("aclCreateTensorList", count, tensors))


@made
def aclCreateScalarList(scalars: Any, count: int) -> int:
    """The list has the scalars from now on."""
    return aclnn.aclCreateScalarList(array("aclCreateScalarList", count, scalars))


def aclGetIntArraySize(array: int) -> tuple[int, int]:
    return _ask("aclGetIntArraySize", lambda: len(ARRAYS["aclIntArray"][array]))


def aclGetFloatArraySize(array: int) -> tuple[int, int]:
    return _ask("aclGetFloatArraySize", lambda: len(ARRAYS["aclFloatArray"][array]))


def aclGetBoolArraySize(array: int) -> tuple[int, int]:
    return _ask("aclGetBoolArraySize", lambda: len(ARRAYS["aclBoolArray"][array]))


def aclGetTensorListSize(tensors: int) -> tuple[int, int]:
    return _ask("aclGetTensorListSize", lambda: len(TENSOR_LISTS[tensors]))


def aclGetScalarListSize(scalars: int) -> tuple[int, int]:
    return _ask("aclGetScalarListSize", lambda: len(SCALAR_LISTS[scalars]))


# --- executors; both spellings exist

AclSetInputTensorAddr, AclSetOutputTensorAddr, AclSetTensorAddr = aclSetInputTensorAddr, aclSetOutputTensorAddr, aclSetTensorAddr
AclSetDynamicInputTensorAddr, AclSetDynamicOutputTensorAddr = aclSetDynamicInputTensorAddr, aclSetDynamicOutputTensorAddr
AclSetDynamicTensorAddr = aclSetDynamicTensorAddr
