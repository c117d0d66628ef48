# SPDX-License-Identifier: Apache-2.0
"""docs/reference/check.md: the rules, from their files, and the fields of the JSON report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path

from device_table import table

import aclimb.report.faults  # noqa: F401 - importing it fills KINDS
from aclimb.check.asked import TAKEN
from aclimb.check.faults import RULE_OF
from aclimb.check.finding import FAMILIES, Access, Finding
from aclimb.check.formats import FORMATS
from aclimb.check.formats.document import VERSION, document
from aclimb.check.report import Report
from aclimb.check.rules import GRADES, RULES
from aclimb.check.settings import Settings
from aclimb.report.facts import KINDS

ROOT = Path(__file__).resolve().parent.parent
SETTINGS = [*(each.name for each in fields(Settings) if each.name != "rules"), "warnings_as_errors"]
REPORT = {
    "format": "`aclimb check`",
    "version": f"{VERSION}; rises when a field changes its meaning",
    "aclimb": "the version of aclimb",
    "status": "0 clean, 1 findings, 2 could not check",
    "could_not": "why the check is not complete; empty where it is",
    "launches": "how many launches were checked",
    "settings": f"{', '.join(f'`{each}`' for each in SETTINGS)}, and `rules`: the ids that were looked for",
    "counts": "findings by severity",
    "findings": "a list, errors first, then by rule and line",
    "ignored": "findings that a comment silences, each with `ignored_at` and `reason`",
    "unused": "comments that silenced nothing: `file`, `line`, `rule`, `reason`",
    "baseline": "`known`: findings of the baseline; `stale`: its entries that were not found",
    "remarks": "what is wrong with comments",
    "notes": "what was not seen",
}
FINDING = {
    "rule": "the id",
    "severity": "`error`, `warning` or `note`",
    "headline": "what, in one sentence",
    "accesses": "both sides, or one place",
    "existing": "what order there is",
    "missing": "what is not there, in Ascend C's words",
    "fix": "the smallest change",
    "fix_lines": "where it belongs: `file`, `after_line`, `before_line` (0: does not matter), or null",
    "details": "further lines of text",
    "count": "how often it was met",
    "blocks": "in how many blocks",
    "launch_place": "`file` and `line` of the call that launched the kernel, or null",
    "replay": "S1: the schedule that shows it, as `aclimb check --replay` takes it",
    "fingerprint": "the same when lines move; baselines know a finding by it",
    "rule_name": "the rule's name",
    "grade": "what the rule rests on",
    "page": "its page in the repository",
}
ACCESS = {
    "file": "of the kernel, or of the host program; empty where no line is known",
    "line": "in that file",
    "text": "what stands there",
    "pipe": "`S`, `V`, `M`, `MTE1`, `MTE2`, `MTE3`, `FIX`, `D` (the data cache), `host`, or `task` for what is only known by its launch",
    "core": "`AIV 3`",
    "block": "-1: none",
    "tensor": "as the source has it",
    "role": "`reads`, `writes`, `updates`, `atomically updates`; empty for a place",
    "memory": "`GM`, `UB`, `L1`, ...",
    "begin": "first byte; in GM from the parameter on, else from the allocation",
    "end": "behind the last byte",
    "buffer": "in GM: the kernel's parameter",
    "kernel": "its name",
    "member": "number and name of the sub-kernel in a fused one",
    "call": "the Ascend C call",
    "launched_at": "`file` and `line`, or null",
}


def check_page() -> Iterator[str]:
    yield "# Checks"
    yield "From `src/aclimb/check`, one file a rule. [Check your kernel](../check_your_kernel.md) shows them at work."
    yield ""
    yield "An error makes the exit status of `aclimb check` 1; warnings do with `--warnings-as-errors`, notes never. What a rule rests on:"
    yield ""
    yield from table(("grade", "means"), [(f"`{grade}`", words) for grade, words in GRADES.items()])
    for letter, title in FAMILIES.items():
        yield f"\n## {title}\n"
        rows = [each for each in RULES.values() if each.id[0] == letter]
        yield from table(
            ("rule", "name", "severity", "meaning", "rests on", "grade"),
            [
                (f"[{each.id}](../check/{each.id}.md)", f"`{each.name}`", each.severity, each.meaning, each.basis, f"`{each.grade}`")
                for each in rows
            ],
        )
    yield from _faults()
    yield from _variable()
    yield from _json()


def _faults() -> Iterator[str]:
    yield "\n## Errors that are findings too\n"
    yield "What ends a kernel is raised as ever, and a check lists it under its rule. A launch that is as lax as hardware goes on:"
    yield "then it is a warning."
    yield ""
    found: dict[str, set[str]] = {}
    for kind, rule in RULE_OF.items():
        found.setdefault(rule, set()).add(KINDS[kind][0].__name__)
    yield from table(
        ("rule", "raised as"), [(rule, ", ".join(f"`{each}`" for each in sorted(found[rule]))) for rule in RULES if rule in found]
    )


def _variable() -> Iterator[str]:
    yield "\n## ACLIMB_CHECK\n"
    names = [each for each in TAKEN if each != "sets_status"]
    yield "Words with blanks between them, in quotes where they have blanks themselves: `1`; the name of a format"
    yield f"({', '.join(f'`{each}`' for each in FORMATS)}) for what is printed; files, whose suffix says their format"
    yield f"({', '.join(f'`{each}`' for each in FORMATS.values())}); and settings as `name=value`:"
    yield f"{', '.join(f'`{each}`' for each in names)}. `0` is off."


def _json() -> Iterator[str]:
    yield "\n## JSON\n"
    yield '`aclimb check --format json`, `c.write("report.json")`.'
    yield ""
    yield from _fields("report", REPORT, set(document(Report())))
    yield ""
    yield from _fields("finding", FINDING, {each.name for each in fields(Finding)} | {"rule_name", "grade", "page"})
    yield ""
    yield from _fields("access", ACCESS, {each.name for each in fields(Access)})
    yield "\n## Baselines\n"
    yield '`{"format": "aclimb check baseline", "version": 1, "findings": [...]}`, sorted; each entry has `fingerprint` and `count`,'
    yield "which decide, and `rule`, `where` and `headline` for whoever reads it. A fingerprint is made of the rule, the names of the files"
    yield "and the texts of the lines without their comments and margins: neither line numbers nor folders change it."


def _fields(what: str, words: Mapping[str, str], there: set[str]) -> Iterator[str]:
    assert set(words) == there, f"fields of a {what}: {set(words) ^ there}"
    yield from table((f"of the {what}" if what == "report" else f"of a{'n' if what == 'access' else ''} {what}", "what"),
                     [(f"`{name}`", text) for name, text in words.items()])  # fmt: skip
