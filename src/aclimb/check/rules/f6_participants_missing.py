# SPDX-License-Identifier: Apache-2.0
"""F6: a synchronisation that not all reach, or that is not armed."""

from __future__ import annotations

from aclimb.check.rules.rule import Rule

RULE = Rule(
    id="F6",
    name="participants-missing",
    title="Participants missing",
    severity="error",
    meaning="Cores synchronise where the launch has not armed it, or where some of those that take part never come.",
    grade="documented",
    basis="AIV_ONLY and AIC_ONLY kernels have no hardware synchronisation; SyncAll, SetNextTaskStart and WaitPreTaskEnd need every core",
)
