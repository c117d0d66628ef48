# SPDX-License-Identifier: Apache-2.0
"""copy: bursts, gaps, padding, atomics. DataCopy and DataCopyPad."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from cube_reference import ATOMIC, NUMPY, RefusedError, at, run, up, values
from hypothesis import given, settings
from hypothesis import strategies as st

UB_BYTES = 8192
POISON = b"\xee" * UB_BYTES


def model(dst: bytes, src: bytes, count: int, length: int, dst_step: int, src_step: int, blocks: list[bytes] | None = None) -> bytes:
    """Burst after burst, byte by byte."""
    out = bytearray(dst)
    for i in range(count):
        block = blocks[i] if blocks else src[i * src_step : i * src_step + length]
        out[i * dst_step : i * dst_step + len(block)] = block
    return bytes(out)


def test_a_contiguous_copy_moves_every_byte() -> None:
    data = np.random.default_rng(1).bytes(4096)
    result = run("copy", {"GM": data, "UB": POISON}, core="AIV", dst=at("UB"), src=at("GM"), count=1, length=4096, element=2)
    assert result["UB"] == data + POISON[4096:]


@settings(max_examples=60, deadline=None)
@given(
    count=st.integers(0, 9),
    blocks=st.integers(0, 5),
    src_gap=st.integers(0, 4),
    dst_gap=st.integers(0, 4),
    direction=st.sampled_from([("GM", "UB"), ("UB", "GM"), ("UB", "UB")]),
)
def test_bursts_and_gaps_follow_the_formula(count: int, blocks: int, src_gap: int, dst_gap: int, direction: tuple[str, str]) -> None:
    src, dst = direction
    rng = np.random.default_rng(count)
    length = 32 * blocks
    memories = {"GM": rng.bytes(4096), "UB": rng.bytes(UB_BYTES)}
    offset = 4096 if dst == src else 0
    result = run(
        "copy", memories, core="AIV", pipe="MTE2", dst=at(dst, offset), src=at(src), count=count, length=length,
        dst_gap=32 * dst_gap, src_gap=32 * src_gap, element=2,
    )  # fmt: skip
    before = memories[dst]
    expected = before[:offset] + model(before[offset:], memories[src], count, length, length + 32 * dst_gap, length + 32 * src_gap)
    assert result[dst] == (expected if length else before)


@settings(max_examples=80, deadline=None)
@given(
    element=st.sampled_from([1, 2, 4]),
    count=st.integers(1, 6),
    elements=st.integers(1, 40),
    left=st.integers(0, 8),
    right=st.integers(0, 8),
    src_gap=st.integers(0, 20),
    dst_gap=st.integers(0, 2),
    pad=st.sampled_from([1, 2]),
)
def test_padding_fills_each_block_to_32_bytes(
    element: int, count: int, elements: int, left: int, right: int, src_gap: int, dst_gap: int, pad: int
) -> None:
    rng = np.random.default_rng(elements)
    length, value = element * elements, 0x0403020104030201
    gm = rng.bytes(count * (length + src_gap))
    result = run(
        "copy", {"GM": gm, "UB": POISON}, core="AIV", dst=at("UB"), src=at("GM"), count=count, length=length,
        src_gap=src_gap, dst_gap=32 * dst_gap, left=left, right=right, pad=pad, pad_value=value, element=element,
    )  # fmt: skip
    whole = up((left + right) * element + length, 32)
    blocks = []
    for i in range(count):
        burst = gm[i * (length + src_gap) :][:length]
        filler = burst[:element] if pad == 1 else value.to_bytes(8, "little")[:element]
        blocks.append((filler * left + burst + filler * 64)[:whole])
    assert result["UB"] == model(POISON, gm, count, length, whole + 32 * dst_gap, 0, blocks)


def test_undefined_padding_is_poison() -> None:
    result = run(
        "copy", {"GM": bytes(range(10)), "UB": POISON}, core="AIV", dst=at("UB"), src=at("GM"), count=1, length=10,
        left=1, right=0, pad=3, element=2,
    )  # fmt: skip
    assert result["UB"][:32] == b"\xff" * 2 + bytes(range(10)) + b"\xff" * 20


def test_only_the_bytes_of_a_burst_reach_global_memory() -> None:
    ub = np.random.default_rng(2).bytes(UB_BYTES)
    result = run(
        "copy", {"GM": b"\x11" * 100, "UB": ub}, core="AIV", pipe="MTE3", dst=at("GM", 2), src=at("UB"), count=3,
        length=10, dst_gap=6, src_gap=32, element=2,
    )  # fmt: skip
    expected = bytearray(b"\x11" * 100)
    for i in range(3):
        expected[2 + 16 * i : 12 + 16 * i] = ub[64 * i : 64 * i + 10]
    assert result["GM"] == bytes(expected)


@pytest.mark.parametrize(("offset", "length"), [(64, 8192), (100, 8192), (4096, 4096 + 32), (1 << 20, 4096)])
def test_a_large_allocation_takes_copies_around_the_cache(offset: int, length: int) -> None:
    """Above 24 MiB whole cache lines are stored without reading them first; nothing else may differ."""
    ub, gm = np.random.default_rng(offset).bytes(2 * length), bytes(25 << 20)
    result = run(
        "copy", {"GM": gm, "UB": ub}, core="AIV", pipe="MTE3", dst=at("GM", offset), src=at("UB", 32), count=1, length=length, element=4,
    )  # fmt: skip
    assert result["GM"][offset : offset + length] == ub[32 : 32 + length]
    assert result["GM"].count(0, 0, offset) == offset
    assert not any(result["GM"][offset + length : offset + length + 4096])


def test_an_overlapping_burst_is_read_before_it_is_written() -> None:
    ub = np.random.default_rng(3).bytes(UB_BYTES)
    result = run("copy", {"UB": ub}, core="AIV", pipe="V", dst=at("UB", 32), src=at("UB"), count=1, length=256, element=2)
    assert result["UB"] == ub[:32] + ub[:256] + ub[288:]


@pytest.mark.parametrize(("dst", "pipe"), [("BT", "MTE1"), ("FB", "FIX")])
def test_l1_feeds_the_bias_table_and_the_fixpipe_buffer(dst: str, pipe: str) -> None:
    l1 = np.random.default_rng(4).bytes(1024)
    result = run(
        "copy", {"L1": l1, dst: b"\x11" * 256}, pipe=pipe, dst=at(dst, 64), src=at("L1", 128), count=1,
        length=128, element=4,
    )  # fmt: skip
    assert result[dst] == b"\x11" * 64 + l1[128:256] + b"\x11" * 64


def test_halves_become_floats_in_the_bias_table() -> None:
    bits = np.random.default_rng(5).integers(0, 1 << 16, 64).astype(np.uint16)
    bits[:6] = [0, 0x8000, 0x7C00, 0xFC00, 0x0001, 0x83FF]  # zeros, infinities, denormals
    halves = np.where(np.isnan(bits.view(np.float16)), np.float16(1), bits.view(np.float16))
    result = run(
        "copy", {"L1": halves.tobytes(), "BT": b"\x11" * 384}, pipe="MTE1", dtype="f32", dtype2="half", dst=at("BT", 64),
        src=at("L1"), count=1, length=256, element=2,
    )  # fmt: skip
    assert result["BT"] == b"\x11" * 64 + halves.astype(np.float32).tobytes() + b"\x11" * 64


def atomic_reference(op: str, old: np.ndarray, new: np.ndarray) -> np.ndarray:
    with np.errstate(all="ignore"):
        if op == "add":
            if old.dtype.kind == "i":
                return (old.astype(np.int64) + new).astype(old.dtype)
            return (old.astype(np.float32) + new.astype(np.float32)).astype(old.dtype)
        return np.maximum(old, new) if op == "max" else np.minimum(old, new)


@pytest.mark.parametrize("dtype", ["i8", "i16", "i32", "half", "bf16", "f32"])
@pytest.mark.parametrize("op", ["add", "max", "min"])
def test_atomic_copies_update_global_memory(op: str, dtype: str) -> None:
    rng = np.random.default_rng(5)
    old, new = values(rng, dtype, (3000,)), values(rng, dtype, (3000,))
    length = new.nbytes
    ub = new.tobytes() + bytes(32)
    result = run(
        "copy", {"GM": old.tobytes(), "UB": ub}, core="AIV", pipe="MTE3", dtype=dtype, dst=at("GM"), src=at("UB"),
        count=1, length=length, atomic=ATOMIC[op], element=old.itemsize,
    )  # fmt: skip
    np.testing.assert_array_equal(np.frombuffer(result["GM"], NUMPY[dtype]), atomic_reference(op, old, new))


@pytest.mark.parametrize(("ctrl", "expected"), [(0, [np.inf, -np.inf, np.nan, 65504]), (1, [65504, -65504, 0, 65504])])
def test_atomic_half_sums_overflow_as_the_saturation_flag_says(ctrl: int, expected: list[float]) -> None:
    old = np.array([65504, -65504, np.nan, 65504], np.float16)
    new = np.array([65504, -65504, 1, 1], np.float16)
    result = run(
        "copy", {"GM": old.tobytes(), "UB": new.tobytes() + bytes(24)}, core="AIV", pipe="MTE3", ctrl=ctrl,
        dst=at("GM"), src=at("UB"), count=1, length=8, atomic=ATOMIC["add"], element=2,
    )  # fmt: skip
    np.testing.assert_array_equal(np.frombuffer(result["GM"], np.float16), np.array(expected, np.float16))


def test_an_atomic_copy_of_a_type_without_atomics_names_the_types() -> None:
    with pytest.raises(RefusedError, match="take int8_t, int16_t, half, bfloat16_t, int32_t and float"):
        run(
            "copy", {"GM": bytes(64), "UB": bytes(64)}, core="AIV", pipe="MTE3", dtype="i64", dst=at("GM"),
            src=at("UB"), count=1, length=64, atomic=1, element=8,
        )  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "kind", "facts"),
    [
        ({"length": 1056}, "out_of_bounds", {"operand": 0, "span": 1056, "tensor_bytes": 1024}),
        ({"src": at("GM", 0, 100)}, "out_of_bounds", {"operand": 1, "span": 256, "tensor_bytes": 100}),
        ({"src": at("GM", 1900)}, "gm_out_of_bounds", {"operand": 1, "span": 256}),
        ({"count": 4, "src_gap": 600}, "gm_out_of_bounds", {"span": 3 * 856 + 256}),
        ({"dst": at("UB", 16, 1024)}, "misaligned", {"operand": 0, "alignment": 32}),
        ({"src": at("GM", 1)}, "misaligned", {"operand": 1, "alignment": 2}),
        ({"count": 4096}, "field_range", {"value": 4096, "highest": 4095}),
        ({"length": 1 << 21}, "field_range", {"value": 1 << 21, "highest": 2097151}),
        ({"src_gap": -257}, "field_range", {"value": -257, "lowest": -256}),
        ({"left": 17, "pad": 2}, "field_range", {"value": 17, "highest": 16}),
    ],
)
def test_what_a_copy_may_not_do_is_refused_with_its_numbers(changes: dict[str, Any], kind: str, facts: dict[str, int]) -> None:
    given: dict[str, Any] = {"dst": at("UB", 0, 1024), "src": at("GM"), "count": 1, "length": 256, "element": 2}
    with pytest.raises(RefusedError) as refused:
        run("copy", {"GM": bytes(2048), "UB": POISON}, core="AIV", **(given | changes))
    assert refused.value.kind == kind
    assert facts.items() <= refused.value.numbers.items()


@pytest.mark.parametrize("changes", [{"count": 0}, {"length": 0}])
def test_nothing_to_copy_is_no_mistake(changes: dict[str, int]) -> None:
    given: dict[str, Any] = {"dst": at("UB", 8), "src": at("GM", 1 << 40), "count": 1, "length": 32, "element": 2}
    result = run("copy", {"GM": bytes(32), "UB": POISON}, core="AIV", **(given | changes))
    assert result["UB"] == POISON
