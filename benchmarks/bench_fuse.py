# SPDX-License-Identifier: Apache-2.0
"""Fusing eight kernels, and running them: one launch of the SuperKernel beside eight launches. Host time, from the first launch to the end
of synchronize()."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

from aclimb import Buffer, Kernel, KernelBinary, LaunchConfig, Program, Stream, launch
from aclimb.fuse import Member, forget, fuse, plan_of
from benchmarks.harness import Row, bench, best, median

COUNT, BLOCKS, LENGTH = 8, 8, 256
SOURCE = """
#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __vector__ void add_{index}(GM_ADDR x, GM_ADDR y) {{
    GlobalTensor<half> from, to;
    from.SetGlobalBuffer((__gm__ half*)x + GetBlockIdx() * 256, 256);
    to.SetGlobalBuffer((__gm__ half*)y + GetBlockIdx() * 256, 256);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> inputs;
    TQue<TPosition::VECOUT, 1> outputs;
    pipe.InitBuffer(inputs, 1, 512);
    pipe.InitBuffer(outputs, 1, 512);
    WaitPreTaskEnd();
    LocalTensor<half> a = inputs.AllocTensor<half>();
    DataCopy(a, from, 256);
    inputs.EnQue(a);
    a = inputs.DeQue<half>();
    LocalTensor<half> b = outputs.AllocTensor<half>();
    Adds(b, a, (half){index}, 256);
    outputs.EnQue(b);
    inputs.FreeTensor(a);
    b = outputs.DeQue<half>();
    DataCopy(to, b, 256);
    SetNextTaskStart();
    outputs.FreeTensor(b);
}}
"""


@bench("fuse")
def fusing() -> Iterable[Row]:
    binaries = [Program(SOURCE.format(index=index)).compile() for index in range(COUNT)]
    files = [binary.save(Path("benchmarks/results") / f"add_{index}.o") for index, binary in enumerate(binaries)]
    members = [Member(binary, BLOCKS) for binary in binaries]
    yield Row("fuse.eight_cold", 1e3 * _cold(lambda: fuse([Member(KernelBinary.read(path), BLOCKS) for path in files])), "ms", 100,
              note="eight files read, checked and fused")  # fmt: skip
    yield Row("fuse.eight_cached", 1e3 * best(lambda: fuse(members), pause=0.1), "ms", 5, note="the same call again")
    yield from _running(binaries)
    for path in files:
        path.unlink()
        path.with_suffix(".json").unlink()


def _cold(run: Callable[[], object]) -> float:
    times = []
    for _ in range(7):
        forget()
        started = time.perf_counter()
        run()
        times.append(time.perf_counter() - started)
    return median(times)


def _running(binaries: list[KernelBinary]) -> Iterable[Row]:
    stream = Stream()
    buffers = [Buffer.from_array(np.zeros(BLOCKS * LENGTH, np.float16)) for _ in range(COUNT + 1)]
    kernels = [Kernel(binary) for binary in binaries]
    fused = Kernel(fuse([(binary, BLOCKS) for binary in binaries]))
    config = LaunchConfig(plan_of(fused.binary).num_blocks)
    arguments = [each for i in range(COUNT) for each in (buffers[i], buffers[i + 1])]

    def separately() -> None:
        for i, kernel in enumerate(kernels):
            launch(stream, config, kernel, buffers[i], buffers[i + 1])
        stream.synchronize()

    def at_once() -> None:
        launch(stream, config, fused, *arguments)
        stream.synchronize()

    pairs = [(best(separately, 1, 50, pause=0), best(at_once, 1, 50, pause=0)) for _ in range(25)]  # in turns: both meet the same host
    yield Row("fuse.run_separate", 1e6 * median([one for one, _ in pairs]), "us", note="eight launches of eight blocks")
    yield Row("fuse.run_fused", 1e6 * median([two for _, two in pairs]), "us", note="one launch of the same")
    yield Row("fuse.run_ratio", median([two / one for one, two in pairs]), "x", 1.0, note="fused beside separate")
