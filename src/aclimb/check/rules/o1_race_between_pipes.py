# SPDX-License-Identifier: Apache-2.0
"""O1: two pipes of a core."""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.rules.races import is_cube, is_one_pipe, is_scalar, race
from aclimb.check.rules.rule import Rule


def _applies(case: Case) -> bool:
    return not (is_cube(case) or is_scalar(case) or is_one_pipe(case))


RULE = Rule(
    id="O1",
    name="race-between-pipes",
    title="Race",
    severity="error",
    meaning="Two pipes of one core touch the same bytes, at least one of them writes, and no flag, barrier or queue orders them.",
    grade="documented",
    basis="pipes run side by side, and only SetFlag with WaitFlag, PIPE_ALL, or a queue orders one behind another",
    kinds=("race",),
    applies=_applies,
    words=race,
)
