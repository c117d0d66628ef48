# SPDX-License-Identifier: Apache-2.0
"""What a profile, a check and a stress say of kernels, as JSON: for test_observers.py, which runs it with and without isolation."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np

import aclimb
from aclimb import Buffer, Kernel, LaunchConfig, Profile, Program, Stream, launch
from aclimb.errors import AclimbError
from aclimb.fuse import stress

ROOT = Path(__file__).parents[2]
# Nothing makes Adds wait for the copy; the line behind it prints, the last one has no memory to write to.
SOURCE = """
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void careless(GM_ADDR x, GM_ADDR y, uint32_t faulty) {
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 256);
    LocalTensor<float> local = buffer.Get<float>();
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * 64);
    to.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * 64);
    DataCopy(local, from, 64);
    Adds(local, local, 1.0f, 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(to, local, 64);
    printf("block %d\\n", (int)GetBlockIdx());
    if (faulty) *(__gm__ int*)nullptr = 1;
}
"""


def same(text: str) -> str:
    return re.sub(r"0x[0-9a-f]{9,}", "<address>", text)


def careless(faulty: int) -> None:
    x, y = Buffer.from_array(np.arange(128, dtype=np.float32)), Buffer(128, np.float32)
    stream = Stream()
    blocks = 1 if faulty else 2  # a fault of one ends the other sooner or later
    launch(stream, LaunchConfig(blocks), Kernel(Program(SOURCE, name="careless").compile()), x, y, faulty)
    stream.synchronize()


def profiled(scalar: bool) -> list[Any]:
    kernel = Kernel(Program(ROOT / "examples" / "add" / "add.cpp").compile())
    x, y, z = (Buffer.from_array(np.ones(16384, np.float16)) for _ in range(3))
    stream = Stream()
    with Profile(scalar=scalar) as profile:
        for _ in range(2):
            launch(stream, LaunchConfig(num_blocks=8), kernel, x, y, z, 2048)
        stream.synchronize()
    return [[each.task_us, [(core.start, core.end) for core in each.cores], [f"{stall} {stall.at}" for stall in each.stalls]]
            for each in profile.launches]  # fmt: skip


def checked() -> list[str]:
    with aclimb.check() as check:
        careless(0)
    return [same(check.report())]


def stressed() -> list[str]:
    x, y = Buffer.from_array(np.arange(128, dtype=np.float32)), Buffer.from_array(np.zeros(128, np.float32))
    kernel, config = Kernel(Program(SOURCE, name="careless").compile()), LaunchConfig(num_blocks=2)
    reports = [stress(kernel, x, y, 0, config=config, seeds=range(8)), stress(kernel, x, y, 0, config=config, schedules=40)]
    return [same(str(each)) for each in reports]


def faulted() -> list[str]:
    try:
        careless(1)
    except AclimbError as error:
        return [same(str(error)), *error.__notes__]
    return []


if __name__ == "__main__":
    asked = {"profile": lambda: profiled(False), "scalar": lambda: profiled(True), "check": checked, "stress": stressed, "fault": faulted}
    print(json.dumps(asked[sys.argv[1]]()))
