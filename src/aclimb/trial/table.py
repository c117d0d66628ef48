# SPDX-License-Identifier: Apache-2.0
"""The rows of a trial as a table, or as JSON."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from aclimb import knobs
from aclimb.report import layout
from aclimb.trial.reasons import Result
from aclimb.trial.trial import QUIET, Row, Trial

_STYLES = {Result.passes: "green", Result.builds: "green", Result.wrong: "red", Result.fails: "red"}
_TITLES, _GAP, _INDENT = ("what", "kind", "result", "why"), "  ", "    "
_MOST_OUTPUT = 8192  # characters of a row's output in the JSON document


def show(trial: Trial) -> None:
    """A row a line; a reason for which there is no room stands below it."""
    console = Console(highlight=False, soft_wrap=True)
    for line in lines(trial.rows, layout.terminal_width()):
        console.print(line)
    console.print(Text(summary(trial.rows), style="bold"))
    if trial.logs is not None:
        console.print(Text(f"what they said: {trial.logs}"))
    if trial.copy is not None:
        console.print(Text(f"the scratch copy: {trial.copy}"))


def lines(rows: list[Row], width: int) -> Iterator[Text]:
    texts = [(row.name, row.kind.value, row.verdict.result.value) for row in rows]
    widths = [max(map(len, column)) for column in zip(_TITLES[:3], *texts, strict=True)]
    room = width - sum(widths) - 3 * len(_GAP)
    yield Text(_joined(_TITLES, widths), style="dim")
    for row, cells in zip(rows, texts, strict=True):
        reason, result = row.verdict.reason, row.verdict.result
        beside = reason if len(reason) <= room else ""
        line = Text(_joined((*cells, beside), widths))
        begin = widths[0] + widths[1] + 2 * len(_GAP)
        line.stylize(_STYLES.get(result, "yellow"), begin, begin + len(result.value))
        yield line
        if reason != beside:
            yield from map(Text, textwrap.wrap(reason, width, initial_indent=_INDENT, subsequent_indent=_INDENT, break_long_words=False))


def _joined(cells: Sequence[str], widths: list[int]) -> str:
    return _GAP.join([*(cell.ljust(size) for cell, size in zip(cells, widths, strict=False)), cells[3]]).rstrip()


def summary(rows: list[Row]) -> str:
    counts = Counter(row.verdict.result for row in rows)
    return f"{len(rows)} tried: " + ", ".join(f"{counts[each]} {each.value}" for each in Result if counts[each])


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
