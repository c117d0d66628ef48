# SPDX-License-Identifier: Apache-2.0
"""Transpose and TransDataTo5HD against NumPy's transposition."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

import numpy as np
import pytest
from core import DTYPES, NUMPY, OPS, UB_BYTES, VECTOR_PIPE, Array, Core, Head, RefusedError, Stride, TransData, Vector, execute, place
from hypothesis import given, settings
from hypothesis import strategies as st

SQUARE = ["half", "i16", "u16"]
ALL = ["half", "f32", "i8", "u8", "i16", "u16", "i32", "u32"]
BLOCK = 32


def elements(random: np.random.Generator, dtype: str, count: int) -> Array:
    return random.integers(0, 256, count * np.dtype(NUMPY[dtype]).itemsize, np.uint8).view(NUMPY[dtype])


def assert_bits(actual: Array, expected: Array) -> None:
    actual, expected = (np.ascontiguousarray(each).reshape(-1).view(np.uint8) for each in (actual, expected))
    np.testing.assert_array_equal(actual, expected)


@pytest.mark.requirement("lib-50")
@pytest.mark.parametrize("dtype", SQUARE)
def test_transpose_of_a_square_may_be_in_place(core: Core, random: np.random.Generator, dtype: str) -> None:
    src = elements(random, dtype, 256)
    assert_bits(core.run("vtranspose", src, dst=np.zeros(256, NUMPY[dtype])).reshape(16, 16), src.reshape(16, 16).T)
    ub = np.zeros(UB_BYTES, np.uint8)
    ub[:512] = src.view(np.uint8)
    done = core.details("vtranspose", src, dst=src, at=(0, 0), sizes=(512, 512), ub=ub)
    assert_bits(done.dst.reshape(16, 16), src.reshape(16, 16).T)


@pytest.mark.requirement("lib-50")
@pytest.mark.parametrize("dtype", ALL)
@pytest.mark.parametrize("shape", [(1, 1, 4, 8), (2, 3, 8, 8), (1, 17, 2, 16), (3, 64, 1, 32)])
def test_nchw_and_nhwc_are_numpys_axes(core: Core, random: np.random.Generator, dtype: str, shape: tuple[int, int, int, int]) -> None:
    count = int(np.prod(shape))
    src = elements(random, dtype, count)
    n, c, h, w = shape
    packed = n | c << 16 | h << 32 | w << 48
    tile = (32 if np.dtype(NUMPY[dtype]).itemsize == 1 else 16) * 32
    scratch = np.zeros((c + 2) * tile, np.uint8)
    there = run_4d(core, src, scratch, packed, 0)
    assert_bits(there.reshape(n, h, w, c), src.reshape(shape).transpose(0, 2, 3, 1))
    scratch = np.zeros((2 * c + 1) * tile, np.uint8)
    assert_bits(run_4d(core, there, scratch, packed, 1), src)


def run_4d(core: Core, src: Array, scratch: Array, packed: int, mode: int) -> Array:
    """The record's scalar holds the four sizes as they are, not as an element."""
    done = core.details(
        "transpose_4d", src, scratch, dst=np.zeros_like(src), scalar=np.array(packed, np.int64), scalar_dtype="i64", mode=mode
    )
    return done.dst


@pytest.mark.requirement("lib-50")
@pytest.mark.parametrize(
    ("sizes", "scratch", "field", "value"),
    [
        ((1, 4096, 1, 16), 8192, "cSize", 4096),
        ((1, 1, 64, 64), 8192, "hSize * wSize", 4096),
        ((1, 4, 3, 3), 8192, "bytes of hSize * wSize modulo 32", 18),
        ((1, 4, 4, 4), 6 * 512 - 1, "bytes of sharedTmpBuffer", 6 * 512 - 1),
    ],
)
def test_sizes_that_transpose_does_not_take_are_named(
    core: Core, sizes: tuple[int, int, int, int], scratch: int, field: str, value: int
) -> None:
    packed = sum(size << 16 * i for i, size in enumerate(sizes))
    one = np.zeros(64, np.float16)
    with pytest.raises(RefusedError) as refusal:
        run_4d(core, one, np.zeros(scratch, np.uint8), packed, 0)
    assert (refusal.value.fault.kind.name, refusal.value.fault.field, refusal.value.fault.value) == ("field_range", field, value)


def test_a_size_of_0_does_nothing_and_in_place_is_refused(core: Core) -> None:
    one = np.ones(64, np.float16)
    assert not run_4d(core, one, np.zeros(0, np.uint8), 1 | 4 << 16 | 0 << 32 | 4 << 48, 0).any()
    packed = 1 | 4 << 16 | 4 << 32 | 4 << 48
    with pytest.raises(RefusedError) as refusal:
        core.run("transpose_4d", one, one, dst=one, at=(0, 64, 8192), sizes=(128, 128, 8192), scalar=np.int64(packed), scalar_dtype="i64")
    assert refusal.value.fault.sentence == (
        "Transpose with TransposeParamsExt does not work in place: dst and src overlap. Give it a destination of its own."
    )


# --- TransDataTo5HD


def trans_data(
    dtype: str, ub: Array, dst: Sequence[int], src: Sequence[int], repeat: int = 1, strides: tuple[int, int] = (0, 0), mode: int = 0
) -> Array:
    vector = Vector(dst=place(min(dst), 1 << 30), a=place(min(src), 1 << 30), repeat=repeat, mode=mode)
    vector.dst_stride, vector.a_stride = Stride(1, strides[0]), Stride(1, strides[1])
    vector.head = Head(op=OPS["vnchwconv"], pipe=VECTOR_PIPE, dtype=DTYPES.index(dtype), size=ctypes.sizeof(TransData))
    record = TransData(vector=vector)
    record.dst = (ctypes.c_uint32 * 16)(*[each - min(dst) for each in dst])
    record.src = (ctypes.c_uint32 * 16)(*[each - min(src) for each in src])
    return np.frombuffer(execute(record, ub)["UB"], np.uint8)


def reference(dtype: str, ub: Array, dst: Sequence[int], src: Sequence[int], repeat: int, strides: tuple[int, int], mode: int) -> Array:
    """The published rule, element by element."""
    ub, size = ub.copy(), np.dtype(NUMPY[dtype]).itemsize
    high = (16 if mode & 1 else 0, 16 if mode & 2 else 0) if size == 1 else (0, 0)
    for r in range(repeat):
        to, source = (BLOCK * stride * (1 if repeat == 1 else r) for stride in strides)
        length = 16 if size == 1 else BLOCK
        blocks = [ub[at + source + high[1] :][:length].copy() for at in src]
        for i in range(16):
            for j in range(8 if size == 4 else 16):
                block, within = (2 * j + i // 8, i % 8) if size == 4 else (j, i)
                at = dst[block] + to + high[0] + within * size
                ub[at : at + size] = blocks[i][j * size : (j + 1) * size]
    return ub


@pytest.mark.requirement("lib-50")
@pytest.mark.parametrize("dtype", ALL)
def test_sixteen_blocks_become_their_transpose(random: np.random.Generator, dtype: str) -> None:
    ub = random.integers(0, 256, 8192, np.uint8)
    src, dst = [BLOCK * i for i in range(16)], [4096 + BLOCK * i for i in range(16)]
    after = trans_data(dtype, ub, dst, src)
    size = np.dtype(NUMPY[dtype]).itemsize
    matrix = ub[:512].reshape(16, 32)[:, : 16 if size == 1 else 32].copy().view(NUMPY[dtype])
    result = after[4096:4608].reshape(16, 32)[:, : 16 if size == 1 else 32].copy()
    assert_bits(result.reshape(-1), matrix.T)


@pytest.mark.requirement("lib-50")
@pytest.mark.parametrize("dtype", ["i8", "u8"])
@pytest.mark.parametrize("mode", range(4))
def test_bytes_go_from_one_half_of_a_block_to_one_half(random: np.random.Generator, dtype: str, mode: int) -> None:
    ub = random.integers(0, 256, 8192, np.uint8)
    src, dst = [BLOCK * i for i in range(16)], [4096 + BLOCK * i for i in range(16)]
    after = trans_data(dtype, ub, dst, src, mode=mode)
    s, h = 16 if mode & 2 else 0, 16 if mode & 1 else 0
    blocks, old = after[4096:4608].reshape(16, 32), ub[4096:4608].reshape(16, 32)
    np.testing.assert_array_equal(blocks[:, h : h + 16], ub[:512].reshape(16, 32)[:, s : s + 16].T)
    np.testing.assert_array_equal(blocks[:, 16 - h : 32 - h], old[:, 16 - h : 32 - h])


def test_nchw_becomes_nc1hwc0_by_repeats(random: np.random.Generator) -> None:
    channels, pixels = 16, 96
    x = elements(random, "half", channels * pixels).reshape(channels, pixels)
    ub = np.zeros(16384, np.uint8)
    ub[: x.nbytes] = x.reshape(-1).view(np.uint8)
    src, dst = [2 * pixels * c for c in range(16)], [8192 + BLOCK * i for i in range(16)]
    after = trans_data("half", ub, dst, src, repeat=pixels // 16, strides=(16, 1))
    assert_bits(after[8192 : 8192 + x.nbytes], x.T)


@pytest.mark.requirement("lib-50")
@pytest.mark.parametrize("strides", [(0, 0), (3, 2)])
def test_one_repeat_is_moved_on_by_its_stride(random: np.random.Generator, strides: tuple[int, int]) -> None:
    ub = random.integers(0, 256, 8192, np.uint8)
    src, dst = [BLOCK * i for i in range(16)], [4096 + BLOCK * i for i in range(16)]
    moved = trans_data("half", ub, [at + BLOCK * strides[0] for at in dst], [at + BLOCK * strides[1] for at in src])
    np.testing.assert_array_equal(trans_data("half", ub, dst, src, 1, strides), moved)


@pytest.mark.requirement("lib-50")
@settings(deadline=None, max_examples=60)
@given(
    dtype=st.sampled_from(ALL), repeat=st.integers(0, 4), strides=st.tuples(st.integers(0, 20), st.integers(0, 20)), mode=st.integers(0, 3),
    seed=st.integers(0, 2**32 - 1),
)  # fmt: skip
def test_any_legal_addresses_follow_the_rule(dtype: str, repeat: int, strides: tuple[int, int], mode: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    ub = random.integers(0, 256, 32768, np.uint8)
    src = (BLOCK * random.integers(0, 256, 16)).tolist()
    dst = (16384 + BLOCK * random.permutation(256)[:16]).tolist()
    np.testing.assert_array_equal(
        trans_data(dtype, ub, dst, src, repeat, strides, mode), reference(dtype, ub, dst, src, repeat, strides, mode)
    )


def test_a_block_starts_on_32_bytes_and_ends_in_the_ub() -> None:
    ub, blocks = np.zeros(UB_BYTES, np.uint8), [BLOCK * i for i in range(16)]
    with pytest.raises(RefusedError) as refusal:
        trans_data("half", ub, blocks, [*blocks[:15], 1000])
    assert (refusal.value.fault.kind.name, refusal.value.fault.addr, refusal.value.fault.alignment) == ("misaligned", 1000, 32)
    with pytest.raises(RefusedError) as refusal:
        trans_data("half", ub, blocks, [*blocks[:15], UB_BYTES])
    assert (refusal.value.fault.kind.name, refusal.value.fault.operand) == ("out_of_bounds", 1)


@pytest.mark.parametrize(("name", "dtype"), [("vtranspose", "f32"), ("transpose_4d", "bf16")])
def test_other_types_are_refused(core: Core, name: str, dtype: str) -> None:
    one = np.zeros(256, NUMPY[dtype])
    with pytest.raises(RefusedError) as refusal:
        core.run(name, one, dst=one)
    assert "on this chip; it takes" in refusal.value.fault.sentence
