# SPDX-License-Identifier: Apache-2.0
"""H1: two streams, one buffer."""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.edges import between_tasks
from aclimb.check.rules.host import both_write, task
from aclimb.check.rules.rule import Rule, Words
from aclimb.check.words import existing, what


def _words(case: Case) -> Words:
    change = between_tasks()
    both = " and ".join(task(each) for each in case.accesses)
    return Words(f"{both} use {what(case)}, on two streams and in no order{both_write(case)}", existing(case), change.missing, change.fix)


RULE = Rule(
    id="H1",
    name="streams-conflict",
    title="Streams",
    severity="error",
    meaning="Tasks of two streams use the same memory, at least one of them writes, and no event orders them.",
    grade="documented",
    basis="streams run side by side, the default stream too; an event that one records and the other waits for orders them",
    kinds=("streams",),
    words=_words,
)
