# SPDX-License-Identifier: Apache-2.0
"""Q3: eight ids for each pair of pipes.

All event ids of a pair of pipes are in use, by queues or by AllocEventID.

## On the chip

There are 8 flags between two pipes. A ninth id does not exist.

## The smallest change

Release ids, or keep fewer tensors in flight.

## How sure

Eight ids for each pair of pipes, of which two are reserved.

## What it does not see

Ids that are taken by number, without AllocEventID: those show as [F2](F2.md) or [F4](F4.md).

## Sources

- asc-devkit, TPipe: AllocEventID, ReleaseEventID
"""

from __future__ import annotations

from aclimb.check.rules.rule import Pair, Rule

RULE = Rule(
    id="Q3",
    name="event-ids-used-up",
    title="Event ids used up",
    severity="error",
    meaning="All event ids of a pair of pipes are in use, by queues or by AllocEventID.",
    grade="documented",
    basis="a pair of pipes has 8 flags",
    faults="event_ids_used_up",
    pair=Pair(faults="event_ids_used_up"),
)
