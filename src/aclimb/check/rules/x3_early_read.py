# SPDX-License-Identifier: Apache-2.0
"""X3: a read before WaitPreTaskEnd.

A sub-kernel reads before its WaitPreTaskEnd what the one before it writes, on another core or on the same (K7).

## On the chip

The row is fetched before it is written. On the same core it seems safe, since one kernel comes behind the other; but MTE2 does not wait
for MTE3.

## The smallest change

Wait first. What the kernel before does not write, weights for instance, may be fetched early.

## How sure

Before the wait nothing is known of the sub-kernel before.

## What it does not see

Chains that were not run with these arguments.

## Sources

- asc-devkit, WaitPreTaskEnd
- graph-autofusion, super_kernel (source)
"""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.rules.early_start import move_wait, of_members
from aclimb.check.rules.rule import Pair, Rule, Words
from aclimb.check.words import tail, what


def _words(case: Case) -> Words:
    change, (before, after) = move_wait(case), of_members(case)
    return Words(f"{after} reads {what(case)} before its WaitPreTaskEnd, while {before} still writes it{tail(case)}",
                 change.existing, change.missing, change.fix, change.lines)  # fmt: skip


RULE = Rule(
    id="X3",
    name="early-read",
    title="Early start",
    severity="error",
    meaning="A sub-kernel reads before its WaitPreTaskEnd what the one before it writes, on another core or on the same (K7).",
    grade="library",
    basis="before the wait nothing is known of the sub-kernel before",
    kinds=("early_read",),
    words=_words,
    pair=Pair(lines=("DataCopy(to, out", "DataCopy(in, from"), blocks=4, fused=True),
)
