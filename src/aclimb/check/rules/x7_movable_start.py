# SPDX-License-Identifier: Apache-2.0
"""X7: a set that could come earlier, a wait that could come later. The advisor finds it.

SetNextTaskStart could stand earlier, or WaitPreTaskEnd later, and the chain would still be proved. What it saves is
modelled.

## On the chip

Nothing goes wrong. The next kernel begins later than it could.

## The smallest change

Set behind the last copy that the next kernel needs; what nobody waits for may follow.

## How sure

From the same order of events that proves a chain safe, for these arguments. What it saves comes from the [timing
model](../explain/timing.md).

## What it does not see

`aclimb.check.advise` tells it, with both places and what they save; a check does not.

Other shapes and tiling keys: the place has to be right for all of them.

## Sources

- asc-devkit, SetNextTaskStart, WaitPreTaskEnd
"""

from __future__ import annotations

from aclimb.check.rules.rule import Pair, Rule

RULE = Rule(
    id="X7",
    name="movable-start",
    title="Early start",
    severity="warning",
    meaning="SetNextTaskStart could stand earlier, or WaitPreTaskEnd later, and the chain would still be proved.",
    grade="inferred",
    basis="the same order of events that proves the chain; what it saves is modelled",
    pair=Pair(lines=("SetNextTaskStart()",), blocks=4, words=1024, fused=True, check={"rules": "X7", "advice": True}),
)
