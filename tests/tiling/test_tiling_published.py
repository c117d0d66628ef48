# SPDX-License-Identifier: Apache-2.0
"""Tilings that the vendor has published, and what programs that were written for them rely on."""

from __future__ import annotations

import pytest
from tiling_problems import GM, ND

from aclimb.tiling import (
    BatchMatmulTiling,
    CubeFormat,
    DataType,
    MatmulApiTiling,
    MultiCoreMatmulTiling,
    ScheduleType,
    TCubeTiling,
    TPosition,
)

HALF, FLOAT = DataType.DT_FLOAT16, DataType.DT_FLOAT
AICS = pytest.mark.parametrize("cores", [20, 24])
AIVS = pytest.mark.parametrize("cores", [40, 48])


def multi(m: int, n: int, k: int, dim: int, *, bias: bool = False, c: TPosition = GM, c_format: CubeFormat = ND) -> MultiCoreMatmulTiling:
    tiler = MultiCoreMatmulTiling()
    tiler.set_a_type(GM, ND, HALF)
    tiler.set_b_type(GM, ND, HALF)
    tiler.set_c_type(c, c_format, FLOAT)
    tiler.set_bias_type(GM, ND, FLOAT)
    tiler.set_shape(m, n, k)
    tiler.set_org_shape(m, n, k)
    tiler.set_bias(bias)
    tiler.set_dim(dim)
    return tiler


def single(t: TCubeTiling) -> tuple[int, int, int]:
    return t.singleCoreM, t.singleCoreN, t.singleCoreK


def base(t: TCubeTiling) -> tuple[int, int, int]:
    return t.baseM, t.baseN, t.baseK


def has_tails(t: TCubeTiling) -> bool:
    return bool(t.M % t.singleCoreM or t.N % t.singleCoreN or t.Ka % t.singleCoreK)


@pytest.mark.requirement("mm-5")
def test_a_fixed_base_block_with_bias_on_two_cores() -> None:
    tiler = multi(1024, 640, 256, 2, bias=True)
    tiler.set_fix_split(256, 128)
    t = tiler.get_tiling()
    assert (single(t), base(t), tiler.get_core_num()) == ((512, 640, 256), (256, 128, 64), (2, 2, 1))
    assert (t.shareL0CSize, t.iterateOrder, t.batchM, t.batchN, t.transLength, t.isBias) == (131072, 0, 1, 1, 0, 1)


@pytest.mark.requirement("mm-5")
@pytest.mark.parametrize(
    ("shape", "dim", "part", "block", "grid"),
    [
        ((128, 30720, 64), 24, (128, 1280, 64), (128, 256, 64), (24, 1, 24)),
        ((128, 30720, 1024), 24, (128, 1280, 1024), (128, 256, 64), (24, 1, 24)),
        ((64, 256, 384), 2, (32, 256, 384), (32, 256, 64), (2, 2, 1)),
    ],
)
def test_part_of_a_core_and_base_block(
    shape: tuple[int, int, int], dim: int, part: tuple[int, ...], block: tuple[int, ...], grid: tuple[int, ...]
) -> None:
    tiler = multi(*shape, dim)
    t = tiler.get_tiling()
    assert (single(t), base(t), tiler.get_core_num(), tiler.get_single_shape()) == (part, block, grid, part)


@pytest.mark.requirement("mm-5")
def test_loads_of_a_long_k() -> None:
    t = multi(128, 30720, 1024, 24).get_tiling()
    assert (t.stepM, t.stepN, t.stepKa, t.stepKb, t.depthA1, t.depthB1) == (1, 1, 4, 4, 8, 8)


@pytest.mark.requirement("mm-5")
def test_n_buffer_33_keeps_a_and_cuts_n() -> None:
    tiler = multi(256, 512, 192, 24)
    tiler.set_matmul_config_params(1, False, ScheduleType.N_BUFFER_33)
    t = tiler.get_tiling()
    assert (single(t), base(t)) == ((256, 256, 192), (128, 256, 64))
    assert (t.stepM, t.stepN, t.stepKa, t.stepKb) == (2, 1, 3, 3)


@pytest.mark.requirement("mm-5")
def test_split_k_gives_two_cores_half_of_it_each() -> None:
    tiler = multi(16, 16, 1024, 24)
    tiler.enable_multi_core_split_k(True)
    t = tiler.get_tiling()
    assert (single(t), t.usedCoreNum) == ((16, 16, 512), 2)


@pytest.mark.requirement("mm-5")
@pytest.mark.parametrize(("fixed", "depth"), [((64, 64), 256), ((128, 256), 64)])
def test_base_k_fills_half_of_l0(fixed: tuple[int, int], depth: int) -> None:
    tiler = multi(1024, 1024, 4096, 24)
    tiler.set_fix_split(*fixed)
    assert base(tiler.get_tiling()) == (*fixed, depth)


@pytest.mark.requirement("mm-5")
def test_shapes_alone_are_enough_and_base_k_can_be_fixed() -> None:
    tiler = MultiCoreMatmulTiling()
    tiler.set_shape(32, 16, 8)
    tiler.set_fix_split(32, 16, 8)
    assert (tiler.get_base_m(), tiler.get_base_n(), tiler.get_base_k()) == (32, 16, 8)
    assert base(tiler.get_tiling()) == (32, 16, 8)


# --- what samples rely on


@pytest.mark.requirement("mm-6")
@AICS
def test_a_fixed_part_has_base_k_128_and_no_tails(cores: int) -> None:
    """The sample of a callback counts base blocks of K."""
    tiler = multi(2560, 128, 512, cores, bias=True)
    tiler.set_single_shape(128, 128, 512)
    t = tiler.get_tiling()
    assert (single(t), t.baseK, has_tails(t), t.usedCoreNum) == ((128, 128, 512), 128, False, 20)


@pytest.mark.requirement("mm-6")
def test_two_cores_along_m_with_blocks_that_divide() -> None:
    """The fused sample divides without a rest; both AIVs of the shared-B sample see the same B, which fits L1."""
    tiler = multi(1024, 640, 256, 2, bias=True, c=TPosition.VECIN)
    tiler.set_fix_split(256, 128)
    t = tiler.get_tiling()
    assert (single(t), t.singleCoreM % t.baseM, t.singleCoreN % t.baseN) == ((512, 640, 256), 0, 0)
    shared = multi(64, 256, 384, 2).get_tiling()
    assert (shared.singleCoreM, shared.singleCoreN) == (32, 256)
    assert 256 * 384 * 2 <= 512 * 1024


@pytest.mark.requirement("mm-6")
@AICS
def test_aligned_rows_of_c_are_not_cut(cores: int) -> None:
    assert multi(128, 7679, 128, cores, bias=True, c_format=CubeFormat.ND_ALIGN).get_tiling().singleCoreM == 128


@pytest.mark.requirement("mm-6")
@AIVS
def test_blocks_in_ub_are_as_wide_as_rows_and_two_fit(cores: int) -> None:
    t = multi(640, 1024, 512, cores, bias=True, c=TPosition.VECIN).get_tiling()
    assert t.singleCoreN % t.baseN == 0
    assert 2 * t.baseM * t.baseN * 4 <= 192 * 1024 - 256
    assert t.usedCoreNum % 2 == 0
    partial = multi(128, 128, 256, cores, c=TPosition.VECIN).get_tiling()
    assert partial.baseN == partial.singleCoreN
    assert 2 * partial.baseM * partial.baseN * 4 <= 192 * 1024 - 256


@pytest.mark.requirement("mm-6")
@AICS
@pytest.mark.parametrize("shape", [(7680, 480, 320), (128, 24576, 512)])
def test_parts_are_equal_where_samples_never_set_a_tail(cores: int, shape: tuple[int, int, int]) -> None:
    t = multi(*shape, cores, bias=True).get_tiling()
    assert not has_tails(t)
    assert t.baseM * t.baseK * 2 <= 32768
    assert t.baseN * t.baseK * 2 <= 32768


@pytest.mark.requirement("mm-6")
@AICS
def test_equal_parts_of_nbuffer33_and_of_split_k(cores: int) -> None:
    tiler = multi(256, 512, 192, cores, bias=True)
    tiler.set_matmul_config_params(1, False, ScheduleType.N_BUFFER_33)
    assert not has_tails(tiler.get_tiling())
    tiler = multi(16, 16, 1024, cores)
    tiler.set_split_k(True)
    t = tiler.get_tiling()
    assert (has_tails(t), t.usedCoreNum) == (False, 1024 // t.singleCoreK)


@pytest.mark.requirement("mm-6")
@AIVS
def test_a_in_l1_is_one_core(cores: int) -> None:
    tiler = multi(64, 64, 64, cores, bias=True)
    tiler.set_a_type(TPosition.TSCM, CubeFormat.NZ, HALF)
    assert tiler.get_tiling().usedCoreNum == 1


@pytest.mark.requirement("mm-6")
@AICS
def test_outer_product_has_two_columns(cores: int) -> None:
    tiler = multi(128, 7680, 16, cores, bias=True)
    tiler.set_matmul_config_params(1, False, ScheduleType.OUTER_PRODUCT, 1)
    t = tiler.get_tiling()
    assert (t.stepN, t.dbL0C, -(-t.singleCoreK // t.baseK)) == (2, 2, 1)


@pytest.mark.requirement("mm-6")
@AICS
def test_a_row_of_blocks_fits_l0c(cores: int) -> None:
    tiler = multi(32, 256, 128, cores, bias=True, c=TPosition.CO1, c_format=CubeFormat.NZ)
    tiler.set_fix_split(32, 128)
    t = tiler.get_tiling()
    assert (t.baseM, t.baseN) == (32, 128)
    assert t.baseM * t.singleCoreN * 4 <= 128 * 1024


@pytest.mark.requirement("mm-6")
@AICS
def test_fixed_parts_say_how_many_cores(cores: int) -> None:
    tiler = multi(2560, 2048, 128, cores, bias=True)
    tiler.set_single_shape(256, 1024, 128)
    t = tiler.get_tiling()
    assert (single(t), t.usedCoreNum, (t.M, t.N, t.Ka, t.Kb)) == ((256, 1024, 128), 20, (2560, 2048, 128, 128))


# --- the other two classes


def test_one_core_computes_all_of_the_shape() -> None:
    tiler = MatmulApiTiling("Ascend910B1")
    tiler.set_a_type(GM, CubeFormat.VECTOR, HALF)
    tiler.set_b_type(GM, ND, HALF, True)
    tiler.set_c_type(TPosition.VECIN, ND, FLOAT)
    tiler.set_org_shape(1, 5000, 1024)
    tiler.set_shape(1, 512, 1024)
    t = tiler.get_tiling()
    assert (single(t), t.usedCoreNum, t.baseM, (t.M, t.N, t.Ka)) == ((1, 512, 1024), 1, 16, (1, 5000, 1024))


def test_layouts_of_a_batch_arrive() -> None:
    tiler = BatchMatmulTiling()
    tiler.set_a_type(GM, ND, HALF)
    tiler.set_b_type(GM, ND, HALF, True)
    tiler.set_a_layout(2, 32, 1, 3, 64)
    tiler.set_b_layout(2, 256, 1, 3, 64)
    tiler.set_c_layout(2, 32, 1, 3, 256)
    tiler.set_batch_num(3)
    t = tiler.get_tiling()
    assert single(t) == (32, 256, 64)
    assert [t.ALayoutInfoB, t.ALayoutInfoS, t.ALayoutInfoN, t.ALayoutInfoG, t.ALayoutInfoD] == [2, 32, 1, 3, 64]
    assert [t.CLayoutInfoB, t.CLayoutInfoS1, t.CLayoutInfoN, t.CLayoutInfoG, t.CLayoutInfoS2] == [2, 32, 1, 3, 256]
    assert (t.BatchNum, tiler.get_core_num()) == (3, (1, 1, 1, 1, 1))


def test_a_batch_of_matrices_one_behind_the_other() -> None:
    tiler = BatchMatmulTiling()
    tiler.set_batch_info_for_normal(3, 1, 32, 256, 64)
    t = tiler.get_tiling()
    assert (single(t), t.BatchNum, t.ALayoutInfoB, t.BLayoutInfoB) == ((32, 256, 64), 3, 3, 1)
