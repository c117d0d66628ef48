# SPDX-License-Identifier: Apache-2.0
"""load_3d: windows of the im2col matrix into L0A and L0B, against the definition taken element by element."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from cube_reference import RefusedError, at, run, up
from hypothesis import given, settings
from hypothesis import strategies as st

UNTOUCHED = 0x5A
WORDS: dict[str, Any] = {"i8": np.uint8, "half": np.uint16, "bf16": np.uint16, "f32": np.uint32, "i32": np.uint32, "i4": np.uint8}


def c0_of(dtype: str) -> int:
    """Words in 32 bytes. Two elements of int4b_t share one and always move together."""
    return 32 // np.dtype(WORDS[dtype]).itemsize


@dataclass(frozen=True)
class Load:
    dtype: str
    c1: int
    height: int
    width: int
    pads: tuple[int, int, int, int] = (0, 0, 0, 0)  # left, right, top, bottom
    filter: tuple[int, int] = (1, 1)  # height, width
    stride: tuple[int, int] = (1, 1)
    dilation: tuple[int, int] = (1, 1)
    window: tuple[int, int, int, int] = (0, 16, 0, 1)  # first row, rows, first column block, column blocks
    repeat: tuple[int, int, int] = (0, 1, 0)  # stride, time, mode
    transpose: bool = False
    pad_value: int = 7

    @property
    def places(self) -> tuple[int, int]:
        left, right, top, bottom = self.pads
        room = [
            size - ((f - 1) * d + 1)
            for size, f, d in zip((self.height + top + bottom, self.width + left + right), self.filter, self.dilation, strict=True)
        ]
        return room[0] // self.stride[0] + 1, room[1] // self.stride[1] + 1

    def fields(self) -> dict[str, Any]:
        per_block = 64 if self.dtype == "i4" else c0_of(self.dtype)
        row, rows, block, blocks = self.window
        left, right, top, bottom = self.pads
        return {
            "pad_value": self.pad_value, "height": self.height, "width": self.width, "pad_left": left, "pad_right": right, "pad_top": top,
            "pad_bottom": bottom, "repeat_stride": self.repeat[0], "repeat_time": self.repeat[1], "repeat_mode": self.repeat[2],
            "channels": self.c1 * per_block, "k_extension": blocks * per_block, "m_extension": rows, "k_start": block * per_block,
            "m_start": row, "filter_h": self.filter[0], "filter_w": self.filter[1], "stride_h": self.stride[0], "stride_w": self.stride[1],
            "dilation_h": self.dilation[0], "dilation_w": self.dilation[1], "transpose": self.transpose,
        }  # fmt: skip


def im2col(load: Load, fmap: np.ndarray) -> np.ndarray:
    """The whole matrix: rows are places of the filter, columns (c1, fh, fw, c0)."""
    left, right, top, bottom = load.pads
    padded = np.pad(fmap, ((0, 0), (top, bottom), (left, right), (0, 0)), constant_values=load.pad_value)
    (ho, wo), (fh, fw) = load.places, load.filter
    rows = []
    for h in range(ho):
        for w in range(wo):
            here = [
                padded[c, h * load.stride[0] + y * load.dilation[0], w * load.stride[1] + x * load.dilation[1]]
                for c in range(load.c1) for y in range(fh) for x in range(fw)
            ]  # fmt: skip
            rows.append(np.concatenate(here))
    return np.array(rows)


def tile_of(load: Load, matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The windows side by side, each of whole fractals in height, and which of their elements exist."""
    c0, (row, rows, block, blocks), (stride, time, mode) = c0_of(load.dtype), load.window, load.repeat
    parts, kept = [], []
    for i in range(time):
        m, k = row + (i * stride * 16 if mode == 0 else 0), (block + (i * stride if mode == 1 else 0)) * c0
        part = np.zeros((up(rows, 16), blocks * c0), matrix.dtype)
        there = np.zeros(part.shape, bool)
        found = matrix[m : m + rows, k : k + blocks * c0]
        part[: found.shape[0]] = found
        there[: found.shape[0]] = True
        parts.append(part)
        kept.append(there)
    return np.concatenate(parts, axis=mode), np.concatenate(kept, axis=mode)


def fractals(tile: np.ndarray, c0: int) -> np.ndarray:
    """Zz: fractals of 16 rows by c0, row by row."""
    padded = np.pad(tile, ((0, -tile.shape[0] % 16), (0, -tile.shape[1] % c0)))
    m, k = padded.shape
    return padded.reshape(m // 16, 16, k // c0, c0).transpose(0, 2, 1, 3)


def expected(load: Load, fmap: np.ndarray, memory: str) -> tuple[np.ndarray, np.ndarray]:
    tile, there = tile_of(load, im2col(load, fmap))
    c0 = c0_of(load.dtype)
    if memory == "L0A":
        return tuple(fractals(x.T if load.transpose else x, c0) for x in (tile, there))  # type: ignore[return-value]
    # L0B: B = tile, K x N; fractals (K / c0, N / 16), each 16 columns n by c0 of k
    return tuple(fractals(x.T, c0).transpose(1, 0, 2, 3) for x in (tile, there))  # type: ignore[return-value]


def check(load: Load, memory: str, seed: int = 0) -> None:
    rng = np.random.default_rng(seed)
    word = WORDS[load.dtype]
    fmap = rng.integers(0, np.iinfo(word).max, (load.c1, load.height, load.width, c0_of(load.dtype)), word, endpoint=True)
    values, there = expected(load, fmap, memory)
    before = np.full(values.shape, UNTOUCHED, np.uint8 if word == np.uint8 else word)
    source = fmap.tobytes()
    result = run(
        "load_3d", {"L1": bytes(64) + source, memory: before.tobytes()}, pipe="MTE1", dtype=load.dtype,
        dst=at(memory, 0, before.nbytes), src=at("L1", 64, len(source)), **load.fields(),
    )  # fmt: skip
    np.testing.assert_array_equal(np.frombuffer(result[memory], word).reshape(values.shape), np.where(there, values, before))


PLAIN = Load("half", c1=4, height=1, width=48, window=(0, 48, 0, 4))
CONV = Load("half", c1=2, height=7, width=9, pads=(1, 1, 1, 1), filter=(3, 3), window=(0, 63, 0, 18))


@pytest.mark.requirement("lib-54")
@pytest.mark.parametrize("dtype", ["i4", "i8", "half", "bf16", "f32", "i32"])
@pytest.mark.parametrize("window", [(0, 48, 0, 4), (16, 32, 1, 2), (5, 16, 3, 1), (0, 37, 0, 4), (40, 8, 0, 4)])
def test_a_plain_matrix_becomes_fractals_of_l0a(dtype: str, window: tuple[int, int, int, int]) -> None:
    check(replace(PLAIN, dtype=dtype, window=window), "L0A")


@pytest.mark.requirement("lib-54")
@pytest.mark.parametrize("dtype", ["i8", "half", "f32"])
@pytest.mark.parametrize("filter_", [(1, 1), (3, 3), (2, 5)])
@pytest.mark.parametrize("stride", [(1, 1), (2, 2), (1, 3)])
@pytest.mark.parametrize("dilation", [(1, 1), (2, 1)])
@pytest.mark.parametrize("pads", [(0, 0, 0, 0), (1, 2, 2, 0)])
def test_a_filter_over_a_map_is_im2col(
    dtype: str, filter_: tuple[int, int], stride: tuple[int, int], dilation: tuple[int, int], pads: tuple[int, int, int, int]
) -> None:
    load = replace(CONV, dtype=dtype, filter=filter_, stride=stride, dilation=dilation, pads=pads)
    rows = load.places[0] * load.places[1]
    check(replace(load, window=(0, rows, 0, 2 * filter_[0] * filter_[1])), "L0A")


@pytest.mark.requirement("lib-54")
@pytest.mark.parametrize("dtype", ["half", "f32"])
@pytest.mark.parametrize(("memory", "transpose"), [("L0A", True), ("L0B", False), ("L0B", True)])
@pytest.mark.parametrize("load", [PLAIN, CONV, replace(PLAIN, window=(3, 21, 1, 3)), replace(CONV, window=(16, 30, 2, 5))], ids=range(4))
def test_windows_are_transposed_into_l0b_and_on_demand_into_l0a(dtype: str, memory: str, transpose: bool, load: Load) -> None:
    check(replace(load, dtype=dtype, transpose=transpose), memory)


WAYS = [("i8", False, "L0A"), *product(["half", "f32"], [False, True], ["L0A", "L0B"])]  # 8 bits go to L0A only, as they are


@pytest.mark.requirement("lib-54")
@pytest.mark.parametrize(("dtype", "transpose", "memory"), WAYS)
@pytest.mark.parametrize("mode", [0, 1])
def test_repeats_put_windows_side_by_side(dtype: str, transpose: bool, mode: int, memory: str) -> None:
    window = (0, 16, 0, 4) if mode == 0 else (0, 48, 0, 1)
    check(replace(PLAIN, dtype=dtype, c1=6, window=window, repeat=(1 if mode == 0 else 2, 3, mode), transpose=transpose), memory)


@pytest.mark.requirement("lib-54")
@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_random_windows_follow_the_definition(data: st.DataObject) -> None:
    pick = lambda low, high: data.draw(st.integers(low, high))  # noqa: E731
    dtype = data.draw(st.sampled_from(["i8", "half", "f32"]))
    memory = "L0A" if dtype == "i8" else data.draw(st.sampled_from(["L0A", "L0B"]))
    load = Load(
        dtype, c1=pick(1, 3), height=pick(1, 9), width=pick(1, 12), pads=(pick(0, 3), pick(0, 3), pick(0, 3), pick(0, 3)),
        filter=(pick(1, 4), pick(1, 4)), stride=(pick(1, 3), pick(1, 3)), dilation=(pick(1, 2), pick(1, 2)),
        transpose=dtype != "i8" and data.draw(st.booleans()), pad_value=pick(0, 200),
    )  # fmt: skip
    if min(load.places) < 1 or any((f - 1) * d + 1 > s + p for f, d, s, p in [
        (load.filter[0], load.dilation[0], load.height, load.pads[2] + load.pads[3]),
        (load.filter[1], load.dilation[1], load.width, load.pads[0] + load.pads[1]),
    ]):  # fmt: skip
        return
    rows, blocks = load.places[0] * load.places[1], load.c1 * load.filter[0] * load.filter[1]
    first, block = pick(0, rows - 1), pick(0, blocks - 1)
    window = (first, pick(1, min(rows - first, 64)), block, pick(1, min(blocks - block, 12)))
    check(replace(load, window=window), memory, seed=rows)


@pytest.mark.requirement("lib-54")
def test_reading_goes_on_at_the_start_of_l1_behind_the_boundary() -> None:
    l1 = np.random.default_rng(1).integers(0, 65536, 1024, np.uint16)  # 2048 bytes
    load = replace(PLAIN, c1=1, width=32, window=(0, 32, 0, 1))
    fields = load.fields() | {"boundary": 1536}
    result = run("load_3d", {"L1": l1.tobytes(), "L0A": bytes(1024)}, pipe="MTE1", dst=at("L0A"), src=at("L1", 1024, 512), **fields)
    assert result["L0A"] == l1[512:768].tobytes() + l1[:256].tobytes()


@pytest.mark.requirement("lib-54")
@pytest.mark.parametrize("nothing", ["height", "width", "channels", "k_extension", "m_extension", "filter_w", "filter_h", "repeat_time"])
def test_what_has_no_size_loads_nothing(nothing: str) -> None:
    before = bytes([UNTOUCHED]) * 4096
    fields = PLAIN.fields() | {nothing: 0}
    assert run("load_3d", {"L1": bytes(6144), "L0A": before}, pipe="MTE1", dst=at("L0A"), src=at("L1"), **fields)["L0A"] == before


@pytest.mark.requirement("lib-54")
@pytest.mark.parametrize(
    ("changes", "kind", "text"),
    [
        ({"dst": at("L0C")}, "unsupported", "moves from L1 .A1, B1. to L0A or L0B"),
        ({"dst": at("L0B"), "dtype": "i8"}, "unsupported", "into L0B .B2. takes element types of 16 and 32 bits"),
        ({"transpose": 1, "dtype": "i8"}, "unsupported", "enTranspose takes element types of 16 and 32 bits"),
        ({"dtype": "i64"}, "unsupported", "8, 16 and 32 bits"),
        ({"channels": 40}, "unsupported", "channelSize of whole blocks of 32 bytes"),
        ({"filter_w": 60}, "unsupported", "the filter is larger than the padded map"),
        ({"k_start": 8}, "field_range", "kStartPt modulo"),
        ({"k_start": 16}, "field_range", "kStartPt . kExtension in blocks"),
        ({"stride_w": 0}, "field_range", "strideW"),
        ({"stride_h": 64}, "field_range", "strideH"),
        ({"boundary": 512}, "field_range", "SetLoadDataBoundary"),
        ({"height": 40000}, "field_range", "l1H"),
        ({"m_start": 40000}, "field_range", "mStartPt"),
        ({"dst": at("L0A", 256)}, "misaligned", "L0A"),
        ({"src": at("L1", 16)}, "misaligned", "L1"),
        ({"src": at("L1", 0, 6143)}, "out_of_bounds", "L1"),
        ({"dst": at("L0A", 0, 6143)}, "out_of_bounds", "L0A"),
    ],
)
def test_what_load_3d_may_not_do_is_refused(changes: dict[str, Any], kind: str, text: str) -> None:
    given = {"dst": at("L0A"), "src": at("L1"), "dtype": "half"} | PLAIN.fields() | changes
    with pytest.raises(RefusedError, match=text) as refused:
        run("load_3d", {"L1": bytes(8192)}, pipe="MTE1", **given)
    assert refused.value.kind == kind
