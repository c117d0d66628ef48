# SPDX-License-Identifier: Apache-2.0
"""A2: copies that are all overhead."""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.rules.rule import Rule, Words
from aclimb.check.words import many, tail


def _words(case: Case) -> Words:
    times = f", {case.count} times" if case.count > 1 else ""
    return Words(
        f"{case.first.call or 'a copy'} moves {many(case.number, 'byte')}{times}: the transfer is shorter than its start{tail(case)}",
        fix="move 16 KiB and more at a time: larger tiles, or several rows with one DataCopyParams",
    )


RULE = Rule(
    id="A2",
    name="short-copy",
    title="Short copy",
    severity="note",
    meaning="A copy to or from global memory moves so little that its start takes most of its time.",
    grade="documented",
    basis="the vendor advises 16 KiB and more for each transfer",
    kinds=("short_copy",),
    words=_words,
    setting="advice",
)
