# SPDX-License-Identifier: Apache-2.0
"""O2: one pipe with itself."""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.rules.races import is_cube, is_one_pipe, is_scalar, race
from aclimb.check.rules.rule import Rule


def _applies(case: Case) -> bool:
    return is_one_pipe(case) and not is_cube(case) and not is_scalar(case)


RULE = Rule(
    id="O2",
    name="race-in-one-pipe",
    title="Race",
    severity="error",
    meaning="Two instructions of one pipe touch the same bytes, at least one of them writes, and no barrier stands between them.",
    grade="documented",
    basis="a pipe starts its instructions in order and does not wait for the end of the last; on AIV the compiler puts the barrier "
    "between vector instructions on tensors",
    kinds=("race",),
    applies=_applies,
    words=race,
)
