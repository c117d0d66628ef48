# SPDX-License-Identifier: Apache-2.0
"""Q2: AllocTensor without a buffer left."""

from __future__ import annotations

from aclimb.check.rules.rule import Rule

RULE = Rule(
    id="Q2",
    name="no-free-buffer",
    title="No free buffer",
    severity="error",
    meaning="AllocTensor is called while all buffers of the queue are in use.",
    grade="library",
    basis="AllocTensor waits for a FreeTensor that only the same core could call",
)
