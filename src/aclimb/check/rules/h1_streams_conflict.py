# SPDX-License-Identifier: Apache-2.0
"""H1: two streams, one buffer.

Tasks of two streams use the same memory, at least one of them writes, and no event orders them.

## On the chip

Streams run side by side, the default stream too. The second kernel reads what the first has not written yet whenever cores are free for
both.

## The smallest change

Record an event on one stream, and let the other wait for it.

## How sure

The pages on streams say that nothing but events and synchronisation orders two streams, the default stream included.

## What it does not see

Memory that is shared with another process.

## Sources

- runtime, streams
- runtime, events
"""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.edges import between_tasks
from aclimb.check.rules.host import both_write, task
from aclimb.check.rules.rule import Pair, Rule, Words
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
    pair=Pair(lines=("launch(one", "launch(other")),
)
