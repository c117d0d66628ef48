# SPDX-License-Identifier: Apache-2.0
"""A sweep in the terminal, and its files."""

from __future__ import annotations

import csv
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from aclimb.report.summary import hanging
from aclimb.report.sweep.drawings import main_drawing
from aclimb.report.sweep.objective import Objective
from aclimb.report.sweep.page import write_page
from aclimb.report.sweep.result import SweepOutcome
from aclimb.report.sweep.runs import Swept
from aclimb.report.sweep.words import explain, ranked

ROWS = 40  # of the table in the terminal; sweep.csv has all


def show(swept: Swept, goal: Objective, program: Path, folder: Path) -> None:
    console, outcomes = Console(highlight=False), swept.outcomes
    written = write(swept, goal, program, folder)
    good = ranked(outcomes, goal)
    bad = [each for each in outcomes if goal.of(each) is None]
    console.print(_table(outcomes, good, bad, goal))
    if len(good) > ROWS:
        console.print(f"and {len(good) - ROWS} more that ran; sweep.csv has them all")
    for error in dict.fromkeys(each.error or f"it has no {goal.title.lower()}" for each in bad):
        count = sum((each.error or f"it has no {goal.title.lower()}") == error for each in bad)
        console.print(hanging(f"failed, {count} x: {error}", console.width, style="red"))
    if swept.ending:
        console.print(hanging(f"{len(outcomes)} of {swept.combinations} combinations run; {swept.ending}", console.width))
    if good:
        console.print(f"best: [bold]{escape(str(good[0].point))}[/bold]   {goal.of(good[0]):.2f} {goal.unit} (modelled)", soft_wrap=True)
    for line in explain(outcomes, goal):
        console.print(hanging(line, console.width, first="  ", rest="    "))
    for path, what in written:
        console.print(escape(str(path)) + (f"   [dim]{what}[/dim]" if what else ""), soft_wrap=True)


def _table(outcomes: list[SweepOutcome], good: list[SweepOutcome], bad: list[SweepOutcome], goal: Objective) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for name, _ in outcomes[0].point.values:
        table.add_column(name, justify="right", no_wrap=True)
    for title in (*_own_column(goal), "task us", "core us", "x best"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("bound by")
    for outcome in [*good[:ROWS], *bad[:ROWS]]:
        style = "green" if good[:1] == [outcome] else None
        table.add_row(*(value for _, value in outcome.point.values), *_cells(outcome, good, goal), style=style)
    return table


def _own_column(goal: Objective) -> list[str]:
    """What is made small, where the table has no column for it."""
    return [] if goal.word in ("task", "core") else [f"{goal.word} {goal.unit}"]


def _cells(outcome: SweepOutcome, good: list[SweepOutcome], goal: Objective) -> tuple[str, ...]:
    value = goal.of(outcome)
    if value is None or outcome.task_us is None:
        return (*("-" for _ in _own_column(goal)), "-", "-", "-", "failed")
    best = goal.of(good[0]) or 1.0
    own = [f"{value:.2f}" for _ in _own_column(goal)]
    return (*own, f"{outcome.task_us:.2f}", f"{outcome.core_us:.2f}", f"{value / best:.2f}", outcome.bound)


def write(swept: Swept, goal: Objective, program: Path, folder: Path) -> list[tuple[Path, str]]:
    """The files, each with what it is good for."""
    folder.mkdir(parents=True, exist_ok=True)
    table, plot, page = folder / "sweep.csv", folder / "sweep.svg", folder / "sweep.html"
    _write_csv(swept.outcomes, goal, table)
    plot.write_text(main_drawing(program.name, swept.outcomes, goal), encoding="utf-8")
    write_page(swept, goal, program.name, page)
    return [(page, "open in a browser"), (table, ""), (plot, "")]


def _write_csv(outcomes: list[SweepOutcome], goal: Objective, path: Path) -> None:
    own = _own_column(goal)
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        names = [name for name, _ in outcomes[0].point.values]
        writer.writerow([*names, "task_us", "core_us", *(each.replace(" ", "_") for each in own), "bound", "launches", "error"])
        for each in outcomes:
            times = ["", ""] if each.task_us is None else [f"{each.task_us:.6f}", f"{each.core_us:.6f}"]
            value = goal.of(each)
            times += ["" if value is None else f"{value:.6f}"] if own else []
            writer.writerow([*(value for _, value in each.point.values), *times, each.bound, each.launches, each.error])
