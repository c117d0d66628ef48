# SPDX-License-Identifier: Apache-2.0
"""X5: neighbours with one workspace.

Two sub-kernels that overlap use the same bytes of a workspace (K9).

## On the chip

Launched one after the other they may share a workspace, and pools give them the same block. With early start the second one's scratch
destroys the first one's.

## The smallest change

A part for each; or no early start between the two.

## How sure

Pools hand out a block again on one stream, which is right for launches in order; what early start makes of it follows.

## What it does not see

Workspaces whose addresses come from tiling data: their bytes are compared, their name is not known.

## Sources

- asc-devkit, workspace
- graph-autofusion, super_kernel (source)
"""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.rules.early_start import of_members
from aclimb.check.rules.rule import Pair, Rule, Words
from aclimb.check.words import both_do, tail, what


def _words(case: Case) -> Words:
    before, after = of_members(case)
    return Words(
        f"{both_do(case)} {what(case)}, a workspace that {before} and {after} share, in no order{tail(case)}",
        missing="a workspace for each, or an order",
        fix="give neighbours that overlap workspaces of their own, or fuse them without early start",
    )


RULE = Rule(
    id="X5",
    name="shared-workspace",
    title="Shared workspace",
    severity="error",
    meaning="Two sub-kernels that overlap use the same bytes of a workspace (K9).",
    grade="inferred",
    basis="a pool hands out a block again on the same stream, which is right for launches one after the other",
    kinds=("early_workspace",),
    words=_words,
    pair=Pair(lines=("DataCopy(in, scratch", "DataCopy(scratch, in"), blocks=4, words=2048, fused=True),
)
