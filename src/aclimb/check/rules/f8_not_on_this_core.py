# SPDX-License-Identifier: Apache-2.0
"""F8: what this kind of core does not have."""

from __future__ import annotations

from aclimb.check.rules.rule import Rule

RULE = Rule(
    id="F8",
    name="not-on-this-core",
    title="Not on this core",
    severity="error",
    meaning="A call, a memory or a pair of pipes that this kind of core does not have.",
    grade="documented",
    basis="an AIV has 13 pairs of pipes for flags, an AIC 24; PipeBarrier<PIPE_S> is not allowed",
)
