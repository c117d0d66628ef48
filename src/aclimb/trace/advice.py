# SPDX-License-Identifier: Apache-2.0
"""What bounds a launch, and what to try about a stall."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aclimb.trace.launch import CoreTiming, LaunchTiming, Stall
    from aclimb.trace.what_if import Advice

_MOSTLY = 0.5
_KEEPS_UP = 0.3


def bound_of(launch: LaunchTiming) -> str:
    """The pipe that is active most, and why; "waiting" when none is active half of the time."""
    shares = pipe_shares(launch)
    if not shares:
        return "nothing ran"
    if _longest_us(launch) < 0.3 * launch.task_us:
        return "launch: the cores run for a small part of the task"
    pipe, share = max(shares.items(), key=lambda row: row[1])
    if share < _MOSTLY:
        return _waiting(launch, pipe)
    cores = holding_cores(launch, pipe)
    whose = f"{cores[0].type} " if len({core.type for core in launch.cores}) > 1 and pipe in ("MTE2", "MTE3", "S") else ""
    if pipe in ("MTE2", "MTE3", "FIX"):

        def count(name: str) -> int:
            return sum(core.counters[name] for core in cores)

        way, beyond = ("read", count("read_miss")) if pipe == "MTE2" else ("write", count("hbm_write"))
        moved = count(f"{way}_hit") + count(f"{way}_miss")
        return f"{whose}{pipe}: {'HBM' if beyond > 0.5 * moved else 'L2'}"
    if pipe == "S":
        return f"{whose}scalar unit"
    return {"V": "V: vector arithmetic", "M": "M: cube arithmetic", "MTE1": "MTE1: L1 to L0"}[pipe]


def holding_cores(launch: LaunchTiming, pipe: str) -> list[CoreTiming]:
    """Of the kind where that pipe is active more: in a kernel of AICs and AIVs those that the others wait for."""
    kinds = sorted({core.type for core in launch.cores})
    by_kind = {kind: [core for core in launch.cores if core.type == kind] for kind in kinds}

    def active(kind: str) -> float:
        pipes = [core.pipes[pipe] for core in by_kind[kind] if pipe in core.pipes]
        return sum(each.busy if pipe == "S" else each.active for each in pipes) / len(by_kind[kind])

    return by_kind[max(kinds, key=active)]


def _waiting(launch: LaunchTiming, most: str) -> str:
    """No pipe is active half of the time."""
    held = [each for each in launch.stalls if each.pipe == "S" and not each.cause.startswith("queue of")]
    if held and held[0].ps > _MOSTLY * sum(core.time for core in launch.cores if core.type == held[0].core):
        return f"waiting: {held[0].core}s for {held[0].cause}"
    if scalar_keeps_up(launch):
        return f"latency: no pipe is active half of the time, {most} most"
    return "scalar unit: pipes wait for instructions"


def scalar_keeps_up(launch: LaunchTiming) -> bool:
    """Whether an empty queue mirrors what the scalar unit waits for, instead of its own work."""
    return pipe_shares(launch).get("S", 0.0) < _KEEPS_UP


def biggest_stalls(launch: LaunchTiming, count: int) -> list[Stall]:
    """Without those that only mirror another: a scalar unit that waits for room in a queue has run ahead, and a queue is empty
    while the scalar unit waits."""
    mirrors = scalar_keeps_up(launch)
    held = [each for each in launch.stalls if not each.cause.startswith("queue of") and not (mirrors and each.kind == "empty")]
    shares = pipe_shares(launch)
    if len({core.type for core in launch.cores}) > 1 and shares and max(shares.values()) >= _MOSTLY:  # the other kind of core mirrors these
        holding = holding_cores(launch, max(shares, key=lambda pipe: shares[pipe]))[0].type
        held = [each for each in held if each.core == holding] or held
    return held[:count]


def pipe_shares(launch: LaunchTiming) -> dict[str, float]:
    """How much of the time each pipe was active; the scalar unit counts only where it works. Of a pipe that AICs and AIVs have, those
    where it was active more. Time is that of the cores that ran longer: AIVs may leave while their AIC works on."""
    kinds = [[core for core in launch.cores if core.type == kind] for kind in {core.type for core in launch.cores}]
    longest = max((sum(core.time for core in cores) / len(cores) for cores in kinds), default=0)
    shares: dict[str, float] = {}
    for pipe in ("V", "M", "MTE1", "MTE2", "MTE3", "FIX", "S"):
        for cores in kinds:
            pipes = [core.pipes[pipe] for core in cores if pipe in core.pipes]
            if longest and any(each.instructions for each in pipes):
                share = sum(each.busy if pipe == "S" else each.active for each in pipes) / len(cores) / longest
                shares[pipe] = max(share, shares.get(pipe, 0.0))
    return shares


def _longest_us(launch: LaunchTiming) -> float:
    """Mean time of a modelled core, of the kind of cores that ran longer."""
    kinds: dict[str, list[int]] = {}
    for (kind, _), time in launch.core_times().items():
        kinds.setdefault(kind, []).append(time)
    return max(sum(times) / len(times) for times in kinds.values()) / 1e6


# What helps against a stall, by what is waited for; the first that the model found to help is given.
_AGAINST = {
    "memory": ("larger copies", "longer rows", "past the L2", "different places", "aligned rows", "more blocks"),
    "empty": ("fewer instructions", "vector instructions"),
    "barrier": ("flags", "vector instructions"),
    "dependency": ("no bank conflicts",),
    "flag": ("second buffer", "larger copies", "longer rows"),
}


def advice_for(stall: Stall, tried: list[Advice]) -> str:
    """One thing to try about it, of those that were tried and help; empty: none does."""
    if stall.kind in ("memory", "empty"):
        kind = stall.kind
    elif stall.cause in ("PipeBarrier", "synchronisation"):
        kind = "barrier"
    elif stall.cause.startswith("result of"):
        kind = "dependency"
    else:
        kind = "flag" if "_" in stall.cause else ""
    found = [each for what in _AGAINST.get(kind, ()) for each in tried if each.what == what]
    return str(max(found, key=lambda each: each.gain)) if found else ""
