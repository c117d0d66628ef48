# SPDX-License-Identifier: Apache-2.0
"""F1: nothing left can happen.

Cores or pipes wait for what nobody is left to set.

## On the chip

The pipe stands, then the core, then the task, until its time limit ends it. Nothing says which wait it was.

## The smallest change

Set the flag before it is waited for, on every way through the kernel; let every core reach the same `SyncAll`.

## How sure

A wait ends by its set and by nothing else. Here it is known at once, because everybody who could set it has ended or waits
too.

## What it does not see

A wait for something outside: a host that never writes a word, a rank that is not modelled.

## Sources

- asc-devkit, SetFlag and WaitFlag
- asc-devkit, CrossCoreSetFlag and CrossCoreWaitFlag, SyncAll
"""

from __future__ import annotations

from aclimb.check.rules.rule import Pair, Rule

RULE = Rule(
    id="F1",
    name="hang",
    title="Hang",
    severity="error",
    meaning="Cores or pipes wait for what nobody is left to set.",
    grade="documented",
    basis="on a chip the task ends by its time limit",
    faults="hang hang_across_cores hccl_hang no_result queue_limit rank_hang",
    pair=Pair(faults="wait_without_set wait_wrong_id wait_wrong_order cross_core_wait ib_wait sync_all_missed soft_sync_all_missed"),
)
