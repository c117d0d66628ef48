# SPDX-License-Identifier: Apache-2.0
"""F2: a flag is one bit."""

from __future__ import annotations

from aclimb.check.rules.rule import Rule

RULE = Rule(
    id="F2",
    name="flag-set-twice",
    title="Flag set twice",
    severity="error",
    meaning="A flag is set a second time before the wait for the first was issued.",
    grade="documented",
    basis="the documents call it undefined; sets and waits are counted in the order of the program",
)
