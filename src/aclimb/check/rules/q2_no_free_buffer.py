# SPDX-License-Identifier: Apache-2.0
"""Q2: AllocTensor without a buffer left.

AllocTensor is called while all buffers of the queue are in use.

## On the chip

AllocTensor looks for a free buffer until there is one. Only the same core could free one, so it looks for ever.

## The smallest change

More buffers in `InitBuffer`, or FreeTensor first.

## How sure

The library's AllocTensor goes round its buffers until one is free.

## What it does not see

Only what ran is seen: another branch, or another tiling key, may hold the same mistake.

## Sources

- asc-devkit, TQue: AllocTensor, FreeTensor
- asc-devkit, basic_api, queues (source)
"""

from __future__ import annotations

from aclimb.check.rules.rule import Pair, Rule

RULE = Rule(
    id="Q2",
    name="no-free-buffer",
    title="No free buffer",
    severity="error",
    meaning="AllocTensor is called while all buffers of the queue are in use.",
    grade="library",
    basis="AllocTensor waits for a FreeTensor that only the same core could call",
    faults="queue_no_free_buffer",
    pair=Pair(faults="no_free_buffer"),
)
