# SPDX-License-Identifier: Apache-2.0
"""The guards of operators: ACLIMB_OP_DEBUG turns them on for a program, op.check for itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Literal

from aclimb import knobs

# exact: a workspace ends where it was asked to end, and an instruction that goes beyond is an error. tail: known bytes lie behind it, so
# that a kernel that writes there through a bare pointer, which nobody checks, leaves a trace.
Guard = Literal["", "exact", "tail"]
_on: ContextVar[Guard] = ContextVar("aclimb_op_guard", default="")


def guard() -> Guard:
    return _on.get() or ("exact" if knobs.op_debug() else "")


@contextmanager
def guarded(how: Guard) -> Iterator[None]:
    """In this thread, until the block ends."""
    before = _on.set(how)
    try:
        yield
    finally:
        _on.reset(before)
