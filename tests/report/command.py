# SPDX-License-Identifier: Apache-2.0
"""A program to profile, and the command as a user types it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

KERNEL = """\
#include "kernel_operator.h"
using namespace AscendC;
#ifndef TILE
#define TILE 1024
#endif
static_assert(TILE <= 32768, "a tile of TILE elements does not fit");

extern "C" __global__ __aicore__ void double_it(GM_ADDR x, uint32_t length) {
    const uint32_t share = length / GetBlockNum();
    GlobalTensor<half> gm;
    gm.SetGlobalBuffer((__gm__ half*)x + GetBlockIdx() * share, share);
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, TILE * sizeof(half));
    LocalTensor<half> local = buffer.Get<half>();
    for (uint32_t i = 0; i < share; i += TILE) {
        DataCopy(local, gm[i], TILE);
        SetFlag<HardEvent::MTE2_V>(0);
        WaitFlag<HardEvent::MTE2_V>(0);
        Add(local, local, local, TILE);
        SetFlag<HardEvent::V_MTE3>(0);
        WaitFlag<HardEvent::V_MTE3>(0);
        DataCopy(gm[i], local, TILE);
        SetFlag<HardEvent::MTE3_MTE2>(0);
        WaitFlag<HardEvent::MTE3_MTE2>(0);
    }
}
"""
LINES = {text.strip(): number for number, text in enumerate(KERNEL.splitlines(), 1)}

PROGRAM = """\
import sys
from pathlib import Path
import numpy as np
from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch

double_it = Kernel(Program(Path(__file__).with_name("double_it.cpp")).compile())
x = (np.arange(65536) % 512).astype(np.float16)
buffer = Buffer.from_array(x)
launch(Stream(), LaunchConfig(num_blocks=4), double_it, buffer, x.size)
right = bool((buffer.to_numpy() == x + x).all())
print("right" if right else "wrong", sys.argv[1:])
"""


def write_program(folder: Path, more: str = "") -> Path:
    (folder / "double_it.cpp").write_text(KERNEL)
    path = folder / "program.py"
    path.write_text(PROGRAM + more)
    return path


def aclimb(folder: Path, *words: object, columns: int = 80, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs `aclimb words...` in a folder."""
    command = [sys.executable, "-m", "aclimb", *map(str, words)]
    settings = {**os.environ, "COLUMNS": str(columns), "NO_COLOR": "1", **environment}
    return subprocess.run(command, cwd=folder, env=settings, capture_output=True, text=True, timeout=600, check=False)
