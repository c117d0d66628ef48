# SPDX-License-Identifier: Apache-2.0
"""What an operator project says beside its sources: options and files in CMake's words, where kernels and headers lie."""

from __future__ import annotations

from pathlib import Path

import pytest

from aclimb.errors import InvalidArgument
from aclimb.op.project import cmake
from aclimb.op.project.sources import Headers, kernel_source


def read(folder: Path, text: str, place: str = "op_kernel") -> cmake.KernelWords:
    (folder / place).mkdir(exist_ok=True)
    (folder / place / "CMakeLists.txt").write_text(text)
    return cmake.read(folder)


ALL = "add_ops_compile_options(ALL OPTIONS {})"


def branches(condition: str, first: str, second: str) -> str:
    return f"if({condition})\n{ALL.format(first)}\nelse()\n{ALL.format(second)}\nendif()"


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (ALL.format("-DA -O2"), ["-DA", "-O2"]),
        ("add_ops_compile_options(OP_NAME Twice OPTIONS -DA)", ["-DA"]),
        ("add_ops_compile_options(Other OPTIONS -DA)", []),
        ("add_ops_compile_options(Twice COMPUTE_UNIT Ascend910B ascend310p OPTIONS -DA)", ["-DA"]),
        ("add_ops_compile_options(Twice COMPUTE_UNIT ascend910_93 OPTIONS -DA)", []),
        ("npu_op_kernel_options(kernels ALL COMPUTE_UNIT ascend910b OPTIONS -DA=1)", ["-DA=1"]),
        ("npu_op_kernel_options(kernels Twice\n  OPTIONS # why\n    -DA\n    #[[ not this\n -DB ]] -DC)", ["-DA", "-DC"]),
        ("set(MORE -DA -DB)\n" + ALL.format("${MORE} -DC"), ["-DA", "-DB", "-DC"]),
        (ALL.format("-I${CMAKE_CURRENT_SOURCE_DIR}/inc -I$ENV{NOWHERE} ${UNKNOWN} -I${UNKNOWN}/inc"), ["-I{}/op_kernel/inc"]),
        (ALL.format("-I$ENV{ACLIMB_TEST_FOLDER}/inc $<IF:a,b,c>"), ["-I/given/inc"]),
        (branches('"${CMAKE_BUILD_TYPE}x" STREQUAL "Debugx"', "-g -O0", ""), []),
        (branches("CMAKE_BUILD_TYPE MATCHES Debug", "-DD", "-DR"), ["-DR"]),
        (branches("NOT CMAKE_BUILD_TYPE STREQUAL Debug", "-DR", "-DD"), ["-DR"]),
        (branches("${unit} STREQUAL ascend950", "-DA=3510", "-DA=2201"), ["-DA=2201"]),
        (branches("ASCEND_COMPUTE_UNIT MATCHES ascend910b", "-DA", ""), ["-DA"]),
        (branches("ANYTHING", "-DA", "-DB"), ["-DA", "-DB"]),
        (f"if(CMAKE_BUILD_TYPE MATCHES Debug)\nelseif(X)\n{ALL.format('-DA')}\nelse()\n{ALL.format('-DB')}\nendif()", ["-DA"]),
        (f"if(CMAKE_BUILD_TYPE MATCHES Debug)\nif(X)\n{ALL.format('-DA')}\nendif()\nendif()\n{ALL.format('-DB')}", ["-DB"]),
    ],
)
def test_options_are_those_for_the_operator_and_the_chip_in_a_release_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, options: list[str]
) -> None:
    monkeypatch.setenv("ACLIMB_TEST_FOLDER", "/given")
    monkeypatch.delenv("NOWHERE", raising=False)
    assert read(tmp_path, text).of("Twice", "ascend910b") == [each.format(tmp_path) for each in options]


def test_a_file_of_a_kernel_is_the_one_that_cmake_names(tmp_path: Path) -> None:
    said = read(
        tmp_path, "npu_op_kernel_sources(k KERNEL_DIR ./)\nnpu_op_kernel_sources(k OP_TYPE Twice KERNEL_DIR inner KERNEL_FILE other.cpp)"
    )
    assert said.files == {"Twice": tmp_path / "op_kernel" / "inner" / "other.cpp"}


def kernels(folder: Path, *names: str, text: str = "") -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def test_a_kernel_is_the_file_of_its_name_outside_of_folders_for_other_products(tmp_path: Path) -> None:
    kernels(tmp_path, "arch35/twice.cpp", "inner/deep/twice.cpp", "inner/twice.asc", "c310/twice.cpp", "twice.h", "ascend950/twice.cpp")
    assert kernel_source(tmp_path, "twice", "twice") == tmp_path / "inner" / "twice.asc"
    kernels(tmp_path, "twice.cpp")
    assert kernel_source(tmp_path, "twice", "twice") == tmp_path / "twice.cpp"


@pytest.mark.parametrize("folder", ["arch22", "v220", "ascend910b", "ascend910_93", "Ascend910B1"])
def test_folders_of_products_that_are_modelled_count(tmp_path: Path, folder: str) -> None:
    kernels(tmp_path, f"{folder}/twice.cpp", "arch35/twice.cpp")
    assert kernel_source(tmp_path, "twice", "twice") == tmp_path / folder / "twice.cpp"


def test_without_a_file_of_its_name_a_kernel_is_where_it_is_defined_alone(tmp_path: Path) -> None:
    kernels(tmp_path, "all.cpp", text='extern "C" __global__ __aicore__ void twice(GM_ADDR x) {}\n')
    kernels(tmp_path, "others.cpp", "arch35/one.cpp", text='extern "C" __global__ __aicore__ void thrice(GM_ADDR x) {}\n')
    assert kernel_source(tmp_path, "twice", "twice") == tmp_path / "all.cpp"
    assert kernel_source(tmp_path, "once", "once") is None
    kernels(tmp_path, "more.cpp", text='extern "C" __global__ __aicore__ void twice(GM_ADDR x);\n')
    with pytest.raises(InvalidArgument) as caught:
        kernel_source(tmp_path, "twice", "twice")
    assert str(caught.value) == (
        f"{tmp_path.name}/all.cpp and {tmp_path.name}/more.cpp are both the kernel twice; npu_op_kernel_sources(... OP_TYPE type "
        "KERNEL_FILE file) in the project's CMakeLists.txt names the one to build"
    )
    kernels(tmp_path, "one/twice.cpp", "two/twice.cpp")
    with pytest.raises(InvalidArgument, match=r"one/twice.cpp and .*two/twice.cpp are both the kernel twice"):
        kernel_source(tmp_path, "twice", "twice")


def test_a_header_is_found_where_there_is_one_of_its_name_the_nearest_first(tmp_path: Path) -> None:
    kernels(tmp_path, "mine/k.cpp", text='#include "common/sizes.h"\n')
    kernels(tmp_path, "mine/util/common/sizes.h", text='#include "deep.h"\n')
    kernels(tmp_path, "theirs/common/sizes.h", "theirs/deep.h", "arch35/deep.h", ".hidden/deep.h")
    found = Headers((tmp_path / "mine", tmp_path))
    assert found.folders([tmp_path / "mine" / "k.cpp"], ()) == [tmp_path / "mine" / "util", tmp_path / "theirs"]
    given = [tmp_path / "theirs"]
    assert found.folders([tmp_path / "mine" / "k.cpp"], given) == [], "a folder that was given has it"
    assert Headers((tmp_path,)).folders([tmp_path / "mine" / "k.cpp"], ()) == [], "two have it"
    places = Headers((tmp_path,)).several(tmp_path / "mine" / "k.cpp", ())
    assert places == {"common/sizes.h": [tmp_path / "mine" / "util", tmp_path / "theirs"]}


def test_a_header_above_the_project_is_not_looked_for(tmp_path: Path) -> None:
    kernels(tmp_path, "mine/k.cpp", text='#include "../../secret.h"\n')
    kernels(tmp_path, "mine/secret.h")
    assert Headers((tmp_path,)).folders([tmp_path / "mine" / "k.cpp"], ()) == []
