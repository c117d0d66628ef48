# SPDX-License-Identifier: Apache-2.0
"""Q5: a tensor goes back where it came from.

EnQue or FreeTensor is given a tensor that does not belong to the queue.

## On the chip

The wrong buffer becomes free: the next AllocTensor hands out bytes that are in use, and the right one never becomes free.

## The smallest change

Give it back to the queue that it came from.

## How sure

A queue knows its tensors by their buffers.

## What it does not see

Only what ran is seen: another branch, or another tiling key, may hold the same mistake.

## Sources

- asc-devkit, TQue: FreeTensor
- asc-devkit, basic_api, queues (source)
"""

from __future__ import annotations

from aclimb.check.rules.rule import Pair, Rule

RULE = Rule(
    id="Q5",
    name="other-queues-tensor",
    title="Another queue's tensor",
    severity="error",
    meaning="EnQue or FreeTensor is given a tensor that does not belong to the queue.",
    grade="library",
    basis="a queue knows its tensors by their buffers",
    faults="not_from_queue",
    pair=Pair(faults="foreign_tensor"),
)
