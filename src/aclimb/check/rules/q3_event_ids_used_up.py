# SPDX-License-Identifier: Apache-2.0
"""Q3: eight ids for each pair of pipes."""

from __future__ import annotations

from aclimb.check.rules.rule import Rule

RULE = Rule(
    id="Q3",
    name="event-ids-used-up",
    title="Event ids used up",
    severity="error",
    meaning="All event ids of a pair of pipes are in use, by queues or by AllocEventID.",
    grade="documented",
    basis="a pair of pipes has 8 flags",
)
