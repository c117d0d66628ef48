# SPDX-License-Identifier: Apache-2.0
"""The rows of a trial as a table, or as JSON."""

from __future__ import annotations

from collections import Counter
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from aclimb import knobs
from aclimb.trial.reasons import Result
from aclimb.trial.trial import QUIET, Row, Trial

_STYLES = {Result.passes: "green", Result.builds: "green", Result.wrong: "red", Result.fails: "red"}
_WORDS = {
    Result.passes: "passes", Result.builds: "only builds", Result.wrong: "is wrong", Result.fails: "fails",
    Result.unsupported: "uses what is not supported", Result.needs: "needs something",
}  # fmt: skip
_MOST_OUTPUT = 8192  # characters of a row's output in the JSON document


def show(trial: Trial) -> None:
    console = Console(highlight=False)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("what", overflow="fold", ratio=3)
    table.add_column("kind", no_wrap=True)
    table.add_column("result", no_wrap=True)
    table.add_column("why", overflow="fold", ratio=5)
    for row in trial.rows:
        result = row.verdict.result
        table.add_row(Text(row.name), row.kind.value, Text(result.value, style=_STYLES.get(result, "yellow")), Text(row.verdict.reason))
    console.print(table)
    console.print(Text(summary(trial.rows)), style="bold", soft_wrap=True)
    if trial.logs is not None:
        console.print(Text(f"what they said: {trial.logs}"), soft_wrap=True)
    if trial.copy is not None:
        console.print(Text(f"the scratch copy: {trial.copy}"), soft_wrap=True)


def summary(rows: list[Row]) -> str:
    counts = Counter(row.verdict.result for row in rows)
    return f"{len(rows)} tried: " + ", ".join(f"{counts[each]} {_WORDS[each]}" for each in Result if counts[each])


def document(trial: Trial) -> dict[str, Any]:
    counts = Counter(row.verdict.result for row in trial.rows)
    return {
        "folder": str(trial.folder),
        "soc": knobs.soc(),
        "counts": {each.value: counts[each] for each in Result},
        "logs": str(trial.logs) if trial.logs is not None else None,
        "copy": str(trial.copy) if trial.copy is not None else None,
        "rows": [_row(row) for row in trial.rows],
    }


def _row(row: Row) -> dict[str, Any]:
    verdict = row.verdict
    found = {"name": row.name, "kind": row.kind.value, "result": verdict.result.value, "reason": verdict.reason,
             "call": verdict.call or None, "seconds": round(row.seconds, 3)}  # fmt: skip
    return found if verdict.result in QUIET else found | {"output": row.log[-_MOST_OUTPUT:]}
