# SPDX-License-Identifier: Apache-2.0
"""I1: bytes of local memory that nobody wrote."""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.finding import Access, FixLines
from aclimb.check.rules.rule import Rule, Words
from aclimb.check.rules.unwritten import reached
from aclimb.check.words import tail, what_one


def _words(case: Case) -> Words:
    origin, end = case.first, case.second
    if end is not None and origin.role == "writes":
        return _of_scratch(case, origin, end)
    reaches = f" and reaches {reached(end)}" if end is not None else ""
    before = f"line {origin.line}" if origin.file else "it"
    return Words(
        f"{origin.call or 'the kernel'} reads {what_one(origin)}, which was never written{reaches}{tail(case)}",
        missing="a write of those bytes",
        fix=f"write all of it before {before}: Duplicate, a copy of the whole tile, or a smaller count",
        lines=FixLines(origin.file, 0, origin.line) if origin.file else None,
    )


def _of_scratch(case: Case, origin: Access, end: Access) -> Words:
    """An instruction computed with those bytes, and left nothing of use in them."""
    where, tensor = f"line {origin.line}" if origin.file else "it", end.tensor or "those bytes"
    return Words(
        f"{origin.call} uses {what_one(end)} as its work space, and what it leaves there reaches {reached(end)}{tail(case)}",
        missing="the values that were there",
        fix=f"give {origin.call} in {where} a work space of its own, or read {tensor} before it",
        lines=FixLines(origin.file, origin.line, origin.line) if origin.file else None,
    )


RULE = Rule(
    id="I1",
    name="unwritten-value",
    title="Never written",
    severity="error",
    meaning="A value that nobody wrote since the kernel began reaches global memory, a scalar, an address or an operand of the cube.",
    grade="documented",
    basis="local memory has undefined content when a kernel starts; tails that are computed and not stored are not reported",
    kinds=("unwritten",),
    words=_words,
    setting="init",
)
