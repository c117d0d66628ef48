# SPDX-License-Identifier: Apache-2.0
"""O3: the scalar unit and a pipe."""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.rules.races import is_cube, is_not_written_back, is_scalar, race
from aclimb.check.rules.rule import Rule


def _applies(case: Case) -> bool:
    return is_scalar(case) and not is_cube(case) and not is_not_written_back(case)


RULE = Rule(
    id="O3",
    name="race-with-scalar",
    title="Race",
    severity="error",
    meaning="The scalar unit and a pipe touch the same bytes, at least one of them writes, and nothing makes one wait for the other.",
    grade="documented",
    basis="the compiler inserts flags for GetValue, SetValue and t(i) on AIV only; not for raw pointers, not for SetValue of a "
    "GlobalTensor, nothing on the AIC",
    kinds=("race",),
    applies=_applies,
    words=race,
)
