# SPDX-License-Identifier: Apache-2.0
"""Which drawings a sweep gets: for two parameters a heat map, for one its effect, for more of them bars, and a heat map of each pair."""

from __future__ import annotations

import itertools

from aclimb.report.sweep.objective import Objective
from aclimb.report.sweep.plots import FILE, MOST_BARS, PAGE, Inks, bar_chart, effect_chart, heat_map
from aclimb.report.sweep.result import SweepOutcome
from aclimb.report.sweep.words import Effect, effects, ranked

MOST_MAPS = 10


def main_drawing(program: str, outcomes: list[SweepOutcome], goal: Objective) -> str:
    """The one that sweep.svg holds."""
    axes = varied(outcomes)
    if len(axes) == 2 and all(len(values) > 1 for values in axes.values()):
        y_name, x_name = axes
        return _map(program, outcomes, goal, (y_name, x_name), FILE)
    return bars(program, outcomes, goal, FILE)


def bars(program: str, outcomes: list[SweepOutcome], goal: Objective, inks: Inks) -> str:
    """One a combination, in the order given; of many, the best."""
    is_long = len(outcomes) > MOST_BARS
    chosen = ranked(outcomes, goal)[:MOST_BARS] if is_long else outcomes
    which = f", the best {MOST_BARS} of {len(outcomes)}" if is_long else ""
    return bar_chart([(str(each.point), goal.of(each)) for each in chosen], title=_title(program, goal) + which, unit=goal.unit, inks=inks)


def page_drawings(outcomes: list[SweepOutcome], goal: Objective) -> dict[str, list[str]]:
    """Drawings by the part of the page they belong to."""
    order = list(varied(outcomes))
    found = effects(outcomes, goal)
    pairs = list(itertools.combinations([each.name for each in found], 2))[:MOST_MAPS]
    return {
        "maps": [_map("", outcomes, goal, (a, b) if order.index(a) < order.index(b) else (b, a), PAGE) for a, b in pairs],
        "effects": [_effect(each, varied(outcomes)[each.name], goal) for each in found],
        "bars": [bars("", sorted(outcomes, key=lambda each: (goal.of(each) is None, goal.of(each))), goal, PAGE)],
    }


def _effect(effect: Effect, order: list[str], goal: Objective) -> str:
    values = [(value, effect.best[value]) for value in order if value in effect.best]
    return effect_chart(effect.name, values, title=f"{goal.title} by {effect.name}, at the best of the others", unit=goal.unit, inks=PAGE)


def varied(outcomes: list[SweepOutcome]) -> dict[str, list[str]]:
    """The values of each parameter that were run: numbers by size, names in the order they came."""
    found: dict[str, dict[str, None]] = {}
    for outcome in outcomes:
        for name, value in outcome.point.values:
            found.setdefault(name, {})[value] = None
    return {name: _sorted(list(values)) for name, values in found.items()}


def _sorted(values: list[str]) -> list[str]:
    try:
        return sorted(values, key=float)
    except ValueError:
        return values


def _map(program: str, outcomes: list[SweepOutcome], goal: Objective, names: tuple[str, str], inks: Inks) -> str:
    """The first name downwards, the second across."""
    axes, (y_name, x_name) = varied(outcomes), names
    cells: dict[tuple[str, str], float | None] = {}
    for outcome in outcomes:
        values, value = dict(outcome.point.values), goal.of(outcome)
        key = values[x_name], values[y_name]
        before = cells.get(key)
        cells[key] = value if before is None else before if value is None else min(value, before)
    others = [name for name in axes if name not in (x_name, y_name)]
    rest = f", at the best of {', '.join(others)}" if others else ""
    title = f"{_title(program, goal)} by {y_name} and {x_name}{rest}"
    return heat_map((x_name, axes[x_name]), (y_name, axes[y_name]), cells, title=title, unit=goal.unit, inks=inks)


def _title(program: str, goal: Objective) -> str:
    return f"{goal.title} of {program}" if program else goal.title
