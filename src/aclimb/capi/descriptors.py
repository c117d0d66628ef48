# SPDX-License-Identifier: Apache-2.0
"""Tensor descriptors where C differs from pyACL: arrays come with a count, and what is not there has a value of its own."""

from __future__ import annotations

from typing import Any

from aclimb import run
from aclimb.errors import Refused
from aclimb.op.single.aclop import array
from aclimb.op.single.descriptors import DESCS
from aclimb.runtime.handles import NULL

TABLE = """
aclCreateTensorDesc                   i dtype, i count, o dims, i format                                => desc
aclGetTensorDescType                  p desc                                                            => dtype:u
aclGetTensorDescFormat                p desc                                                            => format:u
aclGetTensorDescNumDims               p desc                                                            => count
aclGetTensorDescDim                   p desc, k index                                                   => dim:u
aclGetTensorDescName                  p desc                                                            => name:t
aclGetTensorDescDimRange              p desc, k index, k count                                          -> range:l
aclSetTensorShape                     p desc, i count, o dims                                           ->
aclSetTensorOriginShape               p desc, i count, o dims                                           ->
aclSetTensorStorageShape              p desc, i count, o dims                                           ->
aclSetTensorShapeRange                p desc, k count, o ranges                                         ->
"""

UNSUPPORTED = {
    "value ranges of tensors are not used by anything here": """
aclSetTensorValueRange                ->
""",
    "formats of tensors are not converted; create a descriptor in the format that is wanted": """
aclTransTensorDescFormat              -> desc
""",
    "a descriptor describes one tensor and has no address; keep them in an array of your own": """
aclGetTensorDescByIndex               => desc
aclGetTensorDescAddress               => address
""",
}

UNKNOWN_RANK = 2**64 - 2
_acl = run.our_acl()["acl._descriptors"]


def aclCreateTensorDesc(dtype: int, count: int, dims: Any, format: int) -> int:
    return int(_acl.create_tensor_desc(dtype, array("aclCreateTensorDesc", count, dims), format))


def aclGetTensorDescType(desc: int) -> int:
    """-1 where there is no descriptor."""
    return DESCS[desc].dtype


def aclGetTensorDescFormat(desc: int) -> int:
    """-1 where there is no descriptor."""
    return DESCS[desc].format


def aclGetTensorDescNumDims(desc: int) -> int:
    """2**64 - 2 for a shape whose rank is not known: one dimension of -2."""
    dims = DESCS[desc].dims
    return UNKNOWN_RANK if dims == [-2] else len(dims)


def aclGetTensorDescDim(desc: int, index: int) -> int:
    """-1 where there is no such dimension."""
    return DESCS[desc].dim(index)


def aclGetTensorDescName(desc: int) -> str:
    """Empty where there is no descriptor."""
    return DESCS[desc].name


def aclGetTensorDescDimRange(desc: int, index: int, count: int) -> list[int]:
    """[lowest, highest] of a dimension; there has to be room for both."""
    if count < 2:
        raise Refused(NULL, f"there is room for {count} numbers; a range has 2")
    found: list[int] = _acl.get_tensor_desc_dim_range(desc, index, 2)
    return found


def aclSetTensorShape(desc: int, count: int, dims: Any) -> None:
    _acl.set_tensor_shape(desc, array("aclSetTensorShape", count, dims))


def aclSetTensorOriginShape(desc: int, count: int, dims: Any) -> None:
    _acl.set_tensor_origin_shape(desc, array("aclSetTensorOriginShape", count, dims))


def aclSetTensorStorageShape(desc: int, count: int, dims: Any) -> None:
    _acl.set_tensor_storage_shape(desc, array("aclSetTensorStorageShape", count, dims))


def aclSetTensorShapeRange(desc: int, count: int, ranges: Any) -> None:
    """One [lowest, highest] for each dimension."""
    _acl.set_tensor_shape_range(desc, array("aclSetTensorShapeRange", count, ranges))
