# SPDX-License-Identifier: Apache-2.0
"""A kernel with a missing SetFlag, and the error it gets. The process lives on; the next launch works."""

from pathlib import Path

import numpy as np

from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch
from aclimb.errors import Hang

SOURCE = Path(__file__).with_name("broken_add.cpp")
LENGTH = 1024


def run() -> Hang | None:
    """The error of the launch; None would mean that it went unnoticed."""
    broken_add = Kernel(Program(SOURCE).compile())
    x, y, z = (Buffer.from_array(np.ones(LENGTH, np.float16)) for _ in range(3))
    stream = Stream()
    launch(stream, LaunchConfig(num_blocks=1), broken_add, x, y, z)
    try:
        stream.synchronize()
    except Hang as error:
        return error
    return None


if __name__ == "__main__":
    error = run()
    print(f"{type(error).__name__}: {error}")
    raise SystemExit(error is None)
