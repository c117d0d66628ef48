# SPDX-License-Identifier: Apache-2.0
"""Compare, Select, Duplicate, Copy, Brcb and the compare-mask register."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from core import NUMPY, UB_BYTES, Array, Core, RefusedError, lanes_of
from vector_reference import lane_positions, selected, values

LT, GT, EQ, LE, GE, NE = range(6)
FUNCTIONS = [np.less, np.greater, np.equal, np.less_equal, np.greater_equal, np.not_equal]
MODES = ["LT", "GT", "EQ", "LE", "GE", "NE"]
BITS = ["half", "bf16", "f32", "i16", "u16", "i32", "u32"]
CMPMASK_SPR, TENSOR_SCALAR, TENSOR_TENSOR = range(3)


def compared(mode: int, a: Array, b: Any) -> Array:
    """Bits, least significant first; NaN on either side gives 0, also for NE."""
    truth = FUNCTIONS[mode](a, b) & ~(np.isnan(a) | np.isnan(b))
    return np.packbits(truth, bitorder="little")


def nearly_equal(random: np.random.Generator, dtype: str, count: int) -> tuple[Array, Array]:
    a = random.integers(-3, 3, count).astype(NUMPY[dtype])
    b = random.integers(-3, 3, count).astype(NUMPY[dtype])
    if dtype != "i32":
        a[random.integers(0, count, 20)] = np.nan
        b[random.integers(0, count, 20)] = np.nan
        a[random.integers(0, count, 20)] = np.inf
        b[random.integers(0, count, 20)] = np.inf
    return a, b


CASES = [(dtype, mode) for dtype in ("half", "f32") for mode in range(6)] + [("i32", EQ)]


@pytest.mark.parametrize(("dtype", "mode"), CASES)
def test_compare_packs_one_bit_a_lane(core: Core, random: np.random.Generator, level: str, dtype: str, mode: int) -> None:
    a, b = nearly_equal(random, dtype, 1024)
    actual = core.run("vcmp", a, b, dst=np.full(160, 0xEE, np.uint8), count=1024, mode=mode)
    np.testing.assert_array_equal(actual[:128], compared(mode, a, b))
    np.testing.assert_array_equal(actual[128:], 0xEE)


@pytest.mark.parametrize(("dtype", "mode"), CASES)
def test_compares_takes_a_scalar(core: Core, random: np.random.Generator, level: str, dtype: str, mode: int) -> None:
    a, _ = nearly_equal(random, dtype, 512)
    actual = core.run("vcmps", a, dst=np.zeros(64, np.uint8), count=512, mode=mode, scalar=1)
    np.testing.assert_array_equal(actual, compared(mode, a, np.array(1, NUMPY[dtype])))


@pytest.mark.parametrize("dtype", ["half", "f32"])
def test_results_of_successive_repeats_are_dense_and_the_mask_has_no_say(core: Core, random: np.random.Generator, dtype: str) -> None:
    lanes, repeat = lanes_of(dtype), 6
    a, b = nearly_equal(random, dtype, 4096)
    strides = ((1, 8), (2, 20), (1, 3))
    actual = core.run("vcmp", a, b, dst=np.zeros(512, np.uint8), mask=3, repeat=repeat, strides=strides, mode=GT)
    rows = [
        compared(GT, a[lane_positions(dtype, lanes, r, strides[1])], b[lane_positions(dtype, lanes, r, strides[2])]) for r in range(repeat)
    ]
    np.testing.assert_array_equal(actual[: repeat * lanes // 8], np.concatenate(rows))


def test_a_count_that_is_not_whole_repeats_leaves_the_rest_alone(core: Core) -> None:
    one = np.ones(200, np.float32)
    actual = core.run("vcmp", one, one, dst=np.zeros(32, np.uint8), count=200, mode=EQ)
    assert actual.tolist() == [255] * 24 + [0] * 8  # three repeats of 64; the last 8 lanes are not compared


def test_compare_into_the_register_keeps_bits_outside_the_mask(core: Core, random: np.random.Generator, level: str) -> None:
    a, b = nearly_equal(random, "half", 128)
    before = random.bytes(16)
    mask = (0x00FF_FF00_1234_5678, 0xF)
    done = core.details("vcmp_mask", a, b, dst=np.zeros(0, np.float16), at=(0, 0, 256), mask=mask, mode=LE, cmp_mask=before)
    old = np.unpackbits(np.frombuffer(before, np.uint8), bitorder="little")
    new = np.unpackbits(compared(LE, a, b), bitorder="little")
    expected = np.where(selected(mask, 128), new, old)
    np.testing.assert_array_equal(np.unpackbits(np.frombuffer(done.cmp_mask, np.uint8), bitorder="little"), expected)


def test_the_register_goes_to_the_ub_and_back(core: Core, random: np.random.Generator) -> None:
    register = random.bytes(16)
    out = core.run("get_cmp_mask", dst=np.zeros(16, np.uint8), cmp_mask=register)
    assert out.tobytes() == register
    back = core.details("set_cmp_mask", out, dst=np.zeros(0, np.uint8))
    assert back.cmp_mask == register


def test_int32_compares_only_for_equality(core: Core) -> None:
    one = np.ones(64, np.int32)
    with pytest.raises(RefusedError) as refusal:
        core.run("vcmp", one, one, dst=np.zeros(32, np.uint8), count=64, mode=LT)
    assert refusal.value.fault.sentence.startswith("Compare of int32_t has only CMPMODE::EQ on this chip; cmpMode is 0.")


def chosen(bits: Array, count: int) -> Array:
    return np.unpackbits(bits, bitorder="little")[:count].astype(bool)


@pytest.mark.parametrize("dtype", ["half", "f32"])
@pytest.mark.parametrize("count", [1, 64, 1000])
def test_select_consumes_the_mask_continuously(core: Core, random: np.random.Generator, level: str, dtype: str, count: int) -> None:
    a, b = values(random, dtype, count), values(random, dtype, count)
    bits = random.integers(0, 256, 256, np.uint8)
    two = core.run("vsel", a, b, dst=np.zeros(count, NUMPY[dtype]), selection=bits, count=count, mode=TENSOR_TENSOR)
    np.testing.assert_array_equal(two, np.where(chosen(bits, count), a, b))
    one = core.run("vsel", a, dst=np.zeros(count, NUMPY[dtype]), selection=bits, count=count, mode=TENSOR_SCALAR, scalar=-2.5)
    np.testing.assert_array_equal(one, np.where(chosen(bits, count), a, np.array(-2.5, NUMPY[dtype])))


@pytest.mark.parametrize("dtype", ["half", "f32"])
@pytest.mark.parametrize("mode", [CMPMASK_SPR, TENSOR_TENSOR, TENSOR_SCALAR])
def test_select_by_repeats_honours_mask_and_strides(core: Core, random: np.random.Generator, dtype: str, mode: int) -> None:
    lanes, repeat = lanes_of(dtype), 4
    strides = ((1, 9), (2, 17), (1, 8))
    a, b, dst = (values(random, dtype, 4096) for _ in range(3))
    bits = random.integers(0, 256, 128, np.uint8)
    mask = (0xFFFF_0000_F731_8001, 0x1)
    sources = (a,) if mode == TENSOR_SCALAR else (a, b)
    actual = core.run("vsel", *sources, dst=dst, selection=bits, mask=mask, repeat=repeat, strides=strides, mode=mode, scalar=7)
    expected, lane_on = dst.copy(), selected(mask, lanes)
    for r in range(repeat):
        start = 0 if mode == CMPMASK_SPR else r * lanes // 8
        first = chosen(bits[start : start + lanes // 8], lanes)
        other = b[lane_positions(dtype, lanes, r, strides[2])] if mode != TENSOR_SCALAR else np.full(lanes, 7, NUMPY[dtype])
        result = np.where(first, a[lane_positions(dtype, lanes, r, strides[1])], other)
        expected[lane_positions(dtype, lanes, r, strides[0])[lane_on]] = result[lane_on]
    np.testing.assert_array_equal(actual, expected)


def test_select_without_a_mask_tensor_reads_the_register(core: Core, random: np.random.Generator) -> None:
    a, b = values(random, "half", 384), values(random, "half", 384)
    register = random.bytes(16)
    actual = core.run("vsel", a, b, dst=np.zeros(384, np.float16), repeat=3, cmp_mask=register)
    every = np.tile(chosen(np.frombuffer(register, np.uint8), 128), 3)
    np.testing.assert_array_equal(actual, np.where(every, a, b))


@pytest.mark.parametrize("dtype", ["half", "f32"])
def test_select_takes_its_scalar_from_the_register(core: Core, random: np.random.Generator, dtype: str) -> None:
    lanes, repeat = lanes_of(dtype), 3
    a, bits = values(random, dtype, lanes * repeat), random.integers(0, 256, lanes * repeat // 8, np.uint8)
    register = np.array([-2.5], NUMPY[dtype]).tobytes().ljust(16, b"\xee")
    actual = core.run(
        "vsel", a, dst=np.zeros_like(a), selection=bits, mode=TENSOR_SCALAR, repeat=repeat, scalar_in_register=True, cmp_mask=register
    )
    np.testing.assert_array_equal(actual, np.where(chosen(bits, lanes * repeat), a, NUMPY[dtype](-2.5)))


@pytest.mark.parametrize("dtype", ["half", "f32"])
def test_select_finds_its_mask_where_the_register_says(core: Core, random: np.random.Generator, dtype: str) -> None:
    lanes, repeat = lanes_of(dtype), 3
    a, b = (values(random, dtype, lanes * repeat) for _ in range(2))
    bits = random.integers(0, 256, lanes * repeat // 8, np.uint8)
    ub = np.zeros(UB_BYTES, np.uint8)
    for address, content in ((1024, a), (2048, b), (4096, bits)):
        ub[address : address + content.nbytes] = content.view(np.uint8)
    options: Any = {"at": (0, 1024, 2048), "ub": ub, "mode": TENSOR_TENSOR, "repeat": repeat}
    register = (4096).to_bytes(4, "little") + b"\xee" * 12
    done = core.details("vsel", a, b, dst=np.zeros_like(a), cmp_mask=register, **options)
    np.testing.assert_array_equal(done.dst, np.where(chosen(bits, lanes * repeat), a, b))
    with pytest.raises(RefusedError) as refusal:
        core.run("vsel", a, b, dst=np.zeros_like(a), cmp_mask=UB_BYTES.to_bytes(16, "little"), **options)
    assert (refusal.value.fault.kind.name, refusal.value.fault.operand, refusal.value.fault.addr) == ("out_of_bounds", 1, UB_BYTES)


def test_select_with_a_scalar_wants_a_mask_tensor(core: Core) -> None:
    one = np.ones(64, np.float32)
    with pytest.raises(RefusedError) as refusal:
        core.run("vsel", one, dst=one, mode=TENSOR_SCALAR, count=64)
    assert refusal.value.fault.sentence == "Select of a tensor and a scalar takes its mask from a tensor; pass selMask."


@pytest.mark.parametrize("dtype", BITS)
def test_duplicate_fills_selected_lanes(core: Core, level: str, dtype: str) -> None:
    run = core.run("vdup", dst=np.zeros(100, NUMPY[dtype]), count=77, scalar=3)
    np.testing.assert_array_equal(run.astype(np.int64), [3] * 77 + [0] * 23)
    lanes, strides = lanes_of(dtype), ((2, 20), (1, 8), (1, 8))
    masked = core.run("vdup", dst=np.zeros(2048, NUMPY[dtype]), mask=(0b1011, 0), repeat=3, strides=strides, scalar=9)
    expected = np.zeros(2048, np.int64)
    for r in range(3):
        expected[lane_positions(dtype, lanes, r, strides[0])[[0, 1, 3]]] = 9
    np.testing.assert_array_equal(masked.astype(np.int64), expected)


@pytest.mark.parametrize("dtype", BITS)
def test_copy_moves_bits_unchanged(core: Core, random: np.random.Generator, dtype: str) -> None:
    lanes, strides = lanes_of(dtype), ((2, 300), (3, 11), (1, 8))
    a = random.integers(0, 256, 32768, np.uint8).view(NUMPY[dtype])
    dst = np.zeros(65536, np.uint8).view(NUMPY[dtype])
    actual = core.run("vcopy", a, dst=dst, mask=(2**40 - 3, 0), repeat=4, strides=strides)
    expected, lane_on = dst.copy(), selected((2**40 - 3, 0), lanes)
    for r in range(4):
        to, source = (lane_positions(dtype, lanes, r, stride)[lane_on] for stride in strides[:2])
        expected[to] = a[source]
    assert actual.tobytes() == expected.tobytes()


def test_copy_in_counter_mode_counts_each_repeat(core: Core) -> None:
    a = np.arange(400, dtype=np.int32)
    actual = core.run("vcopy", a, dst=np.zeros(400, np.int32), count=100, repeat=3, strides=((1, 16), (1, 13), (0, 0)))
    expected = np.zeros(400, np.int32)
    for r in range(3):
        expected[r * 128 : r * 128 + 100] = a[r * 104 : r * 104 + 100]
    np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize("dtype", BITS)
def test_brcb_spreads_eight_elements_over_eight_blocks(core: Core, random: np.random.Generator, dtype: str) -> None:
    per_block = 32 // np.dtype(NUMPY[dtype]).itemsize
    a = random.integers(0, 256, 24 * 32 // per_block, np.uint8).view(NUMPY[dtype])[:24]
    dst = np.zeros(64 * per_block, NUMPY[dtype])
    actual = core.run("vbrcb", a, dst=dst, repeat=3, strides=((2, 17), (0, 0), (0, 0)))
    expected = dst.copy()
    for r in range(3):
        for j in range(8):
            start = (r * 17 + j * 2) * per_block
            expected[start : start + per_block] = a[8 * r + j]
    assert actual.tobytes() == expected.tobytes()
