# SPDX-License-Identifier: Apache-2.0
"""Host time of one issued instruction, on one core, all checks on."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from aclimb import Kernel, LaunchConfig, Program, Stream, launch
from benchmarks.harness import Row, bench, best

COUNT = 1_000_000
KERNELS = Path(__file__).parent / "kernels"
ONE = LaunchConfig(num_blocks=1)


@bench("instructions")
def instructions() -> Iterable[Row]:
    binary = Program(KERNELS / "instructions.cpp").compile()
    stream = Stream()
    bars = {"flags": 15, "barriers": 15, "scalars": 15, "add_float": 35, "add_half": 35, "add_half_masked": 35, "deferred": None}
    for name, bar in bars.items():
        kernel = Kernel(binary, name)

        def run(kernel: Kernel = kernel) -> None:
            launch(stream, ONE, kernel, COUNT)
            stream.synchronize()

        yield Row(f"instruction.{name}", best(run, rounds=5, pause=0.05) / COUNT * 1e9, "ns", bar)
