# SPDX-License-Identifier: Apache-2.0
"""B5: bytes that DataCopy leaves out."""

from __future__ import annotations

from aclimb.check.rules.rule import Rule

RULE = Rule(
    id="B5",
    name="partial-block",
    title="Partial block",
    severity="warning",
    meaning="A DataCopy of bytes that are no multiple of 32 moves whole blocks and leaves out the rest; an error unless strictness is "
    "hardware.",
    grade="documented",
    basis="the pages on DataCopy say it of L1, and of UB its parameters do",
)
