# SPDX-License-Identifier: Apache-2.0
"""What check.py of a project can say: references, attributes, inputs of different shapes; lists for a dynamic input come by themselves."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import generated_references
import pytest
from generated_calls import PROJECTS

from aclimb.errors import InvalidArgument
from aclimb.op.check.checker import CheckReport
from aclimb.op.native.package import Package
from aclimb.op.project.build import Project
from aclimb.op.project.check import check_project

REFERENCES = Path(generated_references.__file__).read_text()
Check = Callable[..., dict[str, CheckReport]]
pytestmark = pytest.mark.usefixtures("an_a3")


@pytest.fixture
def check(package_of: Callable[..., Package], tmp_path: Path) -> Check:
    """check(name, *lines) is what `op test` says of that project, whose check.py is the references and these lines."""

    def run(name: str, *lines: str) -> dict[str, CheckReport]:
        (tmp_path / "check.py").write_text("\n".join([REFERENCES, "SHAPES = [(4, 8), (33,)]", *lines, ""]))
        return {each.operator: each for each in check_project(Project(tmp_path, package_of(PROJECTS / name).root))}

    return run


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("scale_shift", {"ScaleShift": 6}),
        ("by_key", {"ByKey": 4, "Pick": 2}),
        ("maybe_bias", {"MaybeBias": 4}),
        ("join_many", {"JoinMany": 4}),
    ],
)
def test_every_operator_with_a_reference_is_checked_in_all_of_its_types(name: str, rows: dict[str, int], check: Check) -> None:
    said = check(name)
    assert {operator: len(report.rows) for operator, report in said.items()} == rows
    assert all(report.ok for report in said.values()), "\n".join(map(str, said.values()))


def test_attributes_of_the_check_reach_the_operator_and_the_reference(check: Check) -> None:
    assert check("by_key", 'ATTRS = {"by_key": {"mode": 2}, "pick": {"low": 1.0, "high": 3.0}}')["ByKey"].ok
    wrong = check("by_key", 'ATTRS = {"by_key": {"mode": 2}, "pick": {"low": 1.0}}', "def by_key(x, mode): return -x")["ByKey"]
    assert not wrong.ok
    assert [row.stage for row in wrong.rows] == ["launch"] * 4


def test_a_required_attribute_that_the_check_does_not_give_is_asked_for(check: Check) -> None:
    wanted = r'^Pick needs the attribute low; check.py gives it: ATTRS = {"pick": {"low": ...}}$'
    with pytest.raises(InvalidArgument, match=wanted):
        check("by_key", "ATTRS = {}")


def test_samples_of_the_check_take_the_place_of_those_of_one_shape(check: Check) -> None:
    said = check("maybe_bias", "SAMPLES = {}")["MaybeBias"]
    assert [(row.shape, row.ok, row.stage) for row in said.rows] == [((4, 8), False, "tiling"), ((33,), True, None)] * 2
