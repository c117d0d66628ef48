# SPDX-License-Identifier: Apache-2.0
"""Where a report goes when a program ends: to its files, and to the terminal."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TextIO

from aclimb.check import baseline, formats
from aclimb.check.asked import Asked
from aclimb.check.formats import text
from aclimb.check.report import Report
from aclimb.check.session import Check


def concluded(check: Check, status: int) -> Report:
    """The report of a whole program, which ended with this status: one that ended badly was not checked to its end."""
    report = check.result
    why = f"the program ended with exit status {status}" if status else ""
    if report.launches == 0:
        why = f"no kernel was launched{f', and {why}' if why else ''}"
    return replace(report, could_not=why or report.could_not)


def deliver(report: Report, asked: Asked, stream: TextIO, timeline: dict[str, Any] | None = None) -> int:
    """Writes what was asked for; gives the status. First the files: who reads the words may have heard enough after a few lines."""
    written = [formats.write(report, path, asked.format or None, timeline) for path in asked.files]
    if asked.write_baseline is not None:
        known = [*report.findings, *report.known]
        written.append(baseline.write(asked.write_baseline, known))
        report = _accepted(report)
    if asked.format and not asked.files:
        stream.write(formats.render(report, asked.format))
        stream.flush()
    else:
        show(report, stream)
        for path in written:
            print(path, file=stream, flush=True)
    return report.status


def _accepted(report: Report) -> Report:
    """Whoever writes a baseline accepts what is in it: the status is that of the next run."""
    return replace(report, known=(*report.known, *report.findings), findings=(), stale=())


def show(report: Report, stream: TextIO) -> None:
    """The text, with colours where the stream is a terminal."""
    from rich.console import Console
    from rich.text import Text

    console = Console(file=stream, highlight=False, soft_wrap=True)
    for line in text.lines(report):
        console.print(Text.assemble(*line))
