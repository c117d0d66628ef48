# SPDX-License-Identifier: Apache-2.0
"""F6: a synchronisation that not all reach, or that is not armed.

Cores synchronise where the launch has not armed it, or where some of those that take part never come.

## On the chip

In AIV_ONLY and AIC_ONLY kernels the synchronisation between cores does not work, say the documents; what a wait does there is not
published. With a core missing everybody else stands.

## The smallest change

Declare the kernel as a MIX type; give a sub-kernel of fewer cores `feed-sync-all`.

## How sure

The page on SyncAll names the kernel types. Public samples that do it all the same exist; `strictness="hardware"` runs them.

## What it does not see

Only what ran is seen: another branch, or another tiling key, may hold the same mistake.

## Sources

- asc-devkit, SyncAll
- asc-devkit, kernel types
- graph-autofusion, super_kernel: feed-sync-all
"""

from __future__ import annotations

from aclimb.check.rules.rule import Pair, Rule

RULE = Rule(
    id="F6",
    name="participants-missing",
    title="Participants missing",
    severity="error",
    meaning="Cores synchronise where the launch has not armed it, or where some of those that take part never come.",
    grade="documented",
    basis="AIV_ONLY and AIC_ONLY kernels have no hardware synchronisation; SyncAll, SetNextTaskStart and WaitPreTaskEnd need every core",
    faults="cross_core_not_armed early_start_count early_start_unannounced hccl_misuse sync_participants",
    pair=Pair(faults="sync_all_not_armed"),
)
