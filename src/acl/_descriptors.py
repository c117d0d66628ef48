# SPDX-License-Identifier: Apache-2.0
"""acl: data buffers and tensor descriptors, which acl.op takes. A data buffer only wraps an address."""

from __future__ import annotations

from typing import Any

from aclimb.errors import InvalidArgument, Refused
from aclimb.op.single.descriptors import BITS, BUFFERS, DESCS, UNKNOWN, DataBuffer, TensorDesc
from aclimb.runtime import addresses
from aclimb.runtime.handles import NULL

TABLE = """
create_data_buffer                  k data, k size                      => buffer                  aclCreateDataBuffer
destroy_data_buffer                 k buffer                            ->                         aclDestroyDataBuffer
get_data_buffer_addr                k buffer                            => ptr                     aclGetDataBufferAddr
get_data_buffer_size                k buffer                            => size                    aclGetDataBufferSize
get_data_buffer_size_v2             k buffer                            => size                    aclGetDataBufferSizeV2
update_data_buffer                  k buffer, k data, k size            ->                         aclUpdateDataBuffer
create_tensor_desc                  i dtype, L dims, i format           => desc                    aclCreateTensorDesc
destroy_tensor_desc                 k desc                              => None                    aclDestroyTensorDesc
get_tensor_desc_type                k desc                              => dtype                   aclGetTensorDescType
get_tensor_desc_format              k desc                              => format                  aclGetTensorDescFormat
get_tensor_desc_size                k desc                              => size                    aclGetTensorDescSize
get_tensor_desc_element_count       k desc                              => count                   aclGetTensorDescElementCount
get_tensor_desc_num_dims            k desc                              => count                   aclGetTensorDescNumDims
get_tensor_desc_dim                 k desc, k index                     => dim                     aclGetTensorDescDim
get_tensor_desc_dim_v2              k desc, k index                     -> dim                     aclGetTensorDescDimV2
get_tensor_desc_dim_range           k desc, k index, k count            -> range:l                 aclGetTensorDescDimRange
set_tensor_desc_name                k desc, s name                      => None                    aclSetTensorDescName
get_tensor_desc_name                k desc                              => name:s                  aclGetTensorDescName
set_tensor_format                   k desc, i format                    ->                         aclSetTensorFormat
set_tensor_shape                    k desc, L dims                      ->                         aclSetTensorShape
set_tensor_origin_format            k desc, i format                    ->                         aclSetTensorOriginFormat
set_tensor_origin_shape             k desc, L dims                      ->                         aclSetTensorOriginShape
set_tensor_storage_format           k desc, i format                    ->                         aclSetTensorStorageFormat
set_tensor_storage_shape            k desc, L dims                      ->                         aclSetTensorStorageShape
set_tensor_shape_range              k desc, L ranges                    ->                         aclSetTensorShapeRange
set_tensor_const                    k desc, k data, k size              ->                         aclSetTensorConst
set_tensor_place_ment               k desc, i placement                 ->                         aclSetTensorPlaceMent
set_tensor_dynamic_input            k desc, s name                      ->                         aclSetTensorDynamicInput
data_type_size                      i dtype                             => size                    aclDataTypeSize
"""

UNSUPPORTED = {
    "value ranges of tensors are not used by anything here": """
set_tensor_value_range              k desc                              ->                         aclSetTensorValueRange
""",
}


def create_data_buffer(data: int, size: int) -> int:
    return BUFFERS.add(DataBuffer(data, size))


def destroy_data_buffer(buffer: int) -> None:
    """The memory stays the caller's."""
    BUFFERS.end(buffer)


def get_data_buffer_addr(buffer: int) -> int:
    return BUFFERS[buffer].data


def get_data_buffer_size(buffer: int) -> int:
    """Cut to 32 bits; get_data_buffer_size_v2 is not."""
    return BUFFERS[buffer].size & 0xFFFFFFFF


def get_data_buffer_size_v2(buffer: int) -> int:
    return BUFFERS[buffer].size


def update_data_buffer(buffer: int, data: int, size: int) -> None:
    found = BUFFERS[buffer]
    found.data, found.size = data, size


def create_tensor_desc(dtype: int, dims: list[Any], format: int) -> int:
    return DESCS.add(TensorDesc(dtype, _dims("create_tensor_desc", dims), format))


def _dims(call: str, dims: list[Any]) -> list[int]:
    if not all(isinstance(dim, int) for dim in dims):
        raise TypeError(f"acl.{call} args parse failed")
    return list(dims)


def destroy_tensor_desc(desc: int) -> None:
    DESCS.end(desc)


def get_tensor_desc_type(desc: int) -> int:
    return DESCS[desc].dtype


def get_tensor_desc_format(desc: int) -> int:
    return DESCS[desc].format


def get_tensor_desc_size(desc: int) -> int:
    """Bytes, rounded up to whole ones for types smaller than a byte."""
    found = DESCS[desc]
    return (found.elements * BITS.get(found.dtype, 0) + 7) // 8


def get_tensor_desc_element_count(desc: int) -> int:
    return DESCS[desc].elements


def get_tensor_desc_num_dims(desc: int) -> int:
    return len(DESCS[desc].dims)


def get_tensor_desc_dim(desc: int, index: int) -> int:
    return DESCS[desc].dim(index)


def get_tensor_desc_dim_v2(desc: int, index: int) -> int:
    return DESCS[desc].dim(index)


def get_tensor_desc_dim_range(desc: int, index: int, count: int) -> list[int]:
    """[lowest, highest] of a dimension: as set_tensor_shape_range said, else its size twice; a highest of -1 is open."""
    found = DESCS[desc]
    dim = found.dim(index)
    low, high = found.ranges[index] if found.ranges else (dim, dim) if dim != UNKNOWN else (0, -1)
    return [low, high][:count]


def set_tensor_desc_name(desc: int, name: str) -> None:
    DESCS[desc].name = name


def get_tensor_desc_name(desc: int) -> str:
    return DESCS[desc].name


def set_tensor_format(desc: int, format: int) -> None:
    DESCS[desc].other["storage_format"] = format


def set_tensor_shape(desc: int, dims: list[Any]) -> None:
    DESCS[desc].other["storage_shape"] = _dims("set_tensor_shape", dims)


def set_tensor_origin_format(desc: int, format: int) -> None:
    DESCS[desc].other["origin_format"] = format


def set_tensor_origin_shape(desc: int, dims: list[Any]) -> None:
    DESCS[desc].other["origin_shape"] = _dims("set_tensor_origin_shape", dims)


def set_tensor_storage_format(desc: int, format: int) -> None:
    DESCS[desc].other["storage_format"] = format


def set_tensor_storage_shape(desc: int, dims: list[Any]) -> None:
    DESCS[desc].other["storage_shape"] = _dims("set_tensor_storage_shape", dims)


def set_tensor_shape_range(desc: int, ranges: list[Any]) -> None:
    """One [lowest, highest] for each dimension."""
    found = DESCS[desc]
    if not all(isinstance(each, list | tuple) and len(each) == 2 for each in ranges) or len(ranges) != len(found.dims):
        raise InvalidArgument(f"{len(ranges)} ranges are given; it takes one [lowest, highest] for each of {len(found.dims)} dimensions")
    found.ranges = [(low, high) for low, high in ranges]


def set_tensor_const(desc: int, data: int, size: int) -> None:
    """The tensor's value is known when shapes are inferred. It is copied now."""
    found = DESCS[desc]
    if (data == 0) != (size == 0):
        raise Refused(NULL, f"{size} bytes at 0x{data:x} are no value; give the address and the size of one, or 0 for both")
    found.other["const"] = addresses.read(data, size, "the value") if size else b""


def set_tensor_place_ment(desc: int, placement: int) -> None:
    DESCS[desc].other["placement"] = placement


def set_tensor_dynamic_input(desc: int, name: str) -> None:
    DESCS[desc].other["dynamic_input"] = name


def data_type_size(dtype: int) -> int:
    """Bytes of one element; 0 for types that have no fixed or no whole number of them."""
    return BITS.get(dtype, 0) // 8
