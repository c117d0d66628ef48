# SPDX-License-Identifier: Apache-2.0
"""S1: another order gives another result. Schedules find it, one run after the other: aclimb.check.schedules."""

from __future__ import annotations

from aclimb.check.rules.rule import Rule

RULE = Rule(
    id="S1",
    name="other-result",
    title="Other result",
    severity="error",
    meaning="A launch leaves other bytes in device memory, or fails, under a legal order of its instructions. Asked for with --schedules.",
    grade="inferred",
    basis="a schedule moves only what no flag, barrier or queue holds, so a chip may run it that way too",
    setting="schedules",
)
