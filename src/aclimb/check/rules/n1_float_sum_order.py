# SPDX-License-Identifier: Apache-2.0
"""N1: sums whose last bits depend on the order."""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.rules.rule import Rule, Words
from aclimb.check.words import tail, what


def _words(case: Case) -> Words:
    return Words(
        f"three or more cores add floats to {what(case)} in no order: the sum differs in its last bits{tail(case)}",
        missing="an order of the additions",
        fix="where bits matter, let the blocks add in turn (WaitPreBlock, NotifyNextBlock), or sum in two stages",
    )


RULE = Rule(
    id="N1",
    name="float-sum-order",
    title="Sum in any order",
    severity="note",
    meaning="Three or more atomic additions of floats meet on one byte in no order, so the result depends on who comes first.",
    grade="documented",
    basis="the documents name the same threshold: two additions commute, three do not associate",
    kinds=("atomic_float",),
    words=_words,
)
