# SPDX-License-Identifier: Apache-2.0
"""F1: nothing left can happen."""

from __future__ import annotations

from aclimb.check.rules.rule import Rule

RULE = Rule(
    id="F1",
    name="hang",
    title="Hang",
    severity="error",
    meaning="Cores or pipes wait for what nobody is left to set.",
    grade="documented",
    basis="on a chip the task ends by its time limit",
)
