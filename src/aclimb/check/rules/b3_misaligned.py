# SPDX-License-Identifier: Apache-2.0
"""B3: addresses between the steps.

An operand begins at an address that is no multiple of what its instruction asks for.

## On the chip

The task ends with an alignment error, or other bytes are computed with: what happens where is not published for every instruction.

## The smallest change

Offsets that keep the alignment; `DataCopyPad` or `Gather` for what lies elsewhere.

## How sure

32 bytes in UB and L1, 512 in L0A and L0B, 64 in L0C and 1024 for the result of Mmad. In global memory the size of an element
is asked for, which is assumed.

## What it does not see

Addresses that are right by luck, because a buffer in front happens to have a good size.

## Sources

- asc-devkit, hardware constraints: alignment
- asc-devkit, LocalTensor
"""

from __future__ import annotations

from aclimb.check.rules.rule import Pair, Rule

RULE = Rule(
    id="B3",
    name="misaligned",
    title="Misaligned",
    severity="error",
    meaning="An operand begins at an address that is no multiple of what its instruction asks for.",
    grade="documented",
    basis="UB and L1 32 bytes, L0A and L0B 512, L0C 64 and 1024 for the result of Mmad; for GM the size of an element, which is assumed",
    faults="gather_offset misaligned misaligned_access",
    pair=Pair(faults="misaligned_operand"),
)
