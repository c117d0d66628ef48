# SPDX-License-Identifier: Apache-2.0
"""L4: what was not given back. Python keeps that list: aclimb.runtime.leaks."""

from __future__ import annotations

from aclimb.check.rules.rule import Rule

RULE = Rule(
    id="L4",
    name="leak",
    title="Leak",
    severity="warning",
    meaning="Memory, a stream, an event or another object of acl is still there when the check ends. Asked for with leaks=True.",
    grade="documented",
    basis="what acl creates is the program's to destroy",
    setting="leaks",
)
