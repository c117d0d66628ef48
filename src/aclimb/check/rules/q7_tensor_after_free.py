# SPDX-License-Identifier: Apache-2.0
"""Q7: a tensor used behind its FreeTensor."""

from __future__ import annotations

from aclimb.check.rules.rule import Rule

RULE = Rule(
    id="Q7",
    name="tensor-after-free",
    title="Used after FreeTensor",
    severity="error",
    meaning="An instruction that is issued behind FreeTensor uses the tensor; the next AllocTensor may have given its buffer away.",
    grade="library",
    basis="FreeTensor tells the pipe that fills the buffer next",
)
