# SPDX-License-Identifier: Apache-2.0
"""A3: copies that begin inside a line.

A copy to or from global memory does not begin at a multiple of 512 bytes, and takes longer than one that does.

## On the chip

The transfer touches one more line of the memory system. In the worst published case, on one core of an Atlas A2, 70 percent of the
bandwidth are left.

## The smallest change

Rows that begin at multiples of 512 bytes.

## How sure

The vendor advises addresses that are multiples of 512 bytes. That it matters to bursts of 4 KiB and more is assumed.

## What it does not see

Whether the layout is yours to change.

## Sources

- asc-devkit, performance: data movement
"""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.rules.rule import Pair, Rule, Words
from aclimb.check.words import tail, what


def _words(case: Case) -> Words:
    return Words(
        f"{case.first.call or 'a copy'} begins inside a line of 512 bytes: {what(case)}{tail(case)}",
        fix="let each block begin at a multiple of 512 bytes",
    )


RULE = Rule(
    id="A3",
    name="misaligned-copy",
    title="Misaligned copy",
    severity="note",
    meaning="A copy to or from global memory does not begin at a multiple of 512 bytes, and takes longer than one that does.",
    grade="documented",
    basis="the vendor advises addresses that are multiples of 512 bytes",
    kinds=("misaligned_copy",),
    words=_words,
    setting="advice",
    pair=Pair(lines=("DataCopy(in, from",)),
)
