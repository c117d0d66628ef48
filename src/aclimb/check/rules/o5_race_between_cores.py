# SPDX-License-Identifier: Apache-2.0
"""O5: two cores, with nothing between them.

Two cores touch the same bytes of global memory, at least one of them writes, and nothing orders the cores.

## On the chip

Blocks run in any order and side by side. The last to write wins, and that is another block from run to run. Here the tiles overlap
because one factor is wrong, the commonest form of it.

## The smallest change

Tiles that do not overlap. Where they have to: `SyncAll` between the two accesses, or an atomic.

## How sure

The documents promise no order between blocks, whatever their index; from that it follows.

## What it does not see

Blocks that write the same bytes in different launches of one stream: those are in order.

## Sources

- asc-devkit, basic architecture: blocks and cores
- asc-devkit, synchronisation between cores: overview
"""

from __future__ import annotations

from dataclasses import replace

from aclimb.check.cases import Case
from aclimb.check.rules.races import is_synchronised, race
from aclimb.check.rules.rule import Pair, Rule, Words


def _applies(case: Case) -> bool:
    return not is_synchronised(case)


def _words(case: Case) -> Words:
    words = race(case)
    if not all(each.role in ("writes", "updates") for each in case.accesses):
        return words
    fix = "give each block bytes of its own: check offset and length of its tile; or order them with SyncAll(), or make both atomic"
    return replace(words, missing="bytes of its own for each block", fix=fix, lines=None)


RULE = Rule(
    id="O5",
    name="race-between-cores",
    title="Race",
    severity="error",
    meaning="Two cores touch the same bytes of global memory, at least one of them writes, and nothing orders the cores.",
    grade="inferred",
    basis="blocks of a launch run in any order and side by side, whatever their index",
    kinds=("race_cores",),
    applies=_applies,
    words=_words,
    pair=Pair(lines=("DataCopy(to, out", "DataCopy(to, out"), blocks=4),
)
