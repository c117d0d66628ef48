# SPDX-License-Identifier: Apache-2.0
"""Packages whose host code is the same and whose kernels are not; and kernels that are built anew while their package is loaded."""

from __future__ import annotations

import _ctypes
import ctypes
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cpp_parts import HERE, MORE_FLAGS, Build

from aclimb import Buffer, Kernel, Program, Stream, op
from aclimb.op import aclnn
from aclimb.op.native.c_api import offer_c_api
from aclimb.op.native.library import _open
from aclimb.op.native.package import Package
from aclimb.op.project.build import build as build_project
from aclimb.op.project.new import new_project
from aclimb.runtime.lent import lend

X = np.arange(5, dtype=np.float32)
UNIT = "ascend910_93"
BLEND = HERE / "projects" / "blend"
SCALE = "(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)"


@pytest.fixture(autouse=True)
def nothing_loaded() -> Iterator[None]:
    yield
    for each in list(_open.values()):
        each.close()


@pytest.fixture(scope="session")
def scale_package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_project(new_project("ScaleTwice", tmp_path_factory.mktemp("same_host") / "scale")).out


def writes(value: int, name: str = "scale_twice") -> str:
    """A kernel whose output is that number everywhere; without reading its tiling data it takes 5 elements."""
    return (f'#include "kernel_operator.h"\nextern "C" __global__ __vector__ void {name}{SCALE} {{\n'
            f"    if (AscendC::GetBlockIdx() == 0) for (int i = 0; i < 5; ++i) ((__gm__ float*)y)[i] = {value};\n}}\n")  # fmt: skip


def replace_kernel(package: Path, text: str, name: str = "scale_twice") -> None:
    Program(text, name=name).compile().save(package / "op_kernel" / UNIT / f"{name}.o")


def copied(package: Path, to: Path, text: str) -> Path:
    """The package once more, with another kernel."""
    shutil.copytree(package, to)
    replace_kernel(to, text)
    assert (to / "libop_host.so").read_bytes() == (package / "libop_host.so").read_bytes()
    return to


# --- two packages


@pytest.mark.requirement("cpp-28")
def test_two_packages_with_the_same_host_code_keep_their_own_kernels(scale_package: Path, tmp_path: Path) -> None:
    other = copied(scale_package, tmp_path / "other", writes(7))
    first, second = op.load(scale_package), op.load(other)
    assert op.load(str(scale_package)) is first
    assert op.load(other) is second is not first
    for _ in range(2):
        np.testing.assert_array_equal(first["ScaleTwice"](X, scale=3.0).to_numpy(), X * 3)
        np.testing.assert_array_equal(second["ScaleTwice"](X, scale=3.0).to_numpy(), np.full(5, 7, np.float32))
    np.testing.assert_array_equal(op.run("ScaleTwice", [X], attrs={"scale": 3.0})[0].to_numpy(), X * 3)  # by its type: the first one's
    first.close()
    np.testing.assert_array_equal(op.run("ScaleTwice", [X], attrs={"scale": 3.0})[0].to_numpy(), np.full(5, 7, np.float32))
    np.testing.assert_array_equal(second["ScaleTwice"](X, scale=3.0).to_numpy(), np.full(5, 7, np.float32))


def test_an_operator_of_a_closed_library_says_so(scale_package: Path, tmp_path: Path) -> None:
    other = copied(scale_package, tmp_path / "other", writes(7))
    with op.load(scale_package), op.load(other) as library:
        scale = library["ScaleTwice"]
    with pytest.raises(op.OpError, match=r"ScaleTwice comes from .*/other/libop_host.so, which is closed; op.load it again"):
        scale(X)


@pytest.mark.requirement("cpp-28")
def test_a_library_with_other_kernels_is_another_one(build: Build, tmp_path: Path, load: Callable[..., Kernel]) -> None:
    path, texts = build("second.cpp"), [writes(1, "parts"), writes(2, "parts")]
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder, text in zip(folders, texts, strict=True):
        folder.mkdir()
        (folder / "parts.cpp").write_text(text)
    kernel = Kernel(Program(texts[0], name="parts").compile())
    source = folders[0] / "parts.cpp"
    forms: list[tuple[Any, Any]] = [
        *((each, str(each)) for each in folders),
        ({"Parts": kernel},) * 2,
        ({"Parts": source}, {"Parts": str(source)}),
    ]
    loaded = [op.load(path, kernels=one) for one, _ in forms]
    assert len(set(map(id, loaded))) == 4
    again = [op.load(path, kernels=other) for _, other in forms]
    assert [a is b for a, b in zip(loaded, again, strict=True)] == [True] * 4
    assert op.load(path) is loaded[0]  # who says nothing about kernels means the one that is there


# --- the same package, built anew


@pytest.mark.requirement("cpp-28")
def test_loaded_again_a_package_has_the_kernels_that_lie_there_now(scale_package: Path, tmp_path: Path) -> None:
    package = copied(scale_package, tmp_path / "changing", writes(7))
    library = op.load(package)
    scale = library["ScaleTwice"]
    np.testing.assert_array_equal(scale(X).to_numpy(), np.full(5, 7, np.float32))
    unchanged = scale._kernels
    assert op.load(package) is library
    assert scale._kernels is unchanged
    replace_kernel(package, writes(8))
    np.testing.assert_array_equal(scale(X).to_numpy(), np.full(5, 7, np.float32))  # nobody loaded it again
    assert op.load(package)["ScaleTwice"] is scale
    np.testing.assert_array_equal(scale(X).to_numpy(), np.full(5, 8, np.float32))
    (package / "op_kernel" / UNIT / "scale_twice.o").unlink()
    op.load(package)
    with pytest.raises(op.OpError, match=f"Tiling with a kernel: .*op_kernel has none for {UNIT}"):
        scale(X)
    replace_kernel(package, writes(9))
    op.load(package)
    np.testing.assert_array_equal(scale(X).to_numpy(), np.full(5, 9, np.float32))


def test_loaded_again_a_source_is_built_with_the_headers_that_lie_there_now(scale_package: Path, tmp_path: Path) -> None:
    (tmp_path / "scale_twice.cpp").write_text('#include "value.h"\n' + writes(0).replace("= 0;\n}", "= VALUE;\n}"))
    for kernels in (tmp_path, {"ScaleTwice": tmp_path / "scale_twice.cpp"}):
        for value in (3, 4):
            (tmp_path / "value.h").write_text(f"#define VALUE {value}\n")
            scale = op.load(scale_package / "libop_host.so", kernels=kernels)["ScaleTwice"]
            np.testing.assert_array_equal(scale(X).to_numpy(), np.full(5, value, np.float32))


def test_a_kernel_that_the_program_gave_stays_when_its_package_is_loaded_again(scale_package: Path, tmp_path: Path) -> None:
    package = copied(scale_package, tmp_path / "mine", writes(7))
    scale = op.load(package)["ScaleTwice"].kernel(Kernel(Program(writes(5), name="scale_twice").compile()))
    replace_kernel(package, writes(8))
    op.load(package)
    np.testing.assert_array_equal(scale(X).to_numpy(), np.full(5, 5, np.float32))


# --- the C functions of a package


@pytest.mark.requirement("cpp-43")
@pytest.mark.skipif(bool(os.environ.get(MORE_FLAGS)), reason="the package has no library for programs then")
@pytest.mark.parametrize("one_at_a_time", [False, True], ids=["both_open", "closed_in_between"])
def test_each_library_of_aclnn_functions_launches_its_own_kernels(
    one_at_a_time: bool, package_of: Callable[[Path], Package], tmp_path: Path, stream: Stream
) -> None:
    """Closed, the next one may lie at the same addresses."""
    first = package_of(BLEND)
    second = Package(tmp_path / "second")
    shutil.copytree(first.root, second.root)
    text = (BLEND / "op_kernel" / "accumulate.cpp").read_text().replace("+=", "-=").replace("i -= GetBlockNum", "i += GetBlockNum")
    compiled = Program(text, name="accumulate", include_dirs=[BLEND / "op_kernel"]).compile()
    compiled.save(second.kernels / UNIT / "accumulate.o")
    offer_c_api(first.api)
    opened = []
    for package, expected in ((first, X + 1), (second, X - 1), (first, X + 1)):
        functions = ctypes.CDLL(str(package.api))
        np.testing.assert_array_equal(accumulated(functions, stream), expected)
        opened.append(functions._handle)
        if one_at_a_time:
            _ctypes.dlclose(opened.pop())
    for handle in opened:
        _ctypes.dlclose(handle)


def accumulated(functions: ctypes.CDLL, stream: Stream) -> np.ndarray:
    """X plus or minus 1."""
    total, one = Buffer.from_array(X), Buffer.from_array(np.ones(5, np.float32))
    tensors = [aclnn.aclCreateTensor([5], 0, None, 0, 2, [5], each.address) for each in (total, one)]
    size, executor = ctypes.c_uint64(), ctypes.c_void_p()
    assert functions.aclnnAccumulateGetWorkspaceSize(*map(ctypes.c_void_p, tensors), ctypes.byref(size), ctypes.byref(executor)) == 0
    with lend(stream) as number:
        assert functions.aclnnAccumulate(None, size, executor, ctypes.c_void_p(number)) == 0
    stream.synchronize()
    for each in tensors:
        aclnn.aclDestroyTensor(each)
    return total.to_numpy()
