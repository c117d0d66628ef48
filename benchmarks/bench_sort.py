# SPDX-License-Identifier: Apache-2.0
"""Gather and sort on one core: of a tile in the UB against numpy.take, and 64 Ki pairs against numpy.argsort."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from aclimb import Buffer, Kernel, KernelBinary, LaunchConfig, Program, Stream, launch
from benchmarks.bench_instructions import KERNELS
from benchmarks.harness import Row, bench, best

ONE = LaunchConfig(num_blocks=1)
TILE, TIMES, PAIRS = 12 * 1024, 1000, 64 * 1024


@bench("sort")
def sorts() -> Iterable[Row]:
    binary = Program(KERNELS / "sort.cpp").compile()
    yield _gather(binary)
    yield _sort(binary)


def _gather(binary: KernelBinary) -> Row:
    """The copies in and out count, once for a thousand calls."""
    random = np.random.default_rng(1)
    x, index = random.random(TILE, np.float32), random.integers(0, TILE, TILE)
    out = np.empty_like(x)
    peer = best(lambda: np.take(x, index, out=out, mode="clip"), inner=TIMES)  # without "clip" NumPy copies once more
    kernel, stream, z = Kernel(binary, "gather"), Stream(), Buffer(TILE, np.float32)
    src, offsets = Buffer.from_array(x), Buffer.from_array((index * 4).astype(np.uint32))

    def run() -> None:
        launch(stream, ONE, kernel, src, offsets, z, TILE, TIMES)
        stream.synchronize()

    ours = best(run) / TIMES
    np.testing.assert_array_equal(z.to_numpy(), x[index])
    return Row("gather.float.12Ki", peer / ours, "of numpy.take's speed", 0.3, True, "numpy", f"{ours * 1e9 / TILE:.2f} ns an element")


def _sort(binary: KernelBinary) -> Row:
    scores = np.random.default_rng(2).random(PAIRS, np.float32)
    negative = -scores
    peer = best(lambda: np.argsort(negative, kind="stable"))
    kernel, stream, x = Kernel(binary, "sort"), Stream(), Buffer.from_array(scores)
    y, z = Buffer(2 * PAIRS, np.uint32), Buffer(2 * PAIRS, np.uint32)

    def run() -> None:
        launch(stream, ONE, kernel, x, y, z)
        stream.synchronize()

    ours = best(run)
    np.testing.assert_array_equal(y.to_numpy()[1::2], np.argsort(negative, kind="stable"))
    return Row("sort.float.64Ki", ours / peer, "x numpy.argsort's time", 1, peer="numpy", note=f"{ours * 1e3:.2f} ms")
