# SPDX-License-Identifier: Apache-2.0
"""sweep.sqlite: every outcome as it comes, so that a sweep that was stopped goes on, and can be shown again."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from aclimb import knobs
from aclimb.errors import InvalidArgument
from aclimb.fleet import Done
from aclimb.fleet.records import Records, Result
from aclimb.report.sweep.points import Axis, Point
from aclimb.report.sweep.result import SweepOutcome

NAME = "sweep.sqlite"
_SOURCES = (".py", ".cpp", ".cc", ".cxx", ".c", ".asc", ".cce", ".h", ".hpp", ".toml")
_MOST_SOURCES = 2_000  # more are somebody's home: then the program's own text has to do


class SweepFile:
    """The file and one run in it. What it has already is found by the point."""

    def __init__(self, records: Records, settings: dict[str, Any], total: int, *, resumes: bool) -> None:
        self._records = records
        self._run = records.resume("sweep", settings) if resumes else records.begin("sweep", settings, total)
        self._outcomes = {each.key: _outcome(each) for each in records.results(self._run)}

    @property
    def count(self) -> int:
        return len(self._outcomes)

    def find(self, point: Point) -> SweepOutcome | None:
        return self._outcomes.get(str(point))

    def add(self, number: int, outcome: SweepOutcome, done: Done) -> None:
        """`number`: its place among all that are asked for."""
        key, values = str(outcome.point), dict(outcome.point.values)
        findings = [outcome.error] if outcome.error else []
        self._records.add(self._run, Result(
            number, key, values, values.get("soc", knobs.soc()), outcome.task_us, outcome.core_us, findings, outcome.error,
            {"options": outcome.point.options, "facts": outcome.facts, "bound": outcome.bound, "launches": outcome.launches},
            done.attempts, done.seconds, done.node))  # fmt: skip
        self._outcomes[key] = outcome

    def end(self, ending: str) -> None:
        self._records.end(self._run, ending)


def _outcome(result: Result) -> SweepOutcome:
    value = result.value
    point = Point(tuple(result.parameters.items()), tuple(value["options"]))
    return SweepOutcome(point, result.task_us, result.core_us or 0.0, value["bound"], value["launches"], result.error, value["facts"])


def settings_of(program: Path, arguments: Sequence[str], axes: Sequence[Axis], how: dict[str, Any]) -> dict[str, Any]:
    """What a run was asked for. A run goes on only where all of it is the same."""
    return {
        "program": program.name,
        "arguments": list(arguments),
        "parameters": {axis.name: list(axis.values) for axis in axes},
        **how,
        "chip": knobs.soc(),
        "strictness": knobs.strictness(),
        "sources": _digest(program),
    }


def _digest(program: Path) -> str:
    """Of the program and the sources around it."""
    folder = program.absolute().parent
    found = [program.absolute(), *_sources(folder)]
    if len(found) > _MOST_SOURCES:
        found = found[:1]
    total = hashlib.sha256()
    for path in sorted(set(found)):
        total.update(f"{path.relative_to(folder)}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return total.hexdigest()[:16]


def _sources(folder: Path) -> list[Path]:
    """Those below it, and no more of a large tree than are needed to know that it is one."""
    found: list[Path] = []
    seen = 0
    for here, inside, names in os.walk(folder):
        inside[:] = sorted(each for each in inside if not each.startswith((".", "__")))
        found += [path for name in names if (path := Path(here, name)).suffix in _SOURCES and path.is_file()]
        seen += len(names) + len(inside)
        if len(found) > _MOST_SOURCES or seen > 10 * _MOST_SOURCES:
            return [*found, *([folder] * _MOST_SOURCES)]
    return found


def read(path: Path) -> tuple[list[SweepOutcome], int, str, str, str]:
    """The last run of a file: outcomes in the order they were asked for, combinations, why no more, program, objective."""
    with Records(path, must_exist=True) as records:
        run = records.last()
        results = records.results(run)
    if not results:
        raise InvalidArgument(f"{path} has no result yet; the sweep goes on with --resume")
    ending = "it was not finished, and goes on with --resume" if run.ending is None else run.ending
    return [_outcome(each) for each in results], run.total, ending, run.settings["program"], run.settings["objective"]
