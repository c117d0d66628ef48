# SPDX-License-Identifier: Apache-2.0
"""The type of a kernel follows from its source: at every level of optimisation, with every compiler."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from aclimb import Buffer, Kernel, LaunchConfig, Stream, launch
from aclimb.compile import Program
from aclimb.compile.one_source import OneSource
from aclimb.errors import BuildWarning, CompileError, Misuse

TYPES = Path(__file__).with_name("kernels") / "types.cpp"
EXAMPLES = Path(__file__).parents[2] / "examples"
KERNELS = [path for path in sorted(EXAMPLES.glob("**/*.cpp")) if "__global__" in path.read_text()]  # others are host code
WANTED = {name: kind for kind, name in re.findall(r"^// ((?:AI|MIX)\w+)\nextern .* void (\w+)\(", TYPES.read_text(), re.MULTILINE)}
pytestmark = pytest.mark.usefixtures("real_headers")


def types(source: Path, opt_level: int) -> dict[str, str]:
    return {kernel.name: kernel.kernel_type.name for kernel in Program(source, opt_level=opt_level).compile().kernels}


def test_the_source_says_a_type_for_each_of_its_kernels() -> None:
    assert len(WANTED) == TYPES.read_text().count('extern "C"') > 20


@pytest.mark.parametrize("opt_level", [0, 1, 2, 3])
def test_what_the_source_calls_decides_at_every_level(opt_level: int) -> None:
    assert types(TYPES, opt_level) == WANTED


@pytest.mark.slow
@pytest.mark.parametrize("opt_level", [0, 1, 2, 3])
def test_what_the_source_calls_decides_with_every_compiler(opt_level: int, compiler: str) -> None:
    assert types(TYPES, opt_level) == WANTED


@pytest.mark.slow
@pytest.mark.parametrize("source", KERNELS, ids=lambda path: path.stem)
def test_the_types_of_an_example_are_the_same_at_every_level_and_with_every_compiler(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for cxx in ("g++", "zig"):
        monkeypatch.setenv("ACLIMB_CXX", cxx)
        found += [types(source, opt_level) for opt_level in (0, 1, 2, 3)]
    assert found == found[:1] * 8


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """One entry for each object that was compiled: its level."""
    levels: list[str] = []
    original = OneSource.call

    def noted(self: OneSource, command: list[str]) -> subprocess.CompletedProcess[str]:
        if "-c" in command:
            levels.append([word for word in command if re.fullmatch(r"-O\d", word)][-1])
        return original(self, command)

    monkeypatch.setattr(OneSource, "call", noted)
    return levels


@pytest.mark.parametrize(
    ("body", "levels"),
    [
        ("Add(t, t, t, 8);", ["-O1"]),  # no word of the cube core: nothing that was dropped could change the type
        ("Add(t, t, t, 8); Mmad(c, t, t, MmadParams());", ["-O1", "-O1"]),  # both: more is not possible
        ("Mmad(c, t, t, MmadParams());", ["-O0", "-O1", "-O1"]),  # a dropped Add would make it mixed: the AIV's pass again
        (
            "Add(t, t, t, 8); int never = 0; if (never) Mmad(c, t, t, MmadParams());",
            ["-O0", "-O1", "-O1"],
        ),  # the AIC's: both have work then
        (
            "int never = 0; if (never) Mmad(c, t, t, MmadParams());",
            ["-O0", "-O0", "-O1", "-O1"],
        ),  # the AIC has work, and then the AIV is asked
        ("KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY); Mmad(c, t, t, MmadParams());", ["-O1", "-O1"]),
    ],
)
def test_a_kernel_is_compiled_again_only_where_its_type_could_depend_on_it(
    body: str, levels: list[str], compiled: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: Callable[..., Path]
) -> None:
    monkeypatch.setenv("ACLIMB_CACHE_DIR", str(tmp_path / "cache"))
    tensors = "LocalTensor<half> t; LocalTensor<float> c;"
    Program(write(f'using namespace AscendC;\nextern "C" __global__ __aicore__ void f(GM_ADDR x) {{ {tensors} {body} }}\n')).compile()
    assert sorted(compiled) == levels


OTHER_CORE = """using namespace AscendC;
extern "C" __global__ {qualifier} void f(GM_ADDR x) {{
    LocalTensor<half> t;
    LocalTensor<float> c;
    {first}
    Mmad(c, t, t, MmadParams());
    Add(t, t, t, 8);
}}
extern "C" __global__ __mix__(1, 2) void good(GM_ADDR x) {{
    LocalTensor<half> t;
    Add(t, t, t, 8);
}}
"""


@pytest.mark.parametrize(
    ("qualifier", "first", "words"),
    [
        ("__cube__", "", "8:5: warning: Add is work for a vector core (AIV), and kernel f is AIC_ONLY, which has AICs only"),
        ("__vector__", "", "7:5: warning: Mmad is work for a cube core (AIC), and kernel f is AIV_ONLY, which has AIVs only"),
        (
            "__aicore__",
            "KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);",
            "7:5: warning: Mmad is work for a cube core (AIC), and kernel f is MIX_AIV_1_0, which has AIVs only",
        ),
    ],
)
def test_a_call_for_a_core_that_the_kernel_lacks_is_a_warning_with_its_line(
    qualifier: str, first: str, words: str, write: Callable[..., Path], compiler: str
) -> None:
    source = write(OTHER_CORE.format(qualifier=qualifier, first=first))
    with pytest.warns(BuildWarning) as caught:
        Program(source).compile()
    assert [str(each.message).splitlines()[0] for each in caught] == [f"{source}:{words}; it is an error when it runs"]


def test_a_mixed_kernel_shares_its_calls_without_a_warning(write: Callable[..., Path]) -> None:
    binary = Program(write(OTHER_CORE.format(qualifier="__mix__(1, 1)", first=""))).compile()
    assert binary.record.warnings == ()


COPY = """#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ {qualifier} void f(GM_ADDR x) {{
    GlobalTensor<half> gm;
    gm.SetGlobalBuffer((__gm__ half*)x, 128);
    DataCopy(LocalTensor<half>(TPosition::A1, 0, 128), gm, 128);
}}
"""


@pytest.mark.parametrize("opt_level", [0, 3])
def test_a_copy_that_needs_the_other_core_is_named_when_it_runs(opt_level: int) -> None:
    x, stream = Buffer.from_array(np.zeros(128, np.float16)), Stream()
    binary = Program(COPY.format(qualifier="__aicore__"), opt_level=opt_level).compile()
    assert binary.kernels[0].kernel_type.name == "AIV_ONLY"
    launch(stream, LaunchConfig(num_blocks=1), Kernel(binary), x)
    with pytest.raises(Misuse, match=r"^DataCopy is work for a cube core \(AIC\), and this kernel has AIVs only, f block 0") as caught:
        stream.synchronize()
    assert caught.value.line == 6
    launch(stream, LaunchConfig(num_blocks=1), Kernel(Program(COPY.format(qualifier="__cube__"), opt_level=opt_level).compile()), x)
    stream.synchronize()


def test_a_source_that_links_only_when_it_is_optimised_is_built(write: Callable[..., Path]) -> None:
    source = write("""using namespace AscendC;
void NotOnTheDevice();
extern "C" __global__ __aicore__ void f(GM_ADDR x) {
    bool never = false;
    LocalTensor<half> t;
    if (g_coreType == AIV) Add(t, t, t, 8);
    if (never) NotOnTheDevice();
}
""")
    assert types(source, 1) == {"f": "AIV_ONLY"}
    with pytest.raises(CompileError, match="kernel calls NotOnTheDevice"):
        types(source, 0)
