# SPDX-License-Identifier: Apache-2.0
"""What a sweep makes small."""

from __future__ import annotations

from dataclasses import dataclass

from aclimb.errors import InvalidArgument
from aclimb.report.sweep.result import SweepOutcome


@dataclass(frozen=True, slots=True)
class Objective:
    word: str  # as it was asked for
    title: str  # "Task time"
    unit: str  # "us"

    def of(self, outcome: SweepOutcome) -> float | None:
        """None where the run failed, or has no such kernel."""
        if outcome.task_us is None:
            return None
        kind, _, kernel = self.word.partition(":")
        if kernel:
            value = outcome.facts.get("kernels", {}).get(kernel)
            return None if value is None else float(value)
        if kind == "hbm":
            return float(outcome.facts.get("hbm_bytes", 0)) / 2**20
        return outcome.core_us if kind == "core" else outcome.task_us


def objective(word: str = "task") -> Objective:
    """From a word of the command line."""
    kind, colon, kernel = word.partition(":")
    if colon and kind == "task" and kernel:
        return Objective(word, f"Task time of {kernel}", "us")
    known = {"task": ("Task time", "us"), "core": ("Mean core time", "us"), "hbm": ("Bytes from and to the HBM", "MiB")}
    if word not in known:
        raise InvalidArgument(
            f"--objective {word}: it takes task (time of all launches), core (mean time of a core), task:KERNEL (time of one kernel) "
            "or hbm (bytes from and to the HBM)"
        )
    return Objective(word, *known[word])
