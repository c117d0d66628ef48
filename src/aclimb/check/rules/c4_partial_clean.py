# SPDX-License-Identifier: Apache-2.0
"""C4: a dcci that begins inside a line.

A DataCacheCleanAndInvalid of one line handles the bytes from its address to the end of the line. What was stored before that
address stays in the cache.

## On the chip

The second word reaches global memory, the first one later or, in a kernel built without a flush at its end, never.

## The smallest change

Give the address of the start of the line; or call it for both halves.

## How sure

The page on the call says from where to where it reaches.

## What it does not see

Addresses inside a line whose first part this core has not stored to: those are harmless and not reported.

## Sources

- asc-devkit, cache control: DataCacheCleanAndInvalid
"""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.rules.rule import Pair, Rule, Words
from aclimb.check.words import tail, what


def _words(case: Case) -> Words:
    return Words(
        f"DataCacheCleanAndInvalid begins inside its line and leaves out {what(case)}{tail(case)}",
        missing="the first part of the line",
        fix="give it an address that is a multiple of 64, or call it a second time for the part before",
    )


RULE = Rule(
    id="C4",
    name="partial-clean",
    title="Partial clean",
    severity="warning",
    meaning="A DataCacheCleanAndInvalid of one line handles only the bytes from its address to the end of the line.",
    grade="documented",
    basis="the page on the data cache says so",
    kinds=("partial_clean",),
    words=_words,
    setting="cache",
    is_place=True,
    pair=Pair(lines=("(to[8]);",)),
)
