# SPDX-License-Identifier: Apache-2.0
"""Both sides of the table fit: what tests name exists, and what is required has a test or a reason."""

from __future__ import annotations

import ast
import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def table() -> ModuleType:
    spec = importlib.util.spec_from_file_location("coverage_table", ROOT / "tools" / "coverage_table.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_id_that_a_test_names_exists(table: ModuleType) -> None:
    known = {name for lines in table.groups().values() for name in lines}
    assert [(name, test) for name, test in table.markers() if name not in known] == []


def test_every_line_has_a_test_or_a_reason(table: ModuleType) -> None:
    assert table.without_proof() == []


def test_a_line_is_one_sentence_and_at_most_one_reason(table: ModuleType) -> None:
    for lines in table.groups().values():
        for name, line in lines.items():
            assert set(line) in ({"says"}, {"says", "later"}, {"says", "untested"}), name
            assert line["says"].endswith("."), name
            assert "|" not in line["says"], name


def test_the_lines_of_a_file_are_numbered_without_gaps(table: ModuleType) -> None:
    for path in sorted((ROOT / "tests" / "requirements").glob("*.toml")):
        lines = next(lines for lines in table.groups().values() if next(iter(lines)).startswith(f"{path.stem}-"))
        assert list(lines) == [f"{path.stem}-{number}" for number in range(1, len(lines) + 1)]


def test_a_marker_is_found_where_it_is_written(table: ModuleType) -> None:
    (function,) = ast.parse('@pytest.mark.slow\n@pytest.mark.requirement("a-1", "a-2")\ndef test_x(): pass').body
    assert list(table.named_by(function)) == ["a-1", "a-2"]
