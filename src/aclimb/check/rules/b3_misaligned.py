# SPDX-License-Identifier: Apache-2.0
"""B3: addresses between the steps."""

from __future__ import annotations

from aclimb.check.rules.rule import Rule

RULE = Rule(
    id="B3",
    name="misaligned",
    title="Misaligned",
    severity="error",
    meaning="An operand begins at an address that is no multiple of what its instruction asks for.",
    grade="documented",
    basis="UB and L1 32 bytes, L0A and L0B 512, L0C 64 and 1024 for the result of Mmad; for GM the size of an element, which is assumed",
)
