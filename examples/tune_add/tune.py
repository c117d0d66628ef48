# SPDX-License-Identifier: Apache-2.0
"""The vector add from one core to a kernel that the memory bounds, step by step: what each step does to the modelled time.

Only times are asked for, so nothing is computed; `run.py` computes.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

import aclimb
from aclimb import Buffer, Device, Kernel, LaunchConfig, Program, Stream, launch
from aclimb.trace.launch import LaunchTiming

SOURCE = Path(__file__).with_name("tune_add.cpp")
LENGTH = 8192 * 8192  # three vectors of 128 MiB; the L2 holds one of them


@dataclass(frozen=True)
class Step:
    name: str
    blocks: int
    macros: dict[str, int]


def steps() -> list[Step]:
    """Each keeps what the one before it did."""
    cores = Device().chip.aiv_cores
    macros: dict[str, int] = {}
    made = []
    for name, blocks, changed in (
        ("one core", 1, {"TILE": 4096, "BUFFERS": 1}),
        ("all cores", cores, {}),
        ("larger tiles", cores, {"TILE": 16384}),
        ("two buffers", cores, {"BUFFERS": 2}),
        ("inputs past the L2", cores, {"PAST_L2": 1}),
        ("no bank conflicts", cores, {"CONFLICT_FREE": 1}),
    ):
        macros = macros | changed
        made.append(Step(name, blocks, macros))
    return made


def measure(step: Step, length: int = LENGTH) -> tuple[LaunchTiming, float]:
    """The second of two launches, and its part of the HBM's peak: the first fills the L2, as in a program that runs for a while."""
    kernel = Kernel(Program(SOURCE, defines={name: str(value) for name, value in step.macros.items()}).compile())
    x, y, z = (Buffer(length, np.float16) for _ in range(3))
    stream = Stream()
    with aclimb.profile(timing_only=True, trace=False) as profile:
        for _ in range(2):
            launch(stream, LaunchConfig(num_blocks=step.blocks), kernel, x, y, z, length)
    whole = profile.json()
    return profile.launches[-1], whole["launches"][-1]["bandwidth"]["hbm_gbs"] / whole["peaks"]["hbm_gbs"]


def main() -> None:
    print(f"half add of {LENGTH:,} elements on {Device().chip.name} (modelled, timing only)\n")
    print(f"{'step':<20}{'blocks':>6}{'core us':>10}{'V us':>8}{'HBM':>7}   {'bound by':<12}biggest stall")
    for step in steps():
        timing, hbm = measure(step)
        (stall,) = timing.biggest_stalls(1)
        figures = f"{step.blocks:>6}{timing.core_us:>10.1f}{timing.pipe_us('V'):>8.1f}{hbm:>7.0%}"
        print(f"{step.name:<20}{figures}   {timing.bound:<12}{stall}")


if __name__ == "__main__":
    main()
