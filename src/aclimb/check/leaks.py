# SPDX-License-Identifier: Apache-2.0
"""L4: what acl was asked for and not given back, by the line that asked."""

from __future__ import annotations

from aclimb.binary.source_lines import source_text
from aclimb.check.finding import Access, Finding, fingerprint_of
from aclimb.check.rules import RULES
from aclimb.runtime import leaks
from aclimb.runtime.where import shown

watch = leaks.watch


def findings() -> list[Finding]:
    return [_finding(kind, place, count) for kind, place, count in leaks.listed()]


def _finding(kind: str, place: tuple[str, int], count: int) -> Finding:
    file, line = place
    access = Access(file=file, line=line, text=source_text(file, line, trusted=True) if file else "", pipe="host", call=kind)
    return Finding(
        rule="L4",
        severity=RULES["L4"].severity,
        headline=f"Leak: {leaks.many(count, kind)} made at {shown(place)} {'is' if count == 1 else 'are'} still there",
        accesses=(access,) if file else (),
        missing="what gives it back",
        fix="free or destroy it before the program ends",
        count=count,
        fingerprint=fingerprint_of("L4", [access]),
    )
