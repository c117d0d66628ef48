# SPDX-License-Identifier: Apache-2.0
"""L1: device memory that was freed."""

from __future__ import annotations

from aclimb.check.rules.rule import Rule

RULE = Rule(
    id="L1",
    name="use-after-free",
    title="Used after free",
    severity="error",
    meaning="A task uses device memory that the host has freed.",
    grade="documented",
    basis="memory belongs to the program until it is freed; freed addresses are held back for a while so that this shows",
)
