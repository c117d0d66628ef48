# SPDX-License-Identifier: Apache-2.0
"""One operator binary of several sources: functions, variables and kernels of one are there for the others."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from aclimb import Buffer, Kernel, KernelBinary, LaunchConfig, Program, Stream, cli, launch
from aclimb.errors import CompileError, InvalidArgument, SourceNotFound
from aclimb.flow import KernelType

SHARED = """#pragma once
#include "kernel_operator.h"
using namespace AscendC;
struct Tile { // in both objects, and once in the image
    LocalTensor<float> data{TPosition::VECCALC, 0, 64};
    __attribute__((noinline)) __aicore__ void Double() { Add(data, data, data, 64); }
};
__aicore__ void add_half(Tile& tile);
extern const float step;
"""
KERNEL = """#include "shared.h"
extern "C" __global__ __aicore__ void first(__gm__ float* y) {
    Tile tile;
    Duplicate(tile.data, 1.0f, 64);
    tile.Double();
    add_half(tile);
    y[0] = tile.data.GetValue(0) + step;
}
"""
FUNCTIONS = """#include "shared.h"
const float step = 100.0f;
__aicore__ void add_half(Tile& tile) {
    tile.Double();
    Adds(tile.data, tile.data, 0.5f, 64);
    PipeBarrier<PIPE_ALL>();
}
extern "C" __global__ __aicore__ void second(__gm__ float* y) { y[0] = 2 * step; }
"""
Files = Callable[..., list[Path]]
pytestmark = pytest.mark.usefixtures("real_headers")


@pytest.fixture
def files(tmp_path: Path) -> Files:
    """files(a=text, b=text): a.cpp and b.cpp in a folder with shared.h."""

    def write(**texts: str) -> list[Path]:
        (tmp_path / "shared.h").write_text(SHARED)
        paths = [tmp_path / f"{name}.cpp" for name in texts]
        for path, text in zip(paths, texts.values(), strict=True):
            path.write_text(text)
        return paths

    return write


def build(paths: list[Path]) -> KernelBinary:
    return Program(paths[0], more_sources=paths[1:]).compile()


def value_of(binary: KernelBinary, name: str) -> float:
    y = Buffer(1, np.float32)
    launch(Stream(), LaunchConfig(num_blocks=1), Kernel(binary, name), y)
    return float(y.to_numpy()[0])


def test_a_kernel_calls_functions_and_reads_variables_of_another_source(files: Files) -> None:
    binary = build(files(kernel=KERNEL, functions=FUNCTIONS))
    assert binary.name == "kernel"
    assert binary.kernel_names == ("first", "second")
    assert value_of(binary, "first") == 1 * 2 * 2 + 0.5 + 100
    assert value_of(binary, "second") == 200


@pytest.mark.slow
def test_with_zig_it_is_the_same(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ziglang")
    monkeypatch.setenv("ACLIMB_CXX", "zig")
    test_a_kernel_calls_functions_and_reads_variables_of_another_source(files)
    test_a_function_that_no_source_defines_is_named_with_its_line(files)
    test_a_function_that_two_sources_define_is_named_with_both_places(files)
    test_a_variable_that_two_sources_define_is_named_with_both_places(files)


def test_facts_of_another_source_hold_for_the_kernels_that_call_it(files: Files) -> None:
    kernel = '#include "shared.h"\n__aicore__ void sync();\nextern "C" __global__ __aicore__ void meets() { sync(); }\n' \
             'extern "C" __global__ __aicore__ void alone(__gm__ float* y) { y[0] = 1; }\n'  # fmt: skip
    binary = build(files(kernel=kernel, sync='#include "shared.h"\n__aicore__ void sync() { SyncAll(); }\n'))
    by_name = {info.name: info for info in binary.kernels}
    assert by_name["meets"].uses_sync_all
    assert not by_name["alone"].uses_sync_all
    assert by_name["alone"].kernel_type is KernelType.AIV_ONLY


def test_a_function_of_the_cube_in_another_source_makes_a_kernel_a_cube_kernel(files: Files) -> None:
    kernel = '#include "shared.h"\n__aicore__ void fill();\nextern "C" __global__ __aicore__ void filled() { fill(); }\n'
    cube = """#include "shared.h"
__aicore__ void fill() {
    LocalTensor<half> l1(TPosition::A1, 0, 256);
    InitConstValue(l1, InitConstValueParams<half>(1, 16, 0, half(0)));
}
"""
    alone = build(files(kernel=kernel.replace("void fill();", "inline void fill() { " + cube.partition("{")[2])))
    apart = build(files(kernel=kernel, cube=cube))
    assert apart.kernels[0].kernel_type is alone.kernels[0].kernel_type is KernelType.AIC_ONLY


def test_a_function_that_no_source_defines_is_named_with_its_line(files: Files) -> None:
    paths = files(kernel=KERNEL, functions=FUNCTIONS.replace("void add_half(", "void add_quarter("))
    with pytest.raises(CompileError) as found:
        build(paths)
    message = str(found.value)
    assert message.startswith("kernel.cpp and functions.cpp do not link\n")
    assert "add_half(Tile&) is called here, and none of kernel.cpp, functions.cpp defines it for the AI Core" in message
    assert "give the source that does; a kernel cannot use the host's libraries" in message
    assert [(Path(each.file).name, each.line) for each in found.value.diagnostics] == [("kernel.cpp", 6)]


def test_a_function_that_two_sources_define_is_named_with_both_places(files: Files) -> None:
    paths = files(kernel=KERNEL + "__aicore__ void add_half(Tile&) {}\n", functions=FUNCTIONS)
    with pytest.raises(CompileError) as found:
        build(paths)
    sentence = "add_half(Tile&) is defined at kernel.cpp:9 and at functions.cpp:3; keep one of them, or make each static or inline"
    assert sentence in str(found.value)
    put_right = files(kernel=KERNEL + "static __aicore__ void add_more(Tile&) {}\n", functions=FUNCTIONS)
    assert value_of(build(put_right), "first") == 104.5


def test_a_variable_that_two_sources_define_is_named_with_both_places(files: Files) -> None:
    paths = files(kernel=KERNEL + "const float step = 3;\n", functions=FUNCTIONS)
    with pytest.raises(CompileError, match=r"step is defined at kernel.cpp:9 and at functions.cpp:2; keep one"):
        build(paths)


def test_two_kernels_of_one_name_are_refused(files: Files) -> None:
    with pytest.raises(CompileError, match=r"two kernels are called second, at .*kernel.cpp:9 and .*functions.cpp:8; a launch finds"):
        build(files(kernel=KERNEL + 'extern "C" __global__ __aicore__ void second() {}\n', functions=FUNCTIONS))


def test_an_error_of_another_source_is_at_its_own_line(files: Files) -> None:
    with pytest.raises(CompileError) as found:
        build(files(kernel=KERNEL, functions=FUNCTIONS.replace("Adds(", "Addss(")))
    assert [(Path(each.file).name, each.line) for each in found.value.diagnostics] == [("functions.cpp", 5)]


def test_a_change_of_another_source_builds_anew(files: Files) -> None:
    assert value_of(build(files(kernel=KERNEL, functions=FUNCTIONS)), "second") == 200
    assert value_of(build(files(kernel=KERNEL, functions=FUNCTIONS.replace("100.0f", "7.0f"))), "second") == 14


def test_a_source_that_does_not_exist_is_refused(files: Files, tmp_path: Path) -> None:
    (path,) = files(kernel=KERNEL)
    with pytest.raises(SourceNotFound, match=r"kernel source .*none.cpp, one of more_sources, does not exist$"):
        Program(path, more_sources=[tmp_path / "none.cpp"])
    with pytest.raises(InvalidArgument, match=r"more_sources is the text 'b.cpp'; it takes a list"):
        Program(path, more_sources="b.cpp")


# --- on the command line


def test_aclimb_build_takes_several_sources(files: Files, tmp_path: Path) -> None:
    paths = files(kernel=KERNEL, functions=FUNCTIONS)
    target = tmp_path / "both.o"
    answer = CliRunner().invoke(cli.app, ["build", *map(str, paths), "-o", str(target)])
    assert answer.exit_code == 0, answer.output
    assert answer.output.strip().startswith(f"{target}: first, second for ")
    assert value_of(KernelBinary.read(target), "first") == 104.5


def test_aclimb_build_of_sources_without_main_makes_an_operator_binary(
    files: Files, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    answer = CliRunner().invoke(cli.app, ["build", *map(str, files(kernel=KERNEL, functions=FUNCTIONS))])
    assert answer.exit_code == 0, answer.output
    assert set(KernelBinary.read(tmp_path / "kernel.o").kernel_names) == {"first", "second"}


def test_the_driver_links_the_device_code_of_several_sources(files: Files, tmp_path: Path) -> None:
    from aclimb.host import driver

    target = tmp_path / "image.o"
    words = ["-x", "asc", "--cce-aicore-only", *map(str, files(kernel=KERNEL, functions=FUNCTIONS)), "-o", str(target)]
    assert driver.run(words) == 0
    assert value_of(KernelBinary.read(target), "first") == 104.5
