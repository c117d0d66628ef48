# SPDX-License-Identifier: Apache-2.0
"""L1: device memory that was freed.

A task uses device memory that the host has freed.

## On the chip

The memory may already belong to somebody else, and the kernel computes with foreign data or destroys it. A chip may notice nothing.

## The smallest change

Free it when the last task that uses it has ended: synchronise the stream first.

## How sure

Memory belongs to the program until it is freed. Freed addresses are held back here for a while (`ACLIMB_QUARANTINE`), so that
a late use shows.

## What it does not see

A bare address that is used again after the quarantine has given it to somebody else.

## Sources

- runtime, memory allocation: acl.rt.malloc, acl.rt.free
"""

from __future__ import annotations

from aclimb.check.rules.rule import Pair, Rule

RULE = Rule(
    id="L1",
    name="use-after-free",
    title="Used after free",
    severity="error",
    meaning="A task uses device memory that the host has freed.",
    grade="documented",
    basis="memory belongs to the program until it is freed; freed addresses are held back for a while so that this shows",
    faults="freed_memory",
    pair=Pair(lines=("DataCopy(in, from",)),
)
