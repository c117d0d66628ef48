# SPDX-License-Identifier: Apache-2.0
"""fixpipe: results of L0C to global memory and L1, in both layouts and all conversions."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from cube_reference import (
    ATOMIC,
    COLUMN_MAJOR,
    DEQF16,
    F322BF16,
    F322F16,
    LEVELS,
    NO_QUANT,
    NUMPY,
    NZ,
    QF322B8_PRE,
    ROW_MAJOR,
    SATURATE,
    VDEQF16,
    VREQ8,
    RefusedError,
    at,
    fractals_of_c,
    run,
    simd_level,
    up,
    values,
)
from hypothesis import given, settings
from hypothesis import strategies as st

MODES = [(NO_QUANT, "f32", "f32"), (NO_QUANT, "i32", "i32"), (F322F16, "f32", "half"), (F322BF16, "f32", "bf16")]
SHAPES = [(16, 16), (128, 256), (1, 16), (17, 48), (5, 64), (100, 80)]


def converted(c: np.ndarray, dtype: str, relu: bool) -> np.ndarray:
    with np.errstate(all="ignore"):
        return np.where(c <= 0, c.dtype.type(0), c).astype(NUMPY[dtype]) if relu else c.astype(NUMPY[dtype])


def fixpipe(c: np.ndarray, dst: bytes, mode: int, dtype: str, /, *, memory: str = "GM", **changes: Any) -> bytes:
    m, n = c.shape
    source = "i32" if c.dtype == np.int32 else "f32"
    given: dict[str, Any] = {
        "dst": at(memory), "src": at("L0C"), "n": n, "m": m, "src_stride": up(m, 16), "dst_stride": n, "nd_num": 1,
        "quant_mode": mode, "layout": ROW_MAJOR,
    }  # fmt: skip
    memories = {memory: dst, "L0C": fractals_of_c(c).tobytes()} | changes.pop("memories", {})
    return run("fixpipe", memories, pipe="FIX", dtype=dtype, dtype2=source, **(given | changes))[memory]


def as_nz(matrix: np.ndarray, width: int, stride_bytes: int, dst: bytes) -> bytes:
    out = bytearray(dst)
    for group in range(matrix.shape[1] // width):
        block = matrix[:, group * width : (group + 1) * width].tobytes()
        out[group * stride_bytes : group * stride_bytes + len(block)] = block
    return bytes(out)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("mode", "source", "dtype"), MODES)
@pytest.mark.parametrize("shape", [*SHAPES, (3, 1), (20, 21), (33, 100)], ids=str)
@pytest.mark.parametrize("relu", [False, True])
def test_row_major_results_equal_numpy(level: str, mode: int, source: str, dtype: str, shape: tuple[int, int], relu: bool) -> None:
    m, n = shape
    c = values(np.random.default_rng(m), source, shape)
    before = np.full((m, n + 5), 3, NUMPY[dtype])
    with simd_level(level):
        after = fixpipe(c, before.tobytes(), mode, dtype, dst_stride=n + 5, relu=relu)
    expected = before.copy()
    expected[:, :n] = converted(c, dtype, relu)
    assert after == expected.tobytes()


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("memory", ["GM", "L1"])
@pytest.mark.parametrize(("mode", "source", "dtype"), MODES)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_nz_results_equal_numpy(level: str, memory: str, mode: int, source: str, dtype: str, shape: tuple[int, int]) -> None:
    m, n = shape
    c = values(np.random.default_rng(n), source, shape)
    group_bytes = 16 * m * np.dtype(NUMPY[dtype]).itemsize + 64
    before = b"\x5a" * (group_bytes * n // 16)
    with simd_level(level):
        after = fixpipe(c, before, mode, dtype, memory=memory, layout=NZ, dst_stride=group_bytes // 32)
    assert after == as_nz(converted(c, dtype, False), 16, group_bytes, before)


@pytest.mark.requirement("lib-56")
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("shape", [(16, 16), (20, 24), (7, 40)], ids=str)
def test_channel_split_makes_groups_of_eight(level: str, shape: tuple[int, int]) -> None:
    c = values(np.random.default_rng(1), "f32", shape)
    group_bytes = 32 * (shape[0] + 2)
    before = b"\x5a" * (group_bytes * shape[1] // 8)
    with simd_level(level):
        after = fixpipe(c, before, NO_QUANT, "f32", layout=NZ, dst_stride=shape[0] + 2, channel_split=1)
    assert after == as_nz(c, 8, group_bytes, before)


def test_several_matrices_leave_in_one_instruction() -> None:
    rng = np.random.default_rng(2)
    matrices = values(rng, "f32", (3, 20, 30))
    words = b"".join(fractals_of_c(matrix).tobytes() + bytes(1024) for matrix in matrices)  # 4 fractals and a gap of one
    after = fixpipe(
        matrices[0], bytes(3 * 700 * 4), NO_QUANT, "f32", memories={"L0C": words}, nd_num=3, src_nd_stride=5,
        dst_nd_stride=700,
    )  # fmt: skip
    expected = np.zeros((3, 700), np.float32)
    expected[:, :600] = matrices.reshape(3, 600)
    assert after == expected.tobytes()


@pytest.mark.requirement("lib-56")
@pytest.mark.parametrize("level", LEVELS)
def test_narrowing_follows_the_saturation_flag_at_the_edges(level: str) -> None:
    edges = [65504, 65519.996, 65520, -65520, 1e38, np.inf, -np.inf, np.nan, -np.nan, 0.0, -0.0, 6e-8, 3e-8, 2.98e-8]
    edges += [1.00048828125, 1.00146484375, 3.3895314e38, 3.4e38]
    c = np.resize(np.array(edges, np.float32), (2, 32))
    for dtype, mode in (("half", F322F16), ("bf16", F322BF16)):
        kind, largest = NUMPY[dtype], float(ml_dtypes.finfo(NUMPY[dtype]).max)
        with np.errstate(all="ignore"):
            plain = c.astype(kind).astype(np.float32)
        clamped = np.where(np.isnan(plain), 0, np.clip(plain, -largest, largest))
        for ctrl, expected in ((0, plain), (SATURATE, clamped)):
            with simd_level(level):
                after = np.frombuffer(fixpipe(c, bytes(128), mode, dtype, ctrl=ctrl), np.uint16)
            canonical = np.where(np.isnan(expected), np.float32(np.nan), expected).astype(kind)
            np.testing.assert_array_equal(after, canonical.view(np.uint16).ravel())


def scale_word(scale: float) -> int:
    return int(np.float32(scale).view(np.uint32)) | 0x1FFF | 5 << 40  # the low 13 bits and the upper word do not count


@pytest.mark.requirement("lib-56")
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("per_column", [False, True])
def test_dequantisation_scales_int32_to_half(level: str, per_column: bool) -> None:
    rng = np.random.default_rng(3)
    c = rng.integers(-(1 << 20), 1 << 20, (20, 40), np.int32)
    scales = (2.0 ** rng.integers(-12, -6, 40) * 1.25).astype(np.float32)
    words = np.array([scale_word(s) for s in scales], np.uint64)
    given: dict[str, Any] = {"deq_scalar": int(words[0])}
    if per_column:
        given = {"quant": at("L1"), "memories": {"L1": words.tobytes()}}
    with simd_level(level):
        after = fixpipe(c, bytes(1600), VDEQF16 if per_column else DEQF16, "half", **given)
    with np.errstate(over="ignore"):
        expected = (c.astype(np.float32) * (scales if per_column else scales[0])).astype(np.float16)
    assert after == expected.tobytes()


@pytest.mark.parametrize(("mode", "source", "dtype"), MODES)
@pytest.mark.parametrize("layout", [ROW_MAJOR, NZ])
def test_atomic_results_are_added_to_global_memory(mode: int, source: str, dtype: str, layout: int) -> None:
    rng = np.random.default_rng(4)
    c, old = values(rng, source, (20, 48)), values(rng, dtype, (20, 48))
    group_bytes = 16 * 20 * old.itemsize
    stride = group_bytes // 32 if layout == NZ else 48
    before = as_nz(old, 16, group_bytes, bytes(old.nbytes)) if layout == NZ else old.tobytes()
    after = fixpipe(c, before, mode, dtype, layout=layout, dst_stride=stride, atomic=ATOMIC["add"])
    wide = np.int64 if dtype == "i32" else np.float32
    expected = (old.astype(wide) + converted(c, dtype, False).astype(wide)).astype(NUMPY[dtype])
    assert after == (as_nz(expected, 16, group_bytes, before) if layout == NZ else expected.tobytes())


@settings(max_examples=40, deadline=None)
@given(
    which=st.sampled_from(MODES), m=st.integers(1, 40), n=st.integers(1, 70), nz=st.booleans(), relu=st.booleans(), slack=st.integers(0, 9),
    far=st.integers(0, 3),
)  # fmt: skip
def test_random_shapes_and_strides_equal_numpy(
    which: tuple[int, str, str], m: int, n: int, nz: bool, relu: bool, slack: int, far: int
) -> None:
    mode, source, dtype = which
    n = up(n, 16) if nz else n
    c = values(np.random.default_rng(m * 100 + n), source, (m, n))
    groups = fractals_of_c(c).reshape(up(n, 16) // 16, -1)
    gapped = np.pad(groups, ((0, 0), (0, far * 256)))  # column groups of L0C further apart
    size = np.dtype(NUMPY[dtype]).itemsize
    pitch = 16 * m * size // 32 + 1 + slack if nz else n + slack
    before = b"\x5a" * (32 * pitch * n // 16 if nz else pitch * m * size)
    layout = {"layout": NZ if nz else ROW_MAJOR, "dst_stride": pitch}
    after = fixpipe(
        c, before, mode, dtype, relu=relu, src_stride=up(m, 16) + 16 * far, memories={"L0C": gapped.tobytes()}, **layout
    )  # fmt: skip
    result = converted(c, dtype, relu)
    if nz:
        assert after == as_nz(result, 16, 32 * pitch, before)
    else:
        rows = np.frombuffer(before, NUMPY[dtype]).reshape(m, pitch).copy()
        rows[:, :n] = result
        assert after == rows.tobytes()


@pytest.mark.parametrize("changes", [{"n": 0}, {"m": 0}])
def test_an_empty_matrix_writes_nothing(changes: dict[str, int]) -> None:
    before = b"\x5a" * 1024
    assert fixpipe(np.ones((16, 16), np.float32), before, NO_QUANT, "f32", **changes) == before


@pytest.mark.parametrize(
    ("changes", "kind", "text"),
    [
        ({"mode": VREQ8}, "unsupported", "REQ8 and VREQ8 .int32_t to int8_t or uint8_t"),
        ({"mode": QF322B8_PRE}, "unsupported", "QF322B8_PRE and VQF322B8_PRE .float to int8_t"),
        ({"mode": F322F16}, "unsupported", "destination's type to match"),
        ({"layout": COLUMN_MAJOR}, "unsupported", "CFG_COLUMN_MAJOR"),
        ({"memory": "L1"}, "unsupported", "or to L1 .CFG_NZ."),
        ({"channel_split": 1}, "unsupported", "isChannelSplit"),
        ({"channel_split": 1, "layout": NZ, "unit_flag": 3}, "unsupported", "takes no unitFlag"),
        ({"channel_split": 1, "layout": NZ, "memory": "L1"}, "unsupported", "isChannelSplit writes to global memory"),
        ({"layout": NZ, "n": 15}, "field_range", "width of a column group"),
        ({"nd_num": 0}, "field_range", "ndNum"),
        ({"n": 4096}, "field_range", "nSize"),
        ({"src": at("L0C", 32)}, "misaligned", "L0C"),
        ({"dst": at("GM", 2)}, "misaligned", "GM"),
        ({"src": at("L0C", 0, 1000)}, "out_of_bounds", "L0C"),
        ({"dst": at("GM", 0, 1000)}, "out_of_bounds", "GM"),
        ({"dst_stride": 17}, "gm_out_of_bounds", "span"),
    ],
)
def test_what_fixpipe_may_not_do_is_refused(changes: dict[str, Any], kind: str, text: str) -> None:
    mode = changes.pop("mode", NO_QUANT)
    with pytest.raises(RefusedError, match=text) as refused:
        fixpipe(np.ones((16, 16), np.float32), bytes(1024), mode, "f32", **changes)
    assert refused.value.kind == kind
