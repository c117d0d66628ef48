# SPDX-License-Identifier: Apache-2.0
"""C5: a write-back that nothing waits for.

`DataCacheCleanAndInvalid` cleans the line of a cached store, and the kernel signals another reader without waiting for the write-back.

## On the chip

A clean starts the write-back. A core that gets the signal at once can still read the old word. That is rare, and no test shows it.

## The smallest change

Add `DataSyncBarrier<MemDsbT::DDR>()` after the clean, before the signal.

## How sure

A warning. The page on cache coherence says that `DataSyncBarrier` waits for a write-back; the page of `DataCacheCleanAndInvalid` does not
mention a barrier, and most public kernels have none.

## What it does not see

A line that is never cleaned is [C1](C1.md).

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
    clean = f"the DataCacheCleanAndInvalid that follows line {store.line}" if store.file else "DataCacheCleanAndInvalid"
    return Words(
        f"nothing waits until the store to {what(case)} has left the data cache of {store.core}{reader}{tail(case)}",
        existing(case),
        "DataSyncBarrier",
        f"add DataSyncBarrier<MemDsbT::DDR>() after {clean}, before anything else reads those bytes",
        FixLines(store.file, store.line) if store.file else None,
    )


RULE = Rule(
    id="C5",
    name="clean-not-awaited",
    title="Write-back not awaited",
    severity="warning",
    meaning="The line of a cached store is cleaned, and nothing waits for the write-back before somebody else reads those bytes.",
    grade="documented",
    basis="a clean begins the write-back and DataSyncBarrier waits for it, says one page; another one does without",
    kinds=("not_awaited",),
    words=_words,
    setting="cache",
    pair=Pair(lines=("factor.SetValue(0", "DataCopy(by, factor"), blocks=4, words=16),
)
