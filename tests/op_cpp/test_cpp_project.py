# SPDX-License-Identifier: Apache-2.0
"""`aclimb op new`, `op build` and `op test`."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from aclimb import cli, op
from aclimb.errors import CompileError, InvalidArgument
from aclimb.op.project.build import Project, build
from aclimb.op.project.check import check_project
from aclimb.op.project.new import new_project


def test_a_new_project_has_both_sides_and_its_check(tmp_path: Path) -> None:
    answer = CliRunner().invoke(cli.app, ["op", "new", "AddThing", str(tmp_path / "mine")])
    assert (answer.exit_code, answer.output.strip()) == (0, str(tmp_path / "mine"))
    made = sorted(str(each.relative_to(tmp_path / "mine")) for each in (tmp_path / "mine").rglob("*.*"))
    assert made == ["check.py", "op_host/add_thing.cpp", "op_kernel/add_thing.cpp", "op_kernel/add_thing_tiling.h"]
    with pytest.raises(InvalidArgument, match="mine is there already, and not empty; give another folder"):
        new_project("AddThing", tmp_path / "mine")
    with pytest.raises(InvalidArgument, match="operator type is 'add thing'; it takes a name such as AddCustom"):
        new_project("add thing", tmp_path / "other")


def test_what_is_no_project_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match=r"is no operator project: there is no .cpp file in .*/op_host"):
        build(tmp_path)
    (tmp_path / "op_host").mkdir()
    (tmp_path / "op_host" / "bad.cpp").write_text("#error not yet\n")
    with pytest.raises(CompileError, match=r"(?s)the host code of \w+ does not compile\n.*bad.cpp:1:2: error: .*not yet"):
        build(tmp_path)


@pytest.mark.slow
def test_a_new_project_builds_and_passes_its_check(tmp_path: Path) -> None:
    folder = new_project("ScaleBy", tmp_path / "scale")
    answer = CliRunner().invoke(cli.app, ["op", "build", str(folder), "-o", str(tmp_path / "out")])
    assert answer.output == "ScaleBy(x: float32, scale: float) -> y: float32   tiling keys 0   ascend910b, ascend910_93\n"
    made = Project(folder, tmp_path / "out")
    assert {each.parent.name for each in made.package.kernels.rglob("scale_by.o")} == {"ascend910b", "ascend910_93"}
    (report,) = check_project(made)
    assert report.ok
    assert [row.shape for row in report.rows] == [(1,), (7, 31), (64, 100), (3, 4097)]
    assert op.get("ScaleBy") is None
    check = folder / "check.py"
    check.write_text(check.read_text().replace("np.float32(scale)", "np.float32(scale + 1)"))
    answer = CliRunner().invoke(cli.app, ["op", "test", str(folder), "-o", str(tmp_path / "out")])
    assert answer.exit_code == 1
    assert "ScaleBy: 0 of 4 rows are fine" in answer.output
    check.write_text("")
    with pytest.raises(InvalidArgument, match="has no reference; write a NumPy function scale_by"):
        check_project(made)
    check.unlink()
    with pytest.raises(InvalidArgument, match=r"check.py does not exist; it has a NumPy function for each operator"):
        check_project(made)
