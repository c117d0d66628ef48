# SPDX-License-Identifier: Apache-2.0
"""O9: right because the compiler helps (auto_sync=warn)."""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.edges import new_edge
from aclimb.check.rules.rule import Rule, Words
from aclimb.check.words import both_do, tail, what


def _words(case: Case) -> Words:
    change = new_edge(case)
    head = f"{both_do(case)} {what(case)}, and only the compiler orders the two{tail(case)}"
    return Words(head, "the compiler inserts it on AIV for tensors", change.missing, change.fix, change.lines)


RULE = Rule(
    id="O9",
    name="order-by-compiler",
    title="By the compiler",
    severity="warning",
    meaning="The order of two accesses comes from a flag or barrier that the vendor's compiler inserts; with --cce-auto-sync=off, or "
    "through a raw pointer, it would be gone. Listed with auto_sync=warn.",
    grade="documented",
    basis="the list of calls that the compiler looks after is documented; where exactly it puts the flags is inferred from one log",
    kinds=("compiler_edge",),
    words=_words,
    setting="auto_sync",
)
