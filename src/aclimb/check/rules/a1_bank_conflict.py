# SPDX-License-Identifier: Apache-2.0
"""A1: operands in the same banks of UB.

Operands of a vector instruction are read from, or written to, the same banks of UB in one cycle, and have to take turns.

## On the chip

Each repeat takes two cycles in place of one.

## The smallest change

Move one source by 256 bytes: they then lie in different bank groups.

## How sure

UB of Atlas A2 and A3 has 16 groups of 3 banks of 4 KiB, with rows of 32 bytes. The two cases with offsets of 0 and 256 were
measured and published; other offsets are assumed to be like the first.

## What it does not see

Conflicts of V with MTE2 and MTE3 in the same cycle, calls that lose less than 16 cycles, and conflicts that a move by 256
bytes does not end.

## Sources

- asc-devkit, bank conflicts in UB (sample and performance page)
"""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.rules.rule import Pair, Rule, Words
from aclimb.check.words import many, tail


def _words(case: Case) -> Words:
    cost = f", {many(case.number, 'cycle')} lost" if case.number else ""
    return Words(
        f"operands of {case.first.call or 'the instruction'} lie in the same banks of UB{cost}{tail(case)}",
        fix="move one of the sources by 256 bytes: give the buffer before it that much more room, so that it begins in other banks",
    )


RULE = Rule(
    id="A1",
    name="bank-conflict",
    title="Bank conflict",
    severity="note",
    meaning="Operands of a vector instruction are read from, or written to, the same banks of UB in one cycle, and have to take turns.",
    grade="documented",
    basis="UB of Atlas A2 and A3 has 16 groups of 3 banks; two reads of a bank, or two uses of a group, take a cycle more",
    kinds=("bank_conflict",),
    words=_words,
    setting="advice",
    pair=Pair(lines=("Add(out, a, b",)),
)
