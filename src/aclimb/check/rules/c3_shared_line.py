# SPDX-License-Identifier: Apache-2.0
"""C3: two cores store into one line of their caches."""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.rules.rule import Rule, Words
from aclimb.check.words import does, tail, what_one


def _words(case: Case) -> Words:
    first, second = case.first, case.other
    return Words(
        f"{does(first, True)} {what_one(first)} and {does(second, True)} {what_one(second)} in one line of 64 bytes: "
        f"whole lines are written back, over the other's bytes{tail(case)}",
        missing="a line for each",
        fix="keep the words of two cores 64 bytes apart, or use WriteGmByPassDCache",
    )


RULE = Rule(
    id="C3",
    name="shared-line",
    title="Shared line",
    severity="error",
    meaning="Two cores store to different bytes of one cache line; each writes the whole line back, with an old copy of the other's bytes.",
    grade="documented",
    basis="lines of 64 bytes are written back whole",
    kinds=("shared_line",),
    words=_words,
    setting="cache",
)
