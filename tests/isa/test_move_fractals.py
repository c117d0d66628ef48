# SPDX-License-Identifier: Apache-2.0
"""nd2nz, load_2d and fill: how fractals come into L1, L0A and L0B."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from cube_reference import NUMPY, RefusedError, at, c0_of, run, up, values
from hypothesis import given, settings
from hypothesis import strategies as st

L1_BYTES = 65536
UNTOUCHED = 0x5A


def nd2nz_model(src: np.ndarray, dtype: str, p: dict[str, int]) -> np.ndarray:
    """The documented address formula, element by element; row tails become zero."""
    c0 = c0_of(dtype)
    dst = np.full(L1_BYTES, UNTOUCHED, np.uint8).view(NUMPY[dtype])
    for d in range(p["nd_num"]):
        for r in range(p["n_value"]):
            for c in range(up(p["d_value"], c0)):
                to = d * p["dst_nd_stride"] + c // c0 * p["dst_c0_stride"] * c0 + r * p["dst_n_stride"] * c0 + c % c0
                inside = c < p["d_value"]
                dst[to] = src[d * p["src_nd_stride"] + r * p["src_d_value"] + c] if inside else 0
    return dst


@settings(max_examples=40, deadline=None)
@given(
    dtype=st.sampled_from(["i8", "half", "f32"]),
    rows=st.integers(1, 40),
    columns=st.integers(1, 70),
    pitch_slack=st.integers(0, 9),
    group_slack=st.integers(0, 3),
    row_stride=st.integers(1, 2),
    matrices=st.integers(1, 2),
)
def test_nd2nz_follows_the_formula(
    dtype: str, rows: int, columns: int, pitch_slack: int, group_slack: int, row_stride: int, matrices: int
) -> None:
    c0, pitch = c0_of(dtype), columns + pitch_slack
    groups, group = up(columns, c0) // c0, rows * row_stride + group_slack
    p = {
        "nd_num": matrices, "n_value": rows, "d_value": columns, "src_d_value": pitch, "dst_c0_stride": group,
        "dst_n_stride": row_stride, "src_nd_stride": rows * pitch + 3, "dst_nd_stride": groups * group * c0,
    }  # fmt: skip
    src = values(np.random.default_rng(rows), dtype, (matrices * (rows * pitch + 3),))
    result = run(
        "nd2nz", {"GM": src.tobytes(), "L1": bytes([UNTOUCHED]) * L1_BYTES}, dtype=dtype, dst=at("L1"),
        src=at("GM"), **p,
    )  # fmt: skip
    expected = nd2nz_model(src, dtype, p)
    assert result["L1"] == expected.tobytes()


def nd2nz_values(**changes: Any) -> dict[str, Any]:
    p: dict[str, Any] = {
        "nd_num": 1, "n_value": 16, "d_value": 16, "src_d_value": 16, "dst_c0_stride": 16, "dst_n_stride": 1,
        "src_nd_stride": 0, "dst_nd_stride": 0, "dst": at("L1", 0, 512), "src": at("GM"),
    }  # fmt: skip
    return p | changes


@pytest.mark.parametrize(
    ("changes", "kind", "facts"),
    [
        ({"n_value": 17}, "gm_out_of_bounds", {"operand": 1}),
        ({"dst": at("L1", 0, 480)}, "out_of_bounds", {"operand": 0, "span": 512}),
        ({"dst": at("L1", 16)}, "misaligned", {"alignment": 32}),
        ({"nd_num": 4096}, "field_range", {"value": 4096, "highest": 4095}),
        ({"n_value": 16385}, "field_range", {"value": 16385}),
        ({"src_d_value": 0}, "field_range", {"lowest": 1}),
        ({"dtype": "i64"}, "unsupported", {}),
    ],
)
def test_what_nd2nz_may_not_do_is_refused(changes: dict[str, Any], kind: str, facts: dict[str, int]) -> None:
    with pytest.raises(RefusedError) as refused:
        run("nd2nz", {"GM": bytes(512), "L1": bytes(1024)}, **nd2nz_values(**changes))
    assert refused.value.kind == kind
    assert facts.items() <= refused.value.numbers.items()


@pytest.mark.parametrize("changes", [{"nd_num": 0}, {"n_value": 0}, {"d_value": 0}])
def test_nd2nz_of_nothing_leaves_l1_alone(changes: dict[str, int]) -> None:
    l1 = np.random.default_rng(1).bytes(512)
    assert run("nd2nz", {"GM": bytes(512), "L1": l1}, **nd2nz_values(**changes))["L1"] == l1


@pytest.mark.parametrize("source", ["L1", "GM"])
@pytest.mark.parametrize(("dst", "repeat", "start", "stride", "gap"), [("L0A", 4, 1, 2, 0), ("L0B", 3, 0, 1, 2), ("L0A", 5, 2, 0, 1)])
@pytest.mark.parametrize("transpose", [False, True])
def test_load_2d_moves_and_transposes_whole_fractals(
    source: str, dst: str, repeat: int, start: int, stride: int, gap: int, transpose: bool
) -> None:
    src = values(np.random.default_rng(2), "i16", (16, 16, 16))
    before = bytes([UNTOUCHED]) * 8192
    result = run(
        "load_2d", {source: src.tobytes(), dst: before}, pipe="MTE1", dst=at(dst), src=at(source), start_index=start,
        src_stride=stride, dst_gap=gap, repeat=repeat, transpose=transpose,
    )  # fmt: skip
    expected = np.frombuffer(before, np.int16).reshape(16, 16, 16).copy()
    for i in range(repeat):
        fractal = src[start + i * stride]
        expected[i * (1 + gap)] = fractal.T if transpose else fractal
    assert result[dst] == expected.tobytes()


@pytest.mark.parametrize(
    ("changes", "kind", "text"),
    [
        ({"transpose": 1, "dtype": "f32"}, "unsupported", "element types of 16 bits"),
        ({"transpose": 1, "dtype": "i8"}, "unsupported", "element types of 16 bits"),
        ({"address_mode": 1}, "unsupported", "addrMode 1 .descending addresses. goes from global memory to L1 only"),
        ({"dst": at("L0C")}, "unsupported", "to L0A or L0B"),
        ({"start_index": 1024}, "out_of_bounds", "L1"),
        ({"repeat": 129}, "out_of_bounds", "L0A"),
        ({"dst": at("L0A", 256)}, "misaligned", "L0A"),
    ],
)
def test_what_load_2d_may_not_do_is_refused(changes: dict[str, Any], kind: str, text: str) -> None:
    given: dict[str, Any] = {"dst": at("L0A"), "src": at("L1"), "repeat": 1, "src_stride": 1}
    with pytest.raises(RefusedError, match=text) as refused:
        run("load_2d", {"L1": bytes(2048)}, pipe="MTE1", **(given | changes))
    assert refused.value.kind == kind


def test_load_2d_from_global_memory_to_l1_may_count_down() -> None:
    src = values(np.random.default_rng(3), "i16", (16, 256))
    given: dict[str, Any] = {"dst": at("L1"), "src": at("GM"), "start_index": 9, "src_stride": 2, "repeat": 4, "address_mode": 1}
    result = run("load_2d", {"GM": src.tobytes(), "L1": bytes(2048)}, **given)
    assert result["L1"] == src[[9, 7, 5, 3]].tobytes()
    with pytest.raises(RefusedError, match="startIndex with addrMode 1") as refused:
        run("load_2d", {"GM": src.tobytes(), "L1": bytes(4096)}, **(given | {"repeat": 6}))
    assert refused.value.kind == "field_range"


@pytest.mark.parametrize(("memory", "unit"), [("L1", 32), ("L0A", 512), ("L0B", 512)])
@pytest.mark.parametrize(("element", "value"), [(2, 0x3C01), (4, 0x3F800001)])
def test_fill_writes_a_constant_into_blocks_with_gaps(memory: str, unit: int, element: int, value: int) -> None:
    before = bytes([UNTOUCHED]) * 16384
    result = run(
        "fill", {memory: before}, pipe="MTE1", dst=at(memory, unit), value=value, repeat=3, blocks=2, dst_gap=1,
        element=element,
    )  # fmt: skip
    expected = bytearray(before)
    for i in range(3):
        expected[unit * (1 + 3 * i) : unit * (3 + 3 * i)] = value.to_bytes(element, "little") * (2 * unit // element)
    assert result[memory] == bytes(expected)


def test_fill_of_a_type_it_does_not_have_is_refused() -> None:
    with pytest.raises(RefusedError, match="InitConstValue takes half, bfloat16_t"):
        run("fill", {"L1": bytes(64)}, dst=at("L1"), value=1, repeat=1, blocks=1, element=1)
