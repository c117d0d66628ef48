# SPDX-License-Identifier: Apache-2.0
"""The device headers compile for both core types with every compiler, and what they refuse they refuse in one sentence."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from aclimb import Program
from aclimb.compile import headers, toolchain
from aclimb.errors import CompileError
from aclimb.flow import KernelType

KERNELS = Path(__file__).with_name("kernels")
PASSES = {"AIC": ["-DACLIMB_CORE_TYPE=1", "-D__DAV_C220_CUBE__"], "AIV": ["-DACLIMB_CORE_TYPE=2", "-D__DAV_C220_VEC__"]}
STRICT = ["-Wall", "-Wextra", "-Werror", "-Wno-attributes", "-Wno-unknown-attributes", "-Wno-unused-parameter", "-Wno-unused-variable"]


COMPILERS = ("g++", "clang++", "zig")


@pytest.fixture(params=COMPILERS)
def tools(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> toolchain.Toolchain:
    if request.param == "zig":
        pytest.importorskip("ziglang")
    elif not shutil.which(request.param):
        pytest.skip(f"no {request.param} on this machine")
    monkeypatch.setenv("ACLIMB_CXX", request.param)
    return toolchain.find()


def compiled(tools: toolchain.Toolchain, source: Path, core: str, out: Path) -> subprocess.CompletedProcess[str]:
    options = [*tools.flags(1), *STRICT, *PASSES[core], "-I", headers.include_dir()]
    command = [*tools.compiler(), *options, "-c", source, "-o", out / "image.o"]
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, env=tools.environment(out))


EVERY = ("every_call", "every_rearranging_call", "every_library_call")
WHOLE = [  # of every call, zig takes longest: in the slow suite
    pytest.param(each, source, core, marks=pytest.mark.slow if each == "zig" and source in EVERY else ())
    for each in COMPILERS
    for source in (*EVERY, "own_names", "words", "addresses", "reduce_forms")
    for core in PASSES
]


@pytest.mark.parametrize(("tools", "source", "core"), WHOLE, indirect=["tools"])
def test_kernel_compiles_without_a_warning(tools: toolchain.Toolchain, source: str, core: str, tmp_path: Path) -> None:
    done = compiled(tools, KERNELS / f"{source}.cpp", core, tmp_path)
    assert done.returncode == 0, done.stderr


OTHER_NAMES = [
    "kernel_basic_intf.h",
    "kernel_operator_intf.h",
    "kernel_operator_list_tensor_intf.h",
    "kernel_tiling/kernel_tiling.h",
    "lib/matmul_intf.h",
    "matmul/matmul_intf.h",
]


@pytest.mark.parametrize("name", OTHER_NAMES)
def test_other_header_names_bring_the_same(name: str, tmp_path: Path) -> None:
    source = tmp_path / "kernel.cpp"
    source.write_text(f'#include "{name}"\nextern "C" __global__ __aicore__ void f(GM_ADDR x) {{ AscendC::TPipe pipe; }}')
    (kernel,) = Program(source).compile().kernels
    assert kernel.name == "f"


def test_each_refused_call_is_one_error_with_its_sentence() -> None:
    source = KERNELS / "refused.cpp"
    expected = {
        number: text.split("//")[1].strip()
        for number, text in enumerate(source.read_text().splitlines(), 1)
        if text.startswith("    ") and ";" in text and "//" in text
    }
    assert len(expected) == 29
    with pytest.raises(CompileError) as caught:
        Program(source).compile()
    errors = [found for found in caught.value.diagnostics if found.severity in ("error", "fatal error")]
    for number, sentence in expected.items():
        assert any(found.line == number and sentence in found.text for found in errors), f"line {number}: {sentence}"
    assert sorted(found.line for found in errors) == sorted(expected)


def kind_of(body: str, tmp_path: Path) -> KernelType:
    source = tmp_path / "kernel.cpp"
    source.write_text(
        f'#include "kernel_operator.h"\nusing namespace AscendC;\nextern "C" __global__ __aicore__ void f(GM_ADDR x) {{ {body} }}'
    )
    (kernel,) = Program(source).compile().kernels
    return kernel.kernel_type


VECTOR = "LocalTensor<half> a(TPosition::VECIN, 0, 128); Add(a, a, a, 128);"
CUBE = """LocalTensor<half> a(TPosition::A2, 0, 256), b(TPosition::B2, 0, 256);
    LocalTensor<float> c(TPosition::CO1, 0, 256); Mmad(c, a, b, MmadParams());"""
COPY = """GlobalTensor<half> gm; gm.SetGlobalBuffer((__gm__ half*)x);
    LocalTensor<half> u(TPosition::{}, 0, 128); DataCopy(u, gm, 128);"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (VECTOR, KernelType.AIV_ONLY),
        (VECTOR + "SyncAll();", KernelType.MIX_AIV_1_0),
        (CUBE, KernelType.AIC_ONLY),
        (COPY.format("VECIN") + "if ASCEND_IS_AIC { PipeBarrier<PIPE_M>(); }", KernelType.AIV_ONLY),
        (COPY.format("A1") + "if ASCEND_IS_AIC { PipeBarrier<PIPE_M>(); }", KernelType.AIV_ONLY),  # only the tensor knows where it is
        ("if ASCEND_IS_AIC {" + COPY.format("A1") + "}", KernelType.AIC_ONLY),
        (VECTOR + "{" + CUBE + "}", KernelType.MIX_AIC_1_2),
    ],
)
def test_what_a_kernel_uses_decides_its_type(body: str, expected: KernelType, tmp_path: Path) -> None:
    assert kind_of(body, tmp_path) is expected


def test_facts_of_a_kernel_follow_its_calls(tmp_path: Path) -> None:
    source = tmp_path / "kernel.cpp"
    source.write_text(
        """#include "kernel_operator.h"
        using namespace AscendC;
        extern "C" __global__ __aicore__ void quiet(GM_ADDR x) { PipeBarrier<PIPE_ALL>(); }
        extern "C" __global__ __aicore__ void busy(GM_ADDR x) {
            SetAtomicAdd<float>(); SetNextTaskStart(); WaitPreTaskEnd(); printf("hello"); SyncAll();
        }"""
    )
    facts = {kernel.name: kernel for kernel in Program(source).compile().kernels}
    for name in ("float_atomics", "early_start_set", "early_start_wait", "uses_sync_all"):
        assert getattr(facts["busy"], name), name
        assert not getattr(facts["quiet"], name), name


def test_no_header_is_longer_than_its_limit_and_each_has_its_licence_line() -> None:
    for path in sorted(headers.include_dir().rglob("*.h")):
        lines = path.read_text().splitlines()
        assert lines[0] == "// SPDX-License-Identifier: Apache-2.0", path
        assert len(lines) <= 360, f"{path} has {len(lines)} lines; split it"
        assert re.search(r"^#pragma once$", path.read_text(), re.MULTILINE), path
