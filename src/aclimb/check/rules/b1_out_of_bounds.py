# SPDX-License-Identifier: Apache-2.0
"""B1: beyond an end. Its findings are faults: the kernel ends there."""

from __future__ import annotations

from aclimb.check.rules.rule import Rule

RULE = Rule(
    id="B1",
    name="out-of-bounds",
    title="Out of bounds",
    severity="error",
    meaning="An access goes beyond its tensor, its buffer, its memory or its allocation.",
    grade="documented",
    basis="a chip notices the ends of memories and allocations; the ends of tensors are noticed here, unless strictness is hardware",
)
