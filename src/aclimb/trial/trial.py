# SPDX-License-Identifier: Apache-2.0
"""All units of a folder, several at a time, with a progress bar."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from aclimb import knobs
from aclimb.errors import InvalidArgument
from aclimb.fleet import Done, Fleet, Limits, Places, Task, open_fleet
from aclimb.fleet.progress import progress
from aclimb.host.prefix import prefix
from aclimb.op.project.sources import checkout_of
from aclimb.trial.reasons import Result, Verdict
from aclimb.trial.scratch import copy_tree
from aclimb.trial.steps import Attempt, Bench
from aclimb.trial.units import Kind, Unit, find

TIMEOUT = 120.0
QUIET = (Result.passes, Result.builds)


@dataclass(frozen=True)
class Row:  # one unit -> the table
    name: str
    kind: Kind
    verdict: Verdict
    seconds: float
    log: str  # every command, and what it said


@dataclass
class Trial:
    """What came of a folder, and what is left of the scratch copy."""

    folder: Path
    rows: list[Row] = field(default_factory=list)
    logs: Path | None = None  # of the rows that do not pass
    copy: Path | None = None  # where it was asked for

    @property
    def ok(self) -> bool:
        """Whether nothing computes wrongly or fails. What is not supported, or lacks something, is no failure."""
        return not any(row.verdict.result in (Result.wrong, Result.fails) for row in self.rows)


def run(
    folder: Path,
    *,
    only: Iterable[str] = (),
    jobs: int | None = None,
    timeout: float = TIMEOUT,
    keep: bool = False,
    on: str | None = None,
    memory: int | None = None,
) -> Trial:
    """Tries every unit. The folder is read only; everything happens in a copy under the system's temporary folder."""
    units = find(folder, only)
    if not timeout > 0:
        raise InvalidArgument(f"--timeout is {timeout:g}; it takes seconds, a number above 0")
    if keep and on is not None:
        raise InvalidArgument(f"--keep with --on {on}: the copies are on the nodes; leave one of the two out")
    trial, scratch = Trial(folder), Path(tempfile.mkdtemp(prefix="aclimb-try-"))
    copy = scratch / "copy"
    try:
        copy_tree(folder, copy)
        groups = _groups(units)
        with open_fleet(on, jobs if on is not None else min(jobs or os.cpu_count() or 1, len(groups))) as fleet:
            trial.rows = _rows(fleet, copy, groups, timeout, Limits(memory=memory), _around(folder))
        trial.logs = _keep_logs(trial.rows, scratch / "logs")
        trial.copy = copy if keep else None
    finally:
        if not keep:
            shutil.rmtree(copy, ignore_errors=True)
        if not keep and trial.logs is None:
            shutil.rmtree(scratch, ignore_errors=True)
    return trial


def _around(folder: Path) -> Path | None:
    """None where the folder is the repository itself: the copy has it all."""
    found = checkout_of(folder.resolve())
    return found if found != folder.resolve() else None


def _groups(units: list[Unit]) -> list[list[Unit]]:
    """Units of one folder share its input and output, and come one after the other."""
    groups: dict[Path, list[Unit]] = {}
    for unit in units:
        groups.setdefault(unit.folder, []).append(unit)
    return list(groups.values())


def _rows(fleet: Fleet, copy: Path, groups: list[list[Unit]], timeout: float, limits: Limits, around: Path | None) -> list[Row]:
    folders = fleet.carry([copy])
    tasks = (Task("aclimb.trial.trial:try_group", (str(copy), group, timeout, around), group[0].name, folders, limits) for group in groups)
    with progress("try", len(groups)) as tell:
        found = list(fleet.run(tasks, lambda done: tell(done.task.label, _is_quiet(done))))
    rows = [row for done, group in zip(found, groups, strict=True) for row in (done.value if done.ok else _all_failed(group, done.reason))]
    return sorted(rows, key=lambda row: (row.name, row.kind))


def _is_quiet(done: Done) -> bool:
    return done.ok and all(row.verdict.result in QUIET for row in done.value)


def _all_failed(group: list[Unit], reason: str) -> list[Row]:
    return [Row(unit.name, unit.kind, Verdict(Result.fails, reason), 0.0, reason) for unit in group]


def try_group(arguments: tuple[str, list[Unit], float, Path | None], places: Places) -> list[Row]:
    """The units of one folder, in the process that tries them."""
    copy, units, timeout, around = arguments
    bench = Bench(places.here(copy), prefix(), timeout, knobs.threads() or 1, around)
    return [_row(bench, unit, places) for unit in units]


def _row(bench: Bench, unit: Unit, places: Places) -> Row:
    started, attempt = time.monotonic(), Attempt(bench, unit)
    try:
        verdict = attempt.verdict()
    except (OSError, UnicodeError) as error:  # a unit that took its own files away, or a full disk: its row, not the others'
        verdict = Verdict(Result.fails, f"{type(error).__name__}: {error}")
    verdict = replace(verdict, reason=places.back(verdict.reason))
    return Row(unit.name, unit.kind, verdict, time.monotonic() - started, places.back("\n".join(attempt.log)))


def _keep_logs(rows: list[Row], folder: Path) -> Path | None:
    failed = [row for row in rows if row.verdict.result not in QUIET]
    if not failed:
        return None
    folder.mkdir()
    for row in failed:
        (folder / log_name(row)).write_text(row.log)
    return folder


def log_name(row: Row) -> str:
    return row.name.replace("/", "_") + ".log"
