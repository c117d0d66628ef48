# SPDX-License-Identifier: Apache-2.0
"""C5: a line that is cleaned, and nobody waits for it.

The line of a cached store is cleaned with `DataCacheCleanAndInvalid`, and others are told before that is known to have happened.

## On the chip

A clean begins the write-back. Whoever is told at once may fetch the old word, when the write-back takes longer than the telling. That is
rare, and nothing shows it in a test.

## The smallest change

`DataSyncBarrier<MemDsbT::DDR>()` behind the clean, before the others are told.

## How sure

A warning. The page on the coherence of the data cache says that `DataSyncBarrier` waits for a write-back; the page of
`DataCacheCleanAndInvalid` does not mention a barrier, and most public kernels have none.

## What it does not see

A line that is not cleaned at all is [C1](C1.md).

## Sources

- asc-devkit, memory model: coherence of the data cache
- asc-devkit, cache control: DataCacheCleanAndInvalid
- asc-devkit, DataSyncBarrier
"""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.finding import FixLines
from aclimb.check.rules.cached import stored
from aclimb.check.rules.rule import Pair, Rule, Words
from aclimb.check.words import does, existing, tail, what


def _words(case: Case) -> Words:
    store, others = stored(case), [each for each in case.accesses if each is not stored(case)]
    reader = f", and {does(others[0], case.relation != 'core')} those bytes" if others else ""
    behind = f"the DataCacheCleanAndInvalid that follows line {store.line}" if store.file else "DataCacheCleanAndInvalid"
    return Words(
        f"nothing waits until the store to {what(case)} has left the data cache of {store.core}{reader}{tail(case)}",
        existing(case),
        "DataSyncBarrier",
        f"DataSyncBarrier<MemDsbT::DDR>() behind {behind}, before anybody is told of it",
        FixLines(store.file, store.line) if store.file else None,
    )


RULE = Rule(
    id="C5",
    name="clean-not-awaited",
    title="Write-back not awaited",
    severity="warning",
    meaning="The line of a cached store is cleaned, and others are told before a DataSyncBarrier has waited for the write-back.",
    grade="documented",
    basis="a clean begins the write-back and DataSyncBarrier waits for it, says one page; another one does without",
    kinds=("not_awaited",),
    words=_words,
    setting="cache",
    pair=Pair(lines=("factor.SetValue(0", "DataCopy(by, factor"), blocks=4, words=16),
)
