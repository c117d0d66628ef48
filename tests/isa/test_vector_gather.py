# SPDX-License-Identifier: Apache-2.0
"""Gather, Gatherb, GatherMask and CreateVecIndex against NumPy's indexing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from core import NUMPY, Array, Core, RefusedError, lanes_of
from hypothesis import given, settings
from hypothesis import strategies as st
from vector_reference import lane_positions, selected

BITS = ["half", "bf16", "f32", "i16", "u16", "i32", "u32"]


def elements(random: np.random.Generator, dtype: str, count: int) -> Array:
    """Any bits, NaN of every kind among them: nothing is computed with."""
    return random.integers(0, 256, count * np.dtype(NUMPY[dtype]).itemsize, np.uint8).view(NUMPY[dtype])


def assert_bits(actual: Array, expected: Array) -> None:
    np.testing.assert_array_equal(actual.view(np.uint8), np.ascontiguousarray(expected).view(np.uint8))


def over_offsets(src: Array, offsets: Array) -> tuple[dict[str, Any], Array]:
    """Options for core.details: the result lands on the offsets."""
    ub = np.zeros(192 << 10, np.uint8)
    ub[: src.nbytes], ub[32768 : 32768 + offsets.nbytes] = src.view(np.uint8), offsets.view(np.uint8)
    return {"at": (32768, 0, 32768), "ub": ub}, np.zeros(offsets.nbytes // src.itemsize, src.dtype)


# --- Gather


@pytest.mark.requirement("lib-48")
@pytest.mark.parametrize("dtype", BITS)
@pytest.mark.parametrize(("count", "base"), [(1, 0), (64, 8), (1000, 256)])
def test_gather_takes_the_element_at_each_offset(
    core: Core, random: np.random.Generator, level: str, dtype: str, count: int, base: int
) -> None:
    size = np.dtype(NUMPY[dtype]).itemsize
    src, index = elements(random, dtype, 2048), random.integers(0, 2048 - base // size, count)
    dst = elements(random, dtype, count + 16)
    actual = core.run("vgather", src, (index * size).astype(np.uint32), dst=dst, count=count, scalar=base, scalar_dtype="u32")
    assert_bits(actual[:count], src[index + base // size])
    assert_bits(actual[count:], dst[count:])


@pytest.mark.requirement("lib-48")
@pytest.mark.parametrize("dtype", BITS)
@pytest.mark.parametrize("mask", [None, 7, (0x8000_0001_0000_F0F0, 0x3)])
@pytest.mark.parametrize("stride", [8, 11, 0])
def test_gather_by_repeats_writes_selected_lanes_only(
    core: Core, random: np.random.Generator, level: str, dtype: str, mask: Any, stride: int
) -> None:
    size, lanes, repeat = np.dtype(NUMPY[dtype]).itemsize, lanes_of(dtype), 3
    src, index = elements(random, dtype, 900), random.integers(0, 900, lanes * repeat)
    offsets = (index * size).astype(np.uint32)
    chosen = selected(mask, lanes)
    offsets[~np.tile(chosen, repeat)] = 0xFFFF_FFF1  # nobody looks at those
    dst = elements(random, dtype, 4 * lanes * 2)
    strides = ((1, stride), (1, 8), (1, 8))
    actual = core.run("vgather", src, offsets, dst=dst, mask=mask, repeat=repeat, strides=strides, scalar=0, scalar_dtype="u32")
    expected = dst.copy()
    for r in range(repeat):
        expected[lane_positions(dtype, lanes, r, (1, stride))[chosen]] = src[index[r * lanes : (r + 1) * lanes]][chosen]
    assert_bits(actual, expected)


def test_gather_in_counter_mode_spreads_the_count_over_repeats(core: Core, random: np.random.Generator) -> None:
    src, index = elements(random, "f32", 300), random.integers(0, 300, 150)
    dst = np.zeros(512, np.float32)
    actual = core.run("vgather", src, (index * 4).astype(np.uint32), dst=dst, count=150, counted=2, strides=((1, 16), (1, 8), (1, 8)))
    expected = dst.copy()
    for lane, each in enumerate(index):
        expected[lane // 64 * 128 + lane % 64] = src[each]
    assert_bits(actual, expected)


@pytest.mark.parametrize(("repeat", "count"), [(0, None), (1, 0)])
def test_gather_of_nothing_looks_at_no_offset(core: Core, repeat: int, count: int | None) -> None:
    offsets = np.full(64, 0xFFFF_FFFF, np.uint32)
    actual = core.run("vgather", np.ones(64, np.float32), offsets, dst=np.zeros(64, np.float32), repeat=repeat, count=count)
    assert not actual.any()


@pytest.mark.requirement("lib-48")
@pytest.mark.parametrize("dtype", ["u16", "u32"])
def test_offsets_that_the_result_overwrites_are_read_before(core: Core, random: np.random.Generator, level: str, dtype: str) -> None:
    size = np.dtype(NUMPY[dtype]).itemsize
    src, index = elements(random, dtype, 2048), random.integers(0, 2048, 1000)
    options, dst = over_offsets(src, (index * size).astype(np.uint32))
    done = core.details("vgather", src, (index * size).astype(np.uint32), dst=dst, count=1000, scalar=0, scalar_dtype="u32", **options)
    assert_bits(done.dst[:1000], src[index])


@pytest.mark.requirement("lib-48")
@pytest.mark.parametrize(("offset", "base", "element"), [(6, 0, 5), (0, 2, 0)])
def test_an_offset_between_two_elements_is_refused(core: Core, offset: int, base: int, element: int) -> None:
    offsets = np.zeros(64, np.uint32)
    offsets[5] = offset
    with pytest.raises(RefusedError) as refusal:
        core.run("vgather", np.ones(64, np.float32), offsets, dst=np.zeros(64, np.float32), count=64, scalar=base, scalar_dtype="u32")
    fault = refusal.value.fault
    assert (fault.kind.name, fault.value, fault.count, fault.alignment, fault.addr) == ("gather_offset", offset, element, 4, base)


@pytest.mark.requirement("lib-48")
def test_an_offset_beyond_the_source_is_out_of_bounds(core: Core) -> None:
    offsets = np.array([0, 252, 256, 4] * 16, np.uint32)
    with pytest.raises(RefusedError) as refusal:
        core.run("vgather", np.ones(64, np.float32), offsets, dst=np.zeros(64, np.float32), count=64)
    fault = refusal.value.fault
    assert (fault.kind.name, fault.operand, fault.span, fault.tensor_bytes) == ("out_of_bounds", 1, 260, 256)


def in_place(values: Array, offsets: Array, at: int) -> dict[str, Any]:
    """Options for core.details: the source begins at 1024, the result at `at`, the offsets are elsewhere."""
    ub = np.zeros(192 << 10, np.uint8)
    ub[1024 : 1024 + values.nbytes], ub[32768 : 32768 + offsets.nbytes] = values.view(np.uint8), offsets.view(np.uint8)
    return {"at": (at, 1024, 32768), "ub": ub}


@pytest.mark.requirement("lib-48")
@pytest.mark.parametrize(
    ("shift", "index", "element"),
    [
        (0, np.arange(100), 0),
        (0, np.arange(100)[::-1], 0),
        (32, np.arange(100), 8),
        (-32, np.arange(100), 0),
        (-320, np.arange(100)[::-1], 80),
    ],
    ids=["the same", "turned", "behind", "before", "one end"],
)
def test_gather_that_reads_what_it_writes_is_refused(core: Core, level: str, shift: int, index: Array, element: int) -> None:
    values, offsets = np.arange(100, dtype=np.float32), (index * 4).astype(np.uint32)
    with pytest.raises(RefusedError) as refusal:
        core.details("vgather", values, offsets, dst=np.zeros(100, np.float32), count=100, **in_place(values, offsets, 1024 + shift))
    fault, offset = refusal.value.fault, int(offsets[element])
    assert (fault.kind.name, fault.operand, fault.count, fault.value) == ("gather_overlap", 1, element, offset)
    assert (fault.first_byte, fault.last_byte) == (1024 + offset, 1024 + offset + 3)


@pytest.mark.requirement("lib-48")
def test_gather_may_write_bytes_of_its_source_that_it_does_not_read(core: Core, random: np.random.Generator, level: str) -> None:
    values = elements(random, "u32", 1024)
    for index in (random.integers(100, 1024, 100), np.arange(100, 200)):  # the result lies over the first 100
        offsets = (index * 4).astype(np.uint32)
        done = core.details("vgather", values, offsets, dst=np.zeros(100, np.uint32), count=100, **in_place(values, offsets, 1024))
        assert_bits(done.dst, values[index])
    # Of each second block of 256 bytes half the lanes are written, from the bytes between them.
    index, mask = np.concatenate([np.arange(32, 64), np.arange(96, 128)] * 2), (0xFFFF_FFFF, 0)
    offsets = np.concatenate([index[:64], index[:64]]).astype(np.uint32) * 4
    options = in_place(values, offsets, 1024)
    done = core.details(
        "vgather", values, offsets, dst=np.zeros(256, np.uint32), mask=mask, repeat=2, strides=((1, 16), (1, 8), (1, 8)), **options
    )
    expected = values[:256].copy()
    for r in range(2):
        expected[128 * r : 128 * r + 32] = values[index[64 * r : 64 * r + 32]]
    assert_bits(done.dst, expected)


@pytest.mark.requirement("lib-48")
@settings(deadline=None, max_examples=60)
@given(
    dtype=st.sampled_from(BITS), repeat=st.integers(0, 5), stride=st.integers(0, 20), mask=st.tuples(*[st.integers(0, 2**64 - 1)] * 2),
    seed=st.integers(0, 2**32 - 1),
)  # fmt: skip
def test_any_legal_gather_equals_numpy(dtype: str, repeat: int, stride: int, mask: tuple[int, int], seed: int) -> None:
    random, size, lanes = np.random.default_rng(seed), np.dtype(NUMPY[dtype]).itemsize, lanes_of(dtype)
    src, index = elements(random, dtype, 500), random.integers(0, 500, lanes * max(repeat, 1))
    dst, chosen = elements(random, dtype, 128 * 32), selected(mask, lanes)
    actual = Core().run(
        "vgather", src, (index * size).astype(np.uint32), dst=dst, mask=mask, repeat=repeat, strides=((1, stride), (1, 8), (1, 8))
    )
    expected = dst.copy()
    for r in range(repeat):
        expected[lane_positions(dtype, lanes, r, (1, stride))[chosen]] = src[index[r * lanes : (r + 1) * lanes]][chosen]
    assert_bits(actual, expected)


# --- Gatherb


@pytest.mark.requirement("lib-48")
@pytest.mark.parametrize("dtype", BITS)
@pytest.mark.parametrize(("block", "stride"), [(1, 8), (0, 8), (3, 30)])
def test_gatherb_takes_blocks(core: Core, random: np.random.Generator, level: str, dtype: str, block: int, stride: int) -> None:
    src, index = random.integers(0, 256, (40, 32), np.uint8), random.integers(0, 40, 24)
    dst = random.integers(0, 256, (100, 32), np.uint8)
    expected = dst.copy()
    for r in range(3):
        for j in range(8):
            expected[r * stride + j * (block or 1)] = src[index[8 * r + j]]
    offsets = (index * 32).astype(np.uint32)
    actual = core.run(
        "vgatherb", src.view(NUMPY[dtype]), offsets, dst=dst.view(NUMPY[dtype]), repeat=3, strides=((block, stride), (1, 8), (1, 8))
    )
    assert_bits(actual, expected.reshape(-1))


@pytest.mark.requirement("lib-48")
def test_blocks_that_overwrite_their_offsets_are_those_that_the_offsets_named(core: Core, random: np.random.Generator, level: str) -> None:
    src, blocks = elements(random, "u32", 2048), random.integers(0, 256, 32)
    offsets = (blocks * 32).astype(np.uint32)
    options, _ = over_offsets(src, offsets)
    done = core.details("vgatherb", src, offsets, dst=np.zeros(256, np.uint32), repeat=4, strides=((1, 8), (1, 8), (1, 8)), **options)
    assert_bits(done.dst, src.reshape(256, 8)[blocks].ravel())


@pytest.mark.requirement("lib-48")
@pytest.mark.parametrize(("shift", "block"), [(0, 0), (32, 1), (-256, 0), (224, 7)])
def test_gatherb_that_reads_what_it_writes_is_refused(core: Core, shift: int, block: int) -> None:
    values, offsets = np.arange(128, dtype=np.uint32), np.arange(0, 512, 32, dtype=np.uint32)
    with pytest.raises(RefusedError) as refusal:
        core.details("vgatherb", values, offsets, dst=np.zeros(128, np.uint32), repeat=2, **in_place(values, offsets, 1024 + shift))
    fault = refusal.value.fault
    assert (fault.kind.name, fault.operand, fault.count, fault.value) == ("gather_overlap", 1, block, 32 * block)
    assert (fault.first_byte, fault.last_byte) == (1024 + 32 * block, 1024 + 32 * block + 31)


@pytest.mark.requirement("lib-48")
@pytest.mark.parametrize("strides", [(2, 16), (1, 16), (2, 1)])
def test_gatherb_may_write_between_the_blocks_that_it_reads(core: Core, random: np.random.Generator, strides: tuple[int, int]) -> None:
    values = elements(random, "u32", 512)
    written = {r * strides[1] + j * strides[0] for r in range(2) for j in range(8)}
    blocks = random.choice(sorted(set(range(64)) - written), 16)
    offsets = (blocks * 32).astype(np.uint32)
    options = in_place(values, offsets, 1024)
    done = core.details("vgatherb", values, offsets, dst=np.zeros(512, np.uint32), repeat=2, strides=(strides, (1, 8), (1, 8)), **options)
    expected = values.reshape(64, 8).copy()
    for i, each in enumerate(blocks):
        expected[i // 8 * strides[1] + i % 8 * strides[0]] = values.reshape(64, 8)[each]
    assert_bits(done.dst, expected.ravel())


def test_gatherb_wants_whole_blocks(core: Core) -> None:
    offsets = np.array([0, 32, 64, 48, 0, 0, 0, 0], np.uint32)
    with pytest.raises(RefusedError) as refusal:
        core.run("vgatherb", np.zeros(64, np.uint32), offsets, dst=np.zeros(64, np.uint32))
    fault = refusal.value.fault
    assert (fault.kind.name, fault.value, fault.count, fault.alignment) == ("gather_offset", 48, 3, 32)


def test_gatherb_beyond_its_source_is_out_of_bounds_and_of_no_repeat_nothing(core: Core) -> None:
    offsets = np.full(8, 256, np.uint32)
    with pytest.raises(RefusedError) as refusal:
        core.run("vgatherb", np.zeros(64, np.uint32), offsets, dst=np.zeros(64, np.uint32))
    assert (refusal.value.fault.kind.name, refusal.value.fault.span) == ("out_of_bounds", 288)
    assert not core.run("vgatherb", np.ones(64, np.uint32), offsets, dst=np.zeros(64, np.uint32), repeat=0).any()


# --- GatherMask

PATTERNS = {1: (2, 0), 2: (2, 1), 3: (4, 0), 4: (4, 1), 5: (4, 2), 6: (4, 3), 7: (1, 0)}  # every n-th element, from which on


def by_pattern(pattern: int, count: int) -> Array:
    step, first = PATTERNS[pattern]
    return np.arange(count) % step == first


def sources(dtype: str, count: int, repeat: int, stride: tuple[int, int]) -> list[Array]:
    """Element numbers of each repeat, blocks going on with the block stride for as long as the count reaches."""
    lanes = 32 // np.dtype(NUMPY[dtype]).itemsize
    at = np.arange(count)
    return [(r * stride[1] + at // lanes * stride[0]) * lanes + at % lanes for r in range(repeat)]


@pytest.mark.requirement("lib-49")
@pytest.mark.parametrize("dtype", BITS)
@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("count", [None, 5, 70, 200])
def test_gather_mask_packs_what_a_pattern_takes(
    core: Core, random: np.random.Generator, dtype: str, pattern: int, count: int | None
) -> None:
    each, repeat, stride = count or lanes_of(dtype), 3, (1, 30)
    src, dst = elements(random, dtype, 2000), elements(random, dtype, 2000)
    done = core.details("vreducev2", src, dst=dst, count=count, counted=2, repeat=repeat, mode=pattern, strides=((1, 8), stride, (1, 8)))
    expected = np.concatenate([src[at][by_pattern(pattern, each)] for at in sources(dtype, each, repeat, stride)])
    assert done.counted[0] == len(expected)
    assert_bits(done.dst[: len(expected)], expected)
    assert_bits(done.dst[len(expected) :], dst[len(expected) :])


@pytest.mark.requirement("lib-49")
@pytest.mark.parametrize("dtype", BITS)
@pytest.mark.parametrize("count", [None, 1, 77])
@pytest.mark.parametrize("bits_stride", [0, 1, 8])
def test_gather_mask_packs_what_bits_take(core: Core, random: np.random.Generator, dtype: str, count: int | None, bits_stride: int) -> None:
    each, repeat, stride = count or lanes_of(dtype), 4, (2, 20)
    src, bits = elements(random, dtype, 3000), random.integers(0, 256, 1024, np.uint8)
    pattern = bits.view(np.uint16 if np.dtype(NUMPY[dtype]).itemsize == 2 else np.uint32)
    strides = ((1, 8), stride, (1, bits_stride))
    dst = elements(random, dtype, 2000)
    done = core.details("vreducev2", src, pattern, dst=dst, count=count, counted=2, repeat=repeat, strides=strides)
    rows = []
    for r, at in enumerate(sources(dtype, each, repeat, stride)):
        rows.append(src[at][np.unpackbits(bits[32 * bits_stride * r :], bitorder="little")[:each].astype(bool)])
    expected = np.concatenate(rows)
    assert done.counted[0] == len(expected)
    assert_bits(done.dst[: len(expected)], expected)
    assert_bits(done.dst[len(expected) :], dst[len(expected) :])


@pytest.mark.requirement("lib-49")
@pytest.mark.parametrize("pattern", PATTERNS)
def test_gather_mask_may_write_over_its_source(core: Core, random: np.random.Generator, pattern: int) -> None:
    src = elements(random, "f32", 512)
    ub = np.zeros(4096, np.uint8)
    ub[:2048] = src.view(np.uint8)
    done = core.details("vreducev2", src, dst=src, at=(0, 0), sizes=(2048, 2048), ub=np.resize(ub, 192 << 10), repeat=8, mode=pattern)
    kept = src[by_pattern(pattern, 512)]
    assert_bits(done.dst[: len(kept)], kept)


def test_gather_mask_needs_room_for_what_it_keeps_only(core: Core) -> None:
    src, bits = np.arange(64, dtype=np.float32), np.zeros(2, np.uint32)
    bits[0] = 0b1011
    dst = np.zeros(3, np.float32)
    done = core.details("vreducev2", src, bits, dst=dst)
    assert (done.counted[0], done.dst.tolist()) == (3, [0, 1, 3])
    bits[1] = 1
    with pytest.raises(RefusedError) as refusal:
        core.run("vreducev2", src, bits, dst=dst)
    assert (refusal.value.fault.kind.name, refusal.value.fault.operand, refusal.value.fault.span) == ("out_of_bounds", 0, 16)


@pytest.mark.parametrize(("repeat", "count"), [(0, None), (1, 0)])
def test_gather_mask_of_nothing_keeps_nothing(core: Core, repeat: int, count: int | None) -> None:
    done = core.details("vreducev2", np.ones(64, np.float32), dst=np.zeros(64, np.float32), mode=7, repeat=repeat, count=count, counted=2)
    assert done.counted[0] == 0
    assert not done.dst.any()


def test_there_are_seven_patterns(core: Core) -> None:
    with pytest.raises(RefusedError) as refusal:
        core.run("vreducev2", np.ones(64, np.float32), dst=np.zeros(64, np.float32), mode=8)
    assert (refusal.value.fault.kind.name, refusal.value.fault.field, refusal.value.fault.value) == ("field_range", "src1Pattern", 8)


@pytest.mark.requirement("lib-49")
@settings(deadline=None, max_examples=80)
@given(
    dtype=st.sampled_from(BITS), count=st.none() | st.integers(1, 300), repeat=st.integers(1, 4), block=st.integers(0, 4),
    stride=st.integers(0, 24), bits_stride=st.integers(0, 3), pattern=st.integers(0, 7), seed=st.integers(0, 2**32 - 1),
)  # fmt: skip
def test_any_legal_gather_mask_equals_numpy(
    dtype: str, count: int | None, repeat: int, block: int, stride: int, bits_stride: int, pattern: int, seed: int
) -> None:
    random, each = np.random.default_rng(seed), count or lanes_of(dtype)
    src, bits = elements(random, dtype, 6000), random.integers(0, 256, 1024, np.uint8)
    tensor = [bits.view(np.uint16 if np.dtype(NUMPY[dtype]).itemsize == 2 else np.uint32)] if pattern == 0 else []
    strides = ((1, 8), (block, stride), (1, bits_stride))
    dst = np.zeros(1300, NUMPY[dtype])
    done = Core().details("vreducev2", src, *tensor, dst=dst, count=count, counted=2, repeat=repeat, mode=pattern, strides=strides)
    rows = []
    for r, at in enumerate(sources(dtype, each, repeat, (block, stride))):
        chosen = np.unpackbits(bits[32 * bits_stride * r :], bitorder="little")[:each].astype(bool) if tensor else by_pattern(pattern, each)
        rows.append(src[at][chosen])
    expected = np.concatenate(rows)
    assert done.counted[0] == len(expected)
    assert_bits(done.dst[: len(expected)], expected)


# --- CreateVecIndex


def indices(dtype: str, first: Any, at: Array) -> Array:
    """Rounded once; integers wrap."""
    with np.errstate(all="ignore"):
        if dtype == "half":
            return (np.float64(np.float16(first)) + at).astype(np.float16)
        if dtype == "f32":
            return np.float32(first) + at.astype(np.float32)
        return (np.int64(first) + at).astype(NUMPY[dtype])


INDEX = [("half", -3.5), ("half", 60000), ("f32", 0.1), ("f32", -1e9), ("i16", -5), ("i16", 32700), ("i32", 7), ("i32", 2**31 - 20)]


@pytest.mark.requirement("lib-50")
@pytest.mark.parametrize(("dtype", "first"), INDEX)
@pytest.mark.parametrize("count", [1, 64, 333, 6000])
def test_create_vec_index_counts_from_its_first_value(core: Core, dtype: str, first: Any, count: int) -> None:
    dst = np.zeros(count + 20, NUMPY[dtype])
    actual = core.run("vci", dst=dst, count=count, scalar=first)
    np.testing.assert_array_equal(actual[:count], indices(dtype, first, np.arange(count)))
    assert not actual[count:].any()


@pytest.mark.requirement("lib-50")
@pytest.mark.parametrize(("dtype", "first"), INDEX)
def test_create_vec_index_by_repeats_counts_lanes_of_all_repeats(core: Core, random: np.random.Generator, dtype: str, first: Any) -> None:
    lanes, stride, mask = lanes_of(dtype), (2, 19), (0xF0F0_0000_1234_8001, 0x8000_0000_0000_0001)
    dst, chosen = elements(random, dtype, 1200), selected(mask, lanes)
    actual = core.run("vci", dst=dst, mask=mask, repeat=3, strides=(stride, (1, 8), (1, 8)), scalar=first)
    expected = dst.copy()
    for r in range(3):
        expected[lane_positions(dtype, lanes, r, stride)[chosen]] = indices(dtype, first, r * lanes + np.arange(lanes))[chosen]
    assert_bits(actual, expected)


def test_create_vec_index_of_half_saturates_where_asked_to(core: Core) -> None:
    assert np.isinf(core.run("vci", dst=np.zeros(6000, np.float16), count=6000, scalar=60000)[-1])
    assert core.run("vci", dst=np.zeros(6000, np.float16), count=6000, scalar=60000, ctrl=1)[-1] == 65504


MOVED = "int16_t, uint16_t, int32_t, uint32_t, half, bfloat16_t, float"
REFUSED = [
    ("vgather", "i8", f"Gather does not take int8_t on this chip; it takes {MOVED}. Cast first."),
    ("vgatherb", "u8", f"Gatherb does not take uint8_t on this chip; it takes {MOVED}. Cast first."),
    ("vreducev2", "i64", f"GatherMask does not take int64_t on this chip; it takes {MOVED}. Cast first."),
    ("vci", "u32", "CreateVecIndex does not take uint32_t on this chip; it takes int16_t, int32_t, half, float. Cast first."),
]


@pytest.mark.parametrize(("name", "dtype", "sentence"), REFUSED)
def test_other_types_are_refused_with_those_it_takes(core: Core, name: str, dtype: str, sentence: str) -> None:
    one = np.ones(64, NUMPY[dtype])
    with pytest.raises(RefusedError) as refusal:
        core.run(name, one, np.zeros(64, np.uint32), dst=one, mode=1)
    assert refusal.value.fault.sentence == sentence
