# SPDX-License-Identifier: Apache-2.0
"""X1: SetNextTaskStart says too much.

A sub-kernel writes behind its SetNextTaskStart, or on a pipe that the set does not wait for, what the next one uses (K5).

## On the chip

The next sub-kernel passes its wait and fetches a row that is still on its way. How far it is depends on the cores' speed, so it shows now
and then.

## The smallest change

The set belongs behind the last copy, on the pipe that copies.

## How sure

The set fires when its own pipe has done what came before it. API pages put it behind the last copy, other
texts before it; the order of events decides here.

## What it does not see

Chains that were not run with these arguments. What the answer depends on is in the report.

## Sources

- asc-devkit, SetNextTaskStart
- graph-autofusion, super_kernel (source)
- asc-devkit, basic_api, early start (source)
"""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.rules.early_start import move_set, of_members
from aclimb.check.rules.rule import Pair, Rule, Words
from aclimb.check.words import both_do, tail, what


def _words(case: Case) -> Words:
    change = move_set(case)
    return Words(f"{both_do(case)} {what(case)}, and the SetNextTaskStart of {of_members(case)[0]} does not cover it{tail(case)}",
                 change.existing, change.missing, change.fix, change.lines)  # fmt: skip


RULE = Rule(
    id="X1",
    name="early-set",
    title="Early start",
    severity="error",
    meaning="A sub-kernel writes behind its SetNextTaskStart, or on a pipe that the set does not wait for, what the next one uses (K5).",
    grade="library",
    basis="the set fires when its own pipe has done what came before it; nothing else is waited for",
    kinds=("early_set",),
    words=_words,
    pair=Pair(lines=("DataCopy(to, out", "DataCopy(in, from"), blocks=4, fused=True),
)
