# SPDX-License-Identifier: Apache-2.0
"""What one run of a sweep says about itself: a few numbers of its profile, handed to the sweep as JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from aclimb.report.sweep.points import Point
from aclimb.trace.document import bandwidth_of
from aclimb.trace.launch import PARTS, LaunchTiming

if TYPE_CHECKING:
    from aclimb.report.profiles import Ending
    from aclimb.trace.profiling import Profile

STALLS = 6


@dataclass(frozen=True, slots=True)
class SweepOutcome:  # one process -> table, words, plots
    point: Point
    task_us: float | None  # None: the program failed
    core_us: float = 0.0
    bound: str = ""
    launches: int = 0
    error: str = ""
    facts: dict[str, Any] = field(default_factory=dict)  # see `totals`


def totals(profile: Profile, ending: Ending) -> dict[str, Any]:
    """The whole program in a few numbers; what bounds it, its pipes and its stalls are those of its longest launch."""
    launches = profile.launches
    longest = max(launches, key=lambda each: each.task, default=None)
    return {
        "task_us": sum(each.task_us for each in launches),
        "core_us": sum(each.core_us for each in launches),
        "bound": longest.bound if longest else "",
        "launches": len(launches),
        "error": _error(profile, ending),
        "kernels": {name: sum(each.task_us for each in launches if each.kernel == name) for name in {each.kernel for each in launches}},
        "hbm_bytes": sum(each.counter("hbm_read") + each.counter("hbm_write") for each in launches),
        **(_longest(longest) if longest else {}),
    }


def outcome_from(point: Point, found: dict[str, Any]) -> SweepOutcome:
    if found["error"] or not found["launches"]:
        return SweepOutcome(point, None, error=found["error"] or "no kernel was launched")
    return SweepOutcome(point, found["task_us"], found["core_us"], found["bound"], found["launches"], facts=found)


def _error(profile: Profile, ending: Ending) -> str:
    failed = next((f"{each.kernel} failed" for each in profile.launches if each.failed), "")
    failed = failed or next((f"{name} has more blocks than run at once, and they wait for each other" for name in profile.stuck), "")
    # A program may check its results; where there are none, such a check says nothing.
    checks = profile.timing_only and (ending.error is None or isinstance(ending.error, AssertionError))
    code = f"the program ended with exit code {ending.code}" if ending.code else ""
    return failed if checks else ending.sentence or failed or code


def _longest(launch: LaunchTiming) -> dict[str, Any]:
    moved = bandwidth_of(launch)
    pipes = dict.fromkeys(pipe for core in launch.cores for pipe in core.pipes)
    return {
        "kernel": launch.kernel,
        "instructions": launch.instructions,
        "hbm_gbs": moved["hbm_gbs"],
        "l2_hit_rate": moved["l2_hit_rate"],
        "pipes": {pipe: {part: launch.pipe_us(pipe, part) for part in PARTS} for pipe in pipes},
        "stalls": [
            {"what": str(each), "at": str(each.at), "us": each.ps / max(1, _cores(launch, each.core)) / 1e6}
            for each in launch.biggest_stalls(STALLS)
        ],
    }


def _cores(launch: LaunchTiming, kind: str) -> int:
    return len({core.slot for core in launch.cores if core.type == kind})
