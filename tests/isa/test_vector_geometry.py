# SPDX-License-Identifier: Apache-2.0
"""Repeats, strides, masks, overlap, bounds: what the shapes promise for every lane-wise instruction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from core import NUMPY, UB_BYTES, Array, Core, RefusedError, lanes_of
from hypothesis import given, settings
from hypothesis import strategies as st
from vector_reference import ROWS, compute, model, values

from aclimb.flow import Fault, FaultKind

REGION = 49152  # bytes for each operand
AT = (0, REGION, 2 * REGION)


def filled(random: np.random.Generator, dtypes: Sequence[str]) -> Array:
    ub = np.zeros(UB_BYTES, np.uint8)
    for address, dtype in zip(AT, dtypes, strict=True):
        ub[address : address + REGION] = values(random, dtype, REGION // np.dtype(NUMPY[dtype]).itemsize).view(np.uint8)
    return ub


def region(dtype: str) -> Array:
    return np.zeros(REGION, np.uint8).view(NUMPY[dtype])


def run_at(name: str, dtype: str, ub: Array, at: Sequence[int], **options: Any) -> Array:
    row = ROWS[name]
    sources = [region(row.source or dtype)] * row.sources
    sizes = [UB_BYTES - address for address in at[: 1 + row.sources]]
    scalar = 0 if row.scalar is None else row.scalar
    operation = name.split()[0]
    return (
        Core()
        .details(
            operation,
            *sources,
            dst=region(dtype),
            at=at[: 1 + row.sources],
            sizes=sizes,
            ub=ub,
            scalar=scalar,
            **options,
        )
        .ub
    )


def assert_same(actual: Array, expected: Array) -> None:
    """Byte by byte, except that any NaN of the model's types stands for the canonical one."""
    np.testing.assert_array_equal(actual, expected)


masks = st.tuples(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1)) | st.integers(0, 128)
strides = st.tuples(st.integers(0, 6), st.integers(0, 50))
dst_strides = st.tuples(st.integers(1, 6), st.integers(0, 50))
INTEGERS = [("vadd", "i16"), ("vsub", "i32"), ("vmul", "i16"), ("vnot", "u16"), ("vadds", "i32")]
FLOATS = [
    ("vadd", "half"),
    ("vadd", "f32"),
    ("vmla", "half"),
    ("vmla float += half", "f32"),
    ("vaxpy float += half", "f32"),
]


@settings(max_examples=150, deadline=None)
@given(
    case=st.sampled_from(INTEGERS + FLOATS),
    mask=masks,
    repeat=st.integers(0, 20),
    dst=dst_strides,
    a=strides,
    b=strides,
    seed=st.integers(0, 2**32),
)
def test_any_mask_and_strides_match_the_slow_model(case, mask, repeat, dst, a, b, seed) -> None:  # type: ignore[no-untyped-def]
    name, dtype = case
    source = ROWS[name].source or dtype
    ub = filled(np.random.default_rng(seed), (dtype, source, source))
    expected = model(name, dtype, ub, AT, mask=mask, repeat=repeat, strides=(dst, a, b))
    assert_same(run_at(name, dtype, ub, AT, mask=mask, repeat=repeat, strides=(dst, a, b)), expected)


@settings(max_examples=150, deadline=None)
@given(
    case=st.sampled_from(INTEGERS),
    offsets=st.tuples(*[st.integers(0, 40)] * 3) | st.integers(0, 40).map(lambda offset: (offset,) * 3),
    stride=st.sampled_from([(1, 8), (1, 8), (2, 16), (2, 1), (3, 24), (1, 4)]),
    others=st.none() | st.tuples(st.integers(0, 3), st.integers(0, 20)),
    mask=masks,
    repeat=st.integers(1, 20),
    seed=st.integers(0, 2**32),
)
def test_overlapping_operands_read_a_repeat_before_they_write_it(  # type: ignore[no-untyped-def]
    case, offsets, stride, others, mask, repeat, seed
) -> None:
    name, dtype = case
    at = tuple(32 * offset for offset in offsets)
    ub = np.random.default_rng(seed).integers(0, 256, UB_BYTES, np.uint8)
    strides = (stride, others or stride, others or stride)
    expected = model(name, dtype, ub, at, mask=mask, repeat=repeat, strides=strides)
    assert_same(run_at(name, dtype, ub, at, mask=mask, repeat=repeat, strides=strides), expected)


@pytest.mark.parametrize("dtype", ["half", "f32", "i32"])
def test_accumulation_into_one_repeat_is_sequential(core: Core, random: np.random.Generator, dtype: str) -> None:
    lanes, repeat = lanes_of(dtype), 37
    a = values(random, dtype, lanes * repeat)
    start = values(random, dtype, lanes)
    size = start.nbytes
    actual = core.run(
        "vadd",
        a,
        start,
        dst=start,
        at=(0, 4096, 0),
        sizes=(size, a.nbytes, size),
        repeat=repeat,
        strides=((1, 0), (1, 8), (1, 0)),
    )
    expected = start
    for r in range(repeat):
        expected = compute(ROWS["vadd"], dtype, expected, a[r * lanes : (r + 1) * lanes], expected)
    np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize("shift", [32, 64, 224, 256, 288])
def test_counted_form_with_a_shifted_overlap_works_256_bytes_at_a_time(core: Core, random: np.random.Generator, shift: int) -> None:
    ub = random.integers(0, 256, UB_BYTES, np.uint8)
    count = 1000
    zeros = np.zeros(count, np.int16)
    actual = core.details("vadds", zeros, dst=zeros, at=(shift, 0), ub=ub, count=count, scalar=7).ub
    expected = ub.copy()
    for first in range(0, count, 128):
        last = min(first + 128, count)
        part = expected[2 * first : 2 * last].view(np.int16) + np.int16(7)
        expected[shift + 2 * first : shift + 2 * last] = part.view(np.uint8)
    np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize(("count", "lanes"), [(1, 64), (64, 64), (65, 64), (1000, 64)])
def test_counter_mode_spreads_the_count_over_the_strides(core: Core, random: np.random.Generator, count: int, lanes: int) -> None:
    a = values(random, "f32", 8192)
    dst = np.zeros(8192, np.float32)
    actual = core.run("vabs", a, dst=dst, count=count, counted=2, strides=((1, 8), (2, 16), (1, 8)))
    expected = dst.copy()
    for i in range(count):
        repeat, lane = divmod(i, lanes)
        expected[i] = abs(a[repeat * 128 + lane // 8 * 16 + lane % 8])
    np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize("nothing", [{"count": 0}, {"repeat": 0}, {"mask": 0}, {"mask": (0, 2**64 - 1)}])
@pytest.mark.parametrize(("name", "dtype"), [("vadd", "f32"), ("vexp", "f32"), ("vadds", "f32"), ("vmla", "f32")])
def test_nothing_selected_is_nothing_done(core: Core, name: str, dtype: str, nothing: dict[str, Any]) -> None:
    one = np.ones(64, NUMPY[dtype])
    done = core.details(name, *[one] * ROWS[name].sources, dst=np.full(64, 5, NUMPY[dtype]), **nothing)
    np.testing.assert_array_equal(done.dst, 5)


def refused(core: Core, name: str, *sources: Array, **options: Any) -> Fault:
    with pytest.raises(RefusedError) as refusal:
        core.run(name, *sources, **options)
    return refusal.value.fault


def test_bounds_count_only_blocks_with_selected_lanes(core: Core) -> None:
    one = np.ones(128, np.float32)
    enough = 2 * 256 + 32 + 12  # repeats 0 to 2, of the last one block 1 up to its third lane
    mask = (0b111_00000000, 0)
    core.run(
        "vadd",
        one,
        one,
        dst=np.zeros(256, np.float32),
        sizes=(enough, 512 + 44, 512 + 44),
        mask=mask,
        repeat=3,
        at=(0, 2048, 4096),
    )
    fault = refused(
        core,
        "vadd",
        one,
        one,
        dst=np.zeros(256, np.float32),
        sizes=(512 + 43, 1024, 1024),
        mask=mask,
        repeat=3,
        at=(0, 2048, 4096),
    )
    assert fault.kind is FaultKind.out_of_bounds
    assert fault.span == 512 + 44


@pytest.mark.parametrize("operand", [0, 1, 2])
def test_a_tensor_one_byte_short_is_refused(core: Core, operand: int) -> None:
    one = np.ones(100, np.float16)
    sizes = [200, 200, 200]
    core.run("vadd", one, one, dst=one, sizes=sizes, count=100)
    sizes[operand] = 199
    fault = refused(core, "vadd", one, one, dst=one, sizes=sizes, count=100)
    assert (fault.kind, fault.operand, fault.span) == (FaultKind.out_of_bounds, operand, 200)


@pytest.mark.parametrize("operand", [0, 1, 2])
def test_an_operand_off_the_block_grid_is_refused(core: Core, operand: int) -> None:
    at = [0, 1024, 2048]
    at[operand] += 16
    one = np.ones(64, np.float32)
    fault = refused(core, "vadd", one, one, dst=one, at=at)
    assert (fault.kind, fault.operand) == (FaultKind.misaligned, operand)


@pytest.mark.parametrize(
    ("field", "options"),
    [
        ("repeat", {"repeat": 256}),
        ("repeat", {"repeat": -1}),
        ("dstRepStride", {"strides": ((1, 256), (1, 8), (1, 8))}),
        ("src0RepStride", {"strides": ((1, 8), (1, 300), (1, 8))}),
        ("src1BlkStride", {"strides": ((1, 8), (1, 8), (256, 8))}),
        ("dstBlkStride", {"strides": ((0, 8), (1, 8), (1, 8)), "repeat": 2}),
    ],
)
def test_a_field_out_of_range_is_refused_by_name(core: Core, field: str, options: dict[str, Any]) -> None:
    one = np.ones(16384, np.float32)
    fault = refused(core, "vadd", one, one, dst=one, at=(0, 65536, 65536), **options)
    assert fault.kind is FaultKind.field_range
    assert fault.field == field


def test_a_type_the_instruction_lacks_is_refused_with_those_it_has(core: Core) -> None:
    one = np.ones(16, NUMPY["bf16"])
    fault = refused(core, "vdiv", one, one, dst=one, count=16)
    assert fault.kind is FaultKind.unsupported
    assert fault.sentence == "Div does not take bfloat16_t on this chip; it takes half, float. Cast first."
