# SPDX-License-Identifier: Apache-2.0
"""Mistakes in operator projects of the generator's form, what is said about them, and what can be called all the same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from mistaken_project import Twice, write

from aclimb import op
from aclimb.errors import CompileError, InvalidArgument
from aclimb.host.op_package import build_project

INTEGERS = "#if ORIG_DTYPE_X == DT_INT32\n#error no integers yet\n#endif"
OPERATORS = {
    "Sound": Twice(),
    "NoParameter": Twice("((__gm__ DTYPE_X*)x)", "((__gm__ DTYPE_Z*)x)"),
    "OtherClass": Twice("GET_TILING_DATA(data, tiling)", "GET_TILING_DATA_WITH_STRUCT(NobodysTilingData, data, tiling)"),
    "WrongClass": Twice(registered_for="WrongClss"),
    "NoField": Twice("data.factor", "data.faktor"),
    "OneRow": Twice(top=INTEGERS),
    "NoHeader": Twice(top='#include "nowhere/at_all.h"'),
    "NoKernel": Twice(places=()),
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """The package of all of them, and what the build said."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ACLIMB_SOC", "Ascend910_9392")
        project = write(tmp_path_factory.mktemp("mistakes") / "project", OPERATORS)
        with pytest.raises(CompileError) as caught:
            build_project(project)
        yield project / "build", caught.value.in_full()


@pytest.fixture
def said(built: tuple[Path, str]) -> dict[str, str]:
    """By operator."""
    parts = re.split(r"^(\w+)\.cpp does not compile", built[1], flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_all_mistakes_of_a_project_are_told_at_once(built: tuple[Path, str], said: dict[str, str]) -> None:
    assert built[1].startswith("7 kernels do not compile\n")
    assert sorted(said) == ["no_field", "no_header", "no_parameter", "one_row", "other_class", "wrong_class"]


def test_an_operator_without_a_kernel_is_told_with_what_was_looked_for(built: tuple[Path, str]) -> None:
    folder = built[0].parent / "op_kernel"
    wanted = f"NoKernel has no kernel: {folder} has no no_kernel.cpp for this product, and no file there defines no_kernel"
    assert wanted in built[1].splitlines()


def test_a_type_of_a_parameter_that_does_not_exist_is_told_with_those_that_do(said: dict[str, str]) -> None:
    wanted = "no_parameter.cpp:8:82: error: DTYPE_Z is not defined: an operator project sets it for each build, from a parameter z of the"
    assert wanted in said["no_parameter"]
    assert "op_host declares x, y for NoParameter, and the tiling class NoParameterTilingData" in said["no_parameter"]


def test_a_tiling_class_that_nobody_registers_is_told_with_those_that_are(said: dict[str, str]) -> None:
    wanted = (
        "other_class.cpp:7:33: error: there is no tiling struct NobodysTilingData: a header declares it, or the host code, with "
        "REGISTER_TILING_DATA_CLASS\n"
    )
    assert wanted in said["other_class"]
    assert "op_host declares x, y for OtherClass, and the tiling class OtherClassTilingData" in said["other_class"]


def test_a_tiling_class_that_is_registered_for_no_operator_is_told(said: dict[str, str]) -> None:
    assert "wrong_class.cpp:7:5: error: GET_TILING_DATA does not know the tiling struct" in said["wrong_class"]
    wanted = "op_host declares x, y for WrongClass, and no tiling class: WrongClassTilingData is registered for WrongClss, which is none"
    assert wanted in said["wrong_class"]


def test_a_misspelt_field_of_the_tiling_data_is_named(said: dict[str, str]) -> None:
    assert "no_field.cpp:8:113: error: NoFieldTilingData has no field faktor" in said["no_field"]
    assert "does not know the tiling struct" not in said["no_field"]


def test_a_header_that_is_found_nowhere_is_named(said: dict[str, str]) -> None:
    assert "no_header.cpp:3:10: error: nowhere/at_all.h: no such header" in said["no_header"]


def test_a_row_that_does_not_compile_is_named_alone(said: dict[str, str]) -> None:
    assert "one_row.cpp:4:2: error: #error no integers yet" in said["one_row"]
    assert re.findall(r"built for .*", said["one_row"]) == ["built for OneRow with x int32, y int32, on ascend910_93"]
    assert len(re.findall(r"built for .*", said["other_class"])) == 2


def test_the_other_rows_and_the_other_operators_can_be_called(built: tuple[Path, str], an_a3: str) -> None:
    floats, integers = np.arange(3, dtype=np.float32), np.arange(3, dtype=np.int32)
    with op.load(built[0]) as library:
        np.testing.assert_array_equal(library["Sound"](floats).to_numpy(), 2 * floats)
        np.testing.assert_array_equal(library["Sound"](integers).to_numpy(), 2 * integers)
        np.testing.assert_array_equal(library["OneRow"](floats).to_numpy(), 2 * floats)


@pytest.mark.requirement("cpp-46")
def test_a_call_of_the_row_that_was_not_built_is_refused(built: tuple[Path, str], an_a3: str) -> None:
    wanted = r"no kernel of OneRow was built for x int32; there are some for x float32, "
    with op.load(built[0]) as library, pytest.raises(op.OpError, match=wanted):
        library["OneRow"](np.arange(3, dtype=np.int32))


def test_types_that_are_not_declared_are_refused_with_those_that_are(built: tuple[Path, str], an_a3: str) -> None:
    wanted = r"Sound does not take x int16 ND; it takes x float32, y float32, .*; x int32, y int32, "
    with op.load(built[0]) as library, pytest.raises(op.OpError, match=wanted):
        library["Sound"](np.ones(3, np.int16))


def test_an_operator_without_a_tiling_class_says_who_registers_one(tmp_path: Path, an_a3: str) -> None:
    with pytest.raises(CompileError) as caught:
        build_project(write(tmp_path / "project", {"NoClass": Twice(registered_for="")}))
    said = caught.value.in_full()
    assert "no_class.cpp:7:5: error: GET_TILING_DATA does not know the tiling struct" in said
    assert "op_host declares x, y for NoClass, and no tiling class: REGISTER_TILING_DATA_CLASS names one" in said


def test_a_condition_on_a_parameter_that_does_not_exist_warns(tmp_path: Path, an_a3: str, capsys: pytest.CaptureFixture[str]) -> None:
    build_project(write(tmp_path / "project", {"Asks": Twice(top="#if ORIG_DTYPE_Z == DT_INT32\n#endif")}))
    said = capsys.readouterr().err
    assert said.count("asks.cpp:3:5: warning: ORIG_DTYPE_Z is not defined, and #if takes it for 0") == 1
    assert "kernels.py" not in said


def test_two_kernels_for_one_operator_are_told_with_what_chooses_between_them(tmp_path: Path, an_a3: str) -> None:
    project = write(tmp_path / "project", {"Sound": Twice(places=("one", "two"))})
    wanted = (
        r"op_kernel/one/sound.cpp and op_kernel/two/sound.cpp are both the kernel sound; npu_op_kernel_sources\(... OP_TYPE type "
        r"KERNEL_FILE file\) in the project's CMakeLists.txt names the one to build"
    )
    with pytest.raises(InvalidArgument, match=wanted):
        build_project(project)
    (project / "op_kernel" / "CMakeLists.txt").write_text("npu_op_kernel_sources(kernels OP_TYPE Sound KERNEL_FILE two/sound.cpp)\n")
    with build_project(project, tmp_path / "again").load() as library:
        np.testing.assert_array_equal(library["Sound"](np.arange(3, dtype=np.int32)).to_numpy(), [0, 2, 4])


def test_a_header_of_host_code_that_is_found_nowhere_is_named(tmp_path: Path) -> None:
    project = write(tmp_path / "project", {"Sound": Twice()})
    with (project / "op_host" / "all.cpp").open("a") as file:
        file.write('#include "nowhere.h"\n')
    with pytest.raises(CompileError, match=r"(?s)the host code of project does not compile\n.*all.cpp:\d+:10: fatal error: .*nowhere.h"):
        build_project(project)


def test_a_header_that_is_there_twice_is_told_with_both_places(tmp_path: Path, an_a3: str) -> None:
    project = write(tmp_path / "project", {"Sound": Twice(top='#include "twice.h"')})
    for name in ("one", "two"):
        (project / "op_kernel" / name).mkdir()
        (project / "op_kernel" / name / "twice.h").write_text("#pragma once\n")
    with pytest.raises(CompileError) as caught:
        build_project(project)
    places = " and ".join(str(project / "op_kernel" / name) for name in ("one", "two"))
    assert f"twice.h lies in {places}: say which with -I" in caught.value.in_full()
    build_project(project, project / "again", words=[f"-I{project / 'op_kernel' / 'two'}"])
