# SPDX-License-Identifier: Apache-2.0
"""I3: what another member left in local memory.

A sub-kernel of a SuperKernel reads local memory that an earlier sub-kernel wrote, and that it has not written itself.

## On the chip

It works as long as the same two kernels follow each other with the same layout. In another chain, or launched alone, the kernel reads
what lies there.

## The smallest change

Load what you need; or hand it over in global memory.

## How sure

Sub-kernels share the memories of the core and nothing clears them in between. That nobody may rely on what is in them follows
from that; no document allows or forbids it.

## What it does not see

Whether it is meant.

## Sources

- asc-devkit, SuperKernel: adapting operators
"""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.rules.rule import Pair, Rule, Words
from aclimb.check.words import tail, what


def _words(case: Case) -> Words:
    reader = case.second or case.first
    return Words(
        f"{reader.call or 'the kernel'} reads {what(case)}, which this sub-kernel did not write: another one left it there{tail(case)}",
        missing="a write by the sub-kernel itself",
        fix="load or compute it in the sub-kernel that reads it; launched by itself it would find undefined bytes",
    )


RULE = Rule(
    id="I3",
    name="other-members-data",
    title="Left by another",
    severity="warning",
    meaning="A sub-kernel of a SuperKernel reads local memory that an earlier sub-kernel wrote and that it did not write itself.",
    grade="inferred",
    basis="sub-kernels share the core's memories; nothing promises what is in them",
    kinds=("other_member",),
    words=_words,
    setting="init",
    pair=Pair(lines=("Add(out",), blocks=4, fused=True),
)
