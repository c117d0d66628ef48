# SPDX-License-Identifier: Apache-2.0
"""Attributes in the vendor compiler's spelling, and headers that kernel_operator.h stands in for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from aclimb import Buffer, Kernel, LaunchConfig, Stream, launch
from aclimb.binary import KernelBinary
from aclimb.compile import vendor_words
from aclimb.errors import CompileError

Build = Callable[..., KernelBinary]

KERNEL = """
#define HOST_DEVICE __forceinline__ [host, aicore]
#define DEVICE __forceinline__ [aicore]
struct Counter {
    DEVICE Counter(int first) : value(first) {}
    DEVICE ~Counter() {}
    template <int step> [aicore] inline int next() const { return value + step; }
    HOST_DEVICE static int twice(int x) { return x * 2; }
    int value;
};
__global__ [aicore] void count(__gm__ int32_t* y) {
    const char* text = "[aicore] stays";
    int aicore = 1, list[4] = {5, 6, 7, 8};
    auto captured = [aicore]() { return aicore; };
    auto added = [&](int x) [aicore] { return x + aicore; };
    y[0] = Counter::twice(Counter(3).next<4>());
    y[1] = list[aicore] + captured() + added(10);
    y[2] = text[0] == '[' && text[1] == 'a';
}
"""


@pytest.mark.usefixtures("real_headers")
def test_bracket_attributes_are_read_and_nothing_else_is_taken_for_one(compiler: str, build: Build) -> None:
    kernel, y, stream = Kernel(build(KERNEL)), Buffer(3, "int32"), Stream()
    launch(stream, LaunchConfig(num_blocks=1), kernel, y)
    np.testing.assert_array_equal(y.to_numpy(), [14, 18, 1])


AICORE = """#include "kernel_operator.h"
#undef __aicore__
#define __aicore__ %s
inline __aicore__ int twice(int n) { return kTimes * n; }
extern "C" __global__ __aicore__ void k(__gm__ int32_t* x) { x[0] = twice(21); }
"""


@pytest.mark.usefixtures("real_headers")
@pytest.mark.parametrize("attribute", ["[aicore]", "__attribute__((aicore))"])
@pytest.mark.parametrize("words", [["-include", "{}"], ["--include={}"], ["-imacros", "{macros}", "-include", "{}"]])
def test_a_header_of_the_command_line_is_read_once(attribute: str, words: list[str], compiler: str, build: Build, tmp_path: Path) -> None:
    given, macros = tmp_path / "given.h", tmp_path / "macros.h"
    given.write_text('#include "kernel_operator.h"\nconstexpr int kTimes = 2;\nstruct OnlyOnce {};\n')
    macros.write_text("#define MINE 1\n")
    kernel = Kernel(build(AICORE % attribute, extra_flags=[word.format(given, macros=macros) for word in words]))
    y, stream = Buffer(1, "int32"), Stream()
    launch(stream, LaunchConfig(num_blocks=1), kernel, y)
    assert y.to_numpy()[0] == 42


def test_an_error_beside_a_bracket_attribute_is_at_its_own_line_and_column(build: Build) -> None:
    with pytest.raises(CompileError) as caught:
        build("__global__ [aicore] void f(__gm__ int* y) {\n    auto g = [&]() [aicore] { return unknown_name; };\n}")
    (found,) = caught.value.diagnostics
    assert (found.line, found.column) == (3, 38)


def test_text_keeps_its_length() -> None:
    text = 'inline [ host , aicore ] int f(); "[aicore] x" a[aicore];'
    assert vendor_words.plain(text) == 'inline                   int f(); "[aicore] x" a[aicore];'


@pytest.mark.parametrize(("shares", "expected"), [("1, 2", "MIX_AIC_1_2"), ("1, 1", "MIX_AIC_1_1"), ("0, 1", "MIX_AIV_1_0")])
def test_core_ratio_is_mix(shares: str, expected: str, build: Build) -> None:
    body = "__global__ __aicore__ void f(GM_ADDR x) { AscendC::Vector(); AscendC::Mmad(); }"
    (kernel,) = build(f'extern "C" [[bisheng::core_ratio({shares})]] {body}').kernels
    assert kernel.kernel_type.name == expected


def test_core_ratio_of_other_shares_is_refused_as_mix_is(build: Build) -> None:
    with pytest.raises(CompileError, match=r"kernel f is __mix__\(2, 3\), at .*; it takes \(0, 1\), \(1, 0\), \(1, 1\) or \(1, 2\)$"):
        build("[[bisheng::core_ratio(2, 3)]] __global__ __aicore__ void f(GM_ADDR x) { AscendC::Vector(); }")


FORWARDED = [
    "lib/math/tanh.h",
    "lib/matrix/matmul/tiling.h",
    "adv_api/sort/topk.h",
    "basic_api/kernel_operator_vec_gather_intf.h",
    "basic_api/kernel_basic_intf.h",
    "basic_api/kernel_operator.h",
    "ascendc/basic_api/kernel_operator.h",
    "kernel_operator_block_sync_intf.h",
    "kernel_tensor.h",
    "kernel_tpipe_impl.h",
    "kernel_utils.h",
    "kernel_vec_intf.h",
    "kernel_macros.h",
    "kernel_event.h",
    "kernel_struct_mm.h",
    "utils/std/tuple.h",
    "register/tilingdata_base.h",
]


def test_headers_of_single_groups_bring_kernel_operator(build: Build, tmp_path: Path) -> None:
    (tmp_path / "inner.h").write_text(f'#include "{FORWARDED[-1]}"\n')
    lines = [f'#include "{name}"' for name in FORWARDED[:-1]]
    text = "\n".join([*lines, '#include "inner.h"', "__global__ __aicore__ void f(__gm__ int* y) { y[0] = 1; }"])
    assert build(text).kernel_names == ("f",)


@pytest.mark.usefixtures("real_headers")
@pytest.mark.parametrize("name", ["basic_api/kernel_operator.h", "ascendc/basic_api/kernel_operator.h"])
def test_kernel_operator_by_its_path_in_the_toolkit_brings_everything(name: str, build: Build) -> None:
    """Nothing else includes it: a file of the same name must not find itself."""
    assert build(f'#include "{name}"\n__global__ __aicore__ void f(GM_ADDR y) {{ AscendC::TPipe pipe; }}').kernel_names == ("f",)


@pytest.mark.parametrize("name", ["kernel_of_mine.h", "lib/nothing.txt", "library/x.h", "lib/../x.h"])
def test_other_headers_are_missed(name: str, build: Build) -> None:
    with pytest.raises(CompileError, match=r"No such file or directory|no such header"):
        build(f'#include "{name}"\n__global__ __aicore__ void f(__gm__ int* y) {{ y[0] = 1; }}')


def test_a_header_of_the_users_own_comes_first(build: Build, tmp_path: Path) -> None:
    (tmp_path / "kernel_utils.h").write_text("constexpr int kMine = 3;\n")
    assert build('#include "kernel_utils.h"\n__global__ __aicore__ void f(__gm__ int* y) { y[0] = kMine; }').kernel_names == ("f",)
