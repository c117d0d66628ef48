# SPDX-License-Identifier: Apache-2.0
"""Q1: EnQue and DeQue come in pairs."""

from __future__ import annotations

from aclimb.check.rules.rule import Rule

RULE = Rule(
    id="Q1",
    name="enque-without-deque",
    title="Queue out of step",
    severity="error",
    meaning="EnQue and DeQue of a queue do not pair: more tensors than its depth are in it, or none is left to take.",
    grade="library",
    basis="the queue sets its flag in EnQue and waits for it in DeQue",
)
