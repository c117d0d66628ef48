# SPDX-License-Identifier: Apache-2.0
"""N1: sums whose last bits depend on the order.

Three or more atomic additions of floats meet on one byte in no order: the last bits of the sum depend on who comes first.

## On the chip

Every run may give another sum. Each is right within rounding, and no two need be equal. Here the blocks are run in order, so this does
not show.

## The smallest change

A chain of blocks, each waiting for the one before it, or a sum in two stages. Leave it when the last bits do not matter.

## How sure

The page on atomics names the threshold: two additions commute, three are no longer associative.

## What it does not see

Sums inside one core: their order is that of the program.

## Sources

- asc-devkit, atomics: key features
- asc-devkit, WaitPreBlock, NotifyNextBlock
"""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.rules.rule import Pair, Rule, Words
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
    pair=Pair(lines=("DataCopy(to, in", "DataCopy(to, in"), blocks=4, words=256),
)
