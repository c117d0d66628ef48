# SPDX-License-Identifier: Apache-2.0
"""O4: two cores, with synchronisation that does not cover the two accesses.

Two cores touch the same bytes of global memory, at least one of them writes. There is synchronisation between the cores, and
it does not cover these two accesses.

## On the chip

`CrossCoreSetFlag` waits for its own pipe and for no other. V has long been done when MTE3 still writes the row, the flag is set, and the
neighbour fetches a row that is not there yet. With more work between the copy and the set the mistake hides better, and stays.

## The smallest change

Set the flag on the pipe that does the work: MTE3 for copies of an AIV, FIX for results of an AIC.

## How sure

The page on CrossCoreSetFlag names the pipe whose instructions the set waits for. That the wait holds up every pipe of the
core on Atlas A2 and A3 is documented too.

## What it does not see

Cores that tell each other by words of global memory which they poll: such a protocol is no order here, unless it is one of the library's.

## Sources

- asc-devkit, synchronisation between cores: CrossCoreSetFlag and CrossCoreWaitFlag, SyncAll
"""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.rules.races import is_not_written_back, is_synchronised, race
from aclimb.check.rules.rule import Pair, Rule


def _applies(case: Case) -> bool:
    return is_synchronised(case) and not is_not_written_back(case)


RULE = Rule(
    id="O4",
    name="race-despite-sync",
    title="Race",
    severity="error",
    meaning="Two cores touch the same bytes of global memory, at least one of them writes, and the synchronisation between the cores "
    "does not cover these two accesses.",
    grade="documented",
    basis="CrossCoreSetFlag waits for what its own pipe did before; CrossCoreWaitFlag holds up what is issued behind it",
    kinds=("race_cores",),
    applies=_applies,
    words=race,
    pair=Pair(lines=("DataCopy(shared[block", "DataCopy(in, shared[neighbour"), blocks=4, words=1024),
)
