# SPDX-License-Identifier: Apache-2.0
"""B2: numbers that an instruction cannot hold."""

from __future__ import annotations

from aclimb.check.rules.rule import Rule

RULE = Rule(
    id="B2",
    name="field-range",
    title="Out of range",
    severity="error",
    meaning="A field of an instruction, or a size given to InitBuffer, is outside what the hardware can hold.",
    grade="documented",
    basis="hardware keeps the low bits of a field: blockCount 4095, repeat 255, m, n and k 4095",
)
