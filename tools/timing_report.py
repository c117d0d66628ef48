# SPDX-License-Identifier: Apache-2.0
"""How well the timing model does on published measurements, row by row and in all: tests/timing/published.py has them.

python tools/timing_report.py [--held-out] [--quick] [--set name=value] [words]
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "timing"))

import published
from published import ROWS, STEPS, Figures, Row
from scores import Goal, step_ratios, summary

WIDTH = 36


def chosen(args: argparse.Namespace) -> list[Row]:
    rows = [row for row in ROWS.values() if not (args.quick and row.slow)]
    if args.held_out:
        rows = [row for row in rows if row.held_out]
    return [row for row in rows if not args.words or any(word.lower() in row.id.lower() for word in args.words)]


def print_rows(rows: list[Row], modelled: dict[str, Figures]) -> None:
    for row in rows:
        parts = [
            f"{name} {modelled[row.id].get(name, 0.0):.5g} of {value:.5g} ({modelled[row.id].get(name, 0.0) / value - 1:+.0%})"
            for name, value in row.published.items()
        ]
        print(f"{row.id:<{WIDTH}} {'*' if row.held_out else ' '} " + "  ".join(parts))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--held-out", action="store_true", help="only rows that were never used to choose a number or a form")
    parser.add_argument("--quick", action="store_true", help="without the rows that take long")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="another value for a parameter")
    parser.add_argument("words", nargs="*", help="only rows with one of these words")
    args = parser.parse_args()
    published.OVERRIDES.update({name: float(value) for name, _, value in (each.partition("=") for each in args.set)})
    rows = chosen(args)
    modelled = {row.id: row.measure() for row in rows}
    print_rows(rows, modelled)
    steps = [step for step in STEPS if step.before in modelled and step.after in modelled]
    print()
    for name, (told, model) in step_ratios(steps, modelled).items():
        wrong = "" if (model > 1) == (told > 1) else "   wrong way"
        print(f"{name:<76} {told:8.3f} {model:8.3f} {model / told - 1:+7.1%}{wrong}")
    print()
    held = {row.id for row in rows if row.held_out}
    of_held = [step for step in steps if step.before in held or step.after in held]
    print(summary("all", rows, steps, modelled))
    print(summary("held out", [row for row in rows if row.held_out], of_held, modelled))
    goal = Goal()
    print(
        f"goal       steps: median {goal.median}, 90th percentile {goal.ninth}, direction {goal.direction:.0%}; "
        f"times within 20 percent {goal.within:.0%}"
    )


if __name__ == "__main__":
    main()
