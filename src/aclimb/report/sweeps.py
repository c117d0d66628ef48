# SPDX-License-Identifier: Apache-2.0
"""`aclimb sweep`: one program under every combination of macros, blocks, chips and model parameters."""

from __future__ import annotations

import csv
import itertools
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from aclimb import chips, knobs
from aclimb.errors import InvalidArgument
from aclimb.report.plot import bar_chart
from aclimb.report.profiles import RESULT_FILE
from aclimb.report.summary import hanging

MOST = 10_000


@dataclass(frozen=True, slots=True)
class Point:  # command line -> one process
    """One combination: what varies, in words, and as options of `aclimb profile`."""

    values: tuple[tuple[str, str], ...]  # ("TILE", "4096"), ("blocks", "8"), ("soc", "Ascend910B1")
    options: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(f"{name}={value}" for name, value in self.values)


@dataclass(frozen=True, slots=True)
class SweepOutcome:  # one process -> the table
    point: Point
    task_us: float | None  # None: the program failed
    core_us: float = 0.0
    bound: str = ""
    launches: int = 0
    error: str = ""


def combinations(defines: list[str], blocks: str | None, socs: str | None, overrides: list[str]) -> list[Point]:
    """Every combination; the last named varies fastest."""
    axes: list[list[tuple[str, str, tuple[str, ...]]]] = []
    for word in defines:
        axes.append([(name, value, ("-D", f"{name}={value}")) for name, value in _values("--define", word)])
    if blocks:
        axes.append([("blocks", str(_count(each)), ("--blocks", str(_count(each)))) for each in _split("--blocks", blocks)])
    if socs:
        axes.append([("soc", name, ("--soc", name)) for name in (chips.buildable(each).name for each in _split("--soc", socs))])
    for word in overrides:
        rows = _values("--set", word)
        for name, value in rows:
            chips.timing(knobs.soc(), chips.parse_overrides([f"{name}={value}"]))  # refuses names and values that are none
        axes.append([(name, value, ("--set", f"{name}={value}")) for name, value in rows])
    names = [axis[0][0] for axis in axes]
    for name in names:
        if names.count(name) > 1:
            raise InvalidArgument(f"--define {name} is given twice; give its values at once: {name}=A,B")
    if not axes:
        raise InvalidArgument("there is nothing to vary; give --define NAME=A,B, --blocks 1,8, --soc NAME,NAME or --set NAME=A,B")
    points = [
        Point(tuple((name, value) for name, value, _ in row), tuple(word for _, _, words in row for word in words))
        for row in itertools.product(*axes)
    ]
    if len(points) > MOST:
        raise InvalidArgument(f"{len(points)} combinations are more than {MOST}; vary less at a time")
    return points


def _values(option: str, word: str) -> list[tuple[str, str]]:
    name, equals, text = word.partition("=")
    if not (name and equals):
        raise InvalidArgument(f"{option} {word}: it takes NAME=A,B,...")
    return [(name, value) for value in _split(f"{option} {name}", text)]


def _split(option: str, text: str) -> list[str]:
    values = [each.strip() for each in text.split(",")]
    if not all(values):
        raise InvalidArgument(f"{option} {text!r}: a value is empty; it takes values with commas between them")
    if len(set(values)) < len(values):
        raise InvalidArgument(f"{option} {text!r}: a value is given twice")
    return values


def _count(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= 65535:
        raise InvalidArgument(f"--blocks {text}: it takes whole numbers, 1 to 65535")
    return int(text)


def run(
    program: Path, arguments: list[str], points: list[Point], *, jobs: int | None = None, timing_only: bool = True
) -> list[SweepOutcome]:
    """One process a point, several at a time, with a progress bar. A program that fails takes its row, not the sweep."""
    if not program.is_file():
        raise InvalidArgument(f"{program} does not exist; give the path of a Python program")
    workers = max(1, jobs if jobs is not None else os.cpu_count() or 1)
    console = Console(stderr=True)
    columns = (TextColumn("sweep"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    quiet = not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=quiet) as progress, ThreadPoolExecutor(workers) as pool:
        bar = progress.add_task("", total=len(points))

        def one(point: Point) -> SweepOutcome:
            outcome = _one(program, arguments, point, workers, timing_only)
            progress.update(bar, advance=1, description=str(point))
            return outcome

        try:
            return list(pool.map(one, points))
        except BaseException:  # Ctrl-C among others: those that have not begun never do
            pool.shutdown(cancel_futures=True)
            raise


def _one(program: Path, arguments: list[str], point: Point, workers: int, timing_only: bool) -> SweepOutcome:
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {knobs.threads.variable: str(max(1, (os.cpu_count() or 1) // workers)), RESULT_FILE: f"{folder}/r.json"}
        mode = ["--no-trace", "--no-files", *(["--timing-only"] if timing_only else [])]
        command = [sys.executable, "-m", "aclimb", "profile", *mode, *point.options, "--", str(program), *arguments]
        ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        result = Path(folder, "r.json")
        if not result.is_file():
            last = (ended.stderr.strip() or ended.stdout.strip() or f"exit code {ended.returncode}").splitlines()[-1]
            return SweepOutcome(point, None, error=last)
        found = json.loads(result.read_text())
        if found["error"] or not found["launches"]:
            return SweepOutcome(point, None, error=found["error"] or "no kernel was launched")
        return SweepOutcome(point, found["task_us"], found["core_us"], found["bound"], found["launches"])


def show(outcomes: list[SweepOutcome], folder: Path) -> None:
    console, written = Console(highlight=False), write(outcomes, folder)
    good = sorted((each for each in outcomes if each.task_us is not None), key=lambda each: each.task_us or 0.0)
    bad = [each for each in outcomes if each.task_us is None]
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for name, _ in outcomes[0].point.values:
        table.add_column(name, justify="right", no_wrap=True)
    for title in ("task us", "core us", "x best"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("bound by")
    for outcome in [*good, *bad]:
        table.add_row(
            *(value for _, value in outcome.point.values), *_cells(outcome, good), style="green" if good[:1] == [outcome] else None
        )
    console.print(table)
    for error in dict.fromkeys(each.error for each in bad):
        words = f"failed, {sum(each.error == error for each in bad)} x: {error}"
        console.print(hanging(words, console.width, style="red"))
    if good:
        console.print(f"best: [bold]{escape(str(good[0].point))}[/bold]   {good[0].task_us:.2f} us (modelled)", soft_wrap=True)
    for path in written:
        console.print(escape(str(path)), soft_wrap=True)


def _cells(outcome: SweepOutcome, good: list[SweepOutcome]) -> tuple[str, ...]:
    if outcome.task_us is None:
        return ("-", "-", "-", "failed")
    best = good[0].task_us or 1.0
    return (f"{outcome.task_us:.2f}", f"{outcome.core_us:.2f}", f"{outcome.task_us / best:.2f}", outcome.bound)


def write(outcomes: list[SweepOutcome], folder: Path) -> list[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    table, plot = folder / "sweep.csv", folder / "sweep.svg"
    with table.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*(name for name, _ in outcomes[0].point.values), "task_us", "core_us", "bound", "launches", "error"])
        for each in outcomes:
            times = ("", "") if each.task_us is None else (f"{each.task_us:.6f}", f"{each.core_us:.6f}")
            writer.writerow([*(value for _, value in each.point.values), *times, each.bound, each.launches, each.error])
    plot.write_text(bar_chart([(str(each.point), each.task_us) for each in outcomes], unit="us, modelled"))
    return [table, plot]
