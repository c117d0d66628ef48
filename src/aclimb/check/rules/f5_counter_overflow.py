# SPDX-License-Identifier: Apache-2.0
"""F5: a counter that is full.

A flag between cores is set more than 15 times ahead of its waits.

## On the chip

A core's counter of a flag ends at 15. The sixteenth set raises an exception.

## The smallest change

Let the other core answer now and then, so that nobody runs that far ahead.

## How sure

The page on CrossCoreSetFlag gives the limit.

## What it does not see

A core that would be fast enough on hardware and is not here: the set then waits, and a warning says so.

## Sources

- asc-devkit, CrossCoreSetFlag and CrossCoreWaitFlag
"""

from __future__ import annotations

from aclimb.check.rules.rule import Pair, Rule

RULE = Rule(
    id="F5",
    name="counter-overflow",
    title="Counter full",
    severity="error",
    meaning="A cross-core flag is set more than 15 times ahead of its waits.",
    grade="documented",
    basis="a core's counter of a flag ends at 15",
    faults="cross_flag_full cross_flag_overflow",
    pair=Pair(faults="cross_core_overflow"),
)
