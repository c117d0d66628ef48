# SPDX-License-Identifier: Apache-2.0
"""O8: the memories of the cube.

Two instructions of an AIC touch the same bytes of L1, L0A, L0B, L0C, the bias table or the fixpipe buffer, at least one of
them writes, and neither a flag, a barrier nor a unit flag orders them.

## On the chip

Mmad starts while MTE1 still loads its operands and multiplies what the last product left there.

## The smallest change

The flag of the step: MTE2_MTE1, MTE1_M, M_FIX, and their counterparts before a buffer is filled again. The compiler inserts nothing on
the AIC.

## How sure

As for [O1](O1.md) and [O2](O2.md). An Mmad that accumulates waits by itself for the one before it from 10 fractals of 16 x 16
on; below that a barrier of PIPE_M is needed. Unit flags order Mmad and Fixpipe block by block.

## What it does not see

Rows of a result beyond m: nobody has said whether they are written, so a race there is no error.

## Sources

- asc-devkit, Mmad
- asc-devkit, UnitFlag
- asc-devkit, synchronisation inside a core
"""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.rules.races import is_cube, race
from aclimb.check.rules.rule import Pair, Rule, Words


def _words(case: Case) -> Words:
    unit = case.memory == "L0C" and {each.pipe for each in case.accesses} == {"M", "FIX"}
    return race(case, "or unitFlag 2 and 3 on Mmad, 3 on Fixpipe" if unit else "")


RULE = Rule(
    id="O8",
    name="race-in-cube-chain",
    title="Race",
    severity="error",
    meaning="Two instructions of the AIC touch the same bytes of L1, L0A, L0B, L0C, BT or FB, at least one of them writes, and neither a "
    "flag, a barrier nor a unit flag orders them.",
    grade="documented",
    basis="as O1 and O2; an Mmad that accumulates waits for the one before it only from 10 fractals of 16x16 on",
    kinds=("race",),
    applies=is_cube,
    words=_words,
    pair=Pair(lines=("LoadData(a2", "Mmad(c")),
)
