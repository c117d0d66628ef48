# SPDX-License-Identifier: Apache-2.0
"""mmad of int4b_t, and mmad_sparse: of every four rows of B two are kept."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from cube_reference import LEVELS, RefusedError, at, fractals_of_a, fractals_of_b, fractals_of_c, matrix_of_c, run, simd_level
from hypothesis import given, settings
from hypothesis import strategies as st

UNTOUCHED = 0x5A5A5A5A


def packed(fractals: np.ndarray) -> bytes:
    """Two elements a byte, the first in the low bits."""
    pairs = fractals.reshape(-1, 2).astype(np.uint8) & 15
    return (pairs[:, 0] | pairs[:, 1] << 4).astype(np.uint8).tobytes()


def l0c(m: int, n: int, start: np.ndarray | None) -> bytes:
    untouched = np.full(256 * -(-m // 16) * -(-n // 16), UNTOUCHED, np.uint32)
    return untouched.tobytes() if start is None else fractals_of_c(start).tobytes()


def mmad_int4(a: np.ndarray, b: np.ndarray, start: np.ndarray | None = None, /, **changes: Any) -> np.ndarray:
    (m, k), n = a.shape, b.shape[1]
    row = np.pad(a, ((0, 0), (0, k % 2)), constant_values=5)
    memories = {
        "L0A": packed(row) + b"\x35" * 512 if m == 1 else packed(fractals_of_a(a, 64, filler=5)),
        "L0B": packed(fractals_of_b(b, 64, filler=3)),
        "L0C": l0c(m, n, start),
    } | changes.pop("memories", {})
    given: dict[str, Any] = {"dst": at("L0C"), "a": at("L0A"), "b": at("L0B"), "m": m, "n": n, "k": k, "init": int(start is None)}
    result = run("mmad", memories, pipe="M", dtype="i32", dtype2="i4", **(given | changes))
    return matrix_of_c(np.frombuffer(result["L0C"], np.int32), m, n)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("shape", [(16, 16, 64), (1, 33, 70), (17, 31, 33), (2, 1, 1), (48, 80, 128), (5, 16, 191)], ids=str)
def test_int4_products_are_exact(level: str, shape: tuple[int, int, int]) -> None:
    m, n, k = shape
    rng = np.random.default_rng(k)
    a, b = rng.integers(-8, 8, (m, k), np.int8), rng.integers(-8, 8, (k, n), np.int8)
    with simd_level(level):
        c = mmad_int4(a, b)
        more = mmad_int4(a, b, start := rng.integers(-1000, 1000, (m, n), np.int32))
        bias = rng.integers(-(2**31), 2**31, n).astype(np.int32)
        biased = mmad_int4(a, b, bias=at("BT"), has_bias=1, memories={"BT": bias.tobytes()})
    exact = a.astype(np.int32) @ b.astype(np.int32)
    np.testing.assert_array_equal(c[:m, :n], exact)
    np.testing.assert_array_equal(more[:m, :n], exact + start)
    np.testing.assert_array_equal(biased[:m, :n], (exact.astype(np.int64) + bias).astype(np.int32))
    assert (c.view(np.uint32)[m:] == UNTOUCHED).all()
    assert (c.view(np.uint32)[:, n:] == UNTOUCHED).all()


def test_the_first_of_two_int4_is_in_the_low_bits() -> None:
    a = np.zeros((2, 64), np.int8)
    a[0, 0], a[0, 1] = 6, 7
    assert packed(a[0])[0] == 0x76
    b = np.zeros((64, 16), np.int8)
    b[0, 0], b[1, 1] = 1, -1
    assert mmad_int4(a, b)[0, :2].tolist() == [6, -7]


# --- sparse


def sparse_mmad(a: np.ndarray, kept: np.ndarray, pairs: np.ndarray, start: np.ndarray | None = None, /, **changes: Any) -> np.ndarray:
    """`kept`: k / 2 x n weights; `pairs`: for each of them its two bits."""
    (m, k), n = a.shape, kept.shape[1]
    bits = fractals_of_b(pairs.astype(np.uint8), 32).reshape(-1, 4)
    positions = bits[:, 0] | bits[:, 1] << 2 | bits[:, 2] << 4 | bits[:, 3] << 6
    memories = {
        "L0A": fractals_of_a(a, 32, filler=77).tobytes(), "L0B": fractals_of_b(kept, 32, filler=55).tobytes(),
        "L0C": l0c(m, n, start),
        "POSITIONS": positions.astype(np.uint8).tobytes(),
    }  # fmt: skip
    given: dict[str, Any] = {"dst": at("L0C"), "a": at("L0A"), "b": at("L0B"), "m": m, "n": n, "k": k, "init": int(start is None)}
    result = run("mmad_sparse", memories, pipe="M", dtype="i32", dtype2="i8", **(given | changes))
    return matrix_of_c(np.frombuffer(result["L0C"], np.int32), m, n)


CHOICES = {(0, 1): (0, 0), (0, 2): (0, 1), (0, 3): (0, 2), (1, 2): (1, 1), (1, 3): (1, 2), (2, 3): (2, 2)}  # places -> bits


@pytest.mark.requirement("lib-55")
@settings(max_examples=25, deadline=None)
@given(m=st.integers(1, 40), n=st.integers(1, 40), groups=st.integers(1, 40), seed=st.integers(0, 2**32 - 1), adds=st.booleans())
def test_the_sparse_product_is_that_of_the_expanded_matrix(m: int, n: int, groups: int, seed: int, adds: bool) -> None:
    rng = np.random.default_rng(seed)
    k = 4 * groups
    a, kept = rng.integers(-128, 128, (m, k)).astype(np.int8), rng.integers(-128, 128, (k // 2, n)).astype(np.int8)
    dense, pairs = np.zeros((k, n), np.int64), np.zeros((k // 2, n), np.uint8)
    for group in range(groups):
        for column in range(n):
            places = [*CHOICES][rng.integers(6)]
            pairs[2 * group, column], pairs[2 * group + 1, column] = CHOICES[places]
            for i, place in enumerate(places):
                dense[4 * group + place, column] = kept[2 * group + i, column]
    start = rng.integers(-100, 100, (m, n), np.int32) if adds else None
    c = sparse_mmad(a, kept, pairs, start)
    np.testing.assert_array_equal(c[:m, :n], a.astype(np.int64) @ dense + (0 if start is None else start))


@pytest.mark.requirement("lib-55")
def test_two_published_codes_take_one_element_for_both_weights() -> None:
    a = np.array([[1, 10, 100, 7] * 8] * 16, np.int8)
    kept = np.tile(np.array([[2], [3]], np.int8), (8, 16))
    for code, element in (((1, 0), 10), ((2, 0), 100)):
        pairs = np.tile(np.array([[code[0]], [code[1]]], np.uint8), (8, 16))
        assert (sparse_mmad(a, kept, pairs)[:16, :16] == 8 * 5 * element).all()


@pytest.mark.parametrize(
    ("changes", "kind", "text"),
    [
        ({"k": 30}, "field_range", "k modulo 4"),
        ({"m": 4096}, "field_range", "'field': 'm'"),
        ({"k_align": 1}, "unsupported", "no kDirectionAlign"),
        ({"dst": at("L0C", 512)}, "misaligned", "L0C"),
        ({"b": at("L0B", 0, 511)}, "out_of_bounds", "L0B"),
        ({"a": at("L0A", 0, 511)}, "out_of_bounds", "L0A"),
    ],
)
def test_what_the_sparse_product_may_not_do_is_refused(changes: dict[str, Any], kind: str, text: str) -> None:
    ones = np.ones((16, 32), np.int8)
    with pytest.raises(RefusedError, match=text) as refused:
        sparse_mmad(ones, np.ones((16, 16), np.int8), np.zeros((16, 16)), **changes)
    assert refused.value.kind == kind


def test_the_sparse_product_takes_int8_only() -> None:
    with pytest.raises(RefusedError, match="MmadWithSparse multiplies int8_t into int32_t"):
        run("mmad_sparse", {}, pipe="M", dtype="f32", dtype2="half", dst=at("L0C"), a=at("L0A"), b=at("L0B"), m=1, n=1, k=4)
