# SPDX-License-Identifier: Apache-2.0
"""B5: bytes that DataCopy leaves out.

A DataCopy of bytes that are no multiple of 32 moves whole blocks and leaves out the rest. It is an error unless strictness
is hardware.

## On the chip

96 of 100 bytes arrive. The last element of z stays as it was, which looks like a mistake in the arithmetic.

## The smallest change

`DataCopyPad` moves any number of bytes.

## How sure

The pages on DataCopy say it of L1; the parameters of the copies between GM and UB, which count blocks, have no other way.

## What it does not see

Copies with parameters: they cannot ask for part of a block.

## Sources

- asc-devkit, DataCopy, DataCopyPad
"""

from __future__ import annotations

from aclimb.check.rules.rule import Pair, Rule

RULE = Rule(
    id="B5",
    name="partial-block",
    title="Partial block",
    severity="warning",
    meaning="A DataCopy of bytes that are no multiple of 32 moves whole blocks and leaves out the rest; an error unless strictness is "
    "hardware.",
    grade="documented",
    basis="the pages on DataCopy say it of L1, and of UB its parameters do",
    faults="partial_block",
    pair=Pair(lines=("DataCopy(to, out, kCount)",)),
)
