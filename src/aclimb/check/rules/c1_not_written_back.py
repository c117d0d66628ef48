# SPDX-License-Identifier: Apache-2.0
"""C1: a store that stays in the data cache.

The scalar unit stores to global memory through its data cache, and the line is not written back before somebody else reads it.

## On the chip

The store ends in a private cache that writes back when it likes. The other cores fetch the old word; so does MTE2 of the same core.

## The smallest change

Clean the line, wait for it with `DataSyncBarrier`, then tell the others. Or store past the cache with `WriteGmByPassDCache`, with the
barrier too.

## How sure

The cache is private to a core, writes back whole lines, and hardware keeps it in step with nothing else. Lines of 64 bytes
are documented; a tool of the vendor's takes 256.

## What it does not see

Caches are checked, never simulated: values here are always the new ones.

## Sources

- asc-devkit, cache control: DataCacheCleanAndInvalid
- asc-devkit, memory model: coherence of the data cache
- mssanitizer, user guide: missing dcci
"""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.finding import FixLines
from aclimb.check.rules.cached import stored
from aclimb.check.rules.races import is_not_written_back
from aclimb.check.rules.rule import Pair, Rule, Words
from aclimb.check.words import does, existing, tail, what


def _applies(case: Case) -> bool:
    return case.kind == "not_written_back" or is_not_written_back(case)


def _words(case: Case) -> Words:
    store, others = stored(case), [each for each in case.accesses if each is not stored(case)]
    reader = f", and {does(others[0], case.relation != 'core')} the old bytes" if others else ""
    return Words(
        f"the store to {what(case)} stays in the data cache of {store.core}{reader}{tail(case)}",
        existing(case),
        "a write-back",
        "DataCacheCleanAndInvalid of that line and DataSyncBarrier<MemDsbT::DDR>() "
        f"behind {f'line {store.line}' if store.file else 'the store'}, before anybody is told of it; or WriteGmByPassDCache",
        FixLines(store.file, store.line) if store.file else None,
    )


RULE = Rule(
    id="C1",
    name="not-written-back",
    title="Not written back",
    severity="error",
    meaning="The scalar unit stores to global memory through its data cache, and the line is not written back before somebody "
    "else reads it.",
    grade="documented",
    basis="the cache is private and write-back; lines of 64 bytes are documented, another tool of the vendor's takes 256",
    kinds=("not_written_back", "race", "race_cores"),
    applies=_applies,
    words=_words,
    setting="cache",
    pair=Pair(lines=("factor.SetValue(0", "DataCopy(by, factor"), blocks=4, words=16),
)
