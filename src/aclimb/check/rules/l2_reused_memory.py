# SPDX-License-Identifier: Apache-2.0
"""L2: device memory that was freed and belongs to somebody else now.

A task that was queued, or a launch that was recorded, before a free uses memory that has been given out again since.

## On the chip

No page is gone and nothing faults: the kernel reads or overwrites the new owner's data.

## The smallest change

Keep the memory as long as the record, or record again.

## How sure

Arguments keep the generation of their memory, so that the new owner's can be told from the old one's. The pair runs with
`ACLIMB_QUARANTINE=0`, so that the address is given out again at once.

## What it does not see

A check does not tell it yet: captured launches keep no generation of their memory. The free that came too early is told
([L3](L3.md)) where the launch had been queued.

An address that the host itself passes again, and addresses inside tiling data: from outside they look like the new owner's.

## Sources

- runtime, memory allocation: acl.rt.free
"""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.rules.rule import Pair, Rule, Words
from aclimb.check.words import does, tail, what_one
from aclimb.runtime.addresses import place, place_of


def _words(case: Case) -> Words:
    made = place("what lies there now was allocated at", place_of(case.number))
    return Words(
        f"{does(case.first)} {what_one(case.first)} through a pointer from before the memory was freed and given out again{tail(case)}",
        missing="a synchronisation before the free",
        fix="synchronise the stream, then free; take the address of the new allocation",
        details=(made,) if made else (),
    )


RULE = Rule(
    id="L2",
    name="reused-memory",
    title="Stale pointer",
    severity="error",
    meaning="A task that was queued, or a handle that was made, before a free uses memory that has been given out again since.",
    grade="documented",
    basis="arguments keep the generation of their memory; a bare address that the host passes again cannot be told from the new owner's",
    kinds=("reused",),
    words=_words,
    pair=Pair(lines=("launch(stream",), environment={"ACLIMB_QUARANTINE": "0"}),
)
