# SPDX-License-Identifier: Apache-2.0
"""`aclimb coverage`: a table of what is missing, a line for each file, or all of it as JSON."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from aclimb.compile import Program
from aclimb.compile.coverage import Coverage, FileCoverage
from aclimb.errors import AclimbError
from aclimb.fleet import Places, Task, open_fleet
from aclimb.fleet.progress import progress

_MOST_NAMES = 6
Built = dict[Path, str]  # what a build said: empty when it went through


def try_builds(coverage: Coverage, defines: list[str], include_dirs: list[Path], jobs: int | None = None, on: str | None = None) -> Built:
    """Of every file that has a kernel, several at a time."""
    paths = [each.path for each in coverage.files if each.has_kernel]
    if not paths:
        return {}
    folders = [*(each.path.absolute().parent for each in coverage.files), *include_dirs]
    includes = [str(each.absolute()) for each in include_dirs]
    with (
        open_fleet(on, min(jobs or os.cpu_count() or 1, len(paths)) if on is None else jobs) as fleet,
        progress("build", len(paths)) as tell,
    ):
        there = fleet.carry(folders)
        function = "aclimb.report.coverage:build_one"
        tasks = (Task(function, (str(path.absolute()), defines, includes), path.name, there) for path in paths)
        found = fleet.run(tasks, lambda done: tell(done.task.label, done.ok and not done.value))
        return {path: done.value if done.ok else done.reason for path, done in zip(paths, found, strict=True)}


def build_one(arguments: tuple[str, list[str], list[str]], places: Places) -> str:
    """What the build of one file says; nothing when it went through."""
    path, defines, include_dirs = arguments
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            Program(places.here(path), defines=defines, include_dirs=map(places.here, include_dirs)).compile()
    except AclimbError as error:
        diagnostics = getattr(error, "diagnostics", None)
        if diagnostics:
            return f"{Path(diagnostics[0].file).name}:{diagnostics[0].line}: {places.back(diagnostics[0].text)}"
        return places.back(str(error).splitlines()[0])
    return ""


def document(coverage: Coverage, built: Built) -> dict[str, Any]:
    return {
        "files": len(coverage.files),
        "covered": coverage.covered,
        "blockers": [
            {
                "part": row.part, "names": list(row.names), "files": row.files, "alone": row.alone, "nearest": row.nearest,
                "reason": "not on A2 and A3" if row.is_elsewhere else "not yet",
            }
            for row in coverage.blockers()
        ],
        "perFile": [_row(each, built.get(each.path)) for each in coverage.files],
    }  # fmt: skip


def _row(each: FileCoverage, error: str | None) -> dict[str, Any]:
    row = {
        "file": str(each.path),
        "kernel": each.has_kernel,
        "supported": list(each.supported),
        "missing": [{"name": lacking.name, "reason": lacking.reason, "nearest": lacking.nearest} for lacking in each.missing],
        "unknown": list(each.unknown),
    }
    return row if error is None else row | {"builds": not error, "error": error}


def show(coverage: Coverage, built: Built, paths: Sequence[Path]) -> None:
    console = Console(highlight=False)
    total, covered = len(coverage.files), coverage.covered
    words = f"{total} file{'s' if total != 1 else ''} with Ascend C, {covered} with every name supported"
    console.print(Text(f"{', '.join(map(str, paths))}: {words}"), style="bold", soft_wrap=True)
    if built:
        console.print(f"{sum(not error for error in built.values())} of {len(built)} files with a kernel build")
    if blockers := coverage.blockers():
        table = _table("missing", "files", "alone", "instead")
        for row in blockers:
            names = f"{row.part}: {_some(row.names)}" if row.names != (row.part,) else row.part
            style = "yellow" if row.is_elsewhere else "red"
            instead = f"not on A2 and A3: {row.nearest}" if row.is_elsewhere else row.nearest
            table.add_row(Text(names, style=style), str(row.files), Text(str(row.alone), style="bold" if row.alone else "dim"), instead)
        console.print()
        console.print(table)
    console.print()
    console.print(_files(coverage, built))


def _files(coverage: Coverage, built: Built) -> Table:
    table = _table("file", "has", "of", "missing", *(["build"] if built else []))
    common = os.path.commonpath([each.path.parent.absolute() for each in coverage.files]) if coverage.files else ""
    for each in coverage.files:
        lacking = [lacking.name for lacking in each.missing] + list(each.unknown)
        name = os.path.relpath(each.path.absolute(), common)
        cells: list[Text | str] = [
            Text(name, style="green" if each.is_covered else "red"),
            str(len(each.supported)),
            str(len(each.supported) + len(lacking)),
        ]
        build = [_build_cell(built.get(each.path))] if built else []
        table.add_row(*cells, Text(_some(lacking) if lacking else "-"), *build)
    return table


def _build_cell(error: str | None) -> Text:
    return Text("-") if error is None else Text(error, style="red") if error else Text("builds", style="green")


def _some(names: Iterable[str]) -> str:
    listed = list(names)
    more = f" and {len(listed) - _MOST_NAMES} more" if len(listed) > _MOST_NAMES else ""
    return ", ".join(listed[:_MOST_NAMES]) + more


def _table(*titles: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for title in titles:
        is_number = title in ("files", "alone", "has", "of")
        table.add_column(title, justify="right" if is_number else "left", no_wrap=is_number or title == "file", overflow="fold")
    return table
