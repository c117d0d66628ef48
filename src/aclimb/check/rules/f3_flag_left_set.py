# SPDX-License-Identifier: Apache-2.0
"""F3: a flag that leaks into the next kernel.

A flag, or a counter between cores, is still set when the kernel ends.

## On the chip

It stays set on that core. The next kernel there finds it, and its first wait passes too early.

## The smallest change

A wait for each set.

## How sure

Flags are not cleared between kernels, the constraints say.

## What it does not see

What a flag of an earlier kernel does to a later one: each launch starts with clear flags here.

## Sources

- asc-devkit, hardware constraints: flags
- asc-devkit, SetFlag and WaitFlag
"""

from __future__ import annotations

from aclimb.check.rules.rule import Pair, Rule

RULE = Rule(
    id="F3",
    name="flag-left-set",
    title="Flag left set",
    severity="error",
    meaning="A flag, or a counter between cores, is still set when the kernel or the sub-kernel ends.",
    grade="documented",
    basis="flags are not cleared between kernels: the next one on that core finds it",
    faults="cross_flag_left flag_left",
    pair=Pair(faults="flag_left cross_flag_left"),
)
