# SPDX-License-Identifier: Apache-2.0
"""Nothing makes the second stream wait for what the first one writes."""

from pathlib import Path

import numpy as np

from aclimb import Buffer, Event, Kernel, LaunchConfig, Program, Stream, launch

SOURCES = Path(__file__).parents[1]

twice = Kernel(Program(SOURCES / "twice.cpp").compile())
x, y, z = (Buffer.from_array(np.ones(256, np.float32)) for _ in range(3))
one, other, done = Stream(), Stream(), Event()
launch(one, LaunchConfig(num_blocks=1), twice, x, y)
one.record(done)
launch(other, LaunchConfig(num_blocks=1), twice, y, z)
print(z.to_numpy()[0])
