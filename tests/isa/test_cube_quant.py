# SPDX-License-Identifier: Apache-2.0
"""fixpipe with a quantisation word: int32 and float to 8 bits and half, one word or one a column, row major and NZ."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from cube_reference import (
    DEQF16,
    LEVELS,
    NUMPY,
    NZ,
    QF322B8_PRE,
    REQ8,
    ROW_MAJOR,
    VDEQF16,
    VQF322B8_PRE,
    VREQ8,
    at,
    fractals_of_c,
    run,
    simd_level,
    up,
)
from hypothesis import given, settings
from hypothesis import strategies as st

BYTE_MODES = [(REQ8, VREQ8, "i32"), (QF322B8_PRE, VQF322B8_PRE, "f32")]


def word(scale: float, offset: int = 0, signed: bool = True, shift: int | None = None, low_bits: int = 0) -> int:
    """A quantisation word; `shift` sets the bit that asks for it. The low 13 bits of the scale do not count."""
    bits = int(np.float32(scale).view(np.uint32)) & ~0x1FFF | low_bits
    moved = 0 if shift is None else 1 << 36 | (shift - 1) << 32
    return bits | moved | (offset & 0x1FF) << 37 | int(signed) << 46 | 1 << 60  # bits beyond 46 do not count


def scale_of(bits: int) -> np.float32:
    return np.uint32(bits & 0xFFFFE000).view(np.float32)


def scaled(column: np.ndarray, bits: int, relu: bool) -> np.ndarray:
    if relu:
        column = np.maximum(column, column.dtype.type(0))
    if column.dtype == np.int32 and bits >> 36 & 1:
        column = np.clip(column >> np.int32(1 + (bits >> 32 & 15)), -32768, 32767)
    return column.astype(np.float32) * scale_of(bits)


def to_byte(column: np.ndarray, bits: int, relu: bool) -> np.ndarray:
    offset = (bits >> 37 & 0x1FF) - (512 if bits >> 45 & 1 else 0)
    wide = np.clip(np.rint(np.nan_to_num(scaled(column, bits, relu), nan=0, posinf=1e30, neginf=-1e30)), -256, 255).astype(np.int64)
    low, high = (-128, 127) if bits >> 46 & 1 else (0, 255)
    return np.clip(wide + offset, low, high).astype(np.uint8)


def merged_nz(matrix: np.ndarray, pitch: int, before: bytes) -> bytes:
    """Groups of 32 columns, the last of an odd number of 16 by itself."""
    out = bytearray(before)
    for group in range(-(-matrix.shape[1] // 32)):
        block = matrix[:, group * 32 : group * 32 + 32].tobytes()
        out[group * pitch : group * pitch + len(block)] = block
    assert len(out) == len(before)
    return bytes(out)


def quantise(c: np.ndarray, mode: int, words: list[int], dtype: str, dst: bytes, **changes: Any) -> bytes:
    m, n = c.shape
    memory = changes.pop("memory", "GM")
    vector = mode in (VREQ8, VQF322B8_PRE, VDEQF16)
    given: dict[str, Any] = {
        "dst": at(memory), "src": at("L0C"), "n": n, "m": m, "src_stride": up(m, 16), "dst_stride": n, "nd_num": 1, "quant_mode": mode,
        "layout": ROW_MAJOR, "quant": at(changes.pop("words_in", "FB")), "deq_scalar": 0 if vector else words[0],
    }  # fmt: skip
    memories = {memory: dst, "L0C": fractals_of_c(c).tobytes()}
    kept = np.array(words, np.uint64).tobytes()
    memories |= {"FB": kept[:2048]} if memory == "L1" else {"FB": kept[:2048], "L1": kept}
    source = "i32" if c.dtype == np.int32 else "f32"
    return run("fixpipe", memories, pipe="FIX", dtype=dtype, dtype2=source, **(given | changes))[memory]


def values_of(rng: np.random.Generator, source: str, shape: tuple[int, int]) -> np.ndarray:
    if source == "i32":
        return rng.integers(-(1 << 17), 1 << 17, shape, np.int32)
    return (rng.standard_normal(shape) * 300).astype(np.float32)


@pytest.mark.requirement("lib-56")
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("dtype", ["i8", "u8"])
@pytest.mark.parametrize("relu", [False, True])
@pytest.mark.parametrize(("scalar", "vector", "source"), BYTE_MODES)
@pytest.mark.parametrize("offset", [-256, -3, 0, 255])
def test_results_of_eight_bits_follow_the_formula(
    level: str, dtype: str, relu: bool, scalar: int, vector: int, source: str, offset: int
) -> None:
    rng = np.random.default_rng(offset + 300)
    m, n = 17, 40
    c = values_of(rng, source, (m, n))
    signed = dtype == "i8"
    words = [word(s, offset, signed, low_bits=0x1FFF) for s in (0.001, -0.002, 0.37, 1.0, 100.0, 2.0**-20, 3e-8, 0.5) for _ in range(5)]
    with simd_level(level):
        one = quantise(c, scalar, words, dtype, bytes(m * n), relu=relu)
        many = quantise(c, vector, words, dtype, bytes(m * n), relu=relu)
    assert one == to_byte(c, words[0], relu).tobytes()
    expected = np.stack([to_byte(c[:, j], words[j], relu) for j in range(n)], axis=1)
    assert many == expected.tobytes()


@pytest.mark.requirement("lib-56")
@pytest.mark.parametrize("level", LEVELS)
def test_ties_go_to_even_and_the_ends_saturate(level: str) -> None:
    ties = [0.5, 1.5, 2.5, -0.5, -1.5, 126.5, 127.5, 254.5, 255.5, 256, 1e30, -1e30, -128.5, -129.5, np.inf, -np.inf, np.nan, -0.0]
    c = np.resize(np.array(ties, np.float32), (1, 32))
    with simd_level(level):
        signed = quantise(c, QF322B8_PRE, [word(1.0)], "i8", bytes(32))
        plain = quantise(c, QF322B8_PRE, [word(1.0, signed=False)], "u8", bytes(32))
    known = [0, 2, 2, 0, -2, 126, 127, 127, 127, 127, 127, -128, -128, -128, 127, -128, 0, 0]
    assert np.frombuffer(signed, np.int8)[:18].tolist() == known
    known = [0, 2, 2, 0, 0, 126, 128, 254, 255, 255, 255, 0, 0, 0, 255, 0, 0, 0]
    assert np.frombuffer(plain, np.uint8)[:18].tolist() == known


@pytest.mark.requirement("lib-56")
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("mode", "dtype"), [(DEQF16, "half"), (REQ8, "i8")])
@pytest.mark.parametrize("shift", [1, 7, 16])
def test_a_shift_makes_int16_of_the_source_first(level: str, mode: int, dtype: str, shift: int) -> None:
    c = np.array([[0, 1, -1, 32767, -32768, 65536, -65536, 2**31 - 1, -(2**31), 5, -5, 127, 128, 129, -127, 1 << 20]], np.int32)
    bits = word(0.25, shift=shift)
    with simd_level(level):
        after = quantise(c, mode, [bits], dtype, bytes(32))
    if dtype == "half":
        assert after == scaled(c, bits, False).astype(np.float16).tobytes()
    else:
        assert after[:16] == to_byte(c, bits, False).tobytes()


@pytest.mark.requirement("lib-56")
@pytest.mark.parametrize("words_in", ["FB", "L1"])
@pytest.mark.parametrize("relu", [False, True])
def test_dequantised_columns_take_their_own_word(words_in: str, relu: bool) -> None:
    rng = np.random.default_rng(5)
    c = values_of(rng, "i32", (20, 48))
    words = [word(float(s), 7) for s in rng.uniform(0.001, 0.4, 48)]
    after = quantise(c, VDEQF16, words, "half", bytes(1920), relu=relu, words_in=words_in)
    expected = np.stack([scaled(c[:, j], words[j], relu).astype(np.float16) for j in range(48)], axis=1)
    assert after == expected.tobytes()


@pytest.mark.requirement("lib-56")
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("memory", ["GM", "L1"])
@pytest.mark.parametrize("shape", [(16, 16), (16, 32), (32, 48), (5, 48), (17, 64), (100, 112)], ids=str)
@pytest.mark.parametrize(("scalar", "vector", "source"), BYTE_MODES)
def test_groups_of_sixteen_columns_merge_in_nz(
    level: str, memory: str, shape: tuple[int, int], scalar: int, vector: int, source: str
) -> None:
    m, n = shape
    c = values_of(np.random.default_rng(m + n), source, shape)
    words = [word(0.01 * (j + 1)) for j in range(n)]
    pitch = 32 * m + 64
    before = b"\x5a" * (pitch * -(-n // 32))
    with simd_level(level):
        after = quantise(c, vector, words, "i8", before, memory=memory, layout=NZ, dst_stride=pitch // 32)
    expected = np.stack([to_byte(c[:, j], words[j], False) for j in range(n)], axis=1)
    assert after == merged_nz(expected, pitch, before)


@pytest.mark.requirement("lib-56")
@settings(max_examples=60, deadline=None)
@given(
    m=st.integers(1, 40), n=st.integers(1, 70), source=st.sampled_from(["i32", "f32"]), vector=st.booleans(), relu=st.booleans(),
    signed=st.booleans(), nz=st.booleans(), slack=st.integers(0, 9), seed=st.integers(0, 2**32 - 1),
)  # fmt: skip
def test_random_words_and_shapes_give_what_the_formula_says(
    m: int, n: int, source: str, vector: bool, relu: bool, signed: bool, nz: bool, slack: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    n = up(n, 16) if nz else n
    c = values_of(rng, source, (m, n))
    scales = rng.uniform(0.5, 2, n) * 2.0 ** rng.integers(-18, 4, n) * rng.choice([-1, 1], n)
    shifts = [int(each) if each < 17 else None for each in rng.integers(1, 60, n)]
    words = [
        word(float(scale), int(rng.integers(-256, 256)), signed, shift, int(rng.integers(8192)))
        for scale, shift in zip(scales, shifts, strict=True)
    ]
    scalar_mode, vector_mode = (REQ8, VREQ8) if source == "i32" else (QF322B8_PRE, VQF322B8_PRE)
    pitch = (m + slack) * 32 if nz else n + slack
    before = b"\x5a" * (pitch * (-(-n // 32) if nz else m))
    layout = {"layout": NZ, "dst_stride": pitch // 32} if nz else {"dst_stride": pitch}
    after = quantise(
        c, vector_mode if vector else scalar_mode, words, "i8" if signed else "u8", before, relu=relu, words_in="L1", **layout
    )  # fmt: skip
    expected = np.stack([to_byte(c[:, j], words[j if vector else 0], relu) for j in range(n)], axis=1)
    if nz:
        assert after == merged_nz(expected, pitch, before)
    else:
        rows = np.frombuffer(before, np.uint8).reshape(m, pitch).copy()
        rows[:, :n] = expected
        assert after == rows.tobytes()


@pytest.mark.requirement("lib-56")
def test_results_of_eight_bits_are_added_where_atomics_are_on() -> None:
    rng = np.random.default_rng(9)
    c, old = values_of(rng, "i32", (20, 48)), rng.integers(-128, 128, (20, 48)).astype(np.int8)
    bits, pitch = word(0.0005), 32 * 20
    before = merged_nz(old, pitch, bytes(2 * pitch))
    after = quantise(c, REQ8, [bits], "i8", before, layout=NZ, dst_stride=pitch // 32, atomic=1)
    expected = (old.astype(np.int64) + to_byte(c, bits, False).view(np.int8)).astype(NUMPY["i8"])
    assert after == merged_nz(expected, pitch, before)


@pytest.mark.requirement("lib-56")
def test_results_may_lie_over_the_words_they_were_made_with() -> None:
    """The words are read before the first result is written, as through the Fixpipe buffer."""
    c = values_of(np.random.default_rng(10), "f32", (16, 32))
    words = [word(0.01 * (j + 1)) for j in range(32)]
    l1 = np.array(words, np.uint64).tobytes() + bytes(512)
    given: dict[str, Any] = {"dst": at("L1"), "src": at("L0C"), "quant": at("L1"), "n": 32, "m": 16, "src_stride": 16, "dst_stride": 16}
    given |= {"quant_mode": VQF322B8_PRE, "layout": NZ}
    after = run("fixpipe", {"L1": l1, "L0C": fractals_of_c(c).tobytes()}, pipe="FIX", dtype="i8", dtype2="f32", **given)["L1"]
    expected = np.stack([to_byte(c[:, j], words[j], False) for j in range(32)], axis=1)
    assert after[:512] == expected.tobytes()
