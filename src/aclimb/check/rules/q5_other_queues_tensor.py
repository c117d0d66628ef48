# SPDX-License-Identifier: Apache-2.0
"""Q5: a tensor goes back where it came from."""

from __future__ import annotations

from aclimb.check.rules.rule import Rule

RULE = Rule(
    id="Q5",
    name="other-queues-tensor",
    title="Another queue's tensor",
    severity="error",
    meaning="EnQue or FreeTensor is given a tensor that does not belong to the queue.",
    grade="library",
    basis="a queue knows its tensors by their buffers",
)
