# SPDX-License-Identifier: Apache-2.0
"""L4: what was not given back. Python keeps that list: aclimb.runtime.leaks.

Memory, a stream, an event or another object of acl is still there when the check ends. Asked for with `leaks=True`.

## On the chip

A service that leaks 1 KiB a request runs for days and then refuses to allocate.

## The smallest change

Free what was allocated.

## How sure

What acl creates is the program's to destroy.

## What it does not see

Objects that are still in use on purpose.

## Sources

- runtime, memory allocation: acl.rt.malloc, acl.rt.free
"""

from __future__ import annotations

from aclimb.check.rules.rule import Pair, Rule

RULE = Rule(
    id="L4",
    name="leak",
    title="Leak",
    severity="warning",
    meaning="Memory, a stream, an event or another object of acl is still there when the check ends. Asked for with leaks=True.",
    grade="documented",
    basis="what acl creates is the program's to destroy",
    setting="leaks",
    pair=Pair(lines=("x, _ = acl.rt.malloc",), environment={"ACLIMB_LEAKS": "1"}),
)
