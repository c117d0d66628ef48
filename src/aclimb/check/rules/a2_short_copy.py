# SPDX-License-Identifier: Apache-2.0
"""A2: copies that are all overhead.

A copy to or from global memory moves so little that its start takes most of its time.

## On the chip

A copy costs hundreds of cycles before its first byte arrives, whether it moves 32 bytes or 16 KiB.

## The smallest change

Larger tiles, or one copy with a block count in place of a loop.

## How sure

The vendor advises 16 KiB and more for each transfer. Where advice begins is assumed: eight copies and more from one line, one
behind the other at equal distances in global memory, each below 512 bytes.

## What it does not see

Whether there is more to copy at all.

## Sources

- asc-devkit, performance: data movement
"""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.rules.rule import Pair, Rule, Words
from aclimb.check.words import many, tail


def _words(case: Case) -> Words:
    times = f", {case.count} times" if case.count > 1 else ""
    return Words(
        f"{case.first.call or 'a copy'} moves {many(case.number, 'byte')}{times}: the transfer is shorter than its start{tail(case)}",
        fix="move 16 KiB and more at a time: larger tiles, or several rows with one DataCopyParams",
    )


RULE = Rule(
    id="A2",
    name="short-copy",
    title="Short copy",
    severity="note",
    meaning="A copy to or from global memory moves so little that its start takes most of its time.",
    grade="documented",
    basis="the vendor advises 16 KiB and more for each transfer",
    kinds=("short_copy",),
    words=_words,
    setting="advice",
    pair=Pair(lines=("DataCopy(in[i], from[i], 8)",)),
)
