# SPDX-License-Identifier: Apache-2.0
"""X4: local memory that the sub-kernel before still uses.

A sub-kernel fills local memory of the core that the one before it still uses there (K8).

## On the chip

V is done, so the next kernel starts and MTE2 fills the tile, while MTE3 is still copying the old content out.

## The smallest change

Set on the pipe that uses the tile last, or use other addresses.

## How sure

Inside a SuperKernel the end of a kernel drains no pipe, and each kernel lays out the memories from the
beginning.

## What it does not see

Chains that were not run with these arguments.

## Sources

- asc-devkit, SuperKernel: adapting operators
- asc-devkit, SetNextTaskStart
"""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.rules.early_start import move_set, move_wait, of_members
from aclimb.check.rules.rule import Pair, Rule, Words
from aclimb.check.words import does, tail, what


def _words(case: Case) -> Words:
    # What runs before the wait is covered by no set, whichever pipe it is on.
    change, (before, after) = (move_wait if case.before_wait else move_set)(case), of_members(case)
    return Words(f"{does(case.other)} {what(case)} for {after}, while {does(case.first)} it for {before}{tail(case)}",
                 change.existing, change.missing, f"{change.fix}; or other addresses for {after}", change.lines)  # fmt: skip


RULE = Rule(
    id="X4",
    name="early-local",
    title="Early start",
    severity="error",
    meaning="A sub-kernel fills local memory of the core that the one before it still uses there (K8).",
    grade="library",
    basis="inside a SuperKernel the end of a TPipe is no barrier, and sub-kernels lay out the same memories",
    kinds=("early_local",),
    words=_words,
    pair=Pair(lines=("DataCopy(to, out", "DataCopy(in, from"), blocks=4, fused=True),
)
