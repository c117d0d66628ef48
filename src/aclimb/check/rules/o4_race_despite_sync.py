# SPDX-License-Identifier: Apache-2.0
"""O4: two cores, with synchronisation that does not cover the two accesses."""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.rules.races import is_not_written_back, is_synchronised, race
from aclimb.check.rules.rule import Rule


def _applies(case: Case) -> bool:
    return is_synchronised(case) and not is_not_written_back(case)


RULE = Rule(
    id="O4",
    name="race-despite-sync",
    title="Race",
    severity="error",
    meaning="Two cores touch the same bytes of global memory, at least one of them writes, and the synchronisation between the cores "
    "does not cover these two accesses.",
    grade="documented",
    basis="CrossCoreSetFlag waits for what its own pipe did before; CrossCoreWaitFlag holds up what is issued behind it",
    kinds=("race_cores",),
    applies=_applies,
    words=race,
)
