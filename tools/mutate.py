# SPDX-License-Identifier: Apache-2.0
"""How many mistakes `aclimb check` finds: puts one at a time into every correct kernel and tabulates found, equivalent, missed.

    python tools/mutate.py                      everything: examples and vectors, an hour on two cores
    python tools/mutate.py --only faulty_flags  files whose name has this in it
    python tools/mutate.py --operators M1,M5    some operators
    python tools/mutate.py --only add --out add.json; python tools/mutate.py --join *.json
    python tools/mutate.py --missed             only those that were missed, with the change

A mutant counts as equivalent only where a search that shares nothing with the checker finds everything in order.
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from mutation.operators import Mutant
from mutation.score import FOUND, MISSED, Outcome, Scorer, table
from mutation.subjects import all_subjects


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="subjects whose name has this in it")
    parser.add_argument("--operators", default="", help="such as M1,M5")
    parser.add_argument("--most", type=int, default=0, help="mutants of each file")
    parser.add_argument("--out", type=Path, help="a JSON file with every mutant")
    parser.add_argument("--join", type=Path, nargs="+", default=[], metavar="FILE", help="the table of what earlier runs wrote with --out")
    parser.add_argument("--missed", action="store_true", help="show what was missed")
    parser.add_argument("--unnamed", action="store_true", help="show what was found, but not by its name")
    options = parser.parse_args()
    wanted = set(filter(None, options.operators.split(",")))
    if options.join:
        print(table(_read(each) for file in options.join for each in json.loads(file.read_text())))
        return 0
    warnings.simplefilter("ignore")
    outcomes: list[Outcome] = []
    for subject in all_subjects(options.only):
        scorer = Scorer(subject, lambda mutant: not wanted or mutant.operator in wanted)
        for number, outcome in enumerate(scorer.outcomes()):
            if options.most and number >= options.most:
                break
            outcomes.append(outcome)
            if options.out:  # a run that is stopped has what it found so far
                options.out.write_text(json.dumps([_plain(each) for each in outcomes], indent=1))
            _tell(outcome, options)
        print(f"{subject.name}: {len(outcomes)} mutants so far", file=sys.stderr, flush=True)
    print(table(outcomes))
    return int(any(each.status == MISSED for each in outcomes))


def _tell(outcome: Outcome, options: argparse.Namespace) -> None:
    shows = (options.missed and outcome.status == MISSED) or (options.unnamed and outcome.status == FOUND and not outcome.is_named)
    if shows:
        mutant = outcome.mutant
        print(
            f"{outcome.status} {mutant.operator} {outcome.subject} {outcome.part}: {mutant.what} {' '.join(outcome.rules)} {outcome.remark}"
        )
        for line, text in mutant.changes:
            print(f"    {line + 1}: {text.strip()}")


def _read(each: dict[str, Any]) -> Outcome:
    mutant = Mutant(each["operator"], each["what"], tuple((line - 1, "") for line in each["lines"]))
    return Outcome(each["subject"], each["part"], mutant, each["status"], tuple(each["rules"]), each["named"], each["remark"])


def _plain(outcome: Outcome) -> dict[str, object]:
    mutant = outcome.mutant
    return {
        "operator": mutant.operator, "subject": outcome.subject, "part": outcome.part, "what": mutant.what, "lines": mutant.lines,
        "status": outcome.status, "rules": outcome.rules, "named": outcome.is_named, "remark": outcome.remark,
    }  # fmt: skip


if __name__ == "__main__":
    raise SystemExit(main())
