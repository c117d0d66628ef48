# SPDX-License-Identifier: Apache-2.0
"""Random operator projects, built as they are and compared with NumPy: a tiling field at the wrong place changes every result."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np
import pytest
from random_projects import RandomOperator, random_operator, write_project

from aclimb import Stream, op
from aclimb.host.op_package import build_project

SEEDS = 200
BATCH = 20  # operators of one project


def compare(operator: op.Operator, made: RandomOperator, stream: Stream) -> int:
    """Two calls of every row. Returns how many there were."""
    calls = 0
    for row in made.rows:
        for turn in range(2):
            given, attrs = made.arguments(Random(f"{made.type} {row} {turn}"), row)
            got = operator(*given, stream=stream, **attrs)
            stream.synchronize()
            for each, wanted in zip(got if isinstance(got, tuple) else (got,), made.expected(given, attrs, row), strict=True):
                assert each.dtype == wanted.dtype
                np.testing.assert_array_equal(each.to_numpy(), wanted, err_msg=f"{made} {row} {attrs}")
            calls += 1
    return calls


def build_and_compare(folder: Path, seeds: Sequence[int], unit: str = "ascend910_93") -> None:
    operators = write_project(folder, seeds, unit)
    build_project(folder)
    stream = Stream()
    with op.load(folder / "build") as library:
        assert [each.type for each in library] == [each.type for each in operators]
        assert [compare(library[each.type], each, stream) for each in operators] == [2 * len(each.rows) for each in operators]


def test_a_seed_gives_the_same_project_every_time(tmp_path: Path) -> None:
    assert random_operator(7) == random_operator(7) != random_operator(8)
    texts = []
    for name in ("one", "two"):
        write_project(tmp_path / name, [7, 8])
        texts.append({str(each.relative_to(tmp_path / name)): each.read_text() for each in (tmp_path / name).rglob("*.*")})
    assert texts[0] == texts[1]


def test_seeds_reach_every_kind_of_project() -> None:
    made = [random_operator(seed) for seed in range(SEEDS)]
    assert {each.workspace for each in made} == {"none", "zero", "some"}
    assert {len(each.tilings) for each in made} == {1, 2, 3}
    assert {each.kind for operator in made for each in operator.inputs} == {"REQUIRED", "OPTIONAL", "DYNAMIC"}
    assert {(len(each.inputs), len(each.outputs)) for each in made} == {(i, o) for i in (1, 2, 3) for o in (1, 2)}
    assert {(each.by_name, each.has_keys) for each in made} == {(a, b) for a in (True, False) for b in (True, False)}
    elements = [element for operator in made for tiling in operator.tilings for _, element in tiling.struct.elements("")]
    assert len({each.type for each in elements}) == 11


@pytest.mark.requirement("cpp-46")
def test_three_random_operators_compute_what_numpy_does(tmp_path: Path, an_a3: str) -> None:
    build_and_compare(tmp_path / "random", [3, 5, 11])


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, SEEDS, BATCH))
def test_random_operators_compute_what_numpy_does(first: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chip, unit = [("Ascend910_9392", "ascend910_93"), ("Ascend910B1", "ascend910b")][first // BATCH % 2]
    monkeypatch.setenv("ACLIMB_SOC", chip)
    build_and_compare(tmp_path / "random", range(first, first + BATCH), unit)
