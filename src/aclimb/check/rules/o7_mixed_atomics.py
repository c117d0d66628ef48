# SPDX-License-Identifier: Apache-2.0
"""O7: an atomic and something that does not commute with it.

An atomic update meets a plain access, or an atomic of another operation or type, on the same bytes in no order.

## On the chip

Block 0 writes zeros over what a faster block has already added, and that share is lost. Atomic mode makes additions whole among each
other; it orders them with nothing else.

## The smallest change

`SyncAll` between the clearing and the first addition; or clear the memory on the host.

## How sure

Atomics of one operation and one type may come in any order. The documents promise nothing for any other pair.

## What it does not see

Two atomics of one operation and type are left out on purpose; for floats see [N1](N1.md).

## Sources

- asc-devkit, atomics: key features, SetAtomicAdd
"""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.changes import missing_edge
from aclimb.check.finding import ATOMIC
from aclimb.check.rules.rule import Pair, Rule, Words
from aclimb.check.words import both_do, existing, tail, what


def _words(case: Case) -> Words:
    head = f"{both_do(case)} {what(case)} in no order"
    if all(each.role == ATOMIC for each in case.accesses):
        fix = "use one operation and one type for all of them, or put SyncAll() between the two kinds"
        return Words(f"{head}, with different atomic operations or types{tail(case)}", existing(case), "SyncAll()", fix)
    one_atomic = f"{head}, and only one of the two is atomic{tail(case)}"
    if case.relation == "cores":
        return Words(
            one_atomic, existing(case), "SyncAll()", "SyncAll() between the plain access and the atomic ones, or make it atomic too"
        )
    change = missing_edge(case)
    return Words(one_atomic, existing(case), change.missing, change.fix, change.lines)


RULE = Rule(
    id="O7",
    name="mixed-atomics",
    title="Race",
    severity="error",
    meaning="An atomic update meets a plain access, or an atomic of another operation or type, on the same bytes in no order.",
    grade="documented",
    basis="atomics of one operation and type may come in any order; nothing is said of any other pair",
    kinds=("atomic_mix",),
    words=_words,
    pair=Pair(lines=("DataCopy(to, zero", "DataCopy(to, row"), blocks=4),
)
