# SPDX-License-Identifier: Apache-2.0
"""What bounds a launch, and what to try about a stall."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aclimb.binary.source_lines import source_text

if TYPE_CHECKING:
    from aclimb.trace.launch import LaunchTiming, Stall

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
    if pipe in ("MTE2", "MTE3", "FIX"):
        way, beyond = ("read", launch.counter("read_miss")) if pipe == "MTE2" else ("write", launch.counter("hbm_write"))
        moved = launch.counter(f"{way}_hit") + launch.counter(f"{way}_miss")
        return f"{pipe}: {'HBM' if beyond > 0.5 * moved else 'L2'}"
    return {"V": "V: vector arithmetic", "M": "M: cube arithmetic", "MTE1": "MTE1: L1 to L0", "S": "scalar unit"}[pipe]


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
    return [each for each in launch.stalls if not each.cause.startswith("queue of") and not (mirrors and each.kind == "empty")][:count]


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


def advice_for(stall: Stall, launch: LaunchTiming) -> str:
    """One thing to try."""
    pipe, cause = stall.pipe, stall.cause
    if stall.kind == "memory":
        if pipe == "S":
            return "read such values once, or move them to the UB with DataCopy"
        return "move more in one copy (16 KiB or more), start it earlier, or let data stay in the L2"
    if stall.kind == "empty":
        return "issue more work before this line, or larger instructions: the scalar unit does not keep up"
    if cause.startswith("queue of"):
        return "harmless while the pipe works; use larger instructions if the scalar unit has other work"
    if cause == "PipeBarrier" and "PipeBarrier" not in source_text(stall.at.file, stall.at.line):
        return "harmless at the end of a kernel, which waits for its last copies; more work for each launch makes it smaller"
    if cause == "PipeBarrier":
        return "a flag between the two pipes that depend on each other lets the others go on"
    if cause.startswith("result of"):
        return "put independent vector instructions between the two"
    if cause.startswith("cross-core"):
        return "let the cores exchange larger pieces, or keep two in flight"
    if "_" in cause:
        source, _, rest = cause.partition("_")
        target = rest.split(" ")[0]
        if source.startswith("MTE2"):
            return f"double buffering: two buffers let {source} load the next tile while {target} works"
        if target.startswith("MTE2"):
            return "a second input buffer lets the next copy start before this tile is used up"
        if target == "V" and source.startswith("MTE3"):
            return "a second output buffer lets V go on while the last tile is written"
        return f"more work for {target} while {source} is busy, or a second buffer between them"
    return "less synchronisation, or more work between two of them"
