# SPDX-License-Identifier: Apache-2.0
"""Cast: every pair and round mode against exact arithmetic."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from core import CAST_TRUNCATES, NUMPY, SATURATE, UB_BYTES, Array, Core, RefusedError, lanes_of
from vector_reference import lane_positions, selected, values

NONE, RINT, FLOOR, CEIL, ROUND, TRUNC, ODD = range(7)
ROUNDING = [RINT, FLOOR, CEIL, ROUND, TRUNC]
NAMES = ["NONE", "RINT", "FLOOR", "CEIL", "ROUND", "TRUNC", "ODD"]

TO_INTEGER = [("half", to) for to in ("i8", "u8", "i16", "i32")] + [("bf16", "i32")] + [("f32", to) for to in ("i16", "i32", "i64")]
EXACT = [("i8", "half"), ("u8", "half"), ("half", "f32"), ("bf16", "f32"), ("i16", "f32"), ("i32", "i64")]


def whole(x: Array, mode: int) -> Array:
    if mode == ROUND:
        with np.errstate(invalid="ignore"):  # infinity less infinity: not at least one half, so infinity stays
            return np.trunc(x) + np.where(np.abs(x - np.trunc(x)) >= 0.5, np.sign(x), 0)
    return {NONE: np.rint, RINT: np.rint, FLOOR: np.floor, CEIL: np.ceil, TRUNC: np.trunc}[mode](x)


def to_integer(x: Array, to: str, mode: int) -> Array:
    info = np.iinfo(NUMPY[to])
    with np.errstate(invalid="ignore"):
        rounded = whole(x.astype(np.float64), mode)
    rounded = np.where(np.isnan(rounded), 0, rounded)
    return np.array(
        [max(info.min, min(info.max, int(r) if np.isfinite(r) else (info.max if r > 0 else info.min))) for r in rounded],
        NUMPY[to],
    )


# All magnitudes of a narrow float type in order; the value after the largest finite one stands for infinity.
MAGNITUDES: dict[str, Array] = {
    "half": np.append(np.arange(0x7C00, dtype=np.uint16).view(np.float16).astype(np.float64), 65536.0),
    "bf16": np.append(np.arange(0x7F80, dtype=np.uint16).view(NUMPY["bf16"]).astype(np.float64), 2.0**128),
}


def to_narrow_bits(x: float, to: str, mode: int) -> int:
    """One finite number, by looking both neighbours up."""
    magnitude, negative = abs(x), bool(np.signbit(x))
    table = MAGNITUDES[to]
    above = int(np.searchsorted(table, magnitude))
    if above >= len(table) - 1 and magnitude >= table[-1]:
        result = len(table) - 1
    elif table[above] == magnitude:
        result = above
    else:
        below = above - 1
        middle = (table[below] + table[above]) / 2
        nearest = below if magnitude < middle or (magnitude == middle and below % 2 == 0) else above
        away = below if magnitude < middle else above
        odd = below if below % 2 else above
        up, down = (above, below) if not negative else (below, above)
        result = {NONE: nearest, RINT: nearest, FLOOR: down, CEIL: up, ROUND: away, TRUNC: below, ODD: odd}[mode]
    return result | negative << 15


def narrow_inputs(random: np.random.Generator, to: str) -> Array:
    table = MAGNITUDES[to]
    some = random.choice(table[:-1], 300)
    middles = (table[1:] + table[:-1])[random.integers(0, len(table) - 1, 300)] / 2
    limit = table[-2]
    special = [
        0.0,
        -0.0,
        limit,
        table[-1],
        limit * 1.0001,
        limit / 2,
        table[1],
        table[1] / 2,
        table[1] / 4,
        table[1] * 1.5,
        1e-45,
    ]
    numbers = np.concatenate([some, middles, special, random.uniform(-2, 2, 200), np.exp2(random.uniform(-40, 20, 200))])
    with np.errstate(over="ignore"):
        both = np.concatenate([numbers, -numbers]).astype(np.float32)
    return both[np.isfinite(both)]


@pytest.mark.parametrize("mode", [NONE, *ROUNDING], ids=lambda m: NAMES[m])
@pytest.mark.parametrize(("source", "to"), TO_INTEGER)
def test_to_an_integer_rounds_and_clamps(core: Core, random: np.random.Generator, level: str, source: str, to: str, mode: int) -> None:
    info = np.iinfo(NUMPY[to])
    edges = [
        0.5,
        1.5,
        2.5,
        -0.5,
        -1.5,
        0.49999997,
        info.max,
        info.min,
        float(info.max) * 2,
        np.inf,
        -np.inf,
        np.nan,
        -0.0,
        1e30,
    ]
    with np.errstate(over="ignore"):
        x = np.concatenate([np.array(edges), random.uniform(-300, 300, 200), random.uniform(-4e4, 4e4, 100)]).astype(NUMPY[source])
    actual = core.run("vconv", x, dst=np.zeros(len(x), NUMPY[to]), count=len(x), mode=mode)
    np.testing.assert_array_equal(actual, to_integer(x, to, mode))


@pytest.mark.parametrize(("source", "to"), [("half", "i8"), ("half", "u8"), ("f32", "i16"), ("f32", "i32")])
def test_with_cast_saturation_off_integers_keep_the_low_bits(core: Core, level: str, source: str, to: str) -> None:
    x = np.array([0, 1, -1, 127, 128, 255, 256, 300, -129, 32767, 32768, 40000, -40000], NUMPY[source])
    actual = core.run("vconv", x, dst=np.zeros(len(x), NUMPY[to]), count=len(x), mode=TRUNC, ctrl=CAST_TRUNCATES)
    np.testing.assert_array_equal(actual, x.astype(np.int64).astype(NUMPY[to]))


@pytest.mark.parametrize(("to", "mode"), [("half", m) for m in [NONE, *ROUNDING, ODD]] + [("bf16", m) for m in ROUNDING])
def test_float_to_a_narrow_float_takes_the_right_neighbour(core: Core, random: np.random.Generator, level: str, to: str, mode: int) -> None:
    x = narrow_inputs(random, to)
    actual = core.run("vconv", x, dst=np.zeros(len(x), NUMPY[to]), count=len(x), mode=mode)
    expected = [to_narrow_bits(float(each), to, mode) for each in x]
    np.testing.assert_array_equal(actual.view(np.uint16), expected)


@pytest.mark.parametrize("to", ["half", "bf16"])
@pytest.mark.parametrize("mode", ROUNDING, ids=lambda m: NAMES[m])
def test_infinity_and_nan_stay_or_saturate(core: Core, level: str, to: str, mode: int) -> None:
    x = np.array([np.inf, -np.inf, np.nan, 3.4e38, -3.4e38], np.float32)
    beyond = np.array([0x7C00, 0xFC00, 0x7E00, 0x7C00, 0xFC00] if to == "half" else [0x7F80, 0xFF80, 0x7FC0], np.uint16)
    largest = np.array([0x7BFF, 0xFBFF, 0, 0x7BFF, 0xFBFF] if to == "half" else [0x7F7F, 0xFF7F, 0], np.uint16)
    for ctrl, expected in ((0, beyond), (SATURATE, largest)):
        actual = core.run("vconv", x, dst=np.zeros(5, NUMPY[to]), count=5, mode=mode, ctrl=ctrl)
        np.testing.assert_array_equal(actual.view(np.uint16)[: len(expected)], expected)


@pytest.mark.parametrize(("source", "to"), EXACT)
def test_exact_pairs_keep_the_value(core: Core, random: np.random.Generator, level: str, source: str, to: str) -> None:
    x = values(random, source, 333)
    actual = core.run("vconv", x, dst=np.zeros(333, NUMPY[to]), count=333)
    np.testing.assert_array_equal(actual, x.astype(NUMPY[to]))


@pytest.mark.parametrize("mode", [NONE, *ROUNDING], ids=lambda m: NAMES[m])
def test_int16_to_half_rounds(core: Core, random: np.random.Generator, level: str, mode: int) -> None:
    x = values(random, "i16", 500)
    actual = core.run("vconv", x, dst=np.zeros(500, np.float16), count=500, mode=mode)
    np.testing.assert_array_equal(actual.view(np.uint16), [to_narrow_bits(float(each), "half", mode) for each in x])


def wide_to_float(x: int, mode: int) -> float:
    """An integer to the neighbouring floats: the last 24 binary places, by integer division."""
    unit = 1 << max(0, abs(x).bit_length() - 24)
    below, rest = divmod(x, unit)  # towards minus infinity
    nearest = below + (2 * rest > unit or (2 * rest == unit and below % 2 == 1))
    away = below + (2 * rest > unit or (2 * rest == unit and x > 0))
    towards_zero = below + (x < 0 and rest != 0)
    chosen = {NONE: nearest, RINT: nearest, FLOOR: below, CEIL: below + (rest != 0), ROUND: away, TRUNC: towards_zero}[mode]
    return float(chosen * unit)


@pytest.mark.parametrize("mode", [NONE, *ROUNDING], ids=lambda m: NAMES[m])
@pytest.mark.parametrize("source", ["i32", "i64"])
def test_wide_integers_to_float_round(core: Core, random: np.random.Generator, level: str, source: str, mode: int) -> None:
    info = np.iinfo(NUMPY[source])
    edges = [
        0,
        1,
        -1,
        1 << 24,
        (1 << 24) + 1,
        (1 << 24) + 3,
        -(1 << 24) - 1,
        (1 << 25) + 2,
        info.max,
        info.min,
        info.max - 64,
    ]
    x = np.concatenate([np.array(edges, NUMPY[source]), values(random, source, 300), values(random, source, 100) >> 5])
    actual = core.run("vconv", x, dst=np.zeros(len(x), np.float32), count=len(x), mode=mode)
    np.testing.assert_array_equal(actual, np.array([wide_to_float(int(each), mode) for each in x], np.float32))


@pytest.mark.parametrize(("source", "to"), [("i32", "i16"), ("i64", "i32")])
def test_integer_narrowing_clamps_or_keeps_the_low_bits(core: Core, random: np.random.Generator, level: str, source: str, to: str) -> None:
    info = np.iinfo(NUMPY[to])
    x = np.concatenate(
        [
            values(random, source, 200),
            values(random, to, 100).astype(NUMPY[source]),
            np.array([info.max, info.min], NUMPY[source]),
        ]
    )

    def run(ctrl: int) -> Array:
        return core.run("vconv", x, dst=np.zeros(len(x), NUMPY[to]), count=len(x), ctrl=ctrl)

    np.testing.assert_array_equal(run(0), np.clip(x, info.min, info.max).astype(NUMPY[to]))
    np.testing.assert_array_equal(run(CAST_TRUNCATES), x.astype(NUMPY[to]))


@pytest.mark.parametrize("mode", ROUNDING, ids=lambda m: NAMES[m])
def test_float_to_float_gives_an_integral_value_without_minus_zero(core: Core, random: np.random.Generator, level: str, mode: int) -> None:
    x = np.concatenate([random.uniform(-9, 9, 200), [-0.0, 0.0, -0.25, 0.5, -0.5, 1e20, np.inf, -np.inf, 8388607.5]]).astype(np.float32)
    actual = core.run("vconv", x, dst=np.zeros(len(x), np.float32), count=len(x), mode=mode)
    expected = (whole(x.astype(np.float64), mode) + 0.0).astype(np.float32)
    np.testing.assert_array_equal(actual.view(np.uint32), expected.view(np.uint32))


@pytest.mark.parametrize("scale", [1.0, 0.5, 0.0003, 2.5])
def test_int32_to_half_is_scaled_once(core: Core, random: np.random.Generator, level: str, scale: float) -> None:
    x = np.concatenate([random.integers(-(10**6), 10**6, 300), [2**31 - 1, -(2**31), 0, 65519, 65520, 65521]]).astype(np.int32)
    actual = core.run("vconv", x, dst=np.zeros(len(x), np.float16), count=len(x), scalar=scale, scalar_dtype="half")
    expected = [to_narrow_bits(float(each) * float(np.float16(scale)), "half", RINT) for each in x]
    np.testing.assert_array_equal(actual.view(np.uint16), expected)


def test_int4_goes_in_pairs_low_nibble_first(core: Core, level: str) -> None:
    x = np.array([0, 1, 7, -8, -1, 9.6, -100, 2.5], np.float16)
    packed = core.run("vconv", x, dst=np.zeros(32, np.uint8), dtype="i4", count=8, mode=RINT)
    assert packed[:4].tolist() == [0x10, 0x87, 0x7F, 0x28]
    back = core.run("vconv", packed, dst=np.zeros(8, np.float16), source_dtype="i4", count=8)
    assert back.tolist() == [0, 1, 7, -8, -1, 7, -8, 2]


@pytest.mark.parametrize(
    ("source", "to", "strides"),
    [
        ("half", "f32", ((1, 8), (1, 4), (0, 0))),
        ("f32", "half", ((1, 4), (1, 8), (0, 0))),
        ("half", "i8", ((2, 9), (1, 8), (0, 0))),
        ("i32", "i64", ((3, 30), (2, 5), (0, 0))),
    ],
)
@pytest.mark.parametrize("mask", [None, 13, (0x8421_0F0F_1111_F00F, 0xFFFF_0000_1010_0101)])
def test_the_narrower_side_has_the_same_lanes_in_fewer_blocks(
    core: Core, random: np.random.Generator, source: str, to: str, strides: Any, mask: Any
) -> None:
    lanes, repeat = lanes_of(source, to), 5
    x = values(random, source, 4096, "small") if source in ("half", "f32") else values(random, source, 4096)
    dst = np.zeros(8192, NUMPY[to])
    mode = NONE
    actual = core.run("vconv", x, dst=dst, mask=mask, repeat=repeat, strides=strides, mode=mode)
    chosen = selected(mask, lanes)
    expected = dst.copy()
    for r in range(repeat):
        taken = x[lane_positions(source, lanes, r, strides[1])[chosen]]
        converted = np.rint(taken.astype(np.float64)).astype(NUMPY[to]) if to == "i8" else taken.astype(NUMPY[to])
        expected[lane_positions(to, lanes, r, strides[0])[chosen]] = converted
    np.testing.assert_array_equal(actual, expected)


def test_narrowing_in_place_stays_behind_its_source(core: Core, random: np.random.Generator) -> None:
    ub = np.zeros(UB_BYTES, np.uint8)
    x = values(random, "f32", 1000, "small")
    ub[:4000] = x.view(np.uint8)
    done = core.details("vconv", x, dst=np.zeros(1000, np.float16), at=(0, 0), sizes=(4000, 4000), ub=ub, count=1000, mode=RINT)
    np.testing.assert_array_equal(done.dst, x.astype(np.float16))


@pytest.mark.parametrize(
    ("source", "to", "mode", "sentence"),
    [
        (
            "f32",
            "bf16",
            NONE,
            "Cast from float to bfloat16_t does not take CAST_NONE (0); it takes CAST_RINT CAST_FLOOR CAST_CEIL CAST_ROUND CAST_TRUNC",
        ),
        ("half", "f32", RINT, "Cast from half to float does not take CAST_RINT (1); it takes CAST_NONE"),
        ("bf16", "half", NONE, "Cast does not convert bfloat16_t to half on this chip; go through half or float."),
    ],
)
def test_a_pair_or_mode_that_is_not_there_is_refused_by_name(core: Core, source: str, to: str, mode: int, sentence: str) -> None:
    with pytest.raises(RefusedError) as refusal:
        core.run("vconv", np.zeros(8, NUMPY[source]), dst=np.zeros(8, NUMPY[to]), count=8, mode=mode)
    assert refusal.value.fault.sentence == sentence
