# SPDX-License-Identifier: Apache-2.0
"""B6: elements that Compare leaves out.

A Compare whose bytes are no multiple of 256 does not compute its tail.

## On the chip

36 of the 100 bits are never written. They read as false, or as the last mask that lay there.

## The smallest change

Compare whole repeats, and ignore what is too much.

## How sure

The page on Compare asks for a multiple of 256 bytes.

## What it does not see

Whether anybody reads the missing bits.

## Sources

- asc-devkit, Compare
"""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.rules.rule import Pair, Rule, Words
from aclimb.check.words import many, tail


def _words(case: Case) -> Words:
    return Words(
        f"{case.first.call or 'Compare'} leaves out {many(case.number, 'byte')} behind its last 256{tail(case)}",
        missing="whole repeats of 256 bytes",
        fix="round the count up where source and destination have the room, or fill the rest of the tile first",
    )


RULE = Rule(
    id="B6",
    name="compare-tail",
    title="Compare tail",
    severity="warning",
    meaning="A Compare whose bytes are no multiple of 256 does not compute its tail.",
    grade="documented",
    basis="the page on Compare asks for a multiple of 256 bytes",
    kinds=("compare_tail",),
    words=_words,
    pair=Pair(lines=("Compare(bits",)),
)
