# SPDX-License-Identifier: Apache-2.0
"""C3: two cores store into one line of their caches.

Two cores store to different bytes of one cache line of 64 bytes. Each writes the whole line back, with an old copy of the
other's bytes.

## On the chip

Four results side by side, and one of them survives: whoever writes back last puts its own copy over the other three.

## The smallest change

64 bytes from one core's word to the next; or stores past the cache, which touch their own bytes only.

## How sure

The page on the memory model says that lines are written back whole.

## What it does not see

Lines shared with a copy by MTE3 of the same core, in order: that is [C1](C1.md) or [C2](C2.md) where it goes wrong.

## Sources

- asc-devkit, memory model: coherence of the data cache
"""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.rules.rule import Pair, Rule, Words
from aclimb.check.words import does, tail, what_one


def _words(case: Case) -> Words:
    first, second = case.first, case.other
    return Words(
        f"{does(first, True)} {what_one(first)} and {does(second, True)} {what_one(second)} in one line of 64 bytes: "
        f"whole lines are written back, over the other's bytes{tail(case)}",
        missing="a line for each",
        fix="keep the words of two cores 64 bytes apart, or use WriteGmByPassDCache",
    )


RULE = Rule(
    id="C3",
    name="shared-line",
    title="Shared line",
    severity="error",
    meaning="Two cores store to different bytes of one cache line; each writes the whole line back, with an old copy of the other's bytes.",
    grade="documented",
    basis="lines of 64 bytes are written back whole",
    kinds=("shared_line",),
    words=_words,
    setting="cache",
    pair=Pair(lines=("to.SetValue(", "to.SetValue("), blocks=4),
)
