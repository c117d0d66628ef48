# SPDX-License-Identifier: Apache-2.0
"""B2: numbers that an instruction cannot hold.

A field of an instruction, or a size given to InitBuffer, is outside what the hardware can hold.

## On the chip

Instructions are packed. A repeat of 256 is stored in 8 bits and becomes 0, and nothing is computed.

## The smallest change

Several instructions, or the form with a count.

## How sure

Limits of repeat, blockCount, blockLen, m, n and k are on the pages of the calls. That the low bits are kept follows from the
width of the fields.

## What it does not see

Values that wrap around before they reach the call, in the kernel's own arithmetic.

## Sources

- asc-devkit, BinaryRepeatParams, DataCopyParams, MmadParams
"""

from __future__ import annotations

from aclimb.check.rules.rule import Pair, Rule

RULE = Rule(
    id="B2",
    name="field-range",
    title="Out of range",
    severity="error",
    meaning="A field of an instruction, or a size given to InitBuffer, is outside what the hardware can hold.",
    grade="documented",
    basis="hardware keeps the low bits of a field: blockCount 4095, repeat 255, m, n and k 4095",
    faults="empty_buffer field_range too_many_buffers unpadded_rows",
    pair=Pair(faults="repeat_range block_count_range event_id_range too_many_buffers"),
)
