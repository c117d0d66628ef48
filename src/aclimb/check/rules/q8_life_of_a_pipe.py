# SPDX-License-Identifier: Apache-2.0
"""Q8: buffers live as long as their TPipe."""

from __future__ import annotations

from aclimb.check.rules.rule import Rule

RULE = Rule(
    id="Q8",
    name="life-of-a-pipe",
    title="Life of a TPipe",
    severity="error",
    meaning="Two TPipes are alive at once, or a queue or buffer is used before its InitBuffer or after its TPipe ended.",
    grade="library",
    basis="a TPipe hands out the core's memories and its event ids from the beginning",
)
