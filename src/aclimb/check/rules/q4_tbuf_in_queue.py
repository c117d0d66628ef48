# SPDX-License-Identifier: Apache-2.0
"""Q4: a TBuf is no queue.

A tensor of a TBuf is given to EnQue or FreeTensor.

## On the chip

A TBuf has no flags. The queue sets one for a buffer that it does not know, and a later AllocTensor waits for another.

## The smallest change

Leave it out: a TBuf's tensor is used where it is, and its order is the kernel's business.

## How sure

The library's queues know their tensors by their buffers; the vendor's CPU mode reports it too.

## What it does not see

Only what ran is seen: another branch, or another tiling key, may hold the same mistake.

## Sources

- asc-devkit, TBuf
- asc-devkit, basic_api, queues (source)
"""

from __future__ import annotations

from aclimb.check.rules.rule import Pair, Rule

RULE = Rule(
    id="Q4",
    name="tbuf-in-queue",
    title="TBuf in a queue",
    severity="error",
    meaning="A tensor of a TBuf is given to EnQue or FreeTensor.",
    grade="library",
    basis="a TBuf has no flags and nothing to free: its tensors are used where they are",
    pair=Pair(lines=("queue.FreeTensor(in)",), blocks=4),
)
