# SPDX-License-Identifier: Apache-2.0
"""A synchronisation that stands there and misses by one parameter, or by one position: changing it is smaller than adding one."""

from __future__ import annotations

from aclimb.check import edges
from aclimb.check.cases import Case
from aclimb.check.edges import Change
from aclimb.check.finding import Access, FixLines
from aclimb.check.syncs import Sync
from aclimb.check.words import is_hccl


def missing_edge(case: Case) -> Change:
    """The one change that the report proposes."""
    if any(each.pipe == "D" for each in case.accesses):
        return edges.new_edge(case)
    if any(is_hccl(each) for each in case.accesses):
        return _of_hccl(case)
    if case.relation == "core":
        return _on_one_core(case) or edges.new_edge(case)
    if case.relation in ("block", "cores"):
        return _between_cores(case) or edges.new_edge(case)
    return edges.new_edge(case)


def _of_hccl(case: Case) -> Change:
    """The communication server waits for nobody, and nobody but Wait for the server."""
    commit, other = (case.first, case.other) if is_hccl(case.first) else (case.other, case.first)
    if commit.line < other.line:
        return Change("hccl.Wait", f"hccl.Wait(handle) before {edges.line_of(other)}", FixLines(other.file, 0, other.line))
    needed = "PipeBarrier<PIPE_ALL>()" if case.relation == "core" else "SyncAll()"
    return Change(needed, f"{needed} before {edges.line_of(commit)}", FixLines(commit.file, 0, commit.line))


def _at(sync: Sync) -> str:
    return f" in line {sync.line}" if sync.file else ""


def _lines(sync: Sync) -> FixLines | None:
    return FixLines(sync.file, sync.line, sync.line) if sync.file else None


# --- one core


def _on_one_core(case: Case) -> Change | None:
    first, second = case.first, case.other
    flag = f"{first.pipe}_{second.pipe}"
    if flag in edges.flags_of(first.core) and first.pipe != second.pipe:
        return _moved(case, flag) or _renamed(case, flag) or _widened(case, flag)
    barrier = f"PipeBarrier<PIPE_{first.pipe}>()"
    return _widened(case, barrier) if first.pipe == second.pipe else None


def _moved(case: Case, flag: str) -> Change | None:
    """The flag is there; its set came too early, or its wait comes too late."""
    first, second = case.first, case.other
    sets = [each for each in case.standing("between") if each.call == "SetFlag" and each.flag == flag]
    waits = [each for each in case.standing("between") if each.call == "WaitFlag" and each.flag == flag]
    if waits and not sets:
        early = _nearest(case, "SetFlag", flag, "before_first")
        words = f"move SetFlag<HardEvent::{flag}>{_at(early) if early else ''} behind {edges.line_of(first)}, which it is to tell of"
        return Change(flag, words, FixLines(first.file, first.line) if first.file else None)
    if sets and not waits:
        late = _nearest(case, "WaitFlag", flag, "behind_second")
        words = f"move WaitFlag<HardEvent::{flag}>{_at(late) if late else ''} before {edges.line_of(second)}, which is to wait"
        return Change(flag, words, FixLines(second.file, 0, second.line) if second.file else None)
    return None


def _nearest(case: Case, call: str, flag: str, at: str) -> Sync | None:
    return next((each for each in case.standing(at) if each.call == call and each.flag == flag), None)


def _renamed(case: Case, flag: str) -> Change | None:
    """Set and wait stand between the two and make the right pipe wait, for another one than it needs."""
    target = flag.partition("_")[2]
    for wait in case.standing("between"):
        if wait.call != "WaitFlag" or wait.flag == flag or not wait.flag.endswith(f"_{target}"):
            continue
        found = next((each for each in case.standing("between")
                      if each.call == "SetFlag" and (each.flag, each.id) == (wait.flag, wait.id)), None)  # fmt: skip
        if found is not None:
            where = f" of lines {found.line} and {wait.line}" if found.file and wait.file else ""
            source = wait.flag.partition("_")[0]
            fix = f"make the {wait.flag}{where} {flag}: {source} did not do the work"
            return Change(flag, fix, _lines(wait))
    return None


def _widened(case: Case, missing: str) -> Change | None:
    """A barrier of one pipe stands where the order of another is needed."""
    barrier = next((each for each in case.standing("between") if each.call == "PipeBarrier" and each.pipe != "ALL"), None)
    if barrier is None:
        return None
    one = case.first.pipe == case.other.pipe
    wanted = case.first.pipe if one else "ALL"
    fix = f"make {barrier.written}{_at(barrier)} PipeBarrier<PIPE_{wanted}>(): it orders {barrier.pipe} with itself only"
    return Change(missing, fix, _lines(barrier))


# --- several cores


def _between_cores(case: Case) -> Change | None:
    first, second = edges.producer_and_consumer(case)
    own, theirs = ("first", "second") if first is case.first else ("second", "first")
    sets = [each for each in case.standing(f"behind_{own}", "between") if each.call == "CrossCoreSetFlag"]
    waits = [each for each in case.standing(f"before_{theirs}", "between") if each.call == "CrossCoreWaitFlag"]
    mode = edges.mode_for(case)
    right = [each for each in sets if each.pipe == first.pipe]
    if waits and not sets:
        return _set_too_early(case, first, own)
    if right and not waits:
        return _wait_too_late(case, second, theirs)
    if sets and waits and not right and first.pipe in ("V", "M", "MTE1", "MTE2", "MTE3", "FIX"):
        return _other_pipe(sets[0], first)
    wrong = [each for each in right if each.mode not in (mode, -1)]
    if wrong and mode is not None:
        return _other_mode(wrong[0], mode)
    return None


def _set_too_early(case: Case, first: Access, own: str) -> Change | None:
    early = next((each for each in case.standing(f"before_{own}") if each.call == "CrossCoreSetFlag"), None)
    if early is None:
        return None
    words = f"move {early.written}{_at(early)} behind {edges.line_of(first)}, which it is to tell of"
    return Change(f"CrossCoreSetFlag behind {edges.line_of(first)}", words, FixLines(first.file, first.line) if first.file else None)


def _wait_too_late(case: Case, second: Access, theirs: str) -> Change:
    late = next((each for each in case.standing(f"behind_{theirs}") if each.call == "CrossCoreWaitFlag"), None)
    words = f"move CrossCoreWaitFlag{_at(late) if late else ''} before {edges.line_of(second)}, which is to wait"
    lines = FixLines(second.file, 0, second.line) if second.file else None
    return Change(f"CrossCoreWaitFlag before {edges.line_of(second)}", words, lines)


def _other_pipe(wrong: Sync, first: Access) -> Change:
    new = Sync(wrong.call, pipe=first.pipe, id=wrong.id, mode=wrong.mode).written
    fix = f"make {wrong.written}{_at(wrong)} {new}: {first.pipe} did the work, and {wrong.pipe} says nothing about it"
    return Change(new.partition("(")[0], fix, _lines(wrong))


def _other_mode(wrong: Sync, mode: int) -> Change:
    new = Sync(wrong.call, pipe=wrong.pipe, id=wrong.id, mode=mode).written
    reach = {0: "all cores of its kind", 1: "the AIVs of its block", 2: "the other kind of core in its block"}
    fix = f"make {wrong.written}{_at(wrong)} {new}: mode {wrong.mode} reaches {reach.get(wrong.mode, 'others')} only"
    return Change(new.partition("(")[0], fix, _lines(wrong))
