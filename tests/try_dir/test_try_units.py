# SPDX-License-Identifier: Apache-2.0
"""What `aclimb try` finds in a folder: programs, CMake projects, operator projects and kernels, each once."""

from __future__ import annotations

from pathlib import Path

import pytest

from aclimb.errors import InvalidArgument, SourceNotFound
from aclimb.trial.units import Kind, find

KERNEL = 'extern "C" __global__ __aicore__ void f(GM_ADDR x) {}\n'
MAIN = '#include "acl/acl.h"\nint main() { return 0; }\n'
ASC = "find_package(ASC REQUIRED)\nproject(x LANGUAGES ASC CXX)\nadd_executable(demo a.asc)\n"


def tree(folder: Path, **files: str) -> Path:
    """Keys are paths with __ for / and _dot_ for a dot."""
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def rows(folder: Path, *only: str) -> list[tuple[str, str, list[str]]]:
    return [(unit.name, unit.kind.name, [each.name for each in unit.sources]) for unit in find(folder, only)]


def test_a_main_with_its_kernel_is_a_program_and_a_kernel_alone_is_a_kernel(tmp_path: Path) -> None:
    tree(tmp_path, a__add_dot_asc=MAIN + KERNEL, a__other_dot_cpp=KERNEL, a__notes_dot_txt=MAIN, b__plain_dot_c=MAIN)
    assert rows(tmp_path) == [
        ("a/add.asc", "program", ["add.asc"]),
        ("a/other.cpp", "kernel", ["other.cpp"]),
        ("b/plain.c", "program", ["plain.c"]),
    ]


def test_a_main_without_a_kernel_takes_the_other_sources_of_its_folder(tmp_path: Path) -> None:
    tree(tmp_path, main_dot_cpp=MAIN, kernels_dot_asc=KERNEL, help_dot_cc="int help() { return 1; }\n", sub__far_dot_asc=KERNEL)
    assert rows(tmp_path) == [
        ("main.cpp", "program", ["main.cpp", "help.cc", "kernels.asc"]),
        ("sub/far.asc", "kernel", ["far.asc"]),
    ]


def test_what_another_source_includes_is_not_built_twice(tmp_path: Path) -> None:
    tree(tmp_path, main_dot_cpp='#include "add.cpp"\n' + MAIN, add_dot_cpp=KERNEL, other_dot_cpp=KERNEL)
    assert rows(tmp_path) == [("main.cpp", "program", ["main.cpp"]), ("other.cpp", "kernel", ["other.cpp"])]


def test_a_main_that_knows_nothing_of_ascend_is_left_alone(tmp_path: Path) -> None:
    tree(tmp_path, tool_dot_cpp="int main() { return 0; }\n", shift_dot_cpp="// <<< in a comment\n" + KERNEL)
    assert rows(tmp_path) == [("shift.cpp", "kernel", ["shift.cpp"])]


def test_a_project_stands_for_the_sources_below_it_and_the_innermost_wins(tmp_path: Path) -> None:
    tree(
        tmp_path,
        CMakeLists_dot_txt="# find_package(ASC) comes below\nproject(all)\nset(ASCEND_HOME_PATH x)\nadd_subdirectory(one)\n",
        one__CMakeLists_dot_txt=ASC,
        one__a_dot_asc=MAIN + KERNEL,
        one__src__CMakeLists_dot_txt="add_library(more b.cpp)\n",
        one__src__b_dot_cpp=KERNEL,
        two__CMakeLists_dot_txt="project(y)\nadd_executable(d main.cpp)\n",
        two__cmake__npu_dot_cmake="ascendc_library(kernels STATIC k.cpp)\n",
        two__main_dot_cpp=MAIN,
        loose__k_dot_cpp=KERNEL,
    )
    assert rows(tmp_path) == [
        ("loose/k.cpp", "kernel", ["k.cpp"]),
        ("one", "cmake", ["a.asc", "b.cpp"]),
        ("two", "cmake", ["main.cpp"]),
    ]


def test_an_outer_project_that_makes_something_is_one_as_well(tmp_path: Path) -> None:
    tree(tmp_path, CMakeLists_dot_txt=ASC, a_dot_asc=MAIN + KERNEL, test__CMakeLists_dot_txt=ASC, test__a_dot_asc=MAIN)
    assert [name for name, _, _ in rows(tmp_path)] == sorted([tmp_path.name, "test"])


def test_a_cmake_project_of_something_else_is_none(tmp_path: Path) -> None:
    tree(tmp_path, third__CMakeLists_dot_txt="project(gtest)\nadd_library(gtest g.cpp)\n", third__g_dot_cpp="int x;\n", k_dot_cpp=KERNEL)
    assert rows(tmp_path) == [("k.cpp", "kernel", ["k.cpp"])]


def test_an_operator_project_has_two_sides_and_programs_beside_them_are_found(tmp_path: Path) -> None:
    tree(tmp_path, op__op_host__a_dot_cpp="x", op__op_kernel__a_dot_cpp=KERNEL, op__CMakeLists_dot_txt="project(x)\nnpu_op_library(x)\n",
         op__call__main_dot_cpp=MAIN, half__op_host__b_dot_cpp="x", half__b_dot_cpp=KERNEL)  # fmt: skip
    assert rows(tmp_path) == [
        ("half/b.cpp", "kernel", ["b.cpp"]),
        ("op", "operator", ["a.cpp", "a.cpp"]),
        ("op/call/main.cpp", "program", ["main.cpp"]),
    ]


def test_what_was_built_and_what_is_hidden_is_not_looked_at(tmp_path: Path) -> None:
    tree(tmp_path, k_dot_cpp=KERNEL, build__k_dot_cpp=KERNEL, out__k_dot_cpp=KERNEL, **{".git__k_dot_cpp": KERNEL})
    assert rows(tmp_path) == [("k.cpp", "kernel", ["k.cpp"])]


def test_only_takes_parts_of_names_and_patterns(tmp_path: Path) -> None:
    tree(tmp_path, a__add_dot_cpp=KERNEL, a__sub_dot_cpp=KERNEL, b__add_dot_cpp=KERNEL)
    assert [name for name, _, _ in rows(tmp_path, "add")] == ["a/add.cpp", "b/add.cpp"]
    assert [name for name, _, _ in rows(tmp_path, "a/*")] == ["a/add.cpp", "a/sub.cpp"]
    assert [name for name, _, _ in rows(tmp_path, "a/s", "b/")] == ["a/sub.cpp", "b/add.cpp"]
    with pytest.raises(InvalidArgument, match=r"^--only mul fits none of the 3 in .*, such as a/add.cpp$"):
        find(tmp_path, ["mul"])


def test_a_folder_with_nothing_in_it_and_one_that_is_not_there_are_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match=r" has nothing to try; looked for programs and kernels \(\.asc, "):
        find(tmp_path)
    with pytest.raises(SourceNotFound, match=r"nope is not a folder; give one with programs, kernels or operator projects in it$"):
        find(tmp_path / "nope")


def test_text_that_is_not_utf8_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "k.cpp").write_bytes(b"// \xff\xfe\n" + KERNEL.encode())
    (tmp_path / "CMakeLists.txt").write_bytes(b"\xff project(x)")
    assert [unit.kind for unit in find(tmp_path)] == [Kind.kernel]


def test_a_source_that_includes_torch_is_an_extension_when_it_is_ascends(tmp_path: Path) -> None:
    torch = "#include <torch/extension.h>\n"
    tree(
        tmp_path,
        acl_dot_cpp=torch + '#include "acl/acl.h"\n',
        kernel_dot_asc=torch + KERNEL,
        npu_dot_cpp='#include "torch_npu/csrc/framework/OpCommand.h"\n',
        cpu_dot_cpp=torch,
        main_dot_cpp=torch + MAIN + KERNEL,
    )
    assert rows(tmp_path) == [
        ("acl.cpp", "extension", ["acl.cpp"]),
        ("kernel.asc", "extension", ["kernel.asc"]),
        ("main.cpp", "program", ["main.cpp"]),
        ("npu.cpp", "extension", ["npu.cpp"]),
    ]
