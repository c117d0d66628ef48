# SPDX-License-Identifier: Apache-2.0
"""Q8: buffers live as long as their TPipe.

Two TPipes are alive at once, or a queue or buffer is used before its InitBuffer or after its TPipe has ended.

## On the chip

Each TPipe hands out the memories and the event ids of the core from the beginning: two of them hand out the same bytes and the same
flags.

## The smallest change

One TPipe for a kernel; end the first before the second.

## How sure

The library keeps one state for a core. A TBuf may be used after `TPipe::Destroy`.

## What it does not see

Two TPipes one after the other: that is legal, and in a SuperKernel [X6](X6.md).

## Sources

- asc-devkit, TPipe
- asc-devkit, basic_api, TPipe (source)
"""

from __future__ import annotations

from aclimb.check.rules.rule import Pair, Rule

RULE = Rule(
    id="Q8",
    name="life-of-a-pipe",
    title="Life of a TPipe",
    severity="error",
    meaning="Two TPipes are alive at once, or a queue or buffer is used before its InitBuffer or after its TPipe ended.",
    grade="library",
    basis="a TPipe hands out the core's memories and its event ids from the beginning",
    faults="buffer_not_initialised no_pipe two_pipes",
    pair=Pair(faults="two_pipes queue_after_destroy not_initialised"),
)
