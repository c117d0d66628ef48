# SPDX-License-Identifier: Apache-2.0
"""L2: device memory that was freed and belongs to somebody else now."""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.rules.rule import Rule, Words
from aclimb.check.words import does, tail, what_one
from aclimb.runtime.addresses import place, place_of


def _words(case: Case) -> Words:
    made = place("what lies there now was allocated at", place_of(case.number))
    return Words(
        f"{does(case.first)} {what_one(case.first)} through a pointer from before the memory was freed and given out again{tail(case)}",
        missing="a synchronisation before the free",
        fix="synchronise the stream, then free; take the address of the new allocation",
        details=(made,) if made else (),
    )


RULE = Rule(
    id="L2",
    name="reused-memory",
    title="Stale pointer",
    severity="error",
    meaning="A task that was queued, or a handle that was made, before a free uses memory that has been given out again since.",
    grade="documented",
    basis="arguments keep the generation of their memory; a bare address that the host passes again cannot be told from the new owner's",
    kinds=("reused",),
    words=_words,
)
