# SPDX-License-Identifier: Apache-2.0
"""Kernels of an operator by the types of a call: which words a source can read, which rows share a build, which kernel a call launches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from op_parts import Register

from aclimb import Stream, op
from aclimb.compile.options import Options
from aclimb.compile.reach import reach
from aclimb.errors import CompileError
from aclimb.op.declare.kernel import KernelSource, differing
from aclimb.op.declare.rows import described

TWICE = """#include "kernel_operator.h"
extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    const uint64_t count = *(__gm__ uint64_t*)tiling;
    for (uint64_t i = 0; i < count; ++i) ((__gm__ DTYPE_Y*)y)[i] = (DTYPE_Y)((__gm__ DTYPE_X*)x)[i] * (DTYPE_Y)2;
}
"""


def rows(*names: str) -> list[dict[str, str]]:
    return [{"x": name, "x.format": "ND", "y": name} for name in names]


def defines(path: Path, *, types: tuple[str, ...] = ("float16", "float32", "bfloat16", "int8")) -> list[dict[str, str]]:
    return [dict(each.defines) for each in KernelSource(path, "Twice").builds(rows(*types))]


def source(folder: Path, text: str) -> Path:
    path = folder / "twice.cpp"
    path.write_text(text)
    return path


def test_a_source_that_reads_no_type_is_built_once(tmp_path: Path) -> None:
    assert defines(source(tmp_path, "// DTYPE_X\n/* ORIG_DTYPE_X */ void f();")) == [{}]


def test_each_type_is_a_build_with_the_words_that_the_source_reads(tmp_path: Path) -> None:
    assert defines(source(tmp_path, "DTYPE_X a;")) == [
        {"DTYPE_X": "half"},
        {"DTYPE_X": "float"},
        {"DTYPE_X": "bfloat16_t"},
        {"DTYPE_X": "int8_t"},
    ]
    assert defines(source(tmp_path, "#if ORIG_DTYPE_X == DT_BF16 && FORMAT_X == FORMAT_ND\n#endif"), types=("bfloat16", "bool")) == [
        {"ORIG_DTYPE_X": "DT_BF16", "FORMAT_X": "FORMAT_ND"},
        {"ORIG_DTYPE_X": "DT_BOOL", "FORMAT_X": "FORMAT_ND"},
    ]


def test_words_of_headers_count_too_and_those_of_a_simulator_do_not(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "types.h").write_text("using T = DTYPE_Y;")
    path = source(tmp_path, '#include "inner/types.h"\n#ifdef __CCE_KT_TEST__\nusing S = DTYPE_X;\n#endif\n')
    assert defines(path, types=("int32", "int64")) == [{"DTYPE_Y": "int32_t"}, {"DTYPE_Y": "int64_t"}]


@pytest.mark.parametrize("text", ['#include "nowhere.h"\n', "#include NAMED\n", "#define TYPE_OF(x) DTYPE_ ## x\n", "CAT(DTYPE_, X) a;\n"])
def test_where_it_cannot_be_known_every_type_is_a_build(text: str, tmp_path: Path) -> None:
    assert [each["DTYPE_X"] for each in defines(source(tmp_path, text))] == ["half", "float", "bfloat16_t", "int8_t"]


def test_options_can_name_a_type_or_a_header_that_does(tmp_path: Path) -> None:
    path = source(tmp_path, "ELEMENT a;")
    for options, count in (
        ({}, 1),
        ({"defines": ["ELEMENT=DTYPE_X"]}, 2),
        ({"extra_flags": ["-DELEMENT=DTYPE_X"]}, 2),
        ({"extra_flags": ["-include", "element.h"]}, 2),
        ({"extra_flags": ["-O3"]}, 1),
    ):
        made = KernelSource(path, "Twice", options=Options.create(**options))  # type: ignore[arg-type]
        assert len(made.builds(rows("float16", "float32"))) == count, options


def test_builds_are_named_after_what_differs(tmp_path: Path) -> None:
    made = KernelSource(source(tmp_path, "DTYPE_X a; DTYPE_Y b; DTYPE_Z c;"), "Twice")
    mixed = [{"x": "float16", "y": "int8", "z": "int32"}, {"x": "float32", "y": "int8", "z": "int32"}]
    assert differing(made.builds(mixed)) == ["half", "float"]
    assert differing(made.builds([*mixed, {"x": "float32", "y": "int8", "z": "int64"}])) == [
        "half_int32_t",
        "float_int32_t",
        "float_int64_t",
    ]


def test_a_header_that_is_not_found_is_named(tmp_path: Path) -> None:
    path = source(tmp_path, '#include <cmath>\n#include "kernel_operator.h"\n#include "lib/math/tanh.h"\n#include "mine/one.h"\n')
    assert reach(path).missing == ("mine/one.h",)
    (tmp_path / "more" / "mine").mkdir(parents=True)
    (tmp_path / "more" / "mine" / "one.h").write_text("#pragma once\n")
    assert reach(path, [tmp_path / "more"]).missing == ()


def operator(path: Path, *, outputs: tuple[str, ...] = ("float16", "float32", "int32")) -> Any:
    made = op.define("Twice").input("x", dtype=["float16", "float32", "int16"]).output("y", dtype=outputs)
    made.infer_shape(lambda ctx: ctx.output_shape.__setitem__(0, ctx.input_shape[0]))

    def tiling(ctx: Any) -> None:
        ctx.num_blocks, ctx.tiling_data = 1, np.uint64(ctx.inputs[0].size).tobytes()

    made.tiling(tiling)
    return made.kernel(path)


def test_a_call_launches_the_kernel_for_its_types(stream: Stream, register: Register, tmp_path: Path) -> None:
    made = operator(source(tmp_path, TWICE))
    register(made)
    for given, got in ((np.float16, np.float16), (np.int16, np.int32), (np.float32, np.float32), (np.float16, np.float16)):
        y = made(np.arange(5, dtype=given), stream=stream)
        stream.synchronize()
        assert y.dtype == got
        np.testing.assert_array_equal(y.to_numpy(), np.arange(0, 10, 2).astype(got))
    plan = made.plan(np.arange(3, dtype=np.int16))
    plan.run(stream=stream)
    stream.synchronize()
    np.testing.assert_array_equal(plan.outputs[0].to_numpy(), [0, 2, 4])


def test_a_type_whose_kernel_does_not_compile_leaves_the_others_usable(stream: Stream, register: Register, tmp_path: Path) -> None:
    made = operator(source(tmp_path, "#if ORIG_DTYPE_X == DT_INT16\n#error no integers\n#endif\n" + TWICE))
    register(made)
    y = made(np.ones(2, np.float32), stream=stream)
    stream.synchronize()
    assert y.to_numpy().tolist() == [2, 2]
    with pytest.raises(CompileError, match="no integers"):
        made(np.ones(2, np.int16), stream=stream)


WHICH = """#include "kernel_operator.h"
extern "C" __global__ __aicore__ void which(GM_ADDR x, GM_ADDR a, GM_ADDR b, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    *(__gm__ int32_t*)y = 100 * sizeof(DTYPE_A) + sizeof(DTYPE_B);
}
"""


def test_inputs_that_are_left_out_do_not_count_as_others(stream: Stream, register: Register, tmp_path: Path) -> None:
    path = tmp_path / "which.cpp"
    path.write_text(WHICH)
    made = op.define("Which").input("x", dtype=["float16", "float16"])
    made.input("a", dtype=["float16", "float32"], optional=True).input("b", dtype=["float32", "float16"], optional=True)
    made.output("y", dtype=["int32", "int32"]).infer_shape(lambda ctx: ctx.output_shape.__setitem__(0, ctx.input_shape[0]))
    made.tiling(lambda ctx: setattr(ctx, "num_blocks", 1))
    register(made.kernel(path))
    half = np.ones(1, np.float16)
    found = [made(half, stream=stream, **given).to_numpy()[0] for given in ({"a": half}, {"b": half}, {"a": half})]
    assert found == [204, 402, 204]


def test_a_folder_of_other_files_under_the_name_of_a_kernel_is_no_folder_of_binaries(tmp_path: Path) -> None:
    (tmp_path / "notes.json").write_text("no JSON")
    (tmp_path / "other.o").write_bytes(b"")
    assert described(tmp_path) == described(tmp_path / "nowhere") == []
