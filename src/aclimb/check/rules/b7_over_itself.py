# SPDX-License-Identifier: Apache-2.0
"""B7: a result that grows over its source."""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.rules.rule import Rule, Words
from aclimb.check.words import tail, what


def _words(case: Case) -> Words:
    return Words(
        f"{case.first.call or 'the call'} writes over {what(case)}, which it still has to read{tail(case)}",
        missing="a second buffer",
        fix="give the destination bytes of its own",
    )


RULE = Rule(
    id="B7",
    name="over-itself",
    title="Over itself",
    severity="error",
    meaning="A widening Cast, a Brcb or a Gather writes to bytes of its own source that it has not read yet.",
    grade="documented",
    basis="the destination runs ahead of the source; the pages allow equal operands of equal width only",
    kinds=("over_itself",),
    words=_words,
)
