# SPDX-License-Identifier: Apache-2.0
"""What the rules of early start have in common: whose set and whose wait it is, and where they belong."""

from __future__ import annotations

from dataclasses import dataclass

from aclimb.check.cases import Case
from aclimb.check.finding import FixLines
from aclimb.check.syncs import Sync


@dataclass(frozen=True, slots=True)
class Move:
    existing: str
    missing: str
    fix: str
    lines: FixLines | None


def of_members(case: Case) -> tuple[str, str]:
    """The sub-kernels of the two sides: `sub-kernel 0 add`, or what else there is to call them."""
    first, second = case.first.member or case.first.kernel, case.other.member or case.other.kernel
    return f"sub-kernel {first}" if first else "the first", f"sub-kernel {second}" if second else "the second"


def move_set(case: Case) -> Move:
    """The set belongs behind the access, on the pipe that does it."""
    work, found = case.first, _find(case, "SetNextTaskStart")
    lines = FixLines(work.file, work.line) if work.file else None
    behind = f"line {work.line}" if work.file else "it"
    if found is None and case.behind_set:
        return Move("SetNextTaskStart() comes before it", f"the set behind {behind}", f"move SetNextTaskStart() behind {behind}", lines)
    if found is None:
        return Move(
            "", f"a set on {work.pipe}", f"set on the pipe that does it, behind {behind}: SetNextTaskStart<PIPE_{work.pipe}>()", lines
        )
    stands = f"{found.written}{f' in line {found.line}' if found.file else ''}"
    if found.pipe and found.pipe != work.pipe:
        return Move(f"{stands} waits for {found.pipe}", f"a set on {work.pipe}",
                    f"set on the pipe that does it: SetNextTaskStart<PIPE_{work.pipe}>()", _at(found) or lines)  # fmt: skip
    return Move(f"{stands} comes before it", f"the set behind {behind}", f"move it behind {behind}", lines)


def move_wait(case: Case) -> Move:
    """The wait belongs before the access."""
    early, found = case.other, _find(case, "WaitPreTaskEnd")
    lines = FixLines(early.file, 0, early.line) if early.file else None
    before = f"line {early.line}" if early.file else "it"
    stands = f"WaitPreTaskEnd(){f' in line {found.line}' if found.file else ''} comes after it" if found else ""
    return Move(stands, f"WaitPreTaskEnd() before {before}", f"move WaitPreTaskEnd() before {before}", lines)


def _find(case: Case, call: str) -> Sync | None:
    return next((each for each in case.syncs if each.call == call), None)


def _at(sync: Sync) -> FixLines | None:
    return FixLines(sync.file, sync.line, sync.line) if sync.file else None
