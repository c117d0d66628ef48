# SPDX-License-Identifier: Apache-2.0
"""H2: the host and a task.

The host reads or writes memory of a task that may still run: with a synchronous copy, or through a pinned buffer.

## On the chip

A synchronous copy is done when it returns, and waits for no stream. It brings back the result of the last run, or half of this one.

## The smallest change

Synchronise the stream first; or queue the copy on it.

## How sure

The page on data copy says that a synchronous copy is in no order with streams.

## What it does not see

Plain loads and stores of the host to memory that a task also uses.

## Sources

- runtime, data copy
- runtime, streams
"""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.rules.host import both_write, host_and_task, task
from aclimb.check.rules.rule import Pair, Rule, Words
from aclimb.check.words import existing, what


def _words(case: Case) -> Words:
    host, other = host_and_task(case)
    before = f"{host.short}" if host.file else "the host touches it"
    return Words(f"{task(host)} and {task(other)} use {what(case)}, and the host has not waited for the task{both_write(case)}",
                 existing(case), "a synchronisation", f"synchronise the stream before {before}, or copy on that stream")  # fmt: skip


RULE = Rule(
    id="H2",
    name="host-conflict",
    title="Host",
    severity="error",
    meaning="The host reads or writes memory of a task that may still run: with a synchronous copy, or a pinned buffer.",
    grade="documented",
    basis="a synchronous copy is done when it returns and waits for no stream",
    kinds=("host_access",),
    words=_words,
    pair=Pair(lines=("launch(stream", "acl.rt.memcpy(result")),
)
