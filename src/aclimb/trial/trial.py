# SPDX-License-Identifier: Apache-2.0
"""All units of a folder, several at a time, with a progress bar."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from aclimb.errors import InvalidArgument
from aclimb.host.prefix import prefix
from aclimb.trial.processes import Processes
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


def run(folder: Path, *, only: Iterable[str] = (), jobs: int | None = None, timeout: float = TIMEOUT, keep: bool = False) -> Trial:
    """Tries every unit. The folder is read only; everything happens in a copy under the system's temporary folder."""
    units = find(folder, only)
    if not timeout > 0:
        raise InvalidArgument(f"--timeout is {timeout:g}; it takes seconds, a number above 0")
    workers = max(1, min(jobs if jobs is not None else os.cpu_count() or 1, len(units)))
    trial, scratch = Trial(folder), Path(tempfile.mkdtemp(prefix="aclimb-try-"))
    processes = Processes()
    bench = Bench(scratch / "copy", prefix(), processes, timeout, max(1, (os.cpu_count() or 1) // workers))
    try:
        copy_tree(folder, bench.copy)
        trial.rows = _rows(bench, units, workers)
        trial.logs = _keep_logs(trial.rows, scratch / "logs")
        trial.copy = bench.copy if keep else None
    finally:
        processes.stop()
        if not keep:
            shutil.rmtree(bench.copy, ignore_errors=True)
        if not keep and trial.logs is None:
            shutil.rmtree(scratch, ignore_errors=True)
    return trial


def _rows(bench: Bench, units: list[Unit], workers: int) -> list[Row]:
    """Units of one folder share its input and output, and come one after the other."""
    groups: dict[Path, list[Unit]] = {}
    for unit in units:
        groups.setdefault(unit.folder, []).append(unit)
    with _progress(len(units)) as progress, ThreadPoolExecutor(workers) as pool:
        bar = progress.task_ids[0]

        def one(group: list[Unit]) -> Iterator[Row]:
            rows = []
            for unit in group:
                rows.append(_row(bench, unit))
                progress.update(bar, advance=1, description=unit.name)
            return iter(rows)

        try:
            rows = [row for group in pool.map(one, groups.values()) for row in group]
        except BaseException:  # Ctrl-C among others: what runs is killed, and what has not begun never does
            bench.processes.stop()
            pool.shutdown(cancel_futures=True)
            raise
    return sorted(rows, key=lambda row: (row.name, row.kind))


@contextmanager
def _progress(count: int) -> Iterator[Progress]:
    console = Console(stderr=True)
    columns = (TextColumn("try"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        progress.add_task("", total=count)
        yield progress


def _row(bench: Bench, unit: Unit) -> Row:
    started, attempt = time.monotonic(), Attempt(bench, unit)
    try:
        verdict = attempt.verdict()
    except (OSError, UnicodeError) as error:  # a unit that took its own files away, or a full disk: its row, not the others'
        verdict = Verdict(Result.fails, f"{type(error).__name__}: {error}")
    return Row(unit.name, unit.kind, verdict, time.monotonic() - started, "\n".join(attempt.log))


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
