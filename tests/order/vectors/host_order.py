# SPDX-License-Identifier: Apache-2.0
"""The host's part, done right: M35 drops one of its waits at a time. Each function is a program of its own."""

import numpy as np
from numpy.typing import NDArray

import acl
from aclimb import Buffer, Event, Kernel, LaunchConfig, Stream, launch

BYTES = 4096
DEVICE_TO_HOST = 2
Words = NDArray[np.int32]


def two_streams(kernel: Kernel) -> None:
    """The second stream reads what the first writes, and the first writes again when it has."""
    x, y, z, w = (Buffer.from_array(np.zeros((64, 16), np.int32)) for _ in range(4))
    one, other, written, read = Stream(), Stream(), Event(), Event()
    launch(one, LaunchConfig(4), kernel, x, y, w)
    one.record(written)
    other.wait(written)
    launch(other, LaunchConfig(4), kernel, y, z, w)
    other.record(read)
    one.wait(read)
    launch(one, LaunchConfig(4), kernel, x, y, w)
    for each in (one, other):
        each.synchronize()


def free_at_the_end(kernel: Kernel) -> None:
    x, w = (Buffer.from_array(np.zeros((64, 16), np.int32)) for _ in range(2))
    address, _ = acl.rt.malloc(BYTES, 0)
    stream = Stream()
    launch(stream, LaunchConfig(4), kernel, x, address, w)
    stream.synchronize()
    acl.rt.free(address)


def copy_at_the_end(kernel: Kernel) -> None:
    x, w = (Buffer.from_array(np.zeros((64, 16), np.int32)) for _ in range(2))
    address, _ = acl.rt.malloc(BYTES, 0)
    stream, result = Stream(), np.zeros(BYTES // 4, np.int32)
    launch(stream, LaunchConfig(4), kernel, x, address, w)
    stream.synchronize()
    acl.rt.memcpy(result.ctypes.data, 256, address, 256, DEVICE_TO_HOST)
    launch(stream, LaunchConfig(4), kernel, x, address, w)
    stream.synchronize()
    acl.rt.free(address)
