# SPDX-License-Identifier: Apache-2.0
"""X6: two TPipes one after the other."""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.edges import between
from aclimb.check.rules.rule import Rule, Words
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
)
