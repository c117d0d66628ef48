# SPDX-License-Identifier: Apache-2.0
"""Faults of waiting: flags set twice or left, hangs in a core, across cores and across ranks."""

from __future__ import annotations

from aclimb import errors
from aclimb.flow import FaultKind
from aclimb.report.facts import Facts, Words, kind
from aclimb.report.memory_sentences import address


@kind(FaultKind.flag_set_twice, errors.UnbalancedFlags)
def _set_twice(facts: Facts) -> Words:
    before = facts.site(0)
    lines = [f"set before  {before.row()}"] if before else []
    head = f"flag {facts.fault.flag} id {facts.fault.id} is set a second time before a WaitFlag took it"
    return Words(head, lines, "a flag is one bit: wait for it in between, or use another id")


@kind(FaultKind.flag_left, errors.UnbalancedFlags)
def _flag_left(facts: Facts) -> Words:
    flag, number = facts.fault.flag, facts.fault.id
    return Words(f"flag {flag} id {number} is still set when the kernel ends",
                 advice=f"WaitFlag<HardEvent::{flag}>({number}) before the end: on hardware it leaks into the next kernel")  # fmt: skip


@kind(FaultKind.hang, errors.Hang)
def _hang(facts: Facts) -> Words:
    lines: list[str] = []
    for (label, _), wait in zip(facts.fault.sites, facts.fault.waits, strict=False):
        source, destination, number = wait.split()
        place = facts.site(len(lines))
        lines.append(f"{label:<4} waits for {source}_{destination} id {number}   {place.row() if place else ''}".rstrip())
    flags = sorted({"_".join(wait.split()[:2]) for wait in facts.fault.waits})
    advice = "; ".join(_setters(facts, flag) for flag in flags)
    return Words(f"hang at {_hang_place(facts)}: nothing left can set what is waited for", lines, advice)


def _hang_place(facts: Facts) -> str:
    """What the user wrote there: PipeBarrier<PIPE_ALL> is also a part of SyncAll and of TPipe's end."""
    at = facts.fault.at
    api = facts.places.outermost_api(facts.fault.where)
    if at != "PipeBarrier<PIPE_ALL>" or api in ("", "PipeBarrier"):
        return at
    return {"~TPipe": "the end of TPipe", "Destroy": "TPipe::Destroy", "Reset": "TPipe::Reset"}.get(api, api)


def _setters(facts: Facts, flag: str) -> str:
    setters = facts.places.setters(facts.fault.core_type.name, flag)
    if not setters:
        return f"nothing in this kernel sets {flag}"
    return f"{flag} is set at {', '.join(place.short() for place in setters)}: with another id, or behind another wait"


@kind(FaultKind.hang_across_cores, errors.Hang)
def _hang_across(facts: Facts) -> Words:
    n = facts.fault
    head = f"hang: {n.waiting} of {n.cores} cores wait for another core, {n.ended} {'has' if n.ended == 1 else 'have'} ended"
    return Words(head, _waiting(facts), "every core must reach the same SyncAll, and every wait needs its set")


@kind(FaultKind.no_result, errors.Hang)
def _no_result(facts: Facts) -> Words:
    number, made = facts.fault.value0, facts.fault.value1
    head = f"hang: GetTensorC of Matmul object {number} of REGIST_MATMUL_OBJ waits for a result that nobody makes"
    advice = f"the object has made {made} results so far, and all are taken: call it once for each base block, behind Iterate"
    return Words(head, advice=advice)


def _waiting(facts: Facts) -> list[str]:
    """The cores that stand still, a line each."""
    lines = []
    for index, (label, _) in enumerate(facts.fault.sites):
        place = facts.site(index)
        lines.append(f"{label}   {place.row() if place else ''}".rstrip())
    more = getattr(facts.fault, "waiting", 0) - len(lines)
    return [*lines, f"... and {more} more"] if more > 0 else lines


@kind(FaultKind.cross_core_not_armed, errors.Misuse)
def _not_armed(facts: Facts) -> Words:
    call, name = facts.fault.call, facts.fault.type
    mixed = "KERNEL_TYPE_MIX_AIV_1_0, __mix__(0,1)" if name == "AIV_ONLY" else "KERNEL_TYPE_MIX_AIC_1_0, __mix__(1,0)"
    return Words(f"{call} in a kernel declared {name}: its launch does not arm the synchronisation between cores",
                 advice=f"declare it {mixed}")  # fmt: skip


@kind(FaultKind.cross_flag_left, errors.UnbalancedFlags)
def _cross_left(facts: Facts) -> Words:
    n = facts.fault
    times = "once" if n.value == 1 else f"{n.value} times"
    return Words(
        f"cross-core flag {n.id} is still set, {times}, when the kernel ends",
        advice=f"CrossCoreWaitFlag({n.id}) on that core: on hardware it leaks into the next kernel",
    )


@kind(FaultKind.cross_flag_overflow, errors.Misuse)
def _cross_overflow(facts: Facts) -> Words:
    n = facts.fault
    return Words(
        f"cross-core flag {n.id} is set more than {n.limit} times without a wait, and no core is left that could take one",
        _waiting(facts),
        "CrossCoreWaitFlag it before it is set again",
    )


@kind(FaultKind.cross_flag_full, errors.Misuse)  # a warning
def _cross_full(facts: Facts) -> Words:
    n = facts.fault
    return Words(
        f"cross-core flag {n.id} stood at {n.limit}, its limit, when it was set again; here the set waits for the other core",
        advice="on hardware nothing waits: the kernel relies on the other core being fast enough. Let that one answer with a flag",
    )


@kind(FaultKind.ranks_missing, errors.Misuse)
def _ranks_missing(facts: Facts) -> Words:
    n = facts.fault
    index = f", index={n.id}" if n.id else ""
    return Words(f"GetHcclContext<{n.id}> has no context: the device is no rank of a group",
                 advice=f"launch inside `with aclimb.ranks(count, window=...{index}) as group:`, on the streams of its ranks")  # fmt: skip


@kind(FaultKind.rank_hang, errors.Hang)
def _rank_hang(facts: Facts) -> Words:
    n = facts.fault
    what = f"{n.window} of rank {n.rank}, byte 0x{n.addr - n.near_addr:x}" if hasattr(n, "rank") else f"address {address(n)}"
    return Words(f"the kernel reads {what} again and again, and for {n.limit_ms / 1000:g} s no rank has done anything else", n.waits,
                 "every wait needs a rank that writes what it waits for; timeout= of aclimb.ranks says how long it may take")  # fmt: skip


@kind(FaultKind.hccl_hang, errors.Hang)
def _hccl_hang(facts: Facts) -> Words:
    n = facts.fault
    limit = f"for {n.limit_ms / 1000:g} s nothing has happened. " if hasattr(n, "limit_ms") else ""
    advice = "every rank runs the kernel, prepares the same tasks in the same order and commits each round"
    return Words(f"{facts.call.removeprefix('Hccl::')} waits for {n.what} for ever: {limit}{'; '.join(n.waits)}", advice=advice)


@kind(FaultKind.hccl_misuse, errors.Misuse)
def _hccl_misuse(facts: Facts) -> Words:
    return Words(facts.fault.sentence, advice=facts.fault.text)
