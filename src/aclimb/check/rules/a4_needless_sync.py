# SPDX-License-Identifier: Apache-2.0
"""A4: synchronisation that orders nothing."""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.finding import FixLines
from aclimb.check.rules.rule import Rule, Words
from aclimb.check.words import tail


def _words(case: Case) -> Words:
    sync = case.syncs[0].written if case.syncs else case.first.call or "a synchronisation"
    place = case.first
    return Words(
        f"{sync} orders nothing: what its pipe does before and behind it has no bytes in common{tail(case)}",
        fix=f"take it out{f' of line {place.line}' if place.file else ''}; check again with the shapes that you use",
        lines=FixLines(place.file, place.line, place.line) if place.file else None,
    )


RULE = Rule(
    id="A4",
    name="needless-sync",
    title="Needless synchronisation",
    severity="note",
    meaning="No two accesses of its pipe on the two sides of a barrier conflict, in all blocks of this run.",
    grade="inferred",
    basis="the same order of events that finds races, for these arguments",
    kinds=("needless_sync",),
    words=_words,
    setting="advice",
)
