# SPDX-License-Identifier: Apache-2.0
"""Why the best combination won: what it does differently from the runner-up, and which parameter mattered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from aclimb.report.sweep.objective import Objective
from aclimb.report.sweep.result import SweepOutcome

TELLS_APART = 0.03  # closer than that, the model cannot say which of two is faster
WORTH_SAYING = 0.02  # of the time: smaller changes are left out
CHANGES = 4
_PARTS = {"busy": "works", "memory": "waits for memory", "flag": "waits for flags", "empty": "has nothing queued"}


@dataclass(frozen=True, slots=True)
class Effect:
    """One parameter: the best that was found with each of its values."""

    name: str
    best: dict[str, float]

    @property
    def factor(self) -> float:
        """How much slower the worst of its values is at its best."""
        return max(self.best.values()) / max(min(self.best.values()), 1e-12)


def ranked(outcomes: list[SweepOutcome], goal: Objective) -> list[SweepOutcome]:
    """Those that ran, the best first; equal ones in the order they were asked for."""
    return sorted((each for each in outcomes if goal.of(each) is not None), key=lambda each: goal.of(each) or 0.0)


def effects(outcomes: list[SweepOutcome], goal: Objective) -> list[Effect]:
    """Of each parameter that varied, the strongest first."""
    found: dict[str, dict[str, float]] = {}
    for outcome in outcomes:
        value = goal.of(outcome)
        if value is None:
            continue
        for name, setting in outcome.point.values:
            best = found.setdefault(name, {})
            best[setting] = min(value, best.get(setting, value))
    return sorted((Effect(name, best) for name, best in found.items() if len(best) > 1), key=lambda each: -each.factor)


def explain(outcomes: list[SweepOutcome], goal: Objective) -> list[str]:
    """The winner against the runner-up, a sentence a line; nothing where only one ran."""
    good = ranked(outcomes, goal)
    if len(good) < 2:
        return []
    winner, second = good[0], good[1]
    a, b = goal.of(winner) or 0.0, goal.of(second) or 0.0
    lines = [f"runner-up: {second.point}   {b:.2f} {goal.unit}, {_how_much(a, b)}"]
    changed = [(name, one, other) for (name, one), (_, other) in zip(winner.point.values, second.point.values, strict=True) if one != other]
    lines.append("the winner has " + ", ".join(f"{name}={one} instead of {other}" for name, one, other in changed))
    lines += differences(winner, second)
    return [*lines, *_mattered(outcomes, goal)]


def _how_much(a: float, b: float) -> str:
    slower = b / max(a, 1e-12) - 1
    if slower < 0.0005:
        return "the same"
    return f"{slower:.1%} more" + (": closer than the model can tell apart" if slower < TELLS_APART else "")


def differences(winner: SweepOutcome, second: SweepOutcome) -> list[str]:
    """The winner's figures against the runner-up's: parts of its pipes, then traffic, instructions and what bounds it. Those of pipes are
    of the longest launch."""
    a, b = winner.facts, second.facts
    if "pipes" not in a or "pipes" not in b:
        return []
    lines = [f"{pipe} {_PARTS[part]} {before:.2f} us a core against {after:.2f} us" for pipe, part, before, after in _moved(a, b)]
    if winner.core_us > second.core_us * (1 + WORTH_SAYING) and (second.task_us or 0) > (winner.task_us or 0):
        lines.append(
            f"its cores take longer, {winner.core_us:.2f} us against {second.core_us:.2f} us: starting and ending blocks decides here"
        )
    if _differs(a["hbm_bytes"], b["hbm_bytes"]):
        lines.append(f"it moves {a['hbm_bytes'] / 2**20:.2f} MiB from and to the HBM against {b['hbm_bytes'] / 2**20:.2f} MiB")
    if _differs(a["instructions"], b["instructions"]):
        lines.append(f"it has {a['instructions']} instructions against {b['instructions']}")
    if winner.bound != second.bound:
        lines.append(f"it is bound by {winner.bound}, the runner-up by {second.bound}")
    return lines


def _moved(a: dict[str, Any], b: dict[str, Any]) -> list[tuple[str, str, float, float]]:
    """Parts of pipes that take another time, the largest change first. An empty queue mirrors the others and is left to the last."""
    found = [
        (pipe, part, parts[part], b["pipes"].get(pipe, {}).get(part, 0.0))
        for pipe, parts in a["pipes"].items()
        for part in parts
        if part != "empty" and not (pipe == "S" and part == "flag")
    ]
    least = WORTH_SAYING * max(a["core_us"], b["core_us"])
    return sorted((row for row in found if abs(row[3] - row[2]) >= least), key=lambda row: -abs(row[3] - row[2]))[:CHANGES]


def _differs(a: float, b: float) -> bool:
    return abs(a - b) > 0.05 * max(a, b, 1)


def _mattered(outcomes: list[SweepOutcome], goal: Objective) -> list[str]:
    found = effects(outcomes, goal)
    strong = [_strong(each) for each in found if each.factor >= 1 + TELLS_APART]
    weak = [each.name for each in found if each.factor < 1 + TELLS_APART]
    lines = [f"what mattered, with the others at their best: {', '.join(strong)}"] if strong else []
    return [*lines, *([f"what hardly mattered: {', '.join(weak)}"] if weak else [])]


def _strong(effect: Effect) -> str:
    order = sorted(effect.best, key=lambda value: effect.best[value])
    return f"{effect.name} ({order[-1]} takes {effect.factor:.2f} times as much as {order[0]})"
