# SPDX-License-Identifier: Apache-2.0
"""Which order is missing between two accesses, and the smallest change that makes it. Mechanical: no rule knows more than the two sides.

On one core from pipe p to pipe q: the flag p_q where this kind of core has it, else the shortest chain of flags, else PIPE_ALL; a pipe
with itself: its barrier. Between cores: a cross-core flag on the pipe that did the work. Between streams: an event. What stands there
already and is wrong by one parameter or one position is changed before anything is added (changes.py).
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from functools import cache

from aclimb.check.cases import Case
from aclimb.check.finding import Access, FixLines

# What each kind of core has on Atlas A2 and A3, in the direction of the data first: of two chains of one length the earlier
# flags are taken.
# V_V and FIX_FIX are the barriers of those pipes.
AIV_FLAGS = (
    "MTE2_V", "V_MTE3", "V_MTE2", "MTE3_V", "MTE3_MTE2", "MTE2_MTE3", "V_S", "S_V", "MTE2_S", "S_MTE2", "MTE3_S", "S_MTE3", "V_V",
)  # fmt: skip
AIC_FLAGS = (
    "MTE2_MTE1", "MTE1_M", "M_FIX", "FIX_M", "M_MTE1", "MTE1_MTE2", "MTE2_M", "M_MTE2", "MTE3_MTE2", "MTE2_MTE3", "FIX_MTE2", "MTE2_FIX",
    "FIX_MTE3", "MTE3_MTE1", "MTE1_MTE3", "MTE1_FIX", "FIX_MTE1", "MTE2_S", "S_MTE2", "MTE3_S", "S_MTE3", "FIX_S", "M_S", "FIX_FIX",
)  # fmt: skip
_NO_CROSS_SET = ("S", "D", "host")  # CrossCoreSetFlag stands in the queue of a pipe


@dataclass(frozen=True, slots=True)
class Change:
    """What is missing, and what to write where."""

    missing: str
    fix: str
    lines: FixLines | None = None


def flags_of(core: str) -> tuple[str, ...]:
    """The flags of a kind of core; `core` may be a single one of them: AIV 3."""
    return AIC_FLAGS if core.startswith("AIC") else AIV_FLAGS


@cache
def chain(core: str, source: str, target: str) -> tuple[str, ...]:
    """The fewest flags that lead from one pipe to another; none where no way leads there."""
    found: dict[str, tuple[str, ...]] = {source: ()}
    waiting = deque([source])
    while waiting:
        here = waiting.popleft()
        for flag in flags_of(core):
            begins, ends = flag.split("_")
            if begins == here and ends not in found:
                found[ends] = (*found[here], flag)
                waiting.append(ends)
    return found.get(target, ())


# --- where


def between(first: Access, second: Access) -> tuple[str, FixLines | None]:
    """Words for the place of a change, and its lines."""
    if not (first.file and second.file):
        return "between the two", None
    if first.file != second.file:
        return f"behind {first.short} and before {second.short}", FixLines(first.file, first.line)
    lines = FixLines(first.file, first.line, second.line)
    if first.line < second.line:
        return f"between lines {first.line} and {second.line}", lines
    if first.line == second.line:
        return f"between one round of line {first.line} and the next", lines
    return f"behind line {first.line} and before line {second.line} of the next round", lines


def line_of(access: Access, otherwise: str = "it") -> str:
    return f"line {access.line}" if access.file else otherwise


# --- one core


def on_one_core(first: Access, second: Access) -> Change:
    """Something new between two instructions of a core."""
    where, lines = between(first, second)
    if first.pipe == second.pipe and first.pipe != "S":
        barrier = f"PipeBarrier<PIPE_{first.pipe}>()"
        return Change(barrier, f"{barrier} {where}", lines)
    flags = chain(first.core[:3], first.pipe, second.pipe)
    if not flags:
        return Change("PipeBarrier<PIPE_ALL>()", f"PipeBarrier<PIPE_ALL>() {where}", lines)
    if len(flags) == 1:
        return Change(flags[0], f"SetFlag and WaitFlag<HardEvent::{flags[0]}> {where}", lines)
    return Change(" and ".join(flags), f"SetFlag and WaitFlag of {', then of '.join(flags)}, {where}", lines)


# --- several cores


def mode_for(case: Case) -> int | None:
    """Of a cross-core flag between the two; None where no single flag reaches from one to the other."""
    kinds = {each.core[:3] for each in case.accesses}
    if case.relation == "block":
        return 1 if kinds == {"AIV"} else 2
    return 0 if len(kinds) == 1 else None


def producer_and_consumer(case: Case) -> tuple[Access, Access]:
    """Whom to wait for. Of two cores neither is first; who writes is waited for by who reads, unless that is ordered already."""
    first, second = case.first, case.other
    if first.role == "reads" and second.role != "reads":
        first, second = second, first
    return (second, first) if _is_ordered_forward(case, first) else (first, second)


def _is_ordered_forward(case: Case, producer: Access) -> bool:
    """Whether the producer already tells the consumer: then the way back is missing, before it writes again."""
    own, theirs = ("first", "second") if producer is case.first else ("second", "first")
    sets = [each for each in case.standing(f"behind_{own}") if each.call == "CrossCoreSetFlag" and each.pipe == producer.pipe]
    waits = [each for each in case.standing(f"before_{theirs}") if each.call == "CrossCoreWaitFlag"]
    right = mode_for(case)
    return any(each.mode in (right, -1) and (not waits or each.id in {wait.id for wait in waits}) for each in sets) and bool(waits)


def between_cores(case: Case) -> Change:
    """A flag from core to core, set on the pipe that did the work."""
    first, second = producer_and_consumer(case)
    where, lines = between(first, second)
    mode = mode_for(case)
    if mode is None:
        return Change("SyncAll<false>()", f"SyncAll<false>() {where}, on all cores", lines)
    pipe, before = first.pipe, ""
    if pipe in _NO_CROSS_SET:
        pipe, before = "MTE3", "SetFlag and WaitFlag<HardEvent::S_MTE3>, then "
    call = f"CrossCoreSetFlag<{mode}, PIPE_{pipe}>"
    all_cores = ", or SyncAll() between the two" if mode == 0 else ""
    fix = f"{before}{call} behind {_place(first, second)}, and CrossCoreWaitFlag before {_place(second, first)}{all_cores}"
    return Change(call, fix, lines)


def _place(access: Access, other: Access) -> str:
    if not access.file:
        return f"the {access.call}" if access.call else "it"
    return f"line {access.line}" if access.file == other.file else access.short


# --- the host


def between_tasks() -> Change:
    return Change("an event", "record an event behind the first launch, and let the other stream wait for it before its own")


def with_the_host(case: Case) -> Change:
    return Change("a synchronisation", "synchronise the stream before the host touches that memory")


def with_the_cache(case: Case) -> Change:
    """A store that is in the data cache has to leave it first, whoever is to see it."""
    store, other = (case.first, case.other) if case.first.pipe == "D" else (case.other, case.first)
    scalar = replace(store, pipe="S")
    ordered = new_edge(replace(case, first=scalar, second=other, syncs=()))
    clean = f"DataCacheCleanAndInvalid and DataSyncBarrier behind {line_of(store)}"
    return Change(
        f"a write-back and {ordered.missing}", f"{clean}, then {ordered.fix}", FixLines(store.file, store.line) if store.file else None
    )


def new_edge(case: Case) -> Change:
    """What orders the two, where nothing that stands there can be changed."""
    if case.second is not None and "D" in (case.first.pipe, case.second.pipe):
        return with_the_cache(case)
    match case.relation:
        case "core":
            return on_one_core(case.first, case.other)
        case "block" | "cores":
            return between_cores(case)
        case "tasks":
            return between_tasks()
        case _:
            return with_the_host(case)
