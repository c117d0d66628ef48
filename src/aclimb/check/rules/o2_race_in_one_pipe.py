# SPDX-License-Identifier: Apache-2.0
"""O2: one pipe with itself.

Two instructions of one pipe touch the same bytes, at least one of them writes, and no barrier of that pipe stands between
them.

## On the chip

A pipe starts its instructions in order, and does not wait for the end of one before it starts the next. The two copies are under way
together, and whichever arrives last leaves its bytes.

## The smallest change

A barrier of that pipe; or copies that do not overlap.

## How sure

The page on PipeBarrier says that the next instruction of a pipe may start before the last one has ended. Between vector
instructions on tensors the compiler puts the barrier itself, so those are reported only with `auto_sync="off"` and through raw pointers.

## What it does not see

Vector instructions one behind the other, with `auto_sync` on: there the compiler's barrier is taken for granted.

## Sources

- asc-devkit, PipeBarrier
- asc-devkit, data movement: overlapping destinations
"""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.rules.races import is_cube, is_one_pipe, is_scalar, race
from aclimb.check.rules.rule import Pair, Rule


def _applies(case: Case) -> bool:
    return is_one_pipe(case) and not is_cube(case) and not is_scalar(case)


RULE = Rule(
    id="O2",
    name="race-in-one-pipe",
    title="Race",
    severity="error",
    meaning="Two instructions of one pipe touch the same bytes, at least one of them writes, and no barrier stands between them.",
    grade="documented",
    basis="a pipe starts its instructions in order and does not wait for the end of the last; on AIV the compiler puts the barrier "
    "between vector instructions on tensors",
    kinds=("race",),
    applies=_applies,
    words=race,
    pair=Pair(lines=("DataCopy(in, from", "DataCopy(in[kCount / 2]")),
)
