# SPDX-License-Identifier: Apache-2.0
"""The result is copied when the kernel has ended."""

from pathlib import Path

import numpy as np

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
result = np.zeros(SIZE // 4, np.float32)
launch(stream, LaunchConfig(num_blocks=1), twice, x, z)
stream.synchronize()
acl.rt.memcpy(result.ctypes.data, SIZE, z, SIZE, 2)
print(result[0])
acl.rt.free(x)
acl.rt.free(z)
acl.rt.reset_device(0)
acl.finalize()
