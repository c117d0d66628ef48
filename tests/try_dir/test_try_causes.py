# SPDX-License-Identifier: Apache-2.0
"""The first real error of a build is its reason: whose header is missing, what to do about it. Each beside a twin that says otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

from aclimb.trial import headers, torch_paths
from aclimb.trial.causes import last_line
from aclimb.trial.processes import Ended
from aclimb.trial.reasons import of_build
from aclimb.trial.torch_paths import cmake_options, flags, is_extension
from aclimb.trial.verdicts import Verdict

GCC = "main.cpp:1:10: fatal error: {}: No such file or directory\n"
CLANG = "main.cpp:1:10: fatal error: '{}' file not found\n"
OURS = "k.cpp:1:1: error: {}: no such header; aclimb brings the Ascend C kernel headers, other folders come with include_dirs or -I\n"
LOOK = "and the project's build does not look there: add $ASCEND_HOME_PATH/include to its include folders"


@pytest.fixture(autouse=True)
def no_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever this Python has."""
    monkeypatch.setattr(torch_paths, "folder", lambda package: None)


def said(output: str, where: headers.Where = lambda name: None) -> tuple[str, str]:
    found: Verdict = of_build(Ended(2, output), where)
    return found.result.value, found.reason


# --- headers


@pytest.mark.parametrize("words", [GCC, CLANG])
@pytest.mark.parametrize(("name", "result", "reason"), [
    ("acl/acl.h", "needs", f"aclimb has acl/acl.h, {LOOK}"),
    ("acl/acl_of_tomorrow.h", "unsupported", "acl/acl_of_tomorrow.h is not there"),
    ("log/log.h", "needs", f"aclimb has log/log.h, {LOOK}"),
    ("opdev/aicpu/aicpu_task.h", "unsupported", "opdev/aicpu/aicpu_task.h is not there"),
    ("opdev/op_dfx.h", "needs", f"aclimb has opdev/op_dfx.h, {LOOK}"),
    ("aclnn_kernels/contiguous.h", "needs", f"aclimb has aclnn_kernels/contiguous.h, {LOOK}"),
    ("base/plog.h", "unsupported", "base/plog.h is not there"),
    ("kernel_operator.h", "fails", "aclimb has kernel_operator.h for kernels, and code of the host includes it"),
    ("nlohmann/json.hpp", "needs", "the header nlohmann/json.hpp of nlohmann-json"),
    ("pybind11/pybind11.h", "needs", "the header pybind11/pybind11.h of pybind11: pip install pybind11"),
    ("torch/extension.h", "needs", "torch, which this Python does not have (torch/extension.h): pip install 'torch==2.13.*'"),
    ("ATen/ATen.h", "needs", "torch, which this Python does not have (ATen/ATen.h): pip install 'torch==2.13.*'"),
    ("torch_npu/csrc/core/npu/NPUStream.h", "needs",
     "torch_npu, which this Python does not have (torch_npu/csrc/core/npu/NPUStream.h): pip install torch_npu==2.13.0"),
    ("torchlike.h", "needs", "the header torchlike.h is not there"),
    ("data_utils.h", "needs", "the header data_utils.h is not there"),
])  # fmt: skip
def test_whose_header_is_missing(name: str, result: str, reason: str, words: str) -> None:
    assert said(words.format(name)) == (result, reason)


def test_a_header_of_the_other_side_is_told_in_aclimbs_own_builds() -> None:
    assert said(OURS.format("acl/acl.h")) == ("fails", "aclimb has acl/acl.h for code of the host, and a kernel includes it")
    assert said(OURS.format("acl/acl_of_tomorrow.h")) == ("unsupported", "acl/acl_of_tomorrow.h is not there")


def test_a_header_that_lies_elsewhere_in_the_project_is_told_with_its_folder() -> None:
    lies = {"data_utils.h": "common/include"}.get
    assert said(GCC.format("data_utils.h"), lies) == (
        "needs", "the header data_utils.h lies below common/include, where the build does not look: -Icommon/include")  # fmt: skip
    assert said(GCC.format("../../data_utils.h"), lies) == (
        "needs", "the header ../../data_utils.h is not there; data_utils.h lies below common/include")  # fmt: skip
    assert said(GCC.format("other_utils.h"), lies) == ("needs", "the header other_utils.h is not there")
    assert said(GCC.format("parts/other.cce"), lies) == ("needs", "the header parts/other.cce is not there")


def test_what_is_installed_and_not_found_is_the_projects_matter(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(torch_paths, "folder", {"torch": tmp_path}.get)
    assert said(GCC.format("torch/extension.h")) == (
        "needs", "torch is installed, and the project's build does not look in its folders: torch/extension.h")  # fmt: skip
    assert said(GCC.format("torch_npu/x.h"))[1].startswith("torch_npu, which this Python does not have (torch_npu/x.h)")


# --- which error counts


def test_the_first_error_counts_and_not_what_follows_from_it() -> None:
    own = "a.cpp:3:1: error: expected ';'\n"
    refused = "b.asc:9:1: error: AscendC::AtomicAdd does not exist on Atlas A2 and A3; nearest: y\n"
    assert said(own + refused) == ("fails", "a.cpp:3: expected ';'")
    assert said(refused + own) == ("unsupported", "AscendC::AtomicAdd does not exist on Atlas A2 and A3")
    assert said(GCC.format("x.h") + own) == ("needs", "the header x.h is not there")
    assert said(own + GCC.format("x.h")) == ("fails", "a.cpp:3: expected ';'")


def test_a_word_in_a_quoted_line_of_source_is_no_cause() -> None:
    quoted = "a.cpp:3:1: error: expected ';'\n   3 |   // as SIMT does\n"
    assert said(quoted) == ("fails", "a.cpp:3: expected ';'")
    assert said("a.asc:3:1: error: four values launch a SIMT kernel\n   3 | k<<<1, 2, 3, 4>>>();\n")[0] == "unsupported"


def test_a_package_that_cmake_only_looked_for_is_no_cause() -> None:
    status = "-- Could NOT find Doxygen (missing: DOXYGEN_EXECUTABLE)\n"
    assert said(status + "a.cpp:3:1: error: expected ';'\n") == ("fails", "a.cpp:3: expected ';'")
    required = "CMake Error at Find.cmake:230 (message):\n  Could NOT find Doxygen (missing: DOXYGEN_EXECUTABLE)\n\n"
    assert said(status + required) == ("needs", "CMake finds no package Doxygen")
    torch = 'CMake Error at CMakeLists.txt:9 (find_package):\n  By not providing "FindTorch.cmake" in CMAKE_MODULE_PATH\n\n'
    assert said(torch) == ("needs", "torch, which this Python does not have (find_package(Torch)): pip install 'torch==2.13.*'")


def test_make_saying_that_something_failed_is_not_the_reason() -> None:
    output = "building\nERROR: cann install info file not found\ngmake[2]: *** [Makefile:139: all] Error 2\ngmake: *** [all] Error 2\n"
    assert said(output) == ("fails", "ERROR: cann install info file not found")
    assert said("building\nno luck\ngmake: *** [Makefile:139: all] Error 2\n") == ("fails", "no luck")
    assert said("ninja: error: loading 'build.ninja'\n") == ("fails", "ninja: error: loading 'build.ninja'")
    assert last_line("make: *** [all] Error 2\n") == "make: *** [all] Error 2"


@pytest.mark.parametrize(
    "line", ["./build.sh: line 12: msopgen: command not found", "/bin/sh: 1: msopgen: not found", "run.sh: 3: msopgen: not found"]
)
def test_a_command_that_is_not_installed_is_named(line: str) -> None:
    assert said(f"{line}\ngmake: *** [Makefile:139: all] Error 127\n") == ("needs", "the command msopgen is not there")
    assert said("a.sh: line 3: value: unbound variable\n")[0] == "fails"


def test_an_operator_for_another_product_alone_is_told_as_such() -> None:
    error = "grid.cpp:59: error: 'pad_t' has not been declared\n"
    other = "aclimb warning: GridSampleMS is declared for ascend310p, ascend310b; Ascend910_9392 is ascend910_93\n"
    told = "GridSampleMS is declared for ascend310p and ascend310b alone; aclimb models Atlas A2 and A3"
    assert said(other + error) == ("unsupported", told)
    ours = "aclimb warning: OffsetsRange is declared for ascend310p, ascend910b; Ascend910_9392 is ascend910_93\n"
    assert said(ours + error) == ("fails", "grid.cpp:59: 'pad_t' has not been declared")


# --- torch


def test_an_extension_is_known_by_its_headers() -> None:
    assert is_extension("#include <torch/extension.h>\n")
    assert is_extension('  #  include "pybind11/numpy.h"\n')
    assert not is_extension('// #include <torch/extension.h>\n#include "torchlike.h"\n')


def test_flags_are_those_of_the_installed_packages(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert flags("x") == []
    monkeypatch.setattr(torch_paths, "folder", {"torch": tmp_path / "torch"}.get)
    made = flags("my-ext")
    assert "-DTORCH_EXTENSION_NAME=my_ext" in made
    assert {f"-I{tmp_path}/torch/include", f"-I{tmp_path}/torch/include/torch/csrc/api/include", f"-L{tmp_path}/torch/lib"} <= set(made)
    assert made[-4:] == ["-ltorch", "-ltorch_cpu", "-ltorch_python", "-lc10"]
    assert cmake_options("include_directories(${TORCH_PATH}/include ${TORCH_NPU_PATH}/include)") == [f"-DTORCH_PATH={tmp_path}/torch"]
    assert cmake_options("include_directories(include)") == []
