# SPDX-License-Identifier: Apache-2.0
"""The enumerations of Ascend C, with its enumerators and its numbers."""

from __future__ import annotations

from enum import IntEnum


class TPosition(IntEnum):
    GM, A1, A2, B1, B2, C1, C2, CO1, CO2, VECIN, VECOUT, VECCALC = range(12)
    LCM = 11
    SPM = 12
    SHM = 12
    TSCM, C2PIPE2GM, C2PIPE2LOCAL, MAX = range(13, 17)


class HardEvent(IntEnum):
    MTE2_MTE1, MTE1_MTE2, MTE1_M, M_MTE1, MTE2_V, V_MTE2, MTE3_V, V_MTE3, M_V, V_M, V_V, MTE3_MTE1, MTE1_MTE3, MTE1_V = range(14)
    MTE2_M, M_MTE2, V_MTE1, M_FIX, FIX_M, MTE3_MTE2, MTE2_MTE3, S_V, V_S, S_MTE2, MTE2_S, S_MTE3, MTE3_S, MTE2_FIX = range(14, 28)
    FIX_MTE2, FIX_S, M_S, FIX_MTE3, MTE1_FIX, FIX_MTE1, FIX_FIX, MAX = range(28, 36)


PipeID = IntEnum("PipeID", "PIPE_S PIPE_V PIPE_M PIPE_MTE1 PIPE_MTE2 PIPE_MTE3 PIPE_FIX PIPE_ALL", start=0)
Hardware = IntEnum("Hardware", "GM UB L1 L0A L0B L0C BIAS FIXBUF MAX", start=0)
CubeFormat = IntEnum("CubeFormat", "ND NZ ZN ZZ NN ND_ALIGN SCALAR VECTOR COLUMN_MAJOR", start=0)
DataFormat = IntEnum("DataFormat", "ND NZ NCHW NC1HWC0 NHWC NCDHW NDC1HWC0 FRACTAL_Z_3D", start=0)
LayoutMode = IntEnum("LayoutMode", "NONE BSNGD SBNGD BNGS1S2 NORMAL", start=0)
RoundMode = IntEnum("RoundMode", "CAST_NONE CAST_RINT CAST_FLOOR CAST_CEIL CAST_ROUND CAST_TRUNC CAST_ODD CAST_HYBRID", start=0)
CMPMODE = IntEnum("CMPMODE", "LT GT EQ LE GE NE", start=0)
SelMode = IntEnum("SelMode", "VSEL_CMPMASK_SPR VSEL_TENSOR_SCALAR_MODE VSEL_TENSOR_TENSOR_MODE", start=0)
ReduceOrder = IntEnum("ReduceOrder", "ORDER_VALUE_INDEX ORDER_INDEX_VALUE ORDER_ONLY_VALUE ORDER_ONLY_INDEX", start=0)
MaskMode = IntEnum("MaskMode", "NORMAL COUNTER", start=0)
CacheMode = IntEnum("CacheMode", {"CACHE_MODE_DISABLE": 0, "CACHE_MODE_NORMAL": 1, "CACHE_MODE_LAST": 2, "CACHE_MODE_PERSISTENT": 4})
CacheRwMode = IntEnum("CacheRwMode", "READ WRITE RW")
CacheLine = IntEnum("CacheLine", "SINGLE_CACHE_LINE ENTIRE_DATA_CACHE", start=0)
DcciDst = IntEnum("DcciDst", "CACHELINE_ALL CACHELINE_UB CACHELINE_OUT CACHELINE_ATOMIC", start=0)
MemDsbT = IntEnum("MemDsbT", "ALL DDR UB SEQ", start=0)
QuantModes = IntEnum("QuantModes", "NoQuant F322F16 VREQ8 REQ8 VDEQF16 DEQF16 F322BF16 VQF322B8_PRE QF322B8_PRE", start=0)
DeqScale = IntEnum("DeqScale", "DEQ_NONE DEQ VDEQ DEQ8 VDEQ8 DEQ16 VDEQ16", start=0)
BlockMode = IntEnum(
    "BlockMode",
    "BLOCK_MODE_NORMAL BLOCK_MODE_MATRIX BLOCK_MODE_VECTOR BLOCK_MODE_SMALL_CHANNEL BLOCK_MODE_DEPTHWISE",
    start=0,
)
CO2Layout = IntEnum("CO2Layout", "NZ ROW_MAJOR COLUMN_MAJOR", start=0)
pad_t = IntEnum("pad_t", "PAD_NONE PAD_MODE1 PAD_MODE2 PAD_MODE3 PAD_MODE4 PAD_MODE5 PAD_MODE6 PAD_MODE7 PAD_MODE8", start=0)
GatherMaskMode = IntEnum("GatherMaskMode", {"DEFAULT": 0, "VERSION_V1": 0, "VERSION_V2": 1})
TransposeType = IntEnum(
    "TransposeType",
    "TRANSPOSE_TYPE_NONE TRANSPOSE_NZ2ND_0213 TRANSPOSE_NZ2NZ_0213 TRANSPOSE_NZ2NZ_012_WITH_N TRANSPOSE_NZ2ND_012_WITH_N "
    "TRANSPOSE_NZ2ND_012_WITHOUT_N TRANSPOSE_NZ2NZ_012_WITHOUT_N TRANSPOSE_ND2ND_ONLY TRANSPOSE_ND_UB_GM TRANSPOSE_GRAD_ND_UB_GM "
    "TRANSPOSE_ND2ND_B16 TRANSPOSE_NCHW2NHWC TRANSPOSE_NHWC2NCHW",
    start=0,
)
BatchMode = IntEnum("BatchMode", "NONE BATCH_LESS_THAN_L1 BATCH_LARGE_THAN_L1 SINGLE_LARGE_THAN_L1", start=0)
IterateMode = IntEnum("IterateMode", {"ITERATE_MODE_NORMAL": 1, "ITERATE_MODE_ALL": 2, "ITERATE_MODE_BATCH": 4, "ITERATE_MODE_N_BATCH": 8,
                                      "ITERATE_MODE_DEFAULT": 255})  # fmt: skip
IterateOrder = IntEnum("IterateOrder", "ORDER_M ORDER_N UNDEF", start=0)
ScheduleType = IntEnum("ScheduleType", "INNER_PRODUCT OUTER_PRODUCT", start=0)
MatmulConfigMode = IntEnum("MatmulConfigMode", "CONFIG_NORM CONFIG_MDL CONFIG_SPECIALMDL CONFIG_IBSHARE", start=0)
AippInputFormat = IntEnum("AippInputFormat", {"YUV420SP_U8": 0, "XRGB8888_U8": 1, "RGB888_U8": 4, "YUV400_U8": 9})
AtomicDtype = IntEnum("AtomicDtype", "ATOMIC_NONE ATOMIC_F32 ATOMIC_F16 ATOMIC_S16 ATOMIC_S32 ATOMIC_S8 ATOMIC_BF16", start=0)
AtomicOp = IntEnum("AtomicOp", "ATOMIC_SUM ATOMIC_MAX ATOMIC_MIN", start=0)

ALL: dict[str, type[IntEnum]] = {
    name: value
    for name, value in list(globals().items())
    if isinstance(value, type) and issubclass(value, IntEnum) and value is not IntEnum
}
_CPP_NAMES = {"SelMode": "SELMODE::", "PipeID": "", "QuantModes": "", "pad_t": "", "AtomicDtype": "", "AtomicOp": ""}
_ENUMERATORS = {("GatherMaskMode", "DEFAULT"): "VERSION_V1"}


def in_cpp(member: IntEnum) -> str:
    """TPosition::VECIN, PIPE_V, SELMODE::VSEL_CMPMASK_SPR."""
    kind = type(member).__name__
    return _CPP_NAMES.get(kind, f"{kind}::") + _ENUMERATORS.get((kind, member.name), member.name)
