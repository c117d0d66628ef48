# SPDX-License-Identifier: Apache-2.0
"""F3: a flag that leaks into the next kernel."""

from __future__ import annotations

from aclimb.check.rules.rule import Rule

RULE = Rule(
    id="F3",
    name="flag-left-set",
    title="Flag left set",
    severity="error",
    meaning="A flag, or a counter between cores, is still set when the kernel or the sub-kernel ends.",
    grade="documented",
    basis="flags are not cleared between kernels: the next one on that core finds it",
)
