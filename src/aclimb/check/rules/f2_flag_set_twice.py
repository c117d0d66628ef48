# SPDX-License-Identifier: Apache-2.0
"""F2: a flag is one bit.

A flag is set a second time before the wait for the first set was issued.

## On the chip

A flag is one bit. The second set is lost, and one of the two waits to come stands for ever, or the task stops at the next PIPE_ALL
barrier.

## The smallest change

Wait in between, or use another id.

## How sure

The page on SetFlag calls it undefined. Sets and waits are counted in the order of the program, because double-buffered queues
legally set again while the wait is still under way.

## What it does not see

Whether hardware counts in that case: nobody has said, and no order is credited to it.

## Sources

- asc-devkit, SetFlag and WaitFlag
"""

from __future__ import annotations

from aclimb.check.rules.rule import Pair, Rule

RULE = Rule(
    id="F2",
    name="flag-set-twice",
    title="Flag set twice",
    severity="error",
    meaning="A flag is set a second time before the wait for the first was issued.",
    grade="documented",
    basis="the documents call it undefined; sets and waits are counted in the order of the program",
    faults="flag_set_twice",
    pair=Pair(faults="flag_set_twice"),
)
