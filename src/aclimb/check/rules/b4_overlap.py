# SPDX-License-Identifier: Apache-2.0
"""B4: operands of one call that overlap."""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.rules.rule import Rule, Words
from aclimb.check.words import tail, what


def _words(case: Case) -> Words:
    return Words(
        f"{case.first.call or 'the call'} writes over a part of {what(case)}, which it reads itself{tail(case)}",
        missing="operands that are the same, or apart",
        fix="give the destination bytes of its own, or exactly those of the source",
    )


RULE = Rule(
    id="B4",
    name="overlap",
    title="Overlap",
    severity="error",
    meaning="Operands of one call share bytes in a way that the call does not allow.",
    grade="documented",
    basis="each call says which of its operands may be the same; in part they never may",
    kinds=("overlap",),
    words=_words,
)
