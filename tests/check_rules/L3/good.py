# SPDX-License-Identifier: Apache-2.0
"""The kernel has ended when its memory is freed."""

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
launch(stream, LaunchConfig(num_blocks=1), twice, x, z)
stream.synchronize()
acl.rt.free(x)
acl.rt.free(z)
acl.rt.reset_device(0)
acl.finalize()
