# SPDX-License-Identifier: Apache-2.0
"""mmad: values bit by bit, for every input type and every SIMD level."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from cube_reference import (
    HF32,
    HF32_TRUNCATES,
    LEVELS,
    NUMPY,
    RefusedError,
    at,
    c0_of,
    fractals_of_a,
    fractals_of_b,
    fractals_of_c,
    matrix_of_c,
    run,
    simd_level,
    values,
)
from hypothesis import given, settings
from hypothesis import strategies as st

UNTOUCHED = 0x5A5A5A5A
RESULT = {"half": "f32", "bf16": "f32", "f32": "f32", "i8": "i32"}
SHAPES = [
    (16, 16, 16),
    (128, 256, 32),
    (48, 80, 64),
    (1, 16, 16),
    (1, 33, 70),
    (2, 1, 1),
    (17, 31, 33),
    (23, 40, 7),
    (64, 16, 100),
]


def reference(a: np.ndarray, b: np.ndarray, start: np.ndarray) -> np.ndarray:
    """One product after the other in the order of k, one rounding each.

    A product of two floats is exact in double; its sum is rounded to double and then to float, which differs from one
    rounding in about one of 2**29 cases and in none of these.
    """
    if a.dtype == np.int8:
        return (start.astype(np.int64) + a.astype(np.int64) @ b.astype(np.int64)).astype(np.int32)
    with np.errstate(all="ignore"):
        total, wide_a, wide_b = start.astype(np.float32), a.astype(np.float64), b.astype(np.float64)
        for k in range(a.shape[1]):
            total = (total + wide_a[:, k, None] * wide_b[k]).astype(np.float32)
    return total


def mmad(a: np.ndarray, b: np.ndarray, dtype: str, /, **changes: Any) -> np.ndarray:
    """Runs one Mmad over garbage in everything that is not the matrices; gives C with what lies beyond m and n."""
    m, n, k = a.shape[0], b.shape[1], a.shape[1]
    k0, k_unit = c0_of(dtype), 16 if changes.get("k_align") else None
    garbage = 77 if dtype == "i8" else np.nan
    l0a = a.tobytes() if m == 1 else fractals_of_a(a, k0, k_unit, garbage).tobytes()
    memories = {
        "L0A": l0a + b"\xff" * (-len(l0a) % 512),
        "L0B": fractals_of_b(b, k0, k_unit, garbage).tobytes(),
        "L0C": np.full(16 * 16 * -(-m // 16) * -(-n // 16), UNTOUCHED, np.uint32).tobytes(),
    } | changes.pop("memories", {})
    given: dict[str, Any] = {"dst": at("L0C"), "a": at("L0A"), "b": at("L0B"), "m": m, "n": n, "k": k, "init": 1}
    result = run("mmad", memories, pipe="M", dtype=RESULT[dtype], dtype2=dtype, **(given | changes))
    return matrix_of_c(np.frombuffer(result["L0C"], NUMPY[RESULT[dtype]]), m, n)


def zeros(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.zeros((a.shape[0], b.shape[1]), np.float32)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("dtype", ["half", "bf16", "f32", "i8"])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_mmad_equals_the_reference_bit_by_bit(level: str, dtype: str, shape: tuple[int, int, int]) -> None:
    m, n, k = shape
    rng = np.random.default_rng(m * n + k)
    a, b = values(rng, dtype, (m, k)), values(rng, dtype, (k, n))
    with simd_level(level):
        c = mmad(a, b, dtype)
    np.testing.assert_array_equal(c[:m, :n], reference(a, b, zeros(a, b)))
    c = c.view(np.uint32)
    assert (c[m:] == UNTOUCHED).all()
    assert (c[:, n:] == UNTOUCHED).all()


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("dtype", ["half", "i8"])
def test_mmad_accumulates_onto_l0c(level: str, dtype: str) -> None:
    rng = np.random.default_rng(1)
    a, b, start = values(rng, dtype, (37, 50)), values(rng, dtype, (50, 39)), values(rng, RESULT[dtype], (37, 39))
    memories = {"L0C": fractals_of_c(start, UNTOUCHED).tobytes()}
    with simd_level(level):
        c = mmad(a, b, dtype, init=0, memories=memories)
    np.testing.assert_array_equal(c[:37, :39], reference(a, b, start))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("dtype", ["half", "i8"])
@pytest.mark.parametrize("columns", [40, 256])
def test_mmad_starts_from_the_bias_row(level: str, dtype: str, columns: int) -> None:
    rng = np.random.default_rng(2)
    a, b, bias = values(rng, dtype, (19, 20)), values(rng, dtype, (20, columns)), values(rng, RESULT[dtype], (columns,))
    with simd_level(level):
        c = mmad(a, b, dtype, bias=at("BT"), has_bias=1, memories={"BT": bias.tobytes()})
    np.testing.assert_array_equal(c[:19, :columns], reference(a, b, np.broadcast_to(bias, (19, columns))))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("ctrl", "cut"), [(HF32, "nearest"), (HF32 | HF32_TRUNCATES, "zero")])
def test_hf32_drops_twelve_bits_of_the_inputs(level: str, ctrl: int, cut: str) -> None:
    def hf32(x: np.ndarray) -> np.ndarray:
        bits = x.view(np.uint32).astype(np.uint64)
        kept, rest = bits >> 12, bits & 0xFFF
        up = (rest > 0x800) | ((rest == 0x800) & (kept % 2 == 1)) if cut == "nearest" else np.zeros_like(rest, bool)
        return ((kept + up) << 12).astype(np.uint32).view(np.float32)

    rng = np.random.default_rng(3)
    a, b = values(rng, "f32", (20, 24)), values(rng, "f32", (24, 20))
    a.view(np.uint32)[:, 0] = (a.view(np.uint32)[:, 0] & ~np.uint32(0xFFF)) | 0x800  # exactly half way
    with simd_level(level):
        c = mmad(a, b, "f32", ctrl=ctrl)
    np.testing.assert_array_equal(c[:20, :20], reference(hf32(a), hf32(b), zeros(a, b)))


@pytest.mark.parametrize("k", [8, 20, 32])
def test_k_direction_align_pads_float_matrices_to_sixteen(k: int) -> None:
    rng = np.random.default_rng(4)
    a, b = values(rng, "f32", (33, k)), values(rng, "f32", (k, 17))
    np.testing.assert_array_equal(mmad(a, b, "f32", k_align=1)[:33, :17], reference(a, b, zeros(a, b)))


@pytest.mark.parametrize("dtype", ["half", "bf16", "f32"])
def test_every_simd_level_gives_the_same_bits_for_infinities_nans_and_subnormals(dtype: str) -> None:
    rng = np.random.default_rng(5)
    kind = np.uint32 if dtype == "f32" else np.uint16
    bits = rng.integers(0, np.iinfo(kind).max, (2, 32, 32), kind, endpoint=True)  # every kind of value, NaN included
    special = np.array([np.inf, -np.inf, np.nan, -0.0, 0.0, 1e-45 if dtype == "f32" else 6e-8], np.float32)
    a, b = bits.view(NUMPY[dtype])
    a[:6, :6] = special.astype(NUMPY[dtype])
    results = []
    for level in LEVELS:
        with simd_level(level):
            results.append(mmad(a, b, dtype).view(np.uint32))
    for other in results[1:]:
        np.testing.assert_array_equal(other, results[0])
    expected = reference(a, b, zeros(a, b))
    np.testing.assert_array_equal(results[0].view(np.float32), expected)
    assert np.isnan(expected).any()
    assert set(results[0][np.isnan(expected)]) == {0x7FC00000}


@settings(max_examples=40, deadline=None)
@given(
    dtype=st.sampled_from([*RESULT]), m=st.integers(1, 40), n=st.integers(1, 50), k=st.integers(1, 70),
    start=st.sampled_from(["zero", "L0C", "bias"]), align=st.booleans(), unit_flag=st.sampled_from([0, 2, 3]),
)  # fmt: skip
def test_random_shapes_and_starts_equal_the_reference(dtype: str, m: int, n: int, k: int, start: str, align: bool, unit_flag: int) -> None:
    rng = np.random.default_rng(m * 10_000 + n * 100 + k)
    a, b = values(rng, dtype, (m, k)), values(rng, dtype, (k, n))
    options: dict[str, Any] = {"unit_flag": unit_flag, "k_align": int(align and dtype == "f32")}
    first = zeros(a, b)
    if start == "L0C":
        first = values(rng, RESULT[dtype], (m, n))
        options |= {"init": 0, "memories": {"L0C": fractals_of_c(first, UNTOUCHED).tobytes()}}
    if start == "bias":
        row = values(rng, RESULT[dtype], (n,))
        first = np.broadcast_to(row, (m, n))
        options |= {"bias": at("BT"), "has_bias": 1, "memories": {"BT": row.tobytes()}}
    np.testing.assert_array_equal(mmad(a, b, dtype, **options)[:m, :n], reference(a, b, first))


@pytest.mark.parametrize("zero", ["m", "n", "k"])
def test_a_side_of_zero_does_nothing(zero: str) -> None:
    a = np.ones((16, 16), np.float16)
    c = mmad(a, a, "half", **{zero: 0})
    assert (c.view(np.uint32) == UNTOUCHED).all()


@pytest.mark.parametrize(
    ("changes", "kind", "text"),
    [
        ({"a": at("L0A", 256)}, "misaligned", "L0A"),
        ({"b": at("L0B", 32)}, "misaligned", "L0B"),
        ({"dst": at("L0C", 512)}, "misaligned", "L0C"),
        ({"m": 4096}, "field_range", "'field': 'm'"),
        ({"a": at("L0A", 0, 511)}, "out_of_bounds", "L0A"),
        ({"b": at("L0B", 0, 511)}, "out_of_bounds", "L0B"),
        ({"dst": at("L0C", 0, 1023)}, "out_of_bounds", "L0C"),
        ({"bias": at("BT", 0, 60), "has_bias": 1}, "out_of_bounds", "BT"),
        ({"bias": at("L0C"), "has_bias": 1}, "unsupported", "takes its bias from the bias table .C2."),
    ],
)
def test_what_mmad_may_not_do_is_refused(changes: dict[str, Any], kind: str, text: str) -> None:
    a = np.ones((16, 16), np.float16)
    with pytest.raises(RefusedError, match=text) as refused:
        mmad(a, a, "half", **changes)
    assert refused.value.kind == kind


def test_types_that_mmad_does_not_have_are_named() -> None:
    with pytest.raises(RefusedError, match="half, bfloat16_t or float into float, and int8_t or int4b_t into int32_t"):
        run("mmad", {}, pipe="M", dtype="half", dtype2="half", dst=at("L0C"), a=at("L0A"), b=at("L0B"), m=1, n=1, k=1)
