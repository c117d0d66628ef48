# SPDX-License-Identifier: Apache-2.0
"""What the rules of the data cache have in common: which of the two sides went through it."""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.finding import Access


def stored(case: Case) -> Access:
    return next((each for each in case.accesses if each.pipe in ("S", "D") and each.role != "reads"), case.first)


def loaded(case: Case) -> Access:
    return next((each for each in case.accesses if each.pipe == "S" and each.role == "reads"), case.second or case.first)
