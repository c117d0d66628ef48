# SPDX-License-Identifier: Apache-2.0
"""The words of matmul_tiling, with the numbers that C++ has for them."""

from __future__ import annotations

from enum import IntEnum


class TPosition(IntEnum):
    GM = 0
    A1 = 1
    A2 = 2
    B1 = 3
    B2 = 4
    C1 = 5
    C2 = 6
    CO1 = 7
    CO2 = 8
    VECIN = 9
    VECOUT = 10
    VECCALC = 11
    LCM = 11
    SPM = 12
    SHM = 12
    TSCM = 13


class CubeFormat(IntEnum):
    ND = 0
    NZ = 1
    ZN = 2
    ZZ = 3
    NN = 4
    ND_ALIGN = 5
    SCALAR = 6
    VECTOR = 7


class DataType(IntEnum):
    """As ge counts them."""

    DT_FLOAT = 0
    DT_FLOAT16 = 1
    DT_INT8 = 2
    DT_INT32 = 3
    DT_BF16 = 27
    DT_BFLOAT16 = 27
    DT_INT4 = 29


class MatrixTraverse(IntEnum):
    NOSET = 0
    FIRSTM = 1
    FIRSTN = 2


class MatrixMadType(IntEnum):
    NORMAL = 0
    HF32 = 1


class DequantType(IntEnum):
    SCALAR = 0
    TENSOR = 1


class ScheduleType(IntEnum):
    INNER_PRODUCT = 0
    OUTER_PRODUCT = 1
    N_BUFFER_33 = 2


IN_UB = (TPosition.VECIN, TPosition.VECOUT, TPosition.VECCALC)
BITS = {
    DataType.DT_FLOAT: 32,
    DataType.DT_FLOAT16: 16,
    DataType.DT_BF16: 16,
    DataType.DT_INT8: 8,
    DataType.DT_INT4: 4,
    DataType.DT_INT32: 32,
}
_F, _H, _B, _I8, _I32 = DataType.DT_FLOAT, DataType.DT_FLOAT16, DataType.DT_BF16, DataType.DT_INT8, DataType.DT_INT32
# Type of A and of B -> types of the bias and of C that Atlas A2 and A3 have for it.
BIAS_TYPES = {_F: (_F, _H), _H: (_F, _H), _B: (_F, _H), _I8: (_I32,), DataType.DT_INT4: (_I32,)}
C_TYPES = {_F: (_F, _H, _B), _H: (_F, _H, _B, _I8), _B: (_F, _H, _B, _I8), _I8: (_I32, _H, _I8), DataType.DT_INT4: (_I32, _H)}
