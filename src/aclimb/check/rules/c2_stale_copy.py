# SPDX-License-Identifier: Apache-2.0
"""C2: a load that finds an old copy.

The scalar unit loads from global memory a line that has been in its data cache since before somebody else wrote it.

## On the chip

The second `GetValue` is answered by the cache with the first one's copy. A loop that polls a word this way never ends.

## The smallest change

Clean and invalidate the line before the load; or read past the cache with `ReadGmByPassDCache`.

## How sure

Nothing but the core itself empties its cache, and a line stays from its first load or store on. How long it really stays
depends on what else the core loads.

## What it does not see

A line that happened to be evicted in between: it is reported all the same, since nothing promises that.

## Sources

- asc-devkit, cache control: DataCacheCleanAndInvalid
- asc-devkit, memory model: coherence of the data cache
"""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.finding import FixLines
from aclimb.check.rules.cached import loaded
from aclimb.check.rules.rule import Pair, Rule, Words
from aclimb.check.words import existing, tail, what


def _words(case: Case) -> Words:
    load = loaded(case)
    before = f"line {load.line}" if load.file else "the load"
    return Words(
        f"the scalar load of {what(case)} may find an old copy in the data cache of {load.core}{tail(case)}",
        existing(case),
        "an invalidation",
        f"DataCacheCleanAndInvalid of that line before {before}, each time; or ReadGmByPassDCache",
        FixLines(load.file, 0, load.line) if load.file else None,
    )


RULE = Rule(
    id="C2",
    name="stale-copy",
    title="Stale copy",
    severity="error",
    meaning="The scalar unit loads from global memory through its data cache, where the line may have been since before "
    "somebody else wrote it.",
    grade="documented",
    basis="nothing but the core itself empties its cache; a line stays from its first load or store on",
    kinds=("stale",),
    words=_words,
    setting="cache",
    pair=Pair(lines=("DataCopy(factor, out", "after = factor.GetValue(0)"), blocks=4, words=16),
)
