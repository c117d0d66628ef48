# SPDX-License-Identifier: Apache-2.0
"""A variable that the host fills when it starts is 0 in a kernel, so a kernel that reads it does not build."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from aclimb import Buffer, Kernel, KernelBinary, LaunchConfig, Stream, launch
from aclimb.errors import CompileError

Build = Callable[..., KernelBinary]
Write = Callable[..., Path]

PROGRAM = """#include "kernel_operator.h"
#include <cstdlib>
#include <vector>
static float from_host(float x) {{ return x + static_cast<float>(std::atoi("2")); }}
static std::vector<float> all{{1.0f, 2.0f}};
const float only_host = from_host(1.0f);
{variable}
extern "C" __global__ __aicore__ void f(__gm__ float* y) {{ y[0] = {use}; }}
int main() {{
    f<<<1, nullptr, nullptr>>>(static_cast<float*>(nullptr));
    return static_cast<int>(all.size() + only_host);
}}
"""


def value_of(binary: KernelBinary) -> float:
    y = Buffer(1, np.float32)
    launch(Stream(), LaunchConfig(num_blocks=1), Kernel(binary), y)
    return float(y.to_numpy()[0])


FROM_HOST = [
    ("const float k = from_host(1.5f);", "k", "k"),
    ("namespace deep { struct S { S(float v) : a(v) {} float a; }; S s(from_host(1)); }", "deep::s.a", "deep::s"),
    ("namespace { float table[2] = {from_host(1), from_host(2)}; }", "table[1]", "table"),
    ("struct Holder { static inline const float m = from_host(2); };", "Holder::m", "Holder::m"),
]  # fmt: skip
KNOWN = [
    ("constexpr float k = 1.5f * 2;", "k", 3),
    ("namespace deep { struct S { constexpr S(float v) : a(v) {} float a; }; constexpr S s(4); }", "deep::s.a", 4),
    ("namespace { float table[2] = {1.0f, 2.0f}; }", "table[1]", 2),
    ("struct Holder { static constexpr float m = 5; };", "Holder::m", 5),
]  # fmt: skip


@pytest.mark.parametrize(("variable", "use", "name"), FROM_HOST)
def test_a_kernel_that_reads_what_the_host_computes_is_refused(build: Build, variable: str, use: str, name: str) -> None:
    with pytest.raises(CompileError) as found:
        build(PROGRAM.format(variable=variable, use=use))
    message = str(found.value)
    assert f"{name} gets its value when the host program starts, and a kernel reads it: on the AI Core it would be 0" in message
    assert "make it constexpr, or pass it to the kernel as an argument" in message
    (told,) = found.value.diagnostics
    assert Path(told.file).read_text().splitlines()[told.line - 1] == variable
    assert "only_host" not in message


@pytest.mark.parametrize(("variable", "use", "value"), KNOWN)
def test_what_the_compiler_computes_is_there(build: Build, variable: str, use: str, value: float) -> None:
    assert value_of(build(PROGRAM.format(variable=variable, use=use))) == value


def test_a_kernel_that_reads_it_in_a_function_of_its_own_is_refused(build: Build) -> None:
    text = "const float k = from_host(1.5f);\n__attribute__((noinline)) __aicore__ float get() { return k; }"
    with pytest.raises(CompileError, match="k gets its value when the host program starts"):
        build(PROGRAM.format(variable=text, use="get()"))
    assert value_of(build(PROGRAM.format(variable=text, use="7.0f"))) == 7


@pytest.mark.slow
def test_with_zig_it_is_the_same(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ziglang")
    monkeypatch.setenv("ACLIMB_CXX", "zig")
    for variable, use, name in FROM_HOST:
        test_a_kernel_that_reads_what_the_host_computes_is_refused(build, variable, use, name)
    for variable, use, value in KNOWN:
        test_what_the_compiler_computes_is_there(build, variable, use, value)
