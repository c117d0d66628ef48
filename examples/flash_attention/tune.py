# SPDX-License-Identifier: Apache-2.0
"""The attention of `run.py` from the plain kernel to the tuned one: what each step does to the modelled time, and who waits for whom.

Only times are asked for, so nothing is computed; `run.py` computes.
"""

from dataclasses import replace

import numpy as np
import run

import aclimb
from aclimb import Buffer, Device, Stream
from aclimb.trace.launch import LaunchTiming

HEADS, LENGTH = 12, 2048


def steps() -> dict[str, run.Way]:
    """Each keeps what the one before it did."""
    ahead = replace(run.PLAIN, ahead=True)
    longer = replace(ahead, columns=512, slice=16)
    more_rows = replace(longer, rows=128)
    return {"plain": run.PLAIN, "ahead": ahead, "512 columns": longer, "128 rows": more_rows, "two buffers": replace(more_rows, buffers=2)}


def measure(way: run.Way, heads: int = HEADS, length: int = LENGTH) -> LaunchTiming:
    q, k, v = (Buffer((heads, length, run.DEPTH), np.float16) for _ in range(3))
    stream = Stream()
    with aclimb.profile(timing_only=True, trace=False) as profile:
        run.attend(stream, q, k, v, Device().chip.aic_cores, way)
        stream.synchronize()
    return profile.launches[-1]


def pipe_us(timing: LaunchTiming, kind: str, pipe: str, part: str = "active") -> float:
    """Mean over the cores of a kind."""
    cores = [getattr(core.pipes[pipe], part) for core in timing.cores if core.type == kind]
    return float(sum(cores)) / len(cores) / 1e6


def answer_us(timing: LaunchTiming) -> float:
    """So long an AIV waited for answers of its AIC; mean. What it had issued before went on meanwhile."""
    aivs = sum(core.type == "AIV" for core in timing.cores)
    return sum(stall.ps for stall in timing.stalls if stall.core == "AIV" and "answer" in stall.cause) / aivs / 1e6


def main() -> None:
    print(f"{HEADS} heads, length {LENGTH} on {Device().chip.name} (modelled, timing only); us, mean of the cores\n")
    print(f"{'':14}{'task':>7}   {'AIV: V':>7}{'waits for AIC':>15}   {'AIC: M':>7}{'MTE2':>7}{'FIX':>7}{'no call':>9}")
    for name, way in steps().items():
        timing = measure(way)
        aic = "".join(f"{pipe_us(timing, 'AIC', pipe):>7.0f}" for pipe in ("M", "MTE2", "FIX"))
        idle = min(pipe_us(timing, "AIC", pipe, "empty") for pipe in ("MTE2", "MTE1", "M", "FIX"))  # none has anything to do
        print(f"{name:<14}{timing.task_us:>7.1f}   {pipe_us(timing, 'AIV', 'V'):>7.0f}{answer_us(timing):>15.0f}   {aic}{idle:>9.0f}")


if __name__ == "__main__":
    main()
