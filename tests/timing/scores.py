# SPDX-License-Identifier: Apache-2.0
"""How well the model does on published rows. Steps are ratios before/after a change of a kernel: their error is that of the modelled ratio,
their direction is right when both sides say faster, or slower. Times are core times and single units, pipes all other active times."""

from __future__ import annotations

import statistics
from dataclasses import dataclass

from published import ROWS, Figures, Row, Step


@dataclass(frozen=True)
class Goal:
    """Of the issue: what the model is held to on published steps and times."""

    median: float = 0.08
    ninth: float = 0.25  # 90th percentile
    direction: float = 0.90
    within: float = 0.80  # of the times, within 20 percent


def main_figure(row: Row) -> str:
    return next(iter(row.published))


def time_errors(rows: list[Row], modelled: dict[str, Figures]) -> dict[str, float]:
    """Of the figure that stands for the row."""
    return {row.id: modelled[row.id][main_figure(row)] / row.published[main_figure(row)] - 1 for row in rows}


def pipe_errors(rows: list[Row], modelled: dict[str, Figures]) -> dict[str, float]:
    return {
        f"{row.id} {name}": modelled[row.id].get(name, 0.0) / value - 1
        for row in rows
        for name, value in row.published.items()
        if name != main_figure(row)
    }


def ratio(step: Step, of: dict[str, Figures]) -> float:
    before, after = (next(of[name][key] for key in (step.figure, *of[name]) if key in of[name]) for name in (step.before, step.after))
    return before / after


def step_ratios(steps: list[Step], modelled: dict[str, Figures]) -> dict[str, tuple[float, float]]:
    """Published and modelled."""
    told = {row.id: row.published for row in ROWS.values()}
    return {str(step): (ratio(step, told), ratio(step, modelled)) for step in steps}


def percentile(values: list[float], part: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else 0.0


def share(true: list[bool]) -> float:
    return sum(true) / len(true) if true else 0.0


def summary(name: str, rows: list[Row], steps: list[Step], modelled: dict[str, Figures]) -> str:
    ratios = step_ratios(steps, modelled)
    errors = [abs(model / told - 1) for told, model in ratios.values()]
    directions = [(model > 1) == (told > 1) for told, model in ratios.values()]
    times = [abs(each) for each in time_errors(rows, modelled).values()]
    pipes = [abs(each) for each in pipe_errors(rows, modelled).values()]
    return (
        f"{name:<10} {len(steps):>3} steps: median {statistics.median(errors or [0]):.3f}, 90th percentile {percentile(errors, 0.9):.3f}, "
        f"direction {share(directions):.0%};  {len(rows):>3} times: median {statistics.median(times or [0]):.3f}, "
        f"within 20 percent {share([each <= 0.2 for each in times]):.0%};  "
        f"{len(pipes):>3} pipes: median {statistics.median(pipes or [0]):.3f}, "
        f"within 20 percent {share([each <= 0.2 for each in pipes]):.0%}"
    )
