# SPDX-License-Identifier: Apache-2.0
"""Vector add, a kernel in Python: add.cpp with the same queues and tiles."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

import aclimb.asc as asc

BLOCKS, LENGTH = 8, 16384
TILE = 256  # elements
BUFFERS = 2  # copy and compute overlap


@asc.jit
def copy_in(gm: asc.GlobalTensor, queue: asc.TQue, offset: int) -> None:
    local = queue.alloc_tensor(gm.dtype)
    asc.data_copy(local, gm[offset:], count=TILE)
    queue.enque(local)


@asc.jit
def compute(x_queue: asc.TQue, y_queue: asc.TQue, z_queue: asc.TQue, dtype: asc.ConstExpr[asc.DataType]) -> None:
    x = x_queue.deque(dtype)
    y = y_queue.deque(dtype)
    z = z_queue.alloc_tensor(dtype)
    asc.add(z, x, y, count=TILE)
    z_queue.enque(z)
    x_queue.free_tensor(x)
    y_queue.free_tensor(y)


@asc.jit
def copy_out(gm: asc.GlobalTensor, queue: asc.TQue, offset: int) -> None:
    local = queue.deque(gm.dtype)
    asc.data_copy(gm[offset:], local, count=TILE)
    queue.free_tensor(local)


@asc.jit
def add(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, length: int) -> None:
    """z = x + y; length is a multiple of the tile times the number of blocks."""
    share = length // asc.get_block_num()
    begin = share * asc.get_block_idx()
    x_gm = asc.GlobalTensor()
    y_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + begin, share)
    y_gm.set_global_buffer(y + begin, share)
    z_gm.set_global_buffer(z + begin, share)
    pipe = asc.TPipe()
    x_queue = asc.TQue(asc.TPosition.VECIN, 1)
    y_queue = asc.TQue(asc.TPosition.VECIN, 1)
    z_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    for queue in (x_queue, y_queue, z_queue):
        pipe.init_buffer(que=queue, num=BUFFERS, len=TILE * x.dtype.sizeof())
    for offset in range(0, share, TILE):
        copy_in(x_gm, x_queue, offset)
        copy_in(y_gm, y_queue, offset)
        compute(x_queue, y_queue, z_queue, x.dtype)
        copy_out(z_gm, z_queue, offset)


def run(dtype: str = "float16") -> tuple[NDArray[Any], NDArray[Any]]:
    """What the device computed, and what NumPy does."""
    random = np.random.default_rng(0)
    x, y = (random.standard_normal(LENGTH).astype(dtype) for _ in range(2))
    z = np.zeros_like(x)
    add[BLOCKS](x, y, z, LENGTH)
    return z, x + y


if __name__ == "__main__":
    got, expected = run()
    print(f"add in Python, {BLOCKS} blocks: {np.count_nonzero(got == expected)} of {got.size} equal to numpy")
