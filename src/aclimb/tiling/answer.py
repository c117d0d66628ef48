# SPDX-License-Identifier: Apache-2.0
"""GetTiling: what was asked -> TCubeTiling. The same question has the same answer, and is worked out once."""

from __future__ import annotations

from functools import lru_cache

from aclimb.errors import InvalidArgument
from aclimb.tiling.asked import UNSET, Asked
from aclimb.tiling.choose import choose
from aclimb.tiling.layout import TCubeTiling
from aclimb.tiling.problem import BATCH, MULTI, Problem, problem_of, shape_of
from aclimb.tiling.sizes import l0c_size, l1_size

_LAYOUT_FIELDS = {
    "a": ("B", "S", "N", "G", "D"),
    "b": ("B", "S", "N", "G", "D"),
    "c": ("B", "S1", "N", "G", "S2"),
}


def answer(asked: Asked) -> TCubeTiling:
    asked.is_tiled = 0
    _take_shape_of_batch(asked)
    shape = shape_of(asked)
    problem = problem_of(asked)
    tiling = TCubeTiling.unpack(_chosen(problem))
    _say_whole(tiling, asked, shape)
    _keep(asked, tiling)
    return tiling


@lru_cache(maxsize=512)
def _chosen(p: Problem) -> bytes:
    word = choose(p).words()
    made = TCubeTiling(
        usedCoreNum=word["parts_m"] * word["parts_n"] * word["parts_k"],
        singleCoreM=word["single_m"], singleCoreN=word["single_n"], singleCoreK=word["single_k"],
        baseM=word["base_m"], baseN=word["base_n"], baseK=word["base_k"],
        stepM=word["step_m"], stepN=word["step_n"], stepKa=word["step_ka"], stepKb=word["step_kb"],
        depthA1=word["step_m"] * word["step_ka"] * word["loads_a"], depthB1=word["step_n"] * word["step_kb"] * word["loads_b"],
        dbL0A=word["db_a"], dbL0B=word["db_b"], dbL0C=word["db_c"], iterateOrder=p.order, isBias=int(p.bias_bits > 0),
        batchM=1, batchN=1, singleBatchM=1, singleBatchN=1,
    )  # fmt: skip
    made.shareL1Size, made.shareL0CSize = l1_size(made, p), l0c_size(made)
    return bytes(made)


def _say_whole(tiling: TCubeTiling, asked: Asked, shape: tuple[int, int, int]) -> None:
    """What is copied as it was said."""
    m, n, k = shape
    tiling.M, tiling.N = _said(asked.org_m, m), _said(asked.org_n, n)
    tiling.Ka, tiling.Kb = _said(asked.org_ka, k), _said(asked.org_kb, k)
    for side, axes in _LAYOUT_FIELDS.items():
        for axis, name in zip("bsngd", axes, strict=True):
            setattr(tiling, f"{side.upper()}LayoutInfo{name}", getattr(asked, f"{side}_layout_{axis}"))
    tiling.BatchNum = asked.batch_num


def _keep(asked: Asked, tiling: TCubeTiling) -> None:
    m, n, _ = shape_of(asked)
    asked.cores, asked.got_m, asked.got_n, asked.got_k = tiling.usedCoreNum, tiling.singleCoreM, tiling.singleCoreN, tiling.singleCoreK
    asked.parts_m, asked.parts_n = -(-m // asked.got_m), -(-n // asked.got_n)
    asked.base_m, asked.base_n, asked.base_k = tiling.baseM, tiling.baseN, tiling.baseK
    asked.is_tiled = 1


def _take_shape_of_batch(asked: Asked) -> None:
    """Layouts say M, N and K where nothing else does."""
    if asked.kind == MULTI or asked.a_layout_s == 0 or any(each != UNSET for each in (asked.m, asked.org_m)):
        return
    if asked.kind == BATCH and asked.c_layout_s == 0:
        raise InvalidArgument("M, N and K are not known; call SetShape, or SetCLayout beside SetALayout and SetBLayout")
    asked.m, asked.n, asked.k = asked.a_layout_s, asked.c_layout_d or asked.b_layout_s, asked.a_layout_d


def _said(value: int, other: int) -> int:
    return value if value != UNSET else other
