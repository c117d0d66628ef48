# SPDX-License-Identifier: Apache-2.0
"""Softmax of every row, a kernel in Python: softmax.cpp with the same steps."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

import aclimb.asc as asc

BLOCKS, ROWS, COLUMNS = 8, 100, 1000


@asc.jit
def compute(in_queue: asc.TQue, out_queue: asc.TQue, row: asc.LocalTensor, work: asc.LocalTensor, result: asc.LocalTensor, count: int,
            dtype: asc.ConstExpr[asc.DataType]) -> None:  # fmt: skip
    x = in_queue.deque(dtype)
    if dtype == asc.float32:
        asc.adds(row, x, 0.0, count)
    else:
        asc.cast(row, x, asc.RoundMode.CAST_NONE, count)
    in_queue.free_tensor(x)

    # Subtracting the largest value keeps exp from overflowing.
    asc.reduce_max(result, row, work, count)
    asc.adds(row, row, -result.get_value(0), count)
    asc.exp(row, row, count)
    asc.reduce_sum(result, row, work, count)
    asc.muls(row, row, 1.0 / result.get_value(0), count)

    y = out_queue.alloc_tensor(dtype)
    if dtype == asc.float32:
        asc.adds(y, row, 0.0, count)
    else:
        asc.cast(y, row, asc.RoundMode.CAST_RINT, count)
    out_queue.enque(y)


@asc.jit
def softmax(x: asc.GlobalAddress, y: asc.GlobalAddress, rows: int, columns: int) -> None:
    x_gm = asc.GlobalTensor()
    y_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, rows * columns)
    y_gm.set_global_buffer(y, rows * columns)
    pipe = asc.TPipe()
    in_queue = asc.TQue(asc.TPosition.VECIN, 1)
    out_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    row_buffer = asc.TBuf(asc.TPosition.VECCALC)
    work_buffer = asc.TBuf(asc.TPosition.VECCALC)
    result_buffer = asc.TBuf(asc.TPosition.VECCALC)
    size = columns * x.dtype.sizeof()
    pipe.init_buffer(in_queue, 2, size)
    pipe.init_buffer(out_queue, 2, size)
    pipe.init_buffer(row_buffer, columns * 4)
    pipe.init_buffer(work_buffer, columns * 4)
    pipe.init_buffer(result_buffer, 32)
    row = row_buffer.get(asc.float32)
    work = work_buffer.get(asc.float32)
    result = result_buffer.get(asc.float32)
    one_row = asc.DataCopyExtParams(1, size, 0, 0, 0)
    number = asc.get_block_idx()
    while number < rows:
        x_local = in_queue.alloc_tensor(x.dtype)
        asc.data_copy_pad(x_local, x_gm[number * columns :], one_row, asc.DataCopyPadExtParams(x.dtype))
        in_queue.enque(x_local)
        compute(in_queue, out_queue, row, work, result, columns, x.dtype)
        y_local = out_queue.deque(y.dtype)
        asc.data_copy_pad(y_gm[number * columns :], y_local, one_row)
        out_queue.free_tensor(y_local)
        number += asc.get_block_num()


def run(dtype: str = "float32", columns: int = COLUMNS) -> tuple[NDArray[Any], NDArray[Any]]:
    """What the device computed, and what NumPy does."""
    x = np.random.default_rng(3).normal(scale=3, size=(ROWS, columns)).astype(dtype)
    y = np.zeros_like(x)
    softmax[BLOCKS](x, y, ROWS, columns)
    exp = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
    return y, (exp / exp.sum(axis=1, keepdims=True)).astype(dtype)


if __name__ == "__main__":
    got, expected = run()
    print(
        f"softmax in Python, {BLOCKS} blocks: {np.count_nonzero(np.isclose(got, expected, rtol=1e-5, atol=0))} of {got.size} close to numpy"
    )
