# SPDX-License-Identifier: Apache-2.0
"""L1: device memory that was freed."""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.rules.lifetimes import freed_piece
from aclimb.check.rules.rule import Rule, Words
from aclimb.check.words import does, tail, what_one


def _words(case: Case) -> Words:
    return Words(
        f"{does(case.first)} {what_one(case.first)} in device memory that was freed{tail(case)}",
        missing="a synchronisation before the free",
        fix="synchronise the stream, then free",
        details=freed_piece(case),
    )


RULE = Rule(
    id="L1",
    name="use-after-free",
    title="Used after free",
    severity="error",
    meaning="A task uses device memory that the host has freed.",
    grade="documented",
    basis="memory belongs to the program until it is freed; freed addresses are held back for a while so that this shows",
    kinds=("freed",),
    words=_words,
)
