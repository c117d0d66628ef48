# SPDX-License-Identifier: Apache-2.0
"""X6: two TPipes one after the other.

Two TPipes of one sub-kernel hand out the same memory, and what the first one's instructions do there has not ended (K17).

## On the chip

Outside a SuperKernel the end of a TPipe waits for all pipes. Inside it does not: the second TPipe's copy fills the tile that the first
one's is still leaving.

## The smallest change

A barrier of all pipes between the two.

## How sure

The page on adapting operators says that the barrier at the end of a TPipe is left out.

## What it does not see

The same kernel launched by itself is right, and not reported.

## Sources

- asc-devkit, SuperKernel: adapting operators
- asc-devkit, TPipe: Destroy
"""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.edges import between
from aclimb.check.rules.rule import Pair, Rule, Words
from aclimb.check.words import both_do, existing, tail, what


def _words(case: Case) -> Words:
    where, lines = between(case.first, case.other)
    return Words(f"{both_do(case)} {what(case)}, which two TPipes handed out one after the other, in no order{tail(case)}", existing(case),
                 "PipeBarrier<PIPE_ALL>()", f"PipeBarrier<PIPE_ALL>() {where}", lines)  # fmt: skip


RULE = Rule(
    id="X6",
    name="two-pipes-alias",
    title="Two TPipes",
    severity="error",
    meaning="Two TPipes of one sub-kernel hand out the same memory, and what the first one's instructions do there has not ended (K17).",
    grade="documented",
    basis="inside a SuperKernel the end of a TPipe has no barrier",
    kinds=("two_pipes_alias",),
    words=_words,
    pair=Pair(lines=("DataCopy(to, left", "DataCopy(right, from"), blocks=2, fused=True),
)
