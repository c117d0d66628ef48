# SPDX-License-Identifier: Apache-2.0
"""Finds the race that works by luck: `with aclimb.check() as c:`, `aclimb check program.py`, ACLIMB_CHECK=1.

The engine decides from the order of events, whichever order it happened to run in, and hands over facts in numbers (engine_side.py).
Here they get their lines and names (cases.py), a rule and its words (rules/), the one change that mends them (edges.py, changes.py), and an
order (collect.py); comments in the source (suppress.py) and a baseline (baseline.py) take some out; what is left is a Report, in one of the
formats.

`aclimb.check` is both this package and the call that opens a check.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from aclimb.check.advisor import Advice, Advised, advise
    from aclimb.check.finding import Access, Finding
    from aclimb.check.proof import Proof, prove
    from aclimb.check.report import Report
    from aclimb.check.session import Check

__all__ = ["Access", "Advice", "Advised", "Check", "Finding", "Proof", "Report", "advise", "prove"]
_HOMES = {
    "Access": "finding", "Advice": "advisor", "Advised": "advisor", "Check": "session", "Finding": "finding", "Proof": "proof",
    "Report": "report", "advise": "advisor", "prove": "proof",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'aclimb.check' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


class _CallablePackage(ModuleType):
    """`aclimb.check(...)`: importing any file of the package binds this module to that name, so the module itself answers the call."""

    def __call__(self, **settings: Any) -> Check:
        from aclimb.check.session import Check

        return Check(**settings)


sys.modules[__name__].__class__ = _CallablePackage
