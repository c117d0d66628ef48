# SPDX-License-Identifier: Apache-2.0
"""O1: two pipes of a core.

Two pipes of one core touch the same bytes of a local memory, at least one of them writes, and no flag, barrier or queue puts
one behind the other.

## On the chip

MTE2 and V run side by side. The copy takes hundreds of cycles, the sum begins at once and reads what lay in the tile before. Whether it
shows depends on sizes, on what else uses the memory, and on the chip's load.

## The smallest change

A flag from the pipe that comes first to the pipe that comes second. A queue does the same with `EnQue` and `DeQue`.

## How sure

The pages on synchronisation inside a core say that pipes are ordered by flags and barriers only.

## What it does not see

What did not run: for the instructions that did, the verdict follows from the order of events and not from what was computed. Bytes that a
library call may use as scratch, and need not, are left out.

## Sources

- asc-devkit, synchronisation inside a core: overview, SetFlag and WaitFlag, PipeBarrier
- asc-devkit, TQue: EnQue, DeQue
"""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.rules.races import is_cube, is_one_pipe, is_scalar, race
from aclimb.check.rules.rule import Pair, Rule


def _applies(case: Case) -> bool:
    return not (is_cube(case) or is_scalar(case) or is_one_pipe(case))


RULE = Rule(
    id="O1",
    name="race-between-pipes",
    title="Race",
    severity="error",
    meaning="Two pipes of one core touch the same bytes, at least one of them writes, and no flag, barrier or queue orders them.",
    grade="documented",
    basis="pipes run side by side, and only SetFlag with WaitFlag, PIPE_ALL, or a queue orders one behind another",
    kinds=("race",),
    applies=_applies,
    words=race,
    pair=Pair(lines=("DataCopy(in, from", "Add(out"), blocks=4),
)
