# SPDX-License-Identifier: Apache-2.0
"""X1: SetNextTaskStart says too much."""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.rules.early_start import move_set, of_members
from aclimb.check.rules.rule import Rule, Words
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
)
