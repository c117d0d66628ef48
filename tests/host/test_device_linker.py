# SPDX-License-Identifier: Apache-2.0
"""`ld.lld -m aicorelinux`: halves of a mix kernel become one binary; everything else is another linker's."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
from driver_calls import Npu, call, silent, tool

import acl
from aclimb import Buffer, Kernel, KernelBinary, LaunchConfig, Stream, launch
from aclimb.errors import CompileError, InvalidArgument
from aclimb.host import device_linker, images

# Each AIC and each AIV says who it is.
MIX = """#include "kernel_operator.h"
extern "C" __global__ __aicore__ void mixed(__gm__ int32_t* y, int32_t base) {
    if ASCEND_IS_AIC { y[AscendC::GetBlockIdx()] = base + 1; }
    if ASCEND_IS_AIV { y[16 + AscendC::GetBlockIdx()] = base + 2; }
}
"""
ONE = """#include "kernel_operator.h"
extern "C" __global__ __aicore__ void one(__gm__ int32_t* y) { y[0] = 7; }
"""
COMPILE = ("-c", "-x", "cce", "-O2", "-std=c++17", "--cce-aicore-only")
LINK = ("-m", "aicorelinux", "-Ttext=0")


def half(core: str, folder: Path, *words: str, source: str = "mix.cce") -> Path:
    output = Path(source).stem + f"_{core}.o"
    silent("bisheng", *COMPILE, source, f"--cce-aicore-arch=dav-c220-{core}", "-cce-enable-mix", "-D__MIX_CORE_MACRO__=1", *words,
           "-o", output, folder=folder)  # fmt: skip
    return folder / output


@pytest.fixture(scope="module")
def halves(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("halves")
    (folder / "mix.cce").write_text(MIX)
    for core in ("vec", "cube"):
        half(core, folder)
    return folder


def cores_of(binary: KernelBinary) -> list[int]:
    y, stream = Buffer.from_array(np.zeros(32, np.int32)), Stream()
    launch(stream, LaunchConfig(num_blocks=2), Kernel(binary), y, 10)
    return list(np.flatnonzero(y.to_numpy()))


@pytest.mark.requirement("tool-5")
def test_two_halves_are_a_mix_kernel_with_two_aivs_a_block(halves: Path) -> None:
    silent("ld.lld", *LINK, "mix_vec.o", "mix_cube.o", "-static", "-o", "mix.o", folder=halves)
    binary = KernelBinary.read(halves / "mix.o")
    assert (binary.kernels[0].kernel_type.name, images.half_of(binary)) == ("MIX_AIC_1_2", "")
    assert cores_of(binary) == [0, 1, 16, 17, 18, 19]


@pytest.mark.requirement("tool-5")
def test_a_macro_makes_it_one_aiv_a_block(tmp_path: Path) -> None:
    (tmp_path / "mix.cce").write_text(MIX)
    for core in ("vec", "cube"):
        half(core, tmp_path, "-D__MIX_CORE_AIC_RATION__=1")
    silent("ld.lld", *LINK, "mix_cube.o", "mix_vec.o", "-static", "-o", "mix.o", folder=tmp_path)
    assert cores_of(KernelBinary.read(tmp_path / "mix.o")) == [0, 1, 16, 17]


@pytest.mark.requirement("tool-4", "tool-5")
def test_input_and_output_may_be_the_same_file_and_acl_loads_it(tmp_path: Path, npu: Npu) -> None:
    (tmp_path / "input.cce").write_text(ONE)
    silent("bisheng", *COMPILE, "input.cce", "--cce-aicore-arch=dav-c220-vec", "-o", "output", folder=tmp_path)  # no suffix at all
    silent("ld.lld", *LINK, "output", "-static", "-o", "output", folder=tmp_path)
    binary, code = acl.rt.binary_load_from_file(str(tmp_path / "output"), [])
    assert code == 0, acl.get_recent_err_msg()
    function, code = acl.rt.binary_get_function(binary, "one")
    assert code == 0
    y = npu.put(np.zeros(8, np.int32))
    block = np.array([y], np.uint64)
    assert acl.rt.launch_kernel_with_host_args(function, 1, npu.stream, [], block.ctypes.data, block.nbytes, [], 0) == 0
    assert npu.get(y, (8,), np.int32)[0] == 7
    assert acl.rt.binary_unload(binary) == 0
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["input.cce", "output"]


@pytest.mark.requirement("tool-5")
def test_halves_of_different_sources_are_refused(halves: Path, tmp_path: Path) -> None:
    (tmp_path / "other.cce").write_text(MIX.replace("base + 2", "base + 3"))
    other = half("cube", tmp_path, source="other.cce")
    done = call("ld.lld", *LINK, halves / "mix_vec.o", other, "-static", "-o", "out.o", folder=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        f"ld.lld: error: {halves}/mix_vec.o, {other} are made of mix.cce and other.cce, and the device linker joins the two halves of one"
        " source; give all sources to one `bisheng --cce-aicore-only`, or compile both halves again if the source was changed\n"
    )
    assert not (tmp_path / "out.o").exists()


def test_what_else_does_not_fit_is_said(halves: Path, tmp_path: Path) -> None:
    vec, cube = halves / "mix_vec.o", halves / "mix_cube.o"
    with pytest.raises(CompileError, match=r"are the same half of a mix kernel; compile the other with --cce-aicore-arch=dav-c220-cube$"):
        images.join([vec, vec])
    whole = tmp_path / "whole.o"
    images.save(images.join([vec, cube]), whole)
    with pytest.raises(CompileError, match=r"are not both halves of a mix kernel; compile each of them with -cce-enable-mix$"):
        images.join([whole, vec])
    (tmp_path / "mix.cce").write_text(MIX)
    equal = half("cube", tmp_path, "-D__MIX_CORE_AIC_RATION__=1")
    with pytest.raises(CompileError, match=r"do not have the same kernels, types or parameters; compile both with the same options$"):
        images.join([vec, equal])
    with pytest.raises(InvalidArgument, match=r"^there is no input; give the objects of --cce-aicore-only$"):
        device_linker.run(["-m", "aicorelinux", "-o", "x.o"])
    with pytest.raises(InvalidArgument, match=r"^-o stands at the end; it takes another word$"):
        device_linker.run(["-m", "aicorelinux", str(vec), "-o"])


def test_one_half_alone_says_so(halves: Path, tmp_path: Path) -> None:
    done = call("ld.lld", *LINK, "mix_vec.o", "-o", tmp_path / "out.o", folder=halves)
    assert done.returncode == 0
    assert done.stderr == "ld.lld: note: mix_vec.o is one half of a mix kernel, AIV; both halves are in the output\n"
    assert cores_of(KernelBinary.read(tmp_path / "out.o")) == [0, 1, 16, 17, 18, 19]


def test_a_file_that_is_no_binary_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.o").write_text("text")
    done = call("ld.lld", *LINK, "a.o", "gone.o", "-o", "out.o", folder=tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("ld.lld: error: a.o is not an operator binary")


@pytest.mark.requirement("tool-5")
def test_any_other_link_is_the_next_linkers(tmp_path: Path) -> None:
    other, empty = tmp_path / "other", tmp_path / "empty"
    for folder in (other, empty):
        folder.mkdir()
    for name in ("ld.lld", "llvm-ar"):
        (other / name).write_text(f'#!/bin/sh\necho "next {name} $*"\n')
        (other / name).chmod(0o755)
    ours = tool("ld.lld").parent

    def answer(command: str | Path, *folders: Path, path: str = ":/usr/bin:/bin") -> subprocess.CompletedProcess[str]:
        around = {**os.environ, "PATH": ":".join(map(str, folders)) + path}
        return subprocess.run([command, "-shared", "a b.o"], capture_output=True, text=True, env=around, timeout=600)

    for folders in ((ours, other), (empty, ours, other), (other,)):  # on PATH, or called by its path alone
        for name in ("ld.lld", "llvm-ar"):
            assert answer(tool(name), *folders).stdout == f"next {name} -shared a b.o\n"
    if not any((Path(folder) / "ld.lld").exists() for folder in ("/usr/bin", "/bin")):
        none = answer(tool("ld.lld"), other, ours)  # what stands before it was asked already
        said = "ld.lld: error: without -m aicorelinux this is the next ld.lld of PATH, and there is none\n"
        assert (none.returncode, none.stderr) == (1, said)


def test_tools_of_llvm_are_those_of_the_host(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("int a;\n")
    silent("bisheng", "-c", "a.c", folder=tmp_path)
    assert call("llvm-ar", "rcs", "liba.a", "a.o", folder=tmp_path).returncode == 0
    assert call("llvm-ar", "t", "liba.a", folder=tmp_path).stdout == "a.o\n"
    assert call("llvm-strip", "-s", "a.o", folder=tmp_path).returncode == 0
    assert call("llvm-objcopy", "a.o", "b.o", folder=tmp_path).returncode == 0
    assert (tmp_path / "b.o").is_file()
