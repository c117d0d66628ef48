# SPDX-License-Identifier: Apache-2.0
"""L3: a free, or a synchronous copy, while a task may still use the memory.

The host frees memory, or copies over it, while a queued task may still use it.

## On the chip

A free waits for no stream. The kernel has probably ended after 100 ms, unless the machine is busy.

## The smallest change

Synchronise, and free then. A stream-ordered free is queued behind the task.

## How sure

The pages on memory say that a free and a synchronous copy are in no order with any stream.

## What it does not see

Memory that no argument names: addresses inside tiling data, for instance.

## Sources

- runtime, memory allocation: acl.rt.free
- runtime, data copy
- runtime, stream-ordered allocation
"""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.rules.host import host_and_task, task
from aclimb.check.rules.rule import Pair, Rule, Words
from aclimb.check.words import what


def _words(case: Case) -> Words:
    host, other = host_and_task(case)
    before = f"{host.short}" if host.file else "it"
    return Words(
        f"{what(case)} are freed while {task(other)}, which uses them, may still run",
        missing="a synchronisation before it",
        fix=f"synchronise the stream before {before}",
    )


RULE = Rule(
    id="L3",
    name="freed-too-early",
    title="Freed too early",
    severity="error",
    meaning="The host frees memory, or copies over it, while a queued task may still use it.",
    grade="documented",
    basis="a free and a synchronous copy wait for no stream",
    kinds=("freed_too_early",),
    words=_words,
    faults="args_freed copy_refused",
    pair=Pair(lines=("launch(stream", "acl.rt.free(x)")),
)
