# SPDX-License-Identifier: Apache-2.0
"""X7: a set that could come earlier, a wait that could come later. The advisor finds it."""

from __future__ import annotations

from aclimb.check.rules.rule import Rule

RULE = Rule(
    id="X7",
    name="movable-start",
    title="Early start",
    severity="warning",
    meaning="SetNextTaskStart could stand earlier, or WaitPreTaskEnd later, and the chain would still be proved.",
    grade="inferred",
    basis="the same order of events that proves the chain; what it saves is modelled",
)
