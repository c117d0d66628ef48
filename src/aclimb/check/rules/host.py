# SPDX-License-Identifier: Apache-2.0
"""What the rules of streams and the host have in common: tasks are known by their launch, and by what it was."""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.finding import Access


def task(access: Access) -> str:
    """add_custom, a copy, a free of the host."""
    if access.kernel:
        return access.kernel
    what = access.call or "task"
    return f"a synchronous {what}" if access.is_host else f"a {what}"


def host_and_task(case: Case) -> tuple[Access, Access]:
    """What the host does itself, and what it does it beside."""
    first, second = case.first, case.other
    return (first, second) if first.is_host else (second, first)


def both_write(case: Case) -> str:
    writing = [each.role == "writes" for each in case.accesses]
    return "; both write" if all(writing) else "; one of them writes"
