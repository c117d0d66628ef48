# SPDX-License-Identifier: Apache-2.0
"""What the operator compiler adds to a kernel source: types of parameters as macros, structs of the host's description."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import numpy as np
import pytest

from aclimb import Buffer, Kernel, LaunchConfig, Stream, launch
from aclimb.binary import KernelBinary
from aclimb.errors import CompileError

Build = Callable[..., KernelBinary]
KERNEL = """
extern "C" __global__ __aicore__ void f(GM_ADDR x, GM_ADDR y) {
    DTYPE_X first;
    ((__gm__ int32_t*)y)[0] = sizeof(first);
#if ORIG_DTYPE_X == DT_BF16 && FORMAT_X == FORMAT_FRACTAL_NZ
    ((__gm__ int32_t*)y)[1] = 1;
#elif ORIG_DTYPE_X == DT_INT8
    ((__gm__ int32_t*)y)[1] = 2;
#endif
}
"""


@pytest.mark.requirement("lib-61")
@pytest.mark.usefixtures("real_headers")
@pytest.mark.parametrize(
    ("dtype", "code", "layout", "expected"),
    [("bfloat16_t", "DT_BF16", "FORMAT_FRACTAL_NZ", [2, 1]), ("int8_t", "DT_INT8", "FORMAT_ND", [1, 2])],
)
def test_types_of_parameters_come_as_defines(dtype: str, code: str, layout: str, expected: list[int], build: Build) -> None:
    kernel = Kernel(build(KERNEL, defines={"DTYPE_X": dtype, "ORIG_DTYPE_X": code, "FORMAT_X": layout}))
    y, stream = Buffer(2, "int32"), Stream()
    launch(stream, LaunchConfig(num_blocks=1), kernel, y, y)
    assert y.to_numpy().tolist() == expected


def test_a_type_that_is_not_defined_says_who_defines_it(compiler: str, build: Build) -> None:
    with pytest.raises(CompileError) as caught:
        build('extern "C" __global__ __aicore__ void f(GM_ADDR x_in) { DTYPE_X_IN first; }')
    assert caught.value.diagnostics[0].text == (
        "DTYPE_X_IN is not defined: an operator project sets it for each build, from a parameter x_in of the operator;"
        ' elsewhere give it with defines={"DTYPE_X_IN": "half"} or -D'
    )


TILED = """
struct Lengths {{ uint32_t total; }};
REGISTER_TILING_DEFAULT(Lengths);
extern "C" __global__ __aicore__ void f(GM_ADDR y, GM_ADDR tiling) {{
    GET_TILING_DATA{};
    *(__gm__ uint32_t*)y = data.{};
}}
"""


@pytest.mark.parametrize(
    ("call", "field", "text"),
    [
        ("(data, tiling)", "totel", "Lengths has no field totel"),
        ("_WITH_STRUCT(OtherTiling, data, tiling)", "total",
         "there is no tiling struct OtherTiling: a header declares it, or the host code, with REGISTER_TILING_DATA_CLASS"),
    ],
)  # fmt: skip
def test_a_misspelt_name_of_tiling_data_is_named(build: Build, call: str, field: str, text: str) -> None:
    with pytest.raises(CompileError) as caught:
        build(TILED.format(call, field))
    assert caught.value.diagnostics[0].text in (text, "no member named 'totel' in 'Lengths'")  # clang's words are plain
    build(TILED.format("(data, tiling)", "total"))


STRUCTS = """
namespace optiling {
BEGIN_TILING_DATA_DEF(Inner)
TILING_DATA_FIELD_DEF(uint32_t, a);
TILING_DATA_FIELD_DEF(uint8_t, b);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(InnerOp, Inner)
BEGIN_TILING_DATA_DEF(Outer)
TILING_DATA_FIELD_DEF(uint32_t, first);
TILING_DATA_FIELD_DEF_STRUCT(Inner, inner);
TILING_DATA_FIELD_DEF_ARR(uint16_t, 3, list);
TILING_DATA_FIELD_DEF(float, last);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(Add, Outer)
}
extern "C" __global__ __aicore__ void f(GM_ADDR tiling, __gm__ int32_t* y) {
    REGISTER_TILING_DEFAULT(optiling::Outer);
    GET_TILING_DATA(data, tiling);
    y[0] = data.first; y[1] = data.inner.a; y[2] = data.inner.b; y[3] = data.list[2]; y[4] = static_cast<int32_t>(data.last);
    y[5] = sizeof(data);
}
"""


def test_a_struct_of_the_hosts_description_has_the_hosts_bytes(compiler: str, build: Build) -> None:
    # first, 4 bytes of padding, inner with 3 bytes of padding, list, 2 bytes of padding, last; 32 in all
    data = b"".join(
        [(7).to_bytes(4, "little"), bytes(4), (8).to_bytes(4, "little"), b"\x09", bytes(3), np.array([1, 2, 10], "<u2").tobytes(), bytes(2),
         bytes(ctypes.c_float(11.0)), bytes(4)]
    )  # fmt: skip
    y, stream = Buffer(6, "int32"), Stream()
    launch(stream, LaunchConfig(num_blocks=1), Kernel(build(STRUCTS)), Buffer.from_array(np.frombuffer(data, np.uint8)), y)
    assert y.to_numpy().tolist() == [7, 8, 9, 10, 11, 32]
