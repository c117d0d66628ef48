# SPDX-License-Identifier: Apache-2.0
"""Q1: EnQue and DeQue come in pairs.

EnQue and DeQue of a queue do not pair: more tensors than its depth are in it, or none is left to take.

## On the chip

EnQue sets a flag that DeQue waits for. One EnQue too many overwrites the place of an earlier tensor; one DeQue too many waits for ever.

## The smallest change

A DeQue for each EnQue, or a deeper queue.

## How sure

The flags are what EnQue and DeQue are made of. The depth is documented as the number of tensors in the queue.

## What it does not see

Only what ran is seen: another branch, or another tiling key, may hold the same mistake.

## Sources

- asc-devkit, TQue: EnQue, DeQue
- asc-devkit, basic_api, queues (source)
"""

from __future__ import annotations

from aclimb.check.rules.rule import Pair, Rule

RULE = Rule(
    id="Q1",
    name="enque-without-deque",
    title="Queue out of step",
    severity="error",
    meaning="EnQue and DeQue of a queue do not pair: more tensors than its depth are in it, or none is left to take.",
    grade="library",
    basis="the queue sets its flag in EnQue and waits for it in DeQue",
    faults="queue_empty queue_over_depth",
    pair=Pair(faults="queue_over_depth queue_empty"),
)
