# SPDX-License-Identifier: Apache-2.0
"""docs/check_in_ci.md: the two pipelines are valid YAML, their steps fit together, and their commands have the options that they use."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pages
import pytest
import yaml

pytest_plugins = ["pytester"]

PAGE = Path(__file__).parents[2] / "docs" / "check_in_ci.md"


def pipeline(name: str) -> Any:
    [block] = [block for block in pages.blocks(PAGE) if block.kind == f"yaml file={name}.yml"]
    return yaml.safe_load(block.text)


def github() -> Any:
    return pipeline("github")["jobs"]["check"]


def commands() -> Iterator[list[str]]:
    """Every command of both pipelines and of the page's own."""
    steps = [step["run"] for step in github()["steps"] if "run" in step]
    gitlab = pipeline("gitlab")["check"]
    shown = [line for block in pages.blocks(PAGE) if block.kind == "sh" for line in block.text.splitlines()]
    for line in [*steps, *gitlab["before_script"], *gitlab["script"], *shown]:
        yield shlex.split(line.partition("||")[0], comments=True)


def written(command: list[str]) -> list[str]:
    """The files that a command leaves."""
    outs = [after for word, after in pairwise(command) if word == "--out"]
    return outs + [word.partition("=")[2] for word in command if word.startswith("--junitxml=")]


def test_every_step_of_the_workflow_uses_something_or_runs_something() -> None:
    whole = pipeline("github")
    assert set(whole) == {"name", True, "permissions", "jobs"}  # YAML reads `on` as true, and GitHub knows
    assert whole["permissions"]["security-events"] == "write"
    for step in github()["steps"]:
        assert len({"uses", "run"} & set(step)) == 1
        assert "uses" not in step or re.fullmatch(r"[\w-]+/[\w-]+(/[\w-]+)?@v\d+", step["uses"])


def test_what_is_uploaded_was_written_by_a_step_before() -> None:
    files = [file for step in github()["steps"] if "run" in step for file in written(shlex.split(step["run"]))]
    uploads = {step["uses"].partition("@")[0]: step["with"] for step in github()["steps"] if "upload" in step.get("uses", "")}
    assert uploads["github/codeql-action/upload-sarif"]["sarif_file"] in files
    assert uploads["actions/upload-artifact"]["path"].split() == files
    artifacts, script = pipeline("gitlab")["check"]["artifacts"], pipeline("gitlab")["check"]["script"]
    files = [file for line in script for file in written(shlex.split(line))]
    assert sorted([*artifacts["paths"], *artifacts["reports"]["junit"]]) == sorted(files)


def test_the_cache_is_the_folder_that_kernels_are_kept_in() -> None:
    [cache] = [step["with"]["path"] for step in github()["steps"] if step.get("uses", "").startswith("actions/cache@")]
    assert github()["env"]["ACLIMB_CACHE_DIR"].endswith(f"/{cache}")
    gitlab = pipeline("gitlab")["check"]
    assert gitlab["cache"]["paths"] == [gitlab["variables"]["ACLIMB_CACHE_DIR"].rpartition("/")[2]]


def test_pytest_knows_the_options_of_the_page(pytester: pytest.Pytester) -> None:
    lines = [command[1:] for command in commands() if command[:1] == ["pytest"]]
    assert len(lines) == 2
    for options in lines:
        config = pytester.parseconfig(*options)
        assert config.getoption("--aclimb-check") == "on"


def test_aclimb_check_knows_the_options_of_the_page() -> None:
    import typer

    from aclimb import cli

    known = {word for parameter in typer.main.get_command(cli.app).commands["check"].params for word in parameter.opts}  # type: ignore[attr-defined]
    used = {word for command in commands() if command[:2] == ["aclimb", "check"] for word in command if word.startswith("-")}
    assert len(used) >= 3
    assert used <= known
