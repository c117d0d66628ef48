# SPDX-License-Identifier: Apache-2.0
"""Sources that one compiler takes and another does not."""

from __future__ import annotations

import shutil
from collections.abc import Callable

import numpy as np
import pytest

from aclimb import Buffer, Kernel, LaunchConfig, Stream, launch
from aclimb.binary import KernelBinary
from aclimb.compile import build as builder
from aclimb.compile import toolchain
from aclimb.errors import CompileError

Build = Callable[..., KernelBinary]
KERNEL = """
struct Sizes {
    template <typename T> static int of() { return sizeof(T); }
    template <> int of<char>() { return 100; }
};
extern "C" __global__ __aicore__ void sizes(__gm__ int32_t* y) { y[0] = Sizes::of<int>(); y[1] = Sizes::of<char>(); }
"""


@pytest.fixture(autouse=True)
def gcc() -> None:
    """What g++ does not take. Newer ones than 12 may."""
    if not shutil.which("g++") or toolchain._identify(shutil.which("g++") or "", 0).kind != "gcc":
        pytest.skip("no g++ on this machine")
    pytest.importorskip("ziglang")


def test_a_specialisation_inside_a_class_is_built_by_clang(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    binary = build(KERNEL)
    assert "gcc" not in binary.record.compiler.lower()
    y, stream = Buffer(2, "int32"), Stream()
    launch(stream, LaunchConfig(num_blocks=1), Kernel(binary), y)
    np.testing.assert_array_equal(y.to_numpy(), [4, 100])
    monkeypatch.setattr(builder, "_build_with", lambda *_: pytest.fail("it is in the cache"))
    assert build(KERNEL).record.compiler == binary.record.compiler


def test_who_asks_for_gcc_is_told_which_compiler_takes_it(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACLIMB_CXX", "g++")
    with pytest.raises(CompileError) as caught:
        build(KERNEL.replace("100", "101"))
    (found,) = [each for each in caught.value.diagnostics if each.line == 5]
    assert found.text == "an explicit specialisation stands inside Sizes, which g++ does not take and clang does"
    assert str(caught.value).endswith(
        "clang takes it: unset ACLIMB_CXX, or set it to clang++ or zig; or move the specialisation behind the class"
    )


def test_without_a_clang_the_message_says_where_to_get_one(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builder, "clang", lambda: None)
    with pytest.raises(CompileError, match=r"clang takes it: install clang\+\+, or `pip install ziglang`; or move the specialisation"):
        build(KERNEL.replace("100", "102"))


def test_an_error_of_another_sort_is_gccs_own(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builder, "clang", lambda: pytest.fail("nothing here is for clang"))
    with pytest.raises(CompileError, match="no_such_name"):
        build("__global__ __aicore__ void f(__gm__ int* y) { y[0] = no_such_name; }")
