# SPDX-License-Identifier: Apache-2.0
"""SARIF 2.1.0: what code hosts and editors show beside the lines.

The place of a result is its second access, where the mistake shows; the first is a related location, and both are steps of a code flow.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from aclimb.check.finding import Access, Finding
from aclimb.check.formats.text import finding_text, rows
from aclimb.check.report import Report
from aclimb.check.rules import GRADES, RULES, Rule
from aclimb.version import __version__

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "SRCROOT"


def text(report: Report) -> str:
    return json.dumps(log(report), indent=1, ensure_ascii=False) + "\n"


def log(report: Report, root: Path | None = None) -> dict[str, Any]:
    """`root` is the folder that paths are relative to; default the current one."""
    base = (root or Path.cwd()).resolve()
    results = [_result(each, base, "new") for each in report.findings]
    results += [_result(each, base, "unchanged") for each in report.known]
    results += [{**_result(each, base, "new"), "suppressions": [_suppression(by.reason)]} for each, by in report.suppressed]
    run: dict[str, Any] = {
        "tool": {"driver": _driver()},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_ROOT: {"uri": f"file://{_quoted(base)}/"}},
        "invocations": [_invocation(report)],
        "results": results,
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


# --- the tool


def _driver() -> dict[str, Any]:
    return {
        "name": "aclimb check",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": [_rule(each) for each in RULES.values()],
    }


def _rule(rule: Rule) -> dict[str, Any]:
    help_text = f"{rule.meaning} It rests on this: {rule.basis} ({rule.grade}: {GRADES[rule.grade]})."
    return {
        "id": rule.id,
        "name": "".join(word.capitalize() for word in rule.name.split("-")),
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.meaning},
        "help": {"text": f"{help_text} See {rule.page} of aclimb.", "markdown": f"{help_text} See `{rule.page}` of aclimb."},
        "defaultConfiguration": {"level": rule.severity},
        "properties": {"tags": [rule.name, rule.grade]},
    }


def _invocation(report: Report) -> dict[str, Any]:
    said = [*report.notes, *report.remarks]
    said += [f"{each.short}: ignore[{rule}] was not needed" for each, rule in report.unused]
    notes = [{"level": "note", "message": {"text": words}} for words in said]
    if report.could_not:
        notes.append({"level": "error", "message": {"text": report.could_not}})
    return {"executionSuccessful": not report.could_not, "toolExecutionNotifications": notes}


# --- a finding


def _result(finding: Finding, base: Path, state: str) -> dict[str, Any]:
    shown = [each for each in finding.accesses if each.file]
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": list(RULES).index(finding.rule),
        "level": finding.severity,
        "message": {"text": finding_text(finding)},
        "locations": [_location(shown[-1], base)] if shown else [],
        "partialFingerprints": {"aclimbFingerprint/v1": finding.fingerprint},
        "baselineState": state,
        "occurrenceCount": finding.count,
        "properties": {"missing": finding.missing, "existing": finding.existing, "fix": finding.fix, "blocks": finding.blocks},
    }
    if finding.replay:
        result["properties"]["replay"] = finding.replay
    if len(shown) > 1:
        result["relatedLocations"] = [{"id": number, **_location(each, base)} for number, each in enumerate(shown)]
        result["codeFlows"] = [{"threadFlows": [_thread(each, base) for each in shown]}]
    return result


def _thread(access: Access, base: Path) -> dict[str, Any]:
    """Each side runs on its own: the two are in no order."""
    return {"id": f"{access.core} {access.pipe}".strip() or "host", "locations": [{"location": _location(access, base)}]}


def _location(access: Access, base: Path) -> dict[str, Any]:
    region: dict[str, Any] = {"startLine": max(access.line, 1)}
    if access.text:
        region["snippet"] = {"text": access.text}
    return {"physicalLocation": {"artifactLocation": _artifact(access.file, base), "region": region}, "message": {"text": _words([access])}}


def _words(accesses: Sequence[Access]) -> str:
    return " ".join(rows(accesses)[0].split())


def _artifact(file: str, base: Path) -> dict[str, str]:
    path = Path(file)
    absolute = path if path.is_absolute() else base / path
    if absolute.is_relative_to(base):
        return {"uri": _quoted(absolute.relative_to(base)), "uriBaseId": _ROOT}
    return {"uri": f"file://{_quoted(absolute)}"}


def _quoted(path: Path) -> str:
    return quote(os.fsencode(path))


def _suppression(reason: str) -> dict[str, str]:
    return {"kind": "inSource", **({"justification": reason} if reason else {})}
