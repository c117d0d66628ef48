# SPDX-License-Identifier: Apache-2.0
"""F7: one counter, two meanings.

One flag between cores carries sets of two modes, of two groups or of two pipes at the same time.

## On the chip

Both sets count up the same counter. A wait takes whichever came first: the AIC's word for the word of all AIVs.

## The smallest change

A flag for each group.

## How sure

A flag may be used with another mode only when all its sets are taken. That two sets of one core may fire in either order is
documented, too.

## What it does not see

Only what ran is seen: another branch, or another tiling key, may hold the same mistake.

## Sources

- asc-devkit, CrossCoreSetFlag and CrossCoreWaitFlag: modes
"""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.rules.rule import Pair, Rule, Words
from aclimb.check.words import tail


def _words(case: Case) -> Words:
    by = "from two pipes" if case.kind == "mixed_pipes" else "by two groups of cores"
    return Words(
        f"cross-core flag {case.number} is set {by} before the first set is taken: a wait cannot tell which of them it got{tail(case)}",
        missing="an id for each",
        fix="give the two sets ids of their own, or wait for the first before the second",
    )


RULE = Rule(
    id="F7",
    name="mixed-groups",
    title="Mixed groups",
    severity="error",
    meaning="One cross-core flag carries sets of two modes, groups or pipes at the same time.",
    grade="documented",
    basis="a flag may be used with another mode only when all its sets are taken; two sets of one core may fire in either order",
    kinds=("mixed_groups", "mixed_pipes"),
    words=_words,
    is_place=True,
    pair=Pair(lines=("CrossCoreSetFlag<0, PIPE_MTE3>(3)",), blocks=2),
)
