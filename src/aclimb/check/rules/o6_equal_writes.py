# SPDX-License-Identifier: Apache-2.0
"""O6: the same bytes written twice, with the same values.

Two writes of the same bytes are in no order, and leave the same values. The result is right as long as both go on doing so.

## On the chip

Nothing goes wrong today. It does when one block clears later than another has begun to count, or when the two values part.

## The smallest change

One block writes, and the others wait for it, which `SyncAll` does here already.

## How sure

The documents themselves let every block clear the words of a soft SyncAll, so this is no error.

## What it does not see

Whether the values will always be equal: it compares those of this run.

## Sources

- asc-devkit, SyncAll: clearing the workspace
"""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.rules.rule import Pair, Rule, Words
from aclimb.check.words import both_do, existing, tail, what


def _words(case: Case) -> Words:
    return Words(
        f"{both_do(case)} {what(case)} in no order, with the same values{tail(case)}",
        existing(case),
        "an order of the two writes",
        "let one block write it and the others wait with SyncAll(), or clear it on the host before the launch",
    )


RULE = Rule(
    id="O6",
    name="equal-writes",
    title="Equal writes",
    severity="warning",
    meaning="Two writes of the same bytes are in no order and leave the same values; the result is right as long as both go on doing so.",
    grade="documented",
    basis="the documents themselves let every block clear the words of a soft SyncAll",
    kinds=("race_equal",),
    words=_words,
    pair=Pair(lines=("DataCopy(counters, out", "DataCopy(counters, out"), blocks=4, words=256),
)
