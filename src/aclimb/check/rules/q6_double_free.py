# SPDX-License-Identifier: Apache-2.0
"""Q6: FreeTensor twice.

FreeTensor of a tensor whose buffer is free already.

## On the chip

FreeTensor sets a flag each time, and AllocTensor waits for one. The second set is lost or left over ([F2](F2.md), [F3](F3.md)).

## The smallest change

One FreeTensor for each AllocTensor or DeQue.

## How sure

The flags are what FreeTensor and AllocTensor are made of.

## What it does not see

Only what ran is seen: another branch, or another tiling key, may hold the same mistake.

## Sources

- asc-devkit, TQue: FreeTensor
- asc-devkit, basic_api, queues (source)
"""

from __future__ import annotations

from aclimb.check.rules.rule import Pair, Rule

RULE = Rule(
    id="Q6",
    name="double-free",
    title="Freed twice",
    severity="error",
    meaning="FreeTensor of a tensor whose buffer is free already.",
    grade="library",
    basis="FreeTensor sets a flag each time, and AllocTensor takes one",
    faults="double_free",
    pair=Pair(faults="double_free"),
)
