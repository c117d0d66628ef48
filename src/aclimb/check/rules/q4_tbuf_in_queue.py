# SPDX-License-Identifier: Apache-2.0
"""Q4: a TBuf is no queue."""

from __future__ import annotations

from aclimb.check.rules.rule import Rule

RULE = Rule(
    id="Q4",
    name="tbuf-in-queue",
    title="TBuf in a queue",
    severity="error",
    meaning="A tensor of a TBuf is given to EnQue or FreeTensor.",
    grade="library",
    basis="a TBuf has no flags and nothing to free: its tensors are used where they are",
)
