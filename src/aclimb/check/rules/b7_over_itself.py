# SPDX-License-Identifier: Apache-2.0
"""B7: a result that grows over its source.

A widening Cast, a Brcb or a Gather writes to bytes of its own source that it has not read yet.

## On the chip

The destination runs ahead of the source: 64 floats cover the place of 128 halves. From the second repeat on, what is read are floats that
were just written.

## The smallest change

A second buffer.

## How sure

The pages allow source and destination at one place for equal widths only. A Cast that writes over nothing but what it has read
already is not reported: halves in the upper half of a tile, widened into the whole of it, are a habit that works.

## What it does not see

Only what ran is seen: another branch, or another tiling key, may hold the same mistake.

## Sources

- asc-devkit, Cast
- asc-devkit, Brcb, Gather
"""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.rules.rule import Pair, Rule, Words
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
    pair=Pair(lines=("Cast(out",)),
)
