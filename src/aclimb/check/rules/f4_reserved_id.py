# SPDX-License-Identifier: Apache-2.0
"""F4: ids that belong to others.

A kernel uses by hand an event id or a flag between cores that the compiler, SyncAll, a Matmul object or a SuperKernel uses
as well.

## On the chip

It works until the compiler needs the same flag between the same pipes. Then a wait takes the other one's set.

## The smallest change

Event ids 0 to 5; flags 0 to 10 between cores, less two for each Matmul object.

## How sure

Event ids 6 and 7 are reserved, flags 11 to 14 belong to SyncAll and SuperKernels, 15 to messages.

## What it does not see

Whether the owner of the id is in this kernel at all.

## Sources

- asc-devkit, SetFlag and WaitFlag: event ids
- asc-devkit, CrossCoreSetFlag: reserved flags
"""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.rules.rule import Pair, Rule, Words
from aclimb.check.words import tail


def _words(case: Case) -> Words:
    owner = "the compiler's own flags" if case.number == 7 else "the library"
    return Words(
        f"{case.first.call or 'the call'} uses event id {case.number}, which is reserved for {owner}{tail(case)}",
        missing="an id of its own",
        fix="use EVENT_ID0 to EVENT_ID5, or ask the pipe for one: GetTPipePtr()->FetchEventID",
    )


RULE = Rule(
    id="F4",
    name="reserved-id",
    title="Reserved id",
    severity="warning",
    meaning="A kernel uses an event id or a cross-core flag by hand that the compiler, SyncAll, Matmul objects or a SuperKernel use.",
    grade="documented",
    basis="event ids 6 and 7; cross-core flags 11 to 15, and two for each Matmul object",
    kinds=("reserved_id",),
    words=_words,
    is_place=True,
    faults="reserved_cross_flag",
    pair=Pair(lines=("SetFlag<HardEvent::MTE2_V>(EVENT_ID7)",), blocks=4),
)
