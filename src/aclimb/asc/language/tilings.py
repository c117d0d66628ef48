# SPDX-License-Identifier: Apache-2.0
"""Tiling structs of the library as asc.Struct: fields in snake case, layout and C++ names those of the device headers."""

from __future__ import annotations

import re
from typing import Any

from aclimb.asc.language.core.dtype import float32, int32, uint32
from aclimb.asc.language.core.struct import Field, Struct
from aclimb.tiling.layout import FIELDS

_IRREGULAR = {"Ka": "k_a", "Kb": "k_b", "shareL0CSize": "share_l0c_size", "shareL1Size": "share_l1_size",
              "depthAL1CacheUB": "depth_al1_cache_ub",
              "depthBL1CacheUB": "depth_bl1_cache_ub", "dbL0A": "db_l0a", "dbL0B": "db_l0b", "dbL0C": "db_l0c", "depthA1": "depth_a1",
              "depthB1": "depth_b1", "mxTypePara": "mx_type_para"}  # fmt: skip


def snake(name: str) -> str:
    """ALayoutInfoS1 -> a_layout_info_s1, singleCoreM -> single_core_m."""
    return _IRREGULAR.get(name) or re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def _fields(names: str | tuple[str, ...], dtype: Any) -> dict[str, Field]:
    return {snake(name): Field(dtype, 0, name=name) for name in (names.split() if isinstance(names, str) else names)}


def _struct(name: str, cpp: str, fields: dict[str, Field], says: str) -> type[Struct]:
    return type(name, (Struct,), {**fields, "_cpp": cpp, "__doc__": says, "__module__": __name__})


TCubeTiling = _struct("TCubeTiling", "TCubeTiling", _fields(FIELDS, int32), "How a Matmul is cut; asc.lib.host fills it in.")
SoftmaxTiling = _struct(
    "SoftmaxTiling",
    "SoftMaxTiling",
    _fields("srcM srcK srcSize outMaxM outMaxK outMaxSize splitM splitK splitSize reduceM reduceK reduceSize rangeM tailM tailSplitSize "
            "tailReduceSize", uint32),
    "How adv.softmax works through its rows; all zero is for the whole in one piece.",
)  # fmt: skip
LayerNormTiling = _struct(
    "LayerNormTiling",
    "LayerNormTiling",
    _fields("bLength sLength hLength originalHLength inputXSize meanVarSize numberOfTmpBuf meanTmpTensorPos meanTmpTensorSize", uint32)
    | _fields("varianceTmpTensorPos varianceTmpTensorSize tmpBufSize oneTmpSize firstTmpStartPos secondTmpStartPos", uint32)
    | _fields("thirdTmpStartPos loopRound inputRoundSize inputTailSize inputTailPos meanVarRoundSize meanVarTailSize", uint32)
    | _fields("meanVarTailPos bshCurLength bsCurLength", uint32)
    | _fields("lastDimValueBack", float32),
    "How adv.layer_norm works through its rows; LayerNormTiling.unpack(bytes) takes what aclimb.tiling.library gives.",
)
RmsNormTiling = _struct(
    "RmsNormTiling",
    "RmsNormTiling",
    _fields("bLength sLength hLength originalHLength", uint32)
    | _fields("reciprocalOfHLength", float32)
    | _fields("mainBshLength mainBsLength mainBsLengthAlign loopRound inputTailPos tailBshLength tailBsLength", uint32),
    "How adv.rmsnorm works through its rows.",
)
