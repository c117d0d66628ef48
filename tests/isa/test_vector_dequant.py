# SPDX-License-Identifier: Apache-2.0
"""CastDequant of int16_t, AddDeqRelu, MulCast, AddReluCast, SubReluCast: in float64, and call by call where a call is two in one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from core import NUMPY, SATURATE, Array, Core, RefusedError
from hypothesis import given, settings
from hypothesis import strategies as st
from vector_reference import lane_positions, narrow, selected, values

VEC, LOW = 1, 2  # bits of the mode
PLAIN = ((1, 8), (1, 8), (1, 8))


def word(scale: float, offset: int, signed: bool) -> int:
    return int(np.float32(scale).view(np.uint32)) | (offset & 0x1FF) << 37 | int(signed) << 46


def dequantised(x: Array, scale: float, offset: int, signed: bool) -> Array:
    """Of the scale's mantissa 10 bits count."""
    cut = (np.float32(scale).view(np.uint32) & np.uint32(0xFFFFE000)).view(np.float32)
    limits = (-128, 127) if signed else (0, 255)
    return np.clip(np.rint(x.astype(np.float64) * np.float64(cut) + offset), *limits).astype(np.int8 if signed else np.uint8)


def run(core: Core, name: str, x: Array, dst: Array, bits: int, *more: Array, **options: Any) -> Array:
    return core.run(name, x, *more, dst=dst, scalar=np.array(bits, np.int64), scalar_dtype="i64", **options)


PARAMETERS = [(1.0, 0), (0.5, 0), (0.37, 17), (1e-3, -256), (3.0, 255), (-0.25, -3), (0.1234567, 0)]


@pytest.mark.requirement("lib-52")
@pytest.mark.parametrize(("scale", "offset"), PARAMETERS)
@pytest.mark.parametrize("signed", [True, False])
@pytest.mark.parametrize("half", [LOW, 0])
@pytest.mark.parametrize("count", [1, 16, 100, 1000])
def test_results_of_a_block_fill_one_half_of_a_block(
    core: Core, random: np.random.Generator, scale: float, offset: int, signed: bool, half: int, count: int
) -> None:
    x = random.integers(-32768, 32768, count).astype(np.int16) if scale < 0.1 else random.integers(-300, 300, count).astype(np.int16)
    dst = random.integers(0, 100, 2048).astype(np.int8 if signed else np.uint8)
    actual = run(core, "vdeq", x, dst, word(scale, offset, signed), mode=half, count=count)
    at = np.arange(count) // 16 * 32 + np.arange(count) % 16 + (0 if half else 16)
    expected = dst.copy()
    expected[at] = dequantised(x, scale, offset, signed)
    np.testing.assert_array_equal(actual, expected)


@pytest.mark.requirement("lib-52")
@pytest.mark.parametrize("mask", [None, 9, (0xF00F_0000_8001_1234, 0x8000_0000_0000_0003)])
@pytest.mark.parametrize("strides", [((1, 8), (1, 8)), ((2, 20), (1, 9)), ((1, 8), (0, 1))])
def test_each_element_of_a_block_has_its_own_parameters(core: Core, random: np.random.Generator, mask: Any, strides: Any) -> None:
    sets = [(float(random.uniform(0.1, 2)), int(random.integers(-256, 256)), True) for _ in range(16)]
    table = np.array([word(*each) for each in sets], np.int64)
    x, dst = random.integers(-200, 200, 2048).astype(np.int16), random.integers(0, 100, 3000).astype(np.int8)
    actual = run(core, "vdeq", x, dst, 0, table, mode=VEC, mask=mask, repeat=3, strides=(*strides, (1, 8)))
    expected, chosen = dst.copy(), selected(mask, 128)
    for r in range(3):
        source = x[lane_positions("i16", 128, r, strides[1])]
        for lane in np.flatnonzero(chosen):
            to = 32 * (r * strides[0][1] + lane // 16 * strides[0][0]) + 16 + lane % 16
            expected[to] = dequantised(source[lane : lane + 1], *sets[lane % 16])[0]
    np.testing.assert_array_equal(actual, expected)


def test_a_scale_that_is_not_a_number_gives_0_and_infinity_the_limits(core: Core) -> None:
    x = np.array([3, -3, 0], np.int16)
    for scale, expected in ((np.nan, [0, 0, 0]), (np.inf, [127, -128, 0])):
        np.testing.assert_array_equal(run(core, "vdeq", x, np.ones(32, np.int8), word(scale, 0, True), mode=LOW, count=3)[:3], expected)


@pytest.mark.parametrize(("dtype", "signed"), [("i8", False), ("u8", True)])
def test_the_sign_of_the_parameters_is_that_of_the_destination(core: Core, dtype: str, signed: bool) -> None:
    with pytest.raises(RefusedError) as refusal:
        run(core, "vdeq", np.ones(16, np.int16), np.zeros(32, NUMPY[dtype]), word(1, 0, signed), count=16)
    names = {"i8": "int8_t", "u8": "uint8_t"}
    assert refusal.value.fault.sentence == (
        f"CastDequant to {names[dtype]} needs a signMode of {str(not signed).lower()} in SetDeqScale; it is {str(signed).lower()}."
    )


# --- two sources


def deq_relu(a: Array, b: Array, scale: float, saturate: bool) -> Array:
    total = a.astype(np.int64) + b.astype(np.int64)
    total = np.clip(total, -(2**31), 2**31 - 1) if saturate else total.astype(np.int32).astype(np.int64)
    product = total.astype(np.float64) * float(np.float16(scale))  # exact: 31 + 11 bits
    with np.errstate(all="ignore"):
        result = product.astype(np.float16)
    if saturate:
        result = np.clip(np.nan_to_num(result, nan=0, posinf=65504, neginf=-65504), -65504, 65504)
    return np.maximum(result, np.float16(0)) + np.float16(0)


@pytest.mark.requirement("lib-52")
@pytest.mark.parametrize("ctrl", [0, SATURATE])
@pytest.mark.parametrize("scale", [1.0, 0.001, 3e-5, -0.5])
def test_add_deq_relu_rounds_the_scaled_sum_once(core: Core, random: np.random.Generator, ctrl: int, scale: float) -> None:
    a, b = (random.integers(-(2**31), 2**31, 500).astype(np.int32) for _ in range(2))
    a[:200] //= 2**16
    b[:200] //= 2**16
    dst = np.full(520, 7, np.float16)
    actual = core.run("vadddeqrelu", a, b, dst=dst, count=500, scalar=scale, scalar_dtype="half", ctrl=ctrl)
    np.testing.assert_array_equal(actual[:500], deq_relu(a, b, scale, bool(ctrl)))
    assert (actual[500:] == 7).all()


def test_add_deq_relu_by_repeats_has_64_lanes(core: Core, random: np.random.Generator) -> None:
    a, b = (random.integers(-3000, 3000, 1000).astype(np.int32) for _ in range(2))
    dst, strides, mask = np.zeros(1000, np.float16), ((1, 4), (1, 9), (2, 16)), 41
    actual = core.run("vadddeqrelu", a, b, dst=dst, mask=mask, repeat=3, strides=strides, scalar=0.25, scalar_dtype="half")
    expected = dst.copy()
    for r in range(3):
        to, x, y = (lane_positions(kind, 64, r, stride)[:41] for kind, stride in zip(("half", "i32", "i32"), strides, strict=True))
        expected[to] = deq_relu(a[x], b[y], 0.25, False)
    np.testing.assert_array_equal(actual, expected)


def two_calls(name: str, to: str, source: str, a: Array, b: Array, saturate: bool) -> Array:
    """The call without Cast, rounded to the sources' type; then the conversion, to nearest even and clamped."""
    wide = np.float32 if source != "i16" else np.int64
    with np.errstate(all="ignore"):
        x, y = a.astype(wide), b.astype(wide)
        result = x * y if name == "vmulconv" else np.maximum(x + y if name == "vaddreluconv" else x - y, 0) + wide(0)
        first = narrow(result, source, saturate and source != "f32")
        if to == "half":
            return narrow(first, "half", saturate)
        info = np.iinfo(NUMPY[to])
        return np.clip(np.nan_to_num(np.rint(first.astype(np.float64)), nan=0), info.min, info.max).astype(NUMPY[to])


TWO = [("vmulconv", "i8", "half"), ("vmulconv", "u8", "half")] + [
    (name, to, source) for name in ("vaddreluconv", "vsubreluconv") for to, source in (("i8", "half"), ("i8", "i16"), ("half", "f32"))
]


def operands(random: np.random.Generator, source: str, count: int) -> tuple[Array, Array]:
    """Small ones, so that results fall between the limits; any; and, of floats, infinities and NaN."""
    a, b = (values(random, source, count) for _ in range(2))
    some = random.random(count) < 0.6
    a[some], b[some] = (random.uniform(-12, 12, (2, some.sum()))).astype(NUMPY[source])
    if source != "i16":
        a[::17], a[5::17], b[3::19] = np.inf, np.nan, -np.inf
    return a, b


@pytest.mark.requirement("lib-52")
@pytest.mark.parametrize(("name", "to", "source"), TWO)
@pytest.mark.parametrize("ctrl", [0, SATURATE])
@pytest.mark.parametrize("count", [1, 64, 777])
def test_a_call_with_cast_is_the_call_and_the_cast(
    core: Core, random: np.random.Generator, level: str, name: str, to: str, source: str, ctrl: int, count: int
) -> None:
    a, b = operands(random, source, count)
    dst = np.full(count + 32, 5, NUMPY[to])
    actual = core.run(name, a, b, dst=dst, count=count, ctrl=ctrl)
    np.testing.assert_array_equal(actual[:count], two_calls(name, to, source, a, b, bool(ctrl)))
    assert (actual[count:] == 5).all()


@settings(deadline=None, max_examples=60)
@given(
    which=st.sampled_from(TWO), mask=st.tuples(*[st.integers(0, 2**64 - 1)] * 2), repeat=st.integers(0, 3),
    strides=st.tuples(*[st.tuples(st.integers(1, 2), st.integers(0, 12))] * 3), seed=st.integers(0, 2**32 - 1),
)  # fmt: skip
def test_masks_and_strides_of_two_sources_and_a_narrower_result(
    which: tuple[str, str, str], mask: tuple[int, int], repeat: int, strides: tuple[tuple[int, int], ...], seed: int
) -> None:
    name, to, source = which
    random, lanes = np.random.default_rng(seed), 64 if source == "f32" else 128
    a, b = operands(random, source, 1000)
    dst, chosen = np.zeros(2000, NUMPY[to]), selected(mask, lanes)
    actual = Core().run(name, a, b, dst=dst, mask=mask, repeat=repeat, strides=strides)
    expected = dst.copy()
    for r in range(repeat):
        at = [lane_positions(kind, lanes, r, stride)[chosen] for kind, stride in zip((to, source, source), strides, strict=True)]
        expected[at[0]] = two_calls(name, to, source, a[at[1]], b[at[2]], False)
    np.testing.assert_array_equal(actual, expected)


REFUSED = [
    ("vmulconv", "i8", "f32", "MulCast does not convert float to int8_t on this chip; compute first and Cast then."),
    ("vaddreluconv", "half", "i16", "AddReluCast does not convert int16_t to half on this chip; compute first and Cast then."),
    ("vadddeqrelu", "half", "f32", "AddDeqRelu does not convert float to half on this chip; compute first and Cast then."),
]


@pytest.mark.parametrize(("name", "to", "source", "sentence"), REFUSED)
def test_other_pairs_are_refused(core: Core, name: str, to: str, source: str, sentence: str) -> None:
    one = np.ones(64, NUMPY[source])
    with pytest.raises(RefusedError) as refusal:
        core.run(name, one, one, dst=np.zeros(64, NUMPY[to]), count=64)
    assert refusal.value.fault.sentence == sentence
