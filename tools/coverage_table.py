# SPDX-License-Identifier: Apache-2.0
"""The page on requirements: each line of tests/requirements/*.toml beside the tests that name it. Printed when run.

Tests are read, not imported: a marker is found where it is written, `@pytest.mark.requirement("host-37")`.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
TESTS = ROOT / "tests"
REASONS = ("later", "untested")  # why a line has no test


def groups() -> dict[str, dict[str, Any]]:
    """By the title of each file: its lines, by id."""
    files = [tomllib.loads(path.read_text()) for path in sorted((TESTS / "requirements").glob("*.toml"))]
    return {file.pop("title"): file for file in files}


@cache
def markers() -> tuple[tuple[str, str], ...]:
    """(id, test) for every id that a test names; a test is file::name."""
    found: list[tuple[str, str]] = []
    for path in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef):
                found += ((name, f"{path.relative_to(TESTS)}::{node.name}") for name in named_by(node))
    return tuple(found)


def named_by(test: ast.FunctionDef) -> Iterator[str]:
    for decorator in test.decorator_list:
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.requirement":
            yield from map(ast.literal_eval, decorator.args)


def tests_by_id() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, test in markers():
        found.setdefault(name, []).append(test)
    return found


def without_proof() -> list[str]:
    """Ids of lines that have neither a test nor a reason."""
    tests = tests_by_id()
    return [name for lines in groups().values() for name, line in lines.items() if name not in tests and not reason(line)]


def reason(line: dict[str, str]) -> str:
    return "; ".join(f"{word}: {line[word]}" for word in REASONS if word in line)


def requirements_page() -> Iterator[str]:
    yield "# Requirements"
    yield "From `tests/requirements` and the markers of the tests. Every line names the tests that"
    yield "prove it, or says why there is none."
    tests = tests_by_id()
    for title, lines in groups().items():
        proved = sum(name in tests for name in lines)
        yield ""
        yield f"## {title}"
        yield ""
        yield f"{proved} of {len(lines)} lines have a test."
        yield ""
        yield "| line | says | tests |"
        yield "|---|---|---|"
        for name, line in lines.items():
            proof = "<br>".join(f"`{test}`" for test in tests.get(name, ())) or reason(line) or "**none**"
            yield f"| {name} | {line['says']} | {proof} |".replace("\n", " ")


if __name__ == "__main__":
    title, *lines = requirements_page()
    print("\n".join([title, "", *lines]))
