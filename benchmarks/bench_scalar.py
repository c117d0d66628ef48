# SPDX-License-Identifier: Apache-2.0
"""Time of kernels that compute on the scalar unit, built with -O1, as by default, and with -O2. The two take turns, so that a host
that changes its speed changes both."""

from __future__ import annotations

import time
from collections.abc import Iterable

import numpy as np

from aclimb import Buffer, Kernel, Program, Stream, launch
from benchmarks.bench_instructions import KERNELS, ONE
from benchmarks.harness import Row, bench

LEVELS = (1, 2)
ROUNDS = {"sort_and_sum": 200, "walk": 500}
TURNS = 60


@bench("scalar")
def scalars() -> Iterable[Row]:
    stream = Stream()
    binaries = [Program(KERNELS / "scalar.cpp", opt_level=level).compile() for level in LEVELS]
    for name, rounds in ROUNDS.items():
        kernels = [Kernel(binary, name) for binary in binaries]
        data = [Buffer.from_array(np.arange(2048, dtype=np.int32)) for _ in LEVELS]
        times: list[list[float]] = [[] for _ in LEVELS]
        for _ in range(TURNS):
            for kernel, buffer, taken in zip(kernels, data, times, strict=True):
                started = time.perf_counter()
                launch(stream, ONE, kernel, buffer, rounds)
                stream.synchronize()
                taken.append((time.perf_counter() - started) / rounds)
        first, second = (buffer.to_numpy() for buffer in data)
        np.testing.assert_array_equal(first, second)
        for level, taken in zip(LEVELS, times, strict=True):
            yield Row(f"scalar.{name}.O{level}", min(taken) * 1e6, "us", note="a round")
