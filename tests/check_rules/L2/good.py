# SPDX-License-Identifier: Apache-2.0
"""The memory of a recorded launch stays as long as the record."""

from pathlib import Path

import acl
from aclimb import Kernel, LaunchConfig, Program, Stream, launch

SIZE = 1024  # bytes
twice = Kernel(Program(Path(__file__).parents[1] / "twice.cpp").compile())
acl.init()
acl.rt.set_device(0)
stream = Stream()
x, _ = acl.rt.malloc(SIZE, 0)
z, _ = acl.rt.malloc(SIZE, 0)
acl.rt.memset(x, SIZE, 0, SIZE)
with stream.capture() as graph:
    launch(stream, LaunchConfig(num_blocks=1), twice, x, z)
other, _ = acl.rt.malloc(SIZE, 0)
acl.rt.memset(other, SIZE, 0, SIZE)
graph.launch(stream)
stream.synchronize()
acl.rt.free(other)
acl.rt.free(x)
acl.rt.free(z)
acl.rt.reset_device(0)
acl.finalize()
