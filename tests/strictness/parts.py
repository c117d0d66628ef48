# SPDX-License-Identifier: Apache-2.0
"""Runs a kernel of rows.cpp, strict or as lax as hardware, and keeps what the log says."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from aclimb import Buffer, Kernel, KernelBinary, LaunchConfig, Program, Stream, launch

ROWS = Path(__file__).with_name("rows.cpp")
LENGTH = 128
CHIP_RUNS = (
    '\n    a chip would run it; to allow it: LaunchConfig(strictness="hardware") for one launch, ACLIMB_STRICTNESS=hardware for a program'
)
X = np.arange(1, LENGTH + 1, dtype=np.float32)


@cache
def binary() -> KernelBinary:
    return Program(ROWS).compile()


def new_kernel(name: str) -> Kernel:
    """Newly loaded: its lines have not been logged."""
    return Kernel(binary(), name)


def run(kernel: Kernel, strictness: str | None, *more: Any, blocks: int = 1, x: np.ndarray = X, stream: Stream | None = None) -> np.ndarray:
    """z after kernel(x, z, *more); z begins as zeros."""
    source, target = Buffer.from_array(x), Buffer.from_array(np.zeros(LENGTH, np.float32))
    stream = stream or Stream()
    launch(stream, LaunchConfig(num_blocks=blocks, strictness=strictness), kernel, source, target, *more)
    stream.synchronize()
    return target.to_numpy()


def plain(text: str) -> str:
    """Without what differs from run to run: addresses, and lines of rows.cpp."""
    text = re.sub(r"0x[0-9a-f]{9,}", "<address>", text)
    return re.sub(r"rows\.cpp:\d+ ", "rows.cpp:N ", text)
