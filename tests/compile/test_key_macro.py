# SPDX-License-Identifier: Apache-2.0
"""#if on TILING_KEY_VAR: a version of the kernel for each key."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from aclimb import Buffer, Kernel, LaunchConfig, Stream, launch
from aclimb.binary import KernelBinary
from aclimb.errors import CompileError

Build = Callable[..., KernelBinary]
KERNEL = """
#define LARGE 30000000001
constexpr int kRest = 100;
extern "C" __global__ __aicore__ void chosen(__gm__ int32_t* y) {
    TILING_KEY_IS(1);
    TILING_KEY_IS(LARGE);
#if TILING_KEY_VAR == 1
    y[0] = 11;
#elif (TILING_KEY_VAR == 0x2UL) || TILING_KEY_VAR == 4
    int only_here = 22;
    y[0] = only_here + TILING_KEY_VAR;
#elif TILING_KEY_VAR == LARGE
    y[0] = 33;
#endif
    if (TILING_KEY_IS(4)) y[1] = kRest;
}
extern "C" __global__ __aicore__ void same(__gm__ int32_t* y) { y[0] = 5; }
"""


def ran(binary: KernelBinary, name: str, key: int | None) -> list[int]:
    y, stream = Buffer.from_array(np.zeros(2, np.int32)), Stream()
    launch(stream, LaunchConfig(num_blocks=1, tiling_key=key), Kernel(binary, name), y)
    return y.to_numpy().tolist()


def test_each_key_runs_what_the_preprocessor_leaves_for_it(compiler: str, build: Build) -> None:
    binary = build(KERNEL)
    assert binary.kernel_info("chosen").tiling_keys == (1, 2, 4, 30000000001)
    assert {key: ran(binary, "chosen", key) for key in (1, 2, 4, 30000000001)} == {
        1: [11, 0],
        2: [24, 0],
        4: [26, 100],
        30000000001: [33, 0],
    }
    assert binary.kernel_info("same").tiling_keys == ()
    assert ran(binary, "same", None) == [5, 0]


def test_one_key_can_be_fixed(build: Build) -> None:
    binary = build(KERNEL, defines={"TILING_KEY_VAR": 2})
    assert ran(binary, "chosen", 2) == [24, 0]


def test_both_sides_of_a_mixed_kernel_have_their_versions(build: Build) -> None:
    text = """
    extern "C" __global__ __aicore__ void f(__gm__ int32_t* y) {
        AscendC::Mmad(); AscendC::Vector();
    #if TILING_KEY_VAR == 3
        if ASCEND_IS_AIC { y[0] = 3; } else { y[1] = 30; }
    #elif TILING_KEY_VAR == 5
        if ASCEND_IS_AIC { y[0] = 5; } else { y[1] = 50; }
    #endif
    }
    """
    binary = build('#include "aclimb/core_type.h"\n' + text)
    assert set(binary.images) == {"aic", "aiv"}
    assert [ran(binary, "f", key) for key in (3, 5)] == [[3, 30], [5, 50]]


def test_an_error_in_one_version_is_at_its_line(build: Build) -> None:
    with pytest.raises(CompileError) as caught:
        build(KERNEL.replace("only_here + TILING_KEY_VAR", "no_such_name"))
    (found,) = caught.value.diagnostics
    assert found.line == 12
    assert "no_such_name" in found.text


def test_what_the_key_decides_outside_of_kernels_is_refused(build: Build) -> None:
    text = KERNEL.replace(
        "constexpr int kRest = 100;", "#if TILING_KEY_VAR == 1\nconstexpr int kRest = 1;\n#else\nconstexpr int kRest = 100;\n#endif"
    )
    with pytest.raises(
        CompileError,
        match=r"^kernel\.cpp is another source when TILING_KEY_VAR is 2, at .*kernel\.cpp:7, outside of its kernels; what a key"
        r' decides may differ inside a kernel only, or build one key at a time with defines=\{"TILING_KEY_VAR": 2\}$',
    ):
        build(text)
    assert ran(build(text, defines={"TILING_KEY_VAR": 4}), "chosen", 4) == [26, 100]


def test_a_source_that_names_no_key_is_told_how(build: Build) -> None:
    with pytest.raises(CompileError, match=r"^kernel\.cpp has conditions of the preprocessor on TILING_KEY_VAR and names no key; name its"):
        build('extern "C" __global__ __aicore__ void f(__gm__ int32_t* y) {\n#if TILING_KEY_VAR & 1\ny[0] = 1;\n#endif\n}')


def test_a_kernel_template_says_what_to_write_instead(build: Build) -> None:
    body = "#if TILING_KEY_VAR == 1\ny[0] = n;\n#elif TILING_KEY_VAR == 2\n#endif\n"
    text = f"template <int n> __global__ __aicore__ void f(__gm__ int32_t* y) {{\n{body}}}"
    with pytest.raises(CompileError, match=r"^kernel template f<3> is another one for each TILING_KEY_VAR; write the key as a template"):
        build(text, instances=["f<3>"])


def test_a_struct_by_key_is_refused_beside_conditions_on_the_key(build: Build) -> None:
    text = """
    struct A { int a; }; struct B { int a[2]; };
    extern "C" __global__ __aicore__ void f(__gm__ int32_t* y, GM_ADDR tiling) {
        REGISTER_TILING_DEFAULT(A); REGISTER_TILING_FOR_TILINGKEY("TILING_KEY_VAR == 2", B);
        GET_TILING_DATA(data, tiling);
        TILING_KEY_IS(2);
    #if TILING_KEY_VAR == 2
        y[0] = data.a[0];
    #endif
    }
    """
    with pytest.raises(
        CompileError, match=r"^kernel f asks the preprocessor for TILING_KEY_VAR and takes its tiling struct by key .*WITH_STRUCT"
    ):
        build(text)
