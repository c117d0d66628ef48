# SPDX-License-Identifier: Apache-2.0
"""Q6: FreeTensor twice."""

from __future__ import annotations

from aclimb.check.rules.rule import Rule

RULE = Rule(
    id="Q6",
    name="double-free",
    title="Freed twice",
    severity="error",
    meaning="FreeTensor of a tensor whose buffer is free already.",
    grade="library",
    basis="FreeTensor sets a flag each time, and AllocTensor takes one",
)
