# SPDX-License-Identifier: Apache-2.0
"""I1: bytes of local memory that nobody wrote.

A value that nobody has written since the kernel began reaches global memory, a scalar, an address, or an operand of the matrix
unit.

## On the chip

Local memory has whatever the kernel before left there. The sum begins with that; in a test it is often zero.

## The smallest change

Write the tile first: `Duplicate`, a whole copy, or an instruction that does not read its destination.

## How sure

Local memory is undefined when a kernel starts. A value that is computed from unwritten bytes and never stored is no mistake:
tails of a 32-byte block are computed all the time. `ReduceSum`, `ReduceMax` and `ReduceMin` leave intermediate results in their work space,
and `Select` with a continuous mask in the last 8 KB of UB: values that were there before are lost.

## What it does not see

Multiplication by zero and `Select` make no unwritten value whole here, although a kernel may know better. `init="eager"` reports the
first read instead, tails included.

## Sources

- asc-devkit, local memory: initialisation
- asc-devkit, DataCopyPad: undefined padding
"""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.finding import Access, FixLines
from aclimb.check.rules.rule import Pair, Rule, Words
from aclimb.check.rules.unwritten import reached
from aclimb.check.words import tail, what_one


def _words(case: Case) -> Words:
    origin, end = case.first, case.second
    if end is not None and origin.role == "writes":
        return _of_scratch(case, origin, end)
    reaches = f" and reaches {reached(end)}" if end is not None else ""
    before = f"line {origin.line}" if origin.file else "it"
    return Words(
        f"{origin.call or 'the kernel'} reads {what_one(origin)}, which was never written{reaches}{tail(case)}",
        missing="a write of those bytes",
        fix=f"write all of it before {before}: Duplicate, a copy of the whole tile, or a smaller count",
        lines=FixLines(origin.file, 0, origin.line) if origin.file else None,
    )


def _of_scratch(case: Case, origin: Access, end: Access) -> Words:
    """An instruction computed with those bytes, and left nothing of use in them."""
    where, tensor = f"line {origin.line}" if origin.file else "it", end.tensor or "those bytes"
    return Words(
        f"{origin.call} uses {what_one(end)} as its work space, and what it leaves there reaches {reached(end)}{tail(case)}",
        missing="the values that were there",
        fix=f"give {origin.call} in {where} a work space of its own, or read {tensor} before it",
        lines=FixLines(origin.file, origin.line, origin.line) if origin.file else None,
    )


RULE = Rule(
    id="I1",
    name="unwritten-value",
    title="Never written",
    severity="error",
    meaning="A value that nobody wrote since the kernel began reaches global memory, a scalar, an address or an operand of the cube.",
    grade="documented",
    basis="local memory has undefined content when a kernel starts; tails that are computed and not stored are not reported",
    kinds=("unwritten",),
    words=_words,
    setting="init",
    pair=Pair(lines=("Axpy(out", "DataCopy(to, out"), blocks=4),
)
