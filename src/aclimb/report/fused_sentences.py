# SPDX-License-Identifier: Apache-2.0
"""Sentences for what goes wrong, or looks wrong, inside a SuperKernel."""

from __future__ import annotations

from aclimb import errors
from aclimb.flow import FaultKind
from aclimb.report.facts import Facts, Words, kind

_TIMES = {0: "never", 1: "once", 2: "twice"}


@kind(FaultKind.early_start_count, errors.EarlyStartMismatch)
def _early_start_count(facts: Facts) -> Words:
    n, call = facts.fault, facts.fault.call
    before = facts.site(0) if facts.fault.sites else None
    times = _TIMES.get(n.times, f"{n.times} times")
    under = f" under tiling key {n.key}" if n.key else ""
    lines = [f"called before  {before.row()}"] if before else []
    if n.times == 0:
        return Words(f"{call} is in this kernel and was {times} called on this core{under}", lines,
                     f"every core has to call it exactly once, under every tiling key that runs: on hardware the others wait for ever "
                     f"({n.blocks} blocks run it)")  # fmt: skip
    return Words(f"{call} is called {times} on this core{under}", lines,
                 "every core has to call it exactly once: on hardware a later sub-kernel begins too early")  # fmt: skip


@kind(FaultKind.early_start_unannounced, errors.EarlyStartMismatch)
def _unannounced(facts: Facts) -> Words:
    return Words(f"{facts.fault.call} is called, and the binary says that it is not; build it again with `aclimb build`")


@kind(FaultKind.reserved_cross_flag, errors.Misuse)
def _reserved(facts: Facts) -> Words:
    return Words(f"{facts.call} uses cross-core flag {facts.fault.id}",
                 advice="in a SuperKernel the flags 11 to 14 order its sub-kernels: use 0 to 10")  # fmt: skip


@kind(FaultKind.sync_participants, errors.Hang)
def _participants(facts: Facts) -> Words:
    n = facts.fault
    core = facts.fault.core_type.name
    missing = f"{core} {n.there}" if n.all - n.there == 1 else f"{core} {n.there} to {n.all - 1}"
    advice = (
        "give feed-sync-all=1, or fuse it with as many blocks"
        if n.sync_all
        else "give the sub-kernel as many blocks as the SuperKernel has"
    )
    where = f"the sub-kernel runs on {n.there} of the SuperKernel's {n.all} {core}s"
    return Words(f"{facts.fault.call} would wait for ever for {missing}: {where}", advice=advice)


@kind(FaultKind.dynamic_key, errors.Misuse)
def _dynamic_key(facts: Facts) -> Words:
    return Words(f"its tiling names tiling key {facts.fault.key}, which the kernel does not have")


@kind(FaultKind.dynamic_blocks, errors.Misuse)
def _dynamic_blocks(facts: Facts) -> Words:
    n = facts.fault
    return Words(f"its tiling asks for {n.blocks} blocks; the SuperKernel has room for {n.most}")


# --- warnings


@kind(FaultKind.set_before_copy, errors.Misuse)
def _set_before_copy(facts: Facts) -> Words:
    before = facts.site(0) if facts.fault.sites else None
    return Words(f"K19: {facts.call} writes global memory behind SetNextTaskStart", [f"set at  {before.row()}"] if before else [],
                 "the next sub-kernel may already run: set behind the last copy, unless nobody reads this one")  # fmt: skip


@kind(FaultKind.wait_after_copy, errors.Misuse)
def _wait_after_copy(facts: Facts) -> Words:
    return Words(f"K19: {facts.call} reads global memory before WaitPreTaskEnd",
                 advice="the sub-kernel before may still run: wait before the first copy, unless nobody writes this one")  # fmt: skip


@kind(FaultKind.wait_after_write, errors.Misuse)
def _wait_after_write(facts: Facts) -> Words:
    return Words(f"K19: {facts.call} writes global memory before WaitPreTaskEnd",
                 advice="the sub-kernel before may still run: wait before the first copy, unless it neither reads nor writes "
                        "there")  # fmt: skip


@kind(FaultKind.set_on_other_pipe, errors.Misuse)
def _set_on_other_pipe(facts: Facts) -> Words:
    return Words(f"K19: SetNextTaskStart on PIPE_{facts.fault.what} says nothing about the copies to global memory that another pipe has "
                 "under way", advice="set on the pipe of the last copy: PIPE_MTE3 on AIV and PIPE_FIX on AIC, the defaults")  # fmt: skip


@kind(FaultKind.set_on_scalar_pipe, errors.Misuse)
def _set_on_scalar(facts: Facts) -> Words:
    return Words("K19: SetNextTaskStart with AIV_PIPE = PIPE_S says nothing about copies that are under way",
                 advice="use PIPE_MTE3, the default, when the last thing is a copy to global memory")  # fmt: skip


@kind(FaultKind.state_leak, errors.Misuse)
def _state_leak(facts: Facts) -> Words:
    return Words(f"K15: {facts.call} runs with {facts.fault.what} that the sub-kernel before left on",
                 advice="put it back at the end of that kernel; in a SuperKernel the next one has it")  # fmt: skip
