# SPDX-License-Identifier: Apache-2.0
"""Tiling for Matmul: how a matrix product is cut for cores, L1 and L0. C++ programs ask the same tiler through tiling/tiling_api.h.

docs/matmul_tiling.md says how a tiling is chosen.
"""

from aclimb.tiling.asked import PlatformInfo
from aclimb.tiling.classes import BatchMatmulTiling, MatmulApiTiling, MultiCoreMatmulTiling
from aclimb.tiling.layout import TCubeTiling
from aclimb.tiling.sizes import (
    SysTilingTempBufSize,
    batch_matmul_get_tmp_buf_size,
    matmul_get_tmp_buf_size,
    multi_core_matmul_get_tmp_buf_size,
)
from aclimb.tiling.words import CubeFormat, DataType, DequantType, MatrixMadType, MatrixTraverse, ScheduleType, TPosition

__all__ = [
    "BatchMatmulTiling",
    "CubeFormat",
    "DataType",
    "DequantType",
    "MatmulApiTiling",
    "MatrixMadType",
    "MatrixTraverse",
    "MultiCoreMatmulTiling",
    "PlatformInfo",
    "ScheduleType",
    "SysTilingTempBufSize",
    "TCubeTiling",
    "TPosition",
    "batch_matmul_get_tmp_buf_size",
    "matmul_get_tmp_buf_size",
    "multi_core_matmul_get_tmp_buf_size",
]
