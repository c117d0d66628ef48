# SPDX-License-Identifier: Apache-2.0
"""F8: what this kind of core does not have.

A call, a memory or a pair of pipes that this kind of core does not have.

## On the chip

Most such calls are left out for the other kind of core, without a word: the work is not done.

## The smallest change

Declare the cores that the kernel needs, and put what one kind of them does behind `if ASCEND_IS_AIV` or `ASCEND_IS_AIC`.

## How sure

The pages say for each call where it runs. An AIV has 13 pairs of pipes for flags, an AIC 24; `PipeBarrier<PIPE_S>` does not
exist and is a compile error here.

## What it does not see

Flags between pipes of the other kind of core, in code that both kinds share: they vanish, as on hardware.

## Sources

- asc-devkit, SetFlag and WaitFlag: pairs of pipes
- asc-devkit, kernel types
"""

from __future__ import annotations

from aclimb.check.rules.rule import Pair, Rule

RULE = Rule(
    id="F8",
    name="not-on-this-core",
    title="Not on this core",
    severity="error",
    meaning="A call, a memory or a pair of pipes that this kind of core does not have.",
    grade="documented",
    basis="an AIV has 13 pairs of pipes for flags, an AIC 24; PipeBarrier<PIPE_S> is not allowed",
    faults="no_such_memory other_core",
    pair=Pair(faults="vector_call_on_aic cube_call_on_aiv copy_for_other_core"),
)
