# SPDX-License-Identifier: Apache-2.0
"""How much local memory a Matmul object takes, by its tiling: MatmulGetTmpBufSize and its relatives."""

from __future__ import annotations

from dataclasses import dataclass

from aclimb.errors import InvalidArgument
from aclimb.tiling.layout import TCubeTiling
from aclimb.tiling.problem import Problem


@dataclass(frozen=True, slots=True)
class SysTilingTempBufSize:
    """Bytes. The object takes no UB on Atlas A2 and A3."""

    ub_size: int
    l1_size: int
    l0c_size: int


def l1_size(tiling: TCubeTiling, p: Problem) -> int:
    a = tiling.depthA1 * tiling.baseM * tiling.baseK * p.a_bits // 8
    b = tiling.depthB1 * tiling.baseN * tiling.baseK * p.b_bits // (16 if p.is_sparse else 8)
    return int(a + b + tiling.baseN * p.column_bytes)


def l0c_size(tiling: TCubeTiling) -> int:
    return int(tiling.baseM * tiling.baseN * 4 * tiling.dbL0C)


def tmp_buf_size(tiling: TCubeTiling) -> SysTilingTempBufSize:
    """Of a tiling that GetTiling filled: it has written down what the types come to."""
    for name in ("baseM", "baseN", "baseK", "depthA1", "depthB1"):
        if getattr(tiling, name) <= 0:
            raise InvalidArgument(f"{name} of the tiling is {getattr(tiling, name)}; GetTiling fills it")
    return SysTilingTempBufSize(0, tiling.shareL1Size, l0c_size(tiling))


matmul_get_tmp_buf_size = multi_core_matmul_get_tmp_buf_size = batch_matmul_get_tmp_buf_size = tmp_buf_size
