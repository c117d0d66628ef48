# SPDX-License-Identifier: Apache-2.0
"""S1: another order gives another result. Schedules find it, one run after the other: aclimb.check.schedules.

A launch leaves other bytes in device memory, or fails, under another legal order of its instructions. Asked for with `--schedules`.

## On the chip

The result depends on which pipe or core is faster that day. Here a run without schedules executes each instruction when it is issued, and
the program prints what is right.

## The smallest change

The one that the other findings of the kernel name. Where there is no other finding, the replay string says what was late or early when the
result changed: `1:late:MTE3` holds back MTE3, so that something does not wait for a copy out.

## How sure

A schedule moves only what no flag, barrier or queue holds, and a pipe still runs one instruction after the other, so a chip may run it
that way too. Where the kernel adds floats atomically, only the last bits of a sum may differ: then it is a warning.

## What it does not see

A schedule that was not tried, and an order that does not change these bytes with these arguments. What is compared is device memory
behind each launch, with what the launch leaves without a schedule: that may be wrong as well. Launches with several ranks, and those
inside a check, a profile or `fuse.stress` of the program's own, are left as they are, and counted in a note.

## Sources

- asc-devkit, synchronisation between pipes: SetFlag, WaitFlag, PipeBarrier
- Burckhardt and others, A randomized scheduler with probabilistic guarantees of finding bugs, 2010
"""

from __future__ import annotations

from aclimb.check.rules.rule import Pair, Rule

RULE = Rule(
    id="S1",
    name="other-result",
    title="Other result",
    severity="error",
    meaning="A launch leaves other bytes in device memory, or fails, under a legal order of its instructions. Asked for with --schedules.",
    grade="inferred",
    basis="a schedule moves only what no flag, barrier or queue holds, so a chip may run it that way too",
    setting="schedules",
    pair=Pair(lines=("Add(out", "DataCopy(to[row"), blocks=2),
)
