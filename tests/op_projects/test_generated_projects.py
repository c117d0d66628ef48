# SPDX-License-Identifier: Apache-2.0
"""Operator projects as the vendor's generator writes them, built as they are: every row of types, on two chips, compared with NumPy."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from generated_calls import CALLS, HEADERS, PROJECTS, WORDS, Call, compare, compare_all
from typer.testing import CliRunner

from aclimb import Stream, cli, op
from aclimb.op.native.package import Package
from aclimb.op.project.build import Project, lines

PackageOf = Callable[..., Package]


def test_every_project_has_calls() -> None:
    assert sorted(each.name for each in PROJECTS.iterdir()) == sorted(CALLS)


@pytest.mark.requirement("cpp-46")
@pytest.mark.parametrize("name", CALLS)
def test_every_row_of_types_computes_what_numpy_does(name: str, package_of: PackageOf, chip: str) -> None:
    compare_all(package_of(PROJECTS / name, WORDS.get(name, ())).root, name)


def test_words_of_the_command_line_reach_host_code_and_kernels(tmp_path: Path, an_a3: str) -> None:
    words = ["-D", "FIRST_GAIN=-4", "-I", str(HEADERS / "five"), "-o", str(tmp_path / "out")]
    answer = CliRunner().invoke(cli.app, ["op", "build", str(PROJECTS / "from_words"), *words])
    assert answer.output == "FromWords(x: int32|float32) -> y: int32|float32   2 kernels, tiling keys 0   ascend910b, ascend910_93\n"
    with op.load(tmp_path / "out") as library:
        assert len(list(compare(library, Call("FromWords", [(70,)], said={"first": -4, "count": 5}), Stream()))) == 2


@pytest.mark.parametrize("option", ["-I", "--around"])
def test_a_folder_that_does_not_exist_is_refused(option: str, tmp_path: Path) -> None:
    answer = CliRunner().invoke(cli.app, ["op", "build", str(PROJECTS / "from_words"), option, "nowhere", "-o", str(tmp_path)])
    assert answer.exit_code == 2
    assert "'nowhere' does not exist." in answer.output.split(f"Error: Invalid value for '{option}': ")[1]
    assert list(tmp_path.iterdir()) == []


TOLD = {
    "odd_fields": [
        "OddFields(x: float32|float16, negative: bool, large: int, added: list[bool]) -> y: float32|float16   2 kernels, tiling keys 0",
    ],
    "by_key": [
        "ByKey(x: float16|float32, mode: int) -> y: float16|float32   2 kernels, tiling keys 0, 1, 20",
        "Pick(x: float32, low: float, high: float) -> y: float32   tiling keys 3, 7",
    ],
    "mixed_product": ["MixedProduct(a: float16|float32, b: float16|float32, addend: float) -> c: float32   2 kernels, tiling keys 1"],
}


@pytest.mark.parametrize("name", TOLD)
def test_a_project_is_told_in_a_line_for_each_operator(name: str, package_of: PackageOf, an_a3: str) -> None:
    told = lines(Project(PROJECTS / name, package_of(PROJECTS / name).root))
    assert list(told) == [f"{line}   ascend910b, ascend910_93" for line in TOLD[name]]


@pytest.mark.requirement("cpp-46")
def test_a_chip_has_the_types_of_its_own_configuration(package_of: PackageOf, chip: str) -> None:
    wanted = {"Ascend910B1": ["float16", "int32", "int16"], "Ascend910_9392": ["float32", "bfloat16"]}[chip]
    with op.load(package_of(PROJECTS / "per_chip").root) as library:
        assert [row["x"] for row in library["PerChip"].combinations] == wanted


def test_an_optional_input_that_is_left_out_differs_from_one_of_zeros_in_no_way(package_of: PackageOf, an_a3: str) -> None:
    stream, x = Stream(), np.arange(12, dtype=np.float32).reshape(3, 4)
    with op.load(package_of(PROJECTS / "maybe_bias").root) as library:
        call = partial(library["MaybeBias"], stream=stream)
        without, zeros, named = call(x), call(x, np.zeros(4, np.float32)), call(x, bias=np.ones(4, np.float32))
        stream.synchronize()
        np.testing.assert_array_equal(without.to_numpy(), zeros.to_numpy())
        np.testing.assert_array_equal(named.to_numpy(), zeros.to_numpy() + 1)


def test_a_plan_launches_the_kernel_of_its_types(package_of: PackageOf, chip: str) -> None:
    stream = Stream()
    with op.load(package_of(PROJECTS / "scale_shift").root) as library:
        for dtype in (np.int32, np.float16, np.float32):
            x = np.arange(-8, 8, dtype=dtype)
            plan = library["ScaleShift"].plan(x, scale=5, repeatable=True)
            for _ in range(2):
                plan.run(stream=stream)
            stream.synchronize()
            np.testing.assert_array_equal(plan.outputs[0].to_numpy(), 5 * x - 1)
