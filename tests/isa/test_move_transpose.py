# SPDX-License-Identifier: Apache-2.0
"""load_transpose and load_sparse: squares of fractals, transposed; kept weights with their positions."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from cube_reference import RefusedError, at, run
from hypothesis import given, settings
from hypothesis import strategies as st

UNTOUCHED = 0x5A
SQUARES = {"i4": (64, 4), "i8": (32, 2), "half": (16, 1), "f32": (16, 2)}  # side, fractals


def square_of(dtype: str, fractals: np.ndarray) -> np.ndarray:
    """The square that bytes of L1 hold, one element an entry."""
    side = SQUARES[dtype][0]
    if dtype == "i4":
        return np.stack([fractals & 15, fractals >> 4], axis=-1).reshape(side, side)
    if dtype == "f32":  # left and right half
        return fractals.view(np.uint32).reshape(2, 16, 8).transpose(1, 0, 2).reshape(16, 16)
    return fractals.view(np.uint8 if dtype == "i8" else np.uint16).reshape(side, side)


def fractals_of(dtype: str, square: np.ndarray) -> np.ndarray:
    """The fractals of 512 bytes that a transposed square becomes."""
    if dtype == "i4":
        pairs = square.reshape(64, 32, 2)
        return (pairs[:, :, 0] | pairs[:, :, 1] << 4).astype(np.uint8).reshape(4, 512)
    if dtype == "f32":
        halves = square.reshape(16, 2, 8).transpose(1, 0, 2)
        return np.ascontiguousarray(halves).view(np.uint8).reshape(2, 512)
    return np.ascontiguousarray(square).view(np.uint8).reshape(-1, 512)


def check(dtype: str, memory: str, start: int, repeat: int, stride: int, gap: int, frac_gap: int, descending: bool) -> None:
    count = SQUARES[dtype][1]
    src = np.random.default_rng(repeat).integers(0, 256, (32, count * 512), np.uint8)
    before = np.full((128, 512), UNTOUCHED, np.uint8)
    result = run(
        "load_transpose", {"L1": src.tobytes(), memory: before.tobytes()}, pipe="MTE1", dtype=dtype, dst=at(memory), src=at("L1"),
        start_index=start, src_stride=stride, dst_gap=gap, dst_frac_gap=frac_gap, repeat=repeat, descending=descending,
    )  # fmt: skip
    for i in range(repeat):
        turned = fractals_of(dtype, square_of(dtype, src[start + (-i if descending else i) * stride]).T)
        for j in range(count):
            before[i * (1 + gap) + j * (1 + frac_gap)] = turned[j]
    assert result[memory] == before.tobytes()


@pytest.mark.requirement("lib-55")
@pytest.mark.parametrize(("dtype", "memory"), [*product(SQUARES, ["L0B"]), *product(["i8", "half", "f32"], ["L0A"])])
@pytest.mark.parametrize(
    ("start", "repeat", "stride", "gap", "frac_gap", "descending"),
    [(0, 1, 0, 0, 0, False), (1, 3, 1, 3, 0, False), (0, 3, 2, 0, 3, False), (9, 4, 2, 4, 0, True), (2, 2, 0, 5, 1, False)],
)
def test_squares_are_transposed(
    dtype: str, memory: str, start: int, repeat: int, stride: int, gap: int, frac_gap: int, descending: bool
) -> None:
    check(dtype, memory, start, repeat, stride, gap, frac_gap, descending)


@pytest.mark.requirement("lib-55")
@settings(max_examples=60, deadline=None)
@given(
    dtype=st.sampled_from([*SQUARES]), start=st.integers(0, 8), repeat=st.integers(0, 6), stride=st.integers(0, 3), gap=st.integers(0, 12),
    frac_gap=st.integers(0, 20),
)  # fmt: skip
def test_random_gaps_follow_the_formula(dtype: str, start: int, repeat: int, stride: int, gap: int, frac_gap: int) -> None:
    check(dtype, "L0B", start, repeat, stride, gap, frac_gap, False)


def test_a_value_that_everybody_can_follow() -> None:
    """16 x 16 of 32 bits, 0 to 255 row by row as (left, right): the transpose counts down the columns."""
    square = np.arange(256, dtype=np.uint32).reshape(16, 16)
    l1 = square.reshape(16, 2, 8).transpose(1, 0, 2).tobytes()
    result = run("load_transpose", {"L1": l1, "L0A": bytes(1024)}, pipe="MTE1", dtype="f32", dst=at("L0A"), src=at("L1"), repeat=1)
    first, second = np.frombuffer(result["L0A"], np.uint32).reshape(2, 16, 8)
    assert first[0].tolist() == [0, 16, 32, 48, 64, 80, 96, 112]
    assert second[15].tolist() == [143, 159, 175, 191, 207, 223, 239, 255]


@pytest.mark.parametrize(
    ("changes", "kind", "text"),
    [
        ({"dst": at("L0C")}, "unsupported", "to L0A or L0B"),
        ({"dtype": "i64"}, "unsupported", "8, 16 and 32 bits"),
        ({"dtype": "i4"}, "unsupported", "int4b_t writes L0B"),
        ({"descending": 1, "repeat": 3, "src_stride": 2, "start_index": 3}, "field_range", "startIndex with addrMode 1"),
        ({"dst": at("L0A", 256)}, "misaligned", "L0A"),
        ({"src": at("L1", 8)}, "misaligned", "L1"),
        ({"src": at("L1", 0, 511)}, "out_of_bounds", "L1"),
        ({"dst": at("L0A", 0, 511)}, "out_of_bounds", "L0A"),
    ],
)
def test_what_load_transpose_may_not_do_is_refused(changes: dict[str, Any], kind: str, text: str) -> None:
    given: dict[str, Any] = {"dst": at("L0A"), "src": at("L1"), "repeat": 1, "src_stride": 1}
    with pytest.raises(RefusedError, match=text) as refused:
        run("load_transpose", {"L1": bytes(4096)}, pipe="MTE1", **(given | changes))
    assert refused.value.kind == kind


@pytest.mark.requirement("lib-55")
def test_kept_weights_move_as_they_are() -> None:
    src = np.random.default_rng(3).bytes(4096)
    before = bytes([UNTOUCHED]) * 4096
    given: dict[str, Any] = {"dst": at("L0B", 512), "src": at("L1"), "index": at("L1"), "start_index": 1, "repeat": 5}
    result = run("load_sparse", {"L1": src, "L0B": before, "POSITIONS": bytes(1024)}, pipe="MTE1", dtype="i8", **given)
    assert result["L0B"] == before[:512] + src[512:3072] + before[3072:]
    assert result["POSITIONS"] == bytes(128) + src[128:768] + bytes(256)
    assert run("load_sparse", {"L1": src, "L0B": before}, pipe="MTE1", dtype="i8", **(given | {"repeat": 0}))["L0B"] == before


@pytest.mark.parametrize(
    ("changes", "kind", "text"),
    [
        ({"dst": at("L0A")}, "unsupported", "from L1 .B1. to L0B .B2."),
        ({"index": at("L1", 0, 127)}, "out_of_bounds", "L1"),
        ({"src": at("L1", 0, 511)}, "out_of_bounds", "L1"),
        ({"dst": at("L0B", 32)}, "misaligned", "L0B"),
    ],
)
def test_what_load_sparse_may_not_do_is_refused(changes: dict[str, Any], kind: str, text: str) -> None:
    given: dict[str, Any] = {"dst": at("L0B"), "src": at("L1"), "index": at("L1"), "repeat": 1}
    with pytest.raises(RefusedError, match=text) as refused:
        run("load_sparse", {"L1": bytes(4096)}, pipe="MTE1", dtype="i8", **(given | changes))
    assert refused.value.kind == kind
