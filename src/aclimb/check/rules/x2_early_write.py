# SPDX-License-Identifier: Apache-2.0
"""X2: a write before WaitPreTaskEnd.

A sub-kernel writes before its WaitPreTaskEnd what the one before it still reads or writes (K6).

## On the chip

The first kernel on another core still has its input to fetch, and finds zeros. Clearing an output early is a popular way to hide time,
and right only when nobody has a use for the old content.

## The smallest change

Wait first.

## How sure

Before the wait nothing is known of the sub-kernel before, except what its own flags ordered on the same core;
such writes are not reported.

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
    return Words(f"{after} writes {what(case)} before its WaitPreTaskEnd, while {before} still {case.first.role} it{tail(case)}",
                 change.existing, change.missing, change.fix, change.lines)  # fmt: skip


RULE = Rule(
    id="X2",
    name="early-write",
    title="Early start",
    severity="error",
    meaning="A sub-kernel writes before its WaitPreTaskEnd what the one before it still reads or writes (K6).",
    grade="library",
    basis="before the wait nothing is known of the sub-kernel before, but for what its own flags ordered on the same core",
    kinds=("early_write",),
    words=_words,
    pair=Pair(lines=("DataCopy(in, from", "DataCopy(used, in"), blocks=4, fused=True),
)
