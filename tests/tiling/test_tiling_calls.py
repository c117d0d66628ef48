# SPDX-License-Identifier: Apache-2.0
"""What can be said to a tiling object, what cannot, and the bytes of its answer."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some
from tiling_problems import GM, ND

from aclimb.errors import AclimbError, InvalidArgument, Unsupported
from aclimb.tiling import (
    BatchMatmulTiling,
    CubeFormat,
    DataType,
    MatmulApiTiling,
    MultiCoreMatmulTiling,
    PlatformInfo,
    SysTilingTempBufSize,
    TCubeTiling,
    TPosition,
    matmul_get_tmp_buf_size,
)
from aclimb.tiling.layout import FIELDS

HALF = DataType.DT_FLOAT16


def ready(**calls: Any) -> MultiCoreMatmulTiling:
    tiler = MultiCoreMatmulTiling()
    tiler.set_a_type(GM, ND, HALF)
    tiler.set_b_type(GM, ND, HALF)
    tiler.set_shape(256, 512, 128)
    tiler.set_dim(4)
    for name, words in calls.items():
        getattr(tiler, name)(*words)
    return tiler


# --- the structure


@pytest.mark.requirement("mm-1")
def test_the_structure_is_50_numbers_in_the_published_order() -> None:
    numbers = list(range(1, 51))
    tiling = TCubeTiling.unpack(struct.pack("<50i", *numbers))
    assert tiling.pack() == struct.pack("<50i", *numbers)
    assert len(bytes(tiling)) == 200
    places = {"usedCoreNum": 0, "M": 1, "Kb": 4, "singleCoreK": 7, "baseK": 10, "depthB1": 12, "isBias": 15, "iterateOrder": 17,
              "shareUbSize": 21, "stepKa": 26, "stepKb": 27, "dbL0A": 30, "dbL0C": 32, "ALayoutInfoB": 33, "BLayoutInfoB": 38,
              "CLayoutInfoS1": 44, "CLayoutInfoS2": 47, "BatchNum": 48, "mxTypePara": 49}  # fmt: skip
    assert {name: getattr(tiling, name) - 1 for name in places} == places


@given(some.lists(some.integers(-(2**31), 2**31 - 1), min_size=50, max_size=50))
def test_every_field_comes_back(numbers: list[int]) -> None:
    tiling = TCubeTiling()
    for name, value in zip(FIELDS, numbers, strict=True):
        setattr(tiling, name, value)
    assert struct.unpack("<50i", bytes(tiling)) == tuple(numbers)
    assert list(TCubeTiling.unpack(bytes(tiling)).values().values()) == numbers


@pytest.mark.parametrize(
    ("use", "text"),
    [
        (lambda: TCubeTiling.unpack(bytes(196)), "TCubeTiling has 200 bytes; 196 are given"),
        (lambda: setattr(TCubeTiling(), "baseM", 2**31), "field baseM of TCubeTiling is 2147483648; it has 32 bits"),
        (lambda: setattr(TCubeTiling(), "base_m", 1), "TCubeTiling has no field base_m; there are usedCoreNum, M, N,"),
    ],
)
def test_the_structure_refuses_what_it_does_not_hold(use: Callable[[], Any], text: str) -> None:
    with pytest.raises(InvalidArgument, match=f"^{text}"):
        use()


# --- setters

WRONG: list[tuple[str, tuple[Any, ...], type[AclimbError], str]] = [
    ("set_dim", (0,), InvalidArgument, "SetDim: dim is 0; it takes 1 and more"),
    ("set_shape", (16, -2, 16), InvalidArgument, "SetShape: n is -2; it takes 1 and more or -1"),
    ("set_org_shape", (16, 16, 0), InvalidArgument, "SetOrgShape: ka is 0; it takes 1 and more or -1"),
    ("set_single_shape", (0, 1, 1), InvalidArgument, "SetSingleShape: m is 0; it takes 1 and more or -1"),
    ("set_single_range", (-3,), InvalidArgument, "SetSingleRange: maxM is -3; it takes 1 and more or -1 or 0"),
    ("set_single_range", (64, -1, -1, 128), InvalidArgument, "SetSingleRange: minM is 128 and maxM is 64; the least is not above the most"),
    ("set_align_split", (-2,), InvalidArgument, "SetAlignSplit: m is -2; it takes 1 and more or -1 or 0"),
    ("set_fix_split", (0,), InvalidArgument, "SetFixSplit: baseM is 0; it takes 1 and more or -1"),
    ("set_buffer_space", (0,), InvalidArgument, "SetBufferSpace: l1 is 0; it takes 1 and more or -1"),
    ("set_traverse", (3,), InvalidArgument, "SetTraverse is 3; it is one of NOSET, FIRSTM, FIRSTN"),
    ("set_mad_type", (2,), InvalidArgument, "SetMadType is 2; it is one of NORMAL, HF32"),
    ("set_dequant_type", (7,), InvalidArgument, "SetDequantType is 7; it is one of SCALAR, TENSOR"),
    ("set_a_type", (1, 0, 1), InvalidArgument, "position of A is A1; it is one of GM, TSCM, VECIN, VECOUT, VECCALC"),
    ("set_a_type", (0, 8, 1), InvalidArgument, "format of A is 8; it is one of ND, NZ, VECTOR, SCALAR"),
    ("set_b_type", (0, 7, 1), InvalidArgument, "format of B is VECTOR; it is one of ND, NZ, SCALAR"),
    ("set_b_type", (0, 0, 3), InvalidArgument, "type of B is DT_INT32; it is one of DT_FLOAT, DT_FLOAT16, DT_INT8, DT_BF16, DT_INT4"),
    ("set_a_type", (0, 0, 29, True), InvalidArgument, "A is DT_INT4 and transposed; A of DT_INT4 is not transposed on Atlas A2 and A3"),
    ("set_a_type", (0, 7, 1, True), InvalidArgument, "A is a VECTOR and transposed; a vector is not"),
    ("set_a_type", (13, 0, 1), InvalidArgument, "A is ND in TSCM; what lies in L1 is NZ"),
    ("set_c_type", (0, 7, 1), InvalidArgument, "format of C is VECTOR; it is one of ND, NZ, ND_ALIGN"),
    ("set_c_type", (0, 0, 29), InvalidArgument, "type of C is DT_INT4; it is one of DT_FLOAT, DT_FLOAT16, DT_INT8, DT_INT32, DT_BF16"),
    ("set_bias_type", (0, 1, 0), InvalidArgument, "format of the bias is NZ; it is one of ND"),
    ("set_bias_type", (0, 0, 27), InvalidArgument, "type of the bias is DT_BF16; it is one of DT_FLOAT, DT_FLOAT16, DT_INT32"),
    ("set_a_layout", (1, 1, 1, 1, 0), InvalidArgument, "SetALayout: d is 0; it takes 1 and more"),
    ("set_batch_num", (0,), InvalidArgument, "SetBatchNum: batch is 0; it takes 1 and more"),
    ("set_batch_info_for_normal", (3, 2, 8, 8, 8), InvalidArgument,
     "SetBatchInfoForNormal: 3 and 2 batches; one is a multiple of the other"),
    ("set_matmul_config_params", (2,), InvalidArgument, "SetMatmulConfigParams: the configuration is 2; it is 0 (Norm) or 1 (MDL)"),
    ("set_matmul_config_params", (1, True), Unsupported, "SetMatmulConfigParams: enableL1CacheUB is for products with a coupled core; "
     "leave it false on Atlas A2 and A3"),
    ("set_matmul_config_params", (1, False, 3), InvalidArgument, "SetMatmulConfigParams: the schedule is 3; it is one of INNER_PRODUCT, "
     "OUTER_PRODUCT, N_BUFFER_33"),
    ("set_scale_a_type", (0, 0, 0), Unsupported,
     "SetScaleAType: scales belong to Ascend 950; on Atlas A2 and A3 quantise with SetDequantType"),
    ("get_core_num", (), InvalidArgument, "GetCoreNum: there is no tiling yet; call GetTiling, and look at what it returns"),
    ("get_single_shape", (), InvalidArgument, "GetSingleShape: there is no tiling yet; call GetTiling, and look at what it returns"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "words", "kind", "text"), WRONG, ids=[f"{row[0]}{row[1]}" for row in WRONG])
def test_a_wrong_argument_is_named_and_changes_nothing(name: str, words: tuple[Any, ...], kind: type[AclimbError], text: str) -> None:
    tiler, untouched = ready(), ready().get_tiling()
    with pytest.raises(kind) as error:
        getattr(tiler, name)(*words)
    assert str(error.value) == text
    assert tiler.get_tiling() == untouched


# --- questions without an answer

FAILED: list[tuple[dict[str, Any], str]] = [
    ({"set_shape": (-1, 16, 16)}, "M is not known; call SetShape or SetOrgShape with sizes of 1 and more"),
    ({"set_b_type": (0, 0, 0)}, "A is DT_FLOAT16 and B is DT_FLOAT; on Atlas A2 and A3 both have one type"),
    ({"set_c_type": (0, 0, 3)}, "C is DT_INT32; A and B of DT_FLOAT16 give DT_FLOAT or DT_FLOAT16 or DT_BF16 or DT_INT8"),
    ({"set_bias_type": (0, 0, 3), "set_bias": (True,)}, "the bias is DT_INT32; with A and B of DT_FLOAT16 it is DT_FLOAT or DT_FLOAT16"),
    ({"set_fix_split": (40,)}, "SetFixSplit: baseM is 40; it is a multiple of 16"),
    ({"set_a_type": (0, 1, 1), "set_shape": (37, 16, 32)}, "A is NZ, with M 37 and K 32; M is a multiple of 16 and K of 16 there"),
    ({"set_a_type": (0, 7, 1)}, "A is a VECTOR and M is 256; a vector has 1 row"),
    ({"set_single_shape": (64, 128, -1)}, "SetSingleShape(64, 128, -1) takes 16 cores for 256 x 512 x 128; SetDim allows 4"),
    ({"set_single_range": (16, 16)},
     "no part of 256 x 512 x 128 lies between (1, 1, 1) and (16, 16, 128) with 4 cores; widen SetSingleRange "
     "or give SetDim more"),
    ({"set_fix_split": (512, 128)},
     "SetFixSplit(512, 128, -1) does not fit 256 x 512 x 128 on 4 cores: blocks at most as large as a core's "
     "part, and L0A 65536, L0B 65536, L0C 131072, L1 524032, UB 196352, bias table 1024 bytes"),
    ({"set_buffer_space": (512,)}, "no base block of 256 x 512 x 128 fits: L0A 65536, L0B 65536, L0C 131072, L1 512, UB 196352, bias table "
     "1024 bytes"),
    ({"set_shape": (256, 512, 8192), "set_matmul_config_params": (1, False, 1)}, "OUTER_PRODUCT takes K in one base block, and K of "
     "256 x 512 x 8192 does not fit: L0A 65536, L0B 65536, L0C 131072, L1 524032, UB 196352, bias table 1024 bytes"),
    ({"set_shape": (256, 512, 8192), "set_matmul_config_params": (1, False, 2)},
     "N_BUFFER_33 keeps a core's A as 3 x 3 base blocks, and that "
     "of 256 x 512 x 8192 does not fit: L0A 65536, L0B 65536, L0C 131072, L1 524032, UB 196352, bias table 1024 bytes"),
]  # fmt: skip


@pytest.mark.requirement("mm-4")
@pytest.mark.parametrize(("calls", "text"), FAILED, ids=[" ".join(row[0]) for row in FAILED])
def test_a_question_without_an_answer_says_why(calls: dict[str, Any], text: str) -> None:
    tiler = ready(**calls)
    with pytest.raises(InvalidArgument) as error:
        tiler.get_tiling()
    assert str(error.value) == text
    with pytest.raises(InvalidArgument, match=r"^GetCoreNum: there is no tiling yet"):
        tiler.get_core_num()


# --- what was asked is held


def test_ranges_and_alignment_of_parts_are_held() -> None:
    t = ready(set_shape=(4096, 4096, 256), set_dim=(24,), set_single_range=(1024, 2048, -1, 512), set_align_split=(128, 64)).get_tiling()
    assert 512 <= t.singleCoreM <= 1024
    assert (t.singleCoreM % 128, t.singleCoreN % 64, t.singleCoreN <= 2048) == (0, 0, True)


def test_less_room_gives_smaller_blocks() -> None:
    t = ready(set_buffer_space=(40000, 16384, -1, -1)).get_tiling()
    assert t.baseM * t.baseN * 4 * t.dbL0C <= 16384
    assert t.depthA1 * t.baseM * t.baseK * 2 + t.depthB1 * t.baseN * t.baseK * 2 <= 40000
    assert t.shareL1Size == t.depthA1 * t.baseM * t.baseK * 2 + t.depthB1 * t.baseN * t.baseK * 2


def test_a_vector_of_scales_has_its_place_in_l1() -> None:
    calls = {"set_a_type": (0, 0, 2), "set_b_type": (0, 0, 2), "set_c_type": (0, 0, 1), "set_shape": (1024, 1024, 1024)}
    plain, scaled = ready(**calls).get_tiling(), ready(**calls, set_dequant_type=(1,)).get_tiling()
    blocks = scaled.depthA1 * scaled.baseM * scaled.baseK + scaled.depthB1 * scaled.baseN * scaled.baseK
    assert scaled.shareL1Size == blocks + 8 * scaled.baseN
    assert plain.shareL1Size == plain.depthA1 * plain.baseM * plain.baseK + plain.depthB1 * plain.baseN * plain.baseK


def test_of_a_sparse_b_half_is_there() -> None:
    t = ready(set_a_type=(0, 0, 2), set_b_type=(0, 0, 2, True), set_c_type=(0, 0, 3), set_sparse=(True,)).get_tiling()
    assert t.shareL1Size == t.depthA1 * t.baseM * t.baseK + t.depthB1 * t.baseN * t.baseK // 2


def test_accepted_without_effect() -> None:
    same = ready().get_tiling()
    calls = {"set_split_range": (1, 2, 3), "set_double_buffer": (True, True), "set_mad_type": (1,), "set_batch_num": (1,)}
    t = ready(**calls).get_tiling()
    assert t.BatchNum == 1
    t.BatchNum = 0
    assert t == same
    assert MatmulApiTiling().enable_l1_bank_conflict_optimise() is False


def test_set_shape_and_set_org_shape_stand_for_each_other() -> None:
    tiler = MatmulApiTiling()
    tiler.set_org_shape(48, 64, 96, 128)
    t = tiler.get_tiling()
    assert (t.singleCoreM, t.singleCoreN, t.singleCoreK, t.Ka, t.Kb) == (48, 64, 96, 96, 128)
    tiler.set_shape(32, -1, -1)
    assert (tiler.get_tiling().singleCoreM, tiler.get_tiling().M) == (32, 48)


def test_parts_without_set_dim_say_how_many_cores() -> None:
    tiler = MultiCoreMatmulTiling()
    tiler.set_shape(256, 256, 64)
    assert tiler.get_tiling().usedCoreNum == 1
    tiler.set_single_shape(64, 128)
    assert tiler.get_tiling().usedCoreNum == 8


def test_b_in_l1_is_whole_and_not_cut() -> None:
    t = ready(set_b_type=(TPosition.TSCM, CubeFormat.NZ, HALF)).get_tiling()
    assert (t.singleCoreN, t.depthB1 * t.baseN * t.baseK >= 512 * 128) == (512, True)


def test_a_batch_without_a_shape_says_so() -> None:
    tiler = BatchMatmulTiling()
    tiler.set_a_layout(1, 16, 1, 2, 32)
    with pytest.raises(InvalidArgument, match=r"^M, N and K are not known; call SetShape, or SetCLayout beside SetALayout and SetBLayout$"):
        tiler.get_tiling()


def test_the_chip_says_how_much_fits() -> None:
    assert PlatformInfo.of("Ascend910B1") == PlatformInfo(aic=24)
    assert PlatformInfo.of("Ascend910B4").aic == 20
    with pytest.raises(Unsupported, match=r"^Ascend310P3 is not modelled"):
        MatmulApiTiling("Ascend310P3")


# --- sizes


def test_what_the_object_takes_of_local_memory() -> None:
    t = ready(set_bias=(True,)).get_tiling()
    blocks = t.depthA1 * t.baseM * t.baseK * 2 + t.depthB1 * t.baseN * t.baseK * 2
    assert matmul_get_tmp_buf_size(t) == SysTilingTempBufSize(0, blocks + t.baseN * 4, t.baseM * t.baseN * 4 * t.dbL0C)
    with pytest.raises(InvalidArgument, match=r"^baseM of the tiling is 0; GetTiling fills it$"):
        matmul_get_tmp_buf_size(TCubeTiling())
