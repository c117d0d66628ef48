# SPDX-License-Identifier: Apache-2.0
"""O8: the memories of the cube."""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.rules.races import is_cube, race
from aclimb.check.rules.rule import Rule, Words


def _words(case: Case) -> Words:
    unit = case.memory == "L0C" and {each.pipe for each in case.accesses} == {"M", "FIX"}
    return race(case, "or unitFlag 2 and 3 on Mmad, 3 on Fixpipe" if unit else "")


RULE = Rule(
    id="O8",
    name="race-in-cube-chain",
    title="Race",
    severity="error",
    meaning="Two instructions of the AIC touch the same bytes of L1, L0A, L0B, L0C, BT or FB, at least one of them writes, and neither a "
    "flag, a barrier nor a unit flag orders them.",
    grade="documented",
    basis="as O1 and O2; an Mmad that accumulates waits for the one before it only from 10 fractals of 16x16 on",
    kinds=("race",),
    applies=is_cube,
    words=_words,
)
