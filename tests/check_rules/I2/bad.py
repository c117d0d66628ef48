# SPDX-License-Identifier: Apache-2.0
"""The kernel adds to memory that nobody has written."""

from pathlib import Path

import numpy as np

from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch

SOURCES = Path(__file__).parents[1]

add_to = Kernel(Program(SOURCES / "add_to.cpp").compile())
x = Buffer.from_array(np.ones(256, np.float32))
total = Buffer(256, np.float32)
stream = Stream()
launch(stream, LaunchConfig(num_blocks=1), add_to, x, total)
print(total.to_numpy()[0])
