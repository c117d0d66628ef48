# SPDX-License-Identifier: Apache-2.0
"""B4: operands of one call that overlap.

Operands of one call share bytes in a way that the call does not allow: they have to be the same, or apart.

## On the chip

A repeat reads and writes in blocks, in an order of the hardware's own. What is read behind the first block may be old or new.

## The smallest change

A destination of its own; or exactly the source's place.

## How sure

The pages of the calls say which operands may be the same. Partly overlapping ones are allowed by none.

## What it does not see

Accumulation into one block with a repeat stride of 0: some calls allow it, and it is not reported.

## Sources

- asc-devkit, vector instructions: overlapping addresses
"""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.rules.rule import Pair, Rule, Words
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
    faults="gather_overlap overlap scratch_overlap",
    pair=Pair(lines=("Add(in[8], in, in",)),
)
