# SPDX-License-Identifier: Apache-2.0
"""For people: what in one sentence, both places, what is missing, the smallest change. Lines are not broken: they can be searched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from aclimb.check.finding import Access, Finding
from aclimb.check.report import Report
from aclimb.check.words import many

MOST = 50  # findings that are told one by one
_STYLES = {"error": "bold red", "warning": "bold yellow", "note": "bold cyan"}

Piece = tuple[str, str]  # text, style of rich
Line = list[Piece]


def text(report: Report, most: int = MOST) -> str:
    """Without colours."""
    return "".join("".join(piece for piece, _ in line) + "\n" for line in lines(report, most))


def lines(report: Report, most: int = MOST) -> Iterator[Line]:
    for finding in report.findings[:most]:
        yield from of_finding(finding)
        yield []
    rest = len(report.findings) - most
    if rest > 0:
        yield [(f"and {rest} more", "bold")]
        yield []
    yield from _asides(report)
    yield _last(report)


def finding_text(finding: Finding) -> str:
    return "\n".join("".join(piece for piece, _ in line) for line in of_finding(finding))


# --- one finding


def of_finding(finding: Finding) -> Iterator[Line]:
    title, _, rest = finding.headline.partition(":")
    yield [(f"{title}:", _STYLES[finding.severity]), (rest, "bold"), (f"   [{finding.rule}]", "dim")]
    for row in rows(finding.accesses):
        yield [("    " + row, "")]
    for row in finding.details:
        yield [("    " + row, "")]
    if finding.missing:
        there = f"; {finding.existing}" if finding.existing else ""
        yield [("    missing: ", "dim"), (finding.missing, "bold"), (there, "")]
    if finding.fix:
        label = "smallest change: " if finding.missing else "try: " if finding.rule.startswith("A") else ""
        yield [(f"    {label}", "dim"), (finding.fix, "green")]
    if finding.replay:
        yield [("    replay: ", "dim"), (finding.replay, "bold"), (f"   aclimb check --replay {finding.replay} ...", "dim")]
    last = _how_often(finding)
    if last:
        yield [(f"    {last}", "dim")]


def rows(accesses: Sequence[Access]) -> list[str]:
    """In columns: core where there are two, pipe, what it does to what, the line and its text."""
    apart = len({(each.core, each.kernel, each.member) for each in accesses}) > 1
    cells = [_cells(each, apart) for each in accesses]
    widths = [max(len(row[column]) for row in cells) for column in range(len(cells[0]))] if cells else []
    laid = []
    for row in cells:
        line = " ".join(cell.ljust(width) for cell, width in zip(row[:-2], widths, strict=False) if width)
        place, words = row[-2].ljust(widths[-2]), row[-1]
        laid.append("   ".join(part for part in (line.rstrip(" ") if not any(widths[-2:]) else line, place, words) if part).rstrip())
    return laid


def _cells(access: Access, apart: bool) -> list[str]:
    core = access.core if apart else ""
    if apart and access.member:
        core = f"{core} ({access.member})".strip()
    does = access.role if access.is_in_kernel else access.call
    pipe = "cache" if access.pipe == "D" else access.pipe
    return [core, pipe, does, access.tensor, access.short, access.text]


def _how_often(finding: Finding) -> str:
    parts = [f"{finding.count} times"] if finding.count > 1 else []
    queued = [each.launched_at for each in finding.accesses if each.is_in_kernel] or [finding.launch_place]
    places = list(dict.fromkeys(f"{Path(each[0]).name}:{each[1]}" for each in queued if each))
    return ", ".join([*parts, f"launched at {' and '.join(places)}"] if places else parts)


# --- what else is to say


def _asides(report: Report) -> Iterator[Line]:
    said = False
    for comment, rule in report.unused:
        yield [("unused: ", "yellow"), (f"{comment.short}   ignore[{rule}] {comment.reason}".rstrip(), "")]
        said = True
    for entry in report.stale:
        times = f", {entry.count} times" if entry.count > 1 else ""
        yield [("stale: ", "yellow"), (f"the baseline has {entry.rule or entry.fingerprint} {entry.where}".rstrip() + times, "")]
        said = True
    for remark in (*report.remarks, *report.notes):
        yield [("note: ", "cyan"), (remark, "")]
        said = True
    if said:
        yield []


def _last(report: Report) -> Line:
    tried = f", each also under {many(report.settings.schedules, 'schedule')}" if report.settings.schedules else ""
    what = f"checked {many(report.launches, 'launch', 'launches')}{tried}: " if report.launches is not None else "checked: "
    counts = [many(count, severity) for severity, count in report.counts.items() if count]
    left_out = [many(len(report.suppressed), "ignored", "ignored")] if report.suppressed else []
    left_out += [f"{len(report.known)} in the baseline"] if report.known else []
    found = ", ".join(counts) or "nothing found"
    style = "bold red" if report.failed else "bold yellow" if report.could_not else "bold green" if not counts else "bold"
    line = [(what, ""), (found, style), (f" ({', '.join(left_out)})" if left_out else "", "")]
    return [*line, (f"; {report.could_not}", "bold yellow")] if report.could_not else line
