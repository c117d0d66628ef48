# SPDX-License-Identifier: Apache-2.0
"""JSON: everything a check knows. docs/reference/check.md describes the fields; `version` rises when one of them changes its meaning."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from aclimb.check.finding import Finding
from aclimb.check.report import Report
from aclimb.check.rules import RULES
from aclimb.version import __version__

FORMAT, VERSION = "aclimb check", 1


def text(report: Report) -> str:
    return json.dumps(document(report), indent=1, ensure_ascii=False) + "\n"


def document(report: Report) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "aclimb": __version__,
        "status": report.status,
        "could_not": report.could_not,
        "launches": report.launches,
        "settings": settings(report),
        "counts": report.counts,
        "findings": [finding(each) for each in report.findings],
        "ignored": [
            {**finding(each), "ignored_at": {"file": by.file, "line": by.line}, "reason": by.reason} for each, by in report.suppressed
        ],
        "unused": [{"file": each.file, "line": each.line, "rule": rule, "reason": each.reason} for each, rule in report.unused],
        "baseline": {"known": [finding(each) for each in report.known], "stale": [asdict(each) for each in report.stale]},
        "remarks": list(report.remarks),
        "notes": list(report.notes),
    }


def settings(report: Report) -> dict[str, Any]:
    given = asdict(report.settings)
    return {**given, "rules": sorted(report.settings.active), "warnings_as_errors": report.warnings_as_errors}


def finding(each: Finding) -> dict[str, Any]:
    rule = RULES[each.rule]
    fields = asdict(each)
    fields["launch_place"] = place(each.launch_place)
    for access in fields["accesses"]:
        access["launched_at"] = place(access["launched_at"])
    return {**fields, "rule_name": rule.name, "grade": rule.grade, "page": rule.page}


def place(where: tuple[str, int] | None) -> dict[str, Any] | None:
    return {"file": where[0], "line": where[1]} if where else None
