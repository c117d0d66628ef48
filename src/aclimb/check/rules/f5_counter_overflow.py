# SPDX-License-Identifier: Apache-2.0
"""F5: a counter that is full."""

from __future__ import annotations

from aclimb.check.rules.rule import Rule

RULE = Rule(
    id="F5",
    name="counter-overflow",
    title="Counter full",
    severity="error",
    meaning="A cross-core flag is set more than 15 times ahead of its waits.",
    grade="documented",
    basis="a core's counter of a flag ends at 15",
)
