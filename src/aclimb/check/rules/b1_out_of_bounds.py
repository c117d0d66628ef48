# SPDX-License-Identifier: Apache-2.0
"""B1: beyond an end. Its findings are faults: the kernel ends there.

An access goes beyond its tensor, its buffer, its memory or its allocation.

## On the chip

A chip knows where a memory ends and not where a tensor does: the extra elements are whatever lies behind, and a write destroys it. Beyond
the memory or the allocation the task ends.

## The smallest change

A count, an offset or a buffer that fits.

## How sure

The ends of memories are documented. Those of tensors and of `SetGlobalBuffer` are the kernel's own word, which is taken here;
`strictness="hardware"` lets them pass ([Strict or hardware](../strict_or_hardware.md)).

## What it does not see

A GlobalTensor without a length, inside its allocation. A read of whole blocks that ends in the rest of an allocation's last block is a
warning of this rule; a result that depends on those bytes is [I2](I2.md).

## Sources

- asc-devkit, local memory: sizes
- asc-devkit, hardware constraints
"""

from __future__ import annotations

from aclimb.check.rules.rule import Pair, Rule

RULE = Rule(
    id="B1",
    name="out-of-bounds",
    title="Out of bounds",
    severity="error",
    meaning="An access goes beyond its tensor, its buffer, its memory or its allocation.",
    grade="documented",
    basis="a chip notices the ends of memories and allocations; the ends of tensors are noticed here, unless strictness is hardware",
    faults="address_fault block_past_end buffer_overflow gm_out_of_bounds out_of_bounds scratch_too_small stack_overrun",
    pair=Pair(
        faults="ub_count ub_offset ub_repeat gm_before gm_behind gm_beyond "
        "gm_declared gm_offset gm_pad scalar_index buffers_too_large null_pointer"
    ),
)
