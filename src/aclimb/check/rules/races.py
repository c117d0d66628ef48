# SPDX-License-Identifier: Apache-2.0
"""What the rules of races have in common: two accesses, the order there is, and the one change that makes it right."""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.changes import missing_edge
from aclimb.check.rules.rule import Words
from aclimb.check.words import both_do, does, existing, tail, what

CUBE_MEMORIES = ("L1", "L0A", "L0B", "L0C", "BT", "FB")


def race(case: Case, also: str = "") -> Words:
    """In no order; `also` is another way out than the smallest change."""
    change = missing_edge(case)
    headline = f"{_who(case)} {what(case)} {_how(case)}{tail(case)}"
    return Words(headline, existing(case), change.missing, f"{change.fix}{f'; {also}' if also else ''}", change.lines)


def _who(case: Case) -> str:
    first, second = case.first, case.other
    if case.relation == "core" and (first.pipe, first.role) == (second.pipe, second.role):
        return does(first)
    return both_do(case)


def _how(case: Case) -> str:
    first, second = case.first, case.other
    twice = case.relation == "core" and (first.pipe, first.role) == (second.pipe, second.role)
    return "twice in no order" if twice else "in no order"


def is_cube(case: Case) -> bool:
    return case.memory in CUBE_MEMORIES


def is_scalar(case: Case) -> bool:
    return any(each.pipe in ("S", "D") for each in case.accesses)


def is_not_written_back(case: Case) -> bool:
    """A store that is still in the data cache, met by a reader who waited for everything else: the write-back alone is missing."""
    stores = case.memory == "GM" and any(each.pipe == "D" for each in case.accesses)
    return stores and any(each.role == "reads" for each in case.accesses) and (case.relation == "core" or is_synchronised(case))


def is_one_pipe(case: Case) -> bool:
    return case.first.pipe == case.other.pipe


def is_synchronised(case: Case) -> bool:
    """Whether anything between cores stands near: it does not cover these two, or they would not be here."""
    return bool(case.number) or any(each.is_across for each in case.syncs)
