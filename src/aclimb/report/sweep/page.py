# SPDX-License-Identifier: Apache-2.0
"""sweep.html: what was best and why, heat maps, the effect of each parameter, every run. Plain HTML, without a script."""

from __future__ import annotations

from html import escape
from pathlib import Path

from aclimb.report.html import write_plain
from aclimb.report.sweep.drawings import page_drawings
from aclimb.report.sweep.objective import Objective
from aclimb.report.sweep.result import SweepOutcome
from aclimb.report.sweep.runs import Swept
from aclimb.report.sweep.words import explain, ranked


def write_page(swept: Swept, goal: Objective, program: str, path: Path) -> Path:
    outcomes = swept.outcomes
    good = ranked(outcomes, goal)
    drawings = page_drawings(outcomes, goal)
    run = f"{len(outcomes)} of {swept.combinations} combinations run" + (f"; {swept.ending}" if swept.ending else "")
    parts = [
        _head(program, good, goal, run),
        _card("Why it won", _words(outcomes, goal)),
        _card("Heat maps", _figures(drawings["maps"])),
        _card("Each parameter", _figures(drawings["effects"])),
        _card("All combinations", _figures(drawings["bars"])),
        _card("Runs", _table(outcomes, good, goal)),
    ]
    title = f"Sweep of {program} - aclimb"
    return write_plain(title, "\n".join(parts), "aclimb sweep. Modelled time, not measured on an NPU.", path)


def _head(program: str, good: list[SweepOutcome], goal: Objective, run: str) -> str:
    best = f"Best: {good[0].point}, {goal.of(good[0]):.2f} {goal.unit} (modelled)." if good else "No combination ran to its end."
    words = f'<h1>Sweep of {escape(program)}</h1><p id="subtitle">{escape(best)} {escape(run)}.</p>'
    return (
        f'<header class="top"><div class="titles">{words}</div>'
        f'<p id="badges"><span class="badge">{escape(goal.title)}, {escape(goal.unit)}</span></p></header>'
    )


def _card(title: str, content: str) -> str:
    name = title.lower().replace(" ", "-")
    inside = f'<h2 id="{name}">{escape(title)}</h2>\n{content}'
    return f'<section class="card" aria-labelledby="{name}">{inside}</section>' if content else ""


def _words(outcomes: list[SweepOutcome], goal: Objective) -> str:
    lines = [f"<li>{escape(line[0].upper() + line[1:])}.</li>" for line in explain(outcomes, goal)]
    return f'<ul class="why">{"".join(lines)}</ul>' if lines else ""


def _figures(drawings: list[str]) -> str:
    return f'<div class="figures">{"".join(f"<figure>{each}</figure>" for each in drawings)}</div>' if drawings else ""


def _table(outcomes: list[SweepOutcome], good: list[SweepOutcome], goal: Objective) -> str:
    names = [name for name, _ in outcomes[0].point.values]
    heads = "".join(f'<th scope="col" class="num">{escape(each)}</th>' for each in (*names, goal.title, "x best", *_others(goal)))
    bad = [each for each in outcomes if goal.of(each) is None]
    rows = "".join(_row(each, good, goal) for each in [*good, *bad])
    return (
        f'<div class="scroll"><table aria-label="Runs"><thead><tr>{heads}<th scope="col">Bound by</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _others(goal: Objective) -> list[str]:
    """Times that stand beside what was made small."""
    return [name for name in ("Task time", "Mean core time") if name != goal.title]


def _row(outcome: SweepOutcome, good: list[SweepOutcome], goal: Objective) -> str:
    value, best = goal.of(outcome), (goal.of(good[0]) or 1.0) if good else 1.0
    cells = [setting for _, setting in outcome.point.values]
    if value is None or outcome.task_us is None:
        cells, last = [*cells, "", "", *("" for _ in _others(goal))], f"failed: {outcome.error}"
    else:
        times = {"Task time": outcome.task_us, "Mean core time": outcome.core_us}
        cells += [f"{value:.2f} {goal.unit}", f"{value / best:.2f}", *(f"{times[name]:.2f} us" for name in _others(goal))]
        last = outcome.bound
    kind = ' class="chosen"' if good[:1] == [outcome] else ""
    numbers = "".join(f'<td class="num">{escape(each)}</td>' for each in cells)
    return f"<tr{kind}>{numbers}<td>{escape(last)}</td></tr>"
