# SPDX-License-Identifier: Apache-2.0
"""LayerNorm of rows by the library, a kernel in Python: layer_norm.cpp with the same tiles and scratch."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

import aclimb.asc as asc
from aclimb.asc.runtime import config
from aclimb.tiling import library

ROWS, COLUMNS, EPSILON = 1001, 1024, 1e-5
UB, BUFFERS = 192 << 10, 2


class Plan(asc.Struct):
    whole = asc.StructField(asc.adv.LayerNormTiling)  # of a tile, and of the last one, which may have fewer rows
    last = asc.StructField(asc.adv.LayerNormTiling)
    tiles = asc.Field(asc.int32)
    rows = asc.Field(asc.int32)
    columns = asc.Field(asc.int32)
    scratch = asc.Field(asc.int32)
    epsilon = asc.Field(asc.float32)


@asc.jit
def layer_norm(x: asc.GlobalAddress, gamma: asc.GlobalAddress, beta: asc.GlobalAddress, y: asc.GlobalAddress, mean: asc.GlobalAddress,
               variance: asc.GlobalAddress, plan: Any) -> None:  # fmt: skip
    dtype = x.dtype
    x_gm = asc.GlobalTensor()
    y_gm = asc.GlobalTensor()
    mean_gm = asc.GlobalTensor()
    variance_gm = asc.GlobalTensor()
    gamma_gm = asc.GlobalTensor()
    beta_gm = asc.GlobalTensor()
    for tensor, address in ((x_gm, x), (y_gm, y), (mean_gm, mean), (variance_gm, variance), (gamma_gm, gamma), (beta_gm, beta)):
        tensor.set_global_buffer(address)
    pipe = asc.TPipe()
    in_queue = asc.TQue(asc.TPosition.VECIN, 1)
    weights_queue = asc.TQue(asc.TPosition.VECIN, 1)
    out_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    numbers_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    scratch_buffer = asc.TBuf(asc.TPosition.VECCALC)
    numbers_room = (plan.rows + 15) // 16 * 16  # room for one number of each row
    tile_bytes = plan.rows * plan.columns * dtype.sizeof()
    pipe.init_buffer(in_queue, BUFFERS, tile_bytes)
    pipe.init_buffer(out_queue, BUFFERS, tile_bytes)
    pipe.init_buffer(numbers_queue, BUFFERS, 2 * numbers_room * dtype.sizeof())  # means, and variances behind them
    pipe.init_buffer(weights_queue, 1, 2 * plan.columns * dtype.sizeof())  # gamma, and beta behind it
    pipe.init_buffer(scratch_buffer, plan.scratch)
    scratch = scratch_buffer.get(asc.uint8)

    weights = weights_queue.alloc_tensor(dtype)
    asc.data_copy(weights, gamma_gm, plan.columns)
    asc.data_copy(weights[plan.columns :], beta_gm, plan.columns)
    weights_queue.enque(weights)
    weights = weights_queue.deque(dtype)
    tile = asc.get_block_idx()
    while tile < plan.tiles:
        tiling = plan.whole if tile + 1 < plan.tiles else plan.last
        rows = (tiling.b_length * tiling.s_length).cast(asc.int32)
        first = tile * plan.rows
        x_local = in_queue.alloc_tensor(dtype)
        asc.data_copy(x_local, x_gm[first * plan.columns :], rows * plan.columns)
        in_queue.enque(x_local)

        x_local = in_queue.deque(dtype)
        y_local = out_queue.alloc_tensor(dtype)
        numbers = numbers_queue.alloc_tensor(dtype)
        epsilon = plan.epsilon
        asc.adv.layer_norm(y_local, numbers, numbers[numbers_room:], x_local, weights, weights[plan.columns :], scratch, epsilon, tiling)
        in_queue.free_tensor(x_local)
        out_queue.enque(y_local)
        numbers_queue.enque(numbers)

        y_local = out_queue.deque(dtype)
        numbers = numbers_queue.deque(dtype)
        packed = asc.DataCopyExtParams(1, rows * dtype.sizeof(), 0, 0, 0)
        asc.data_copy(y_gm[first * plan.columns :], y_local, rows * plan.columns)
        asc.data_copy_pad(mean_gm[first:], numbers, packed)
        asc.data_copy_pad(variance_gm[first:], numbers[numbers_room:], packed)
        out_queue.free_tensor(y_local)
        numbers_queue.free_tensor(numbers)
        tile += asc.get_block_num()


def plan_for(rows: int, columns: int, size: int) -> Plan:
    """Tiles of as many rows as fit; `size`: bytes of a number."""

    def scratch_of(tile: int) -> int:
        return int(library.get_layer_norm_max_min_tmp_size((1, tile, columns, columns), size)[0])

    def bytes_of(tile: int) -> int:
        return BUFFERS * 2 * (tile * columns + -(-tile // 16) * 16) * size + 2 * columns * size + scratch_of(tile)

    tile = max(each for each in range(1, 256) if bytes_of(each) <= UB)
    tiles = -(-rows // tile)
    shapes = ((1, each, columns, columns) for each in (tile, rows - (tiles - 1) * tile))
    tilings = [library.get_layer_norm_nd_tiling_info(shape, scratch_of(tile), size).pack() for shape in shapes]
    whole, last = (asc.adv.LayerNormTiling.unpack(each) for each in tilings)
    return Plan(whole=whole, last=last, tiles=tiles, rows=tile, columns=columns, scratch=scratch_of(tile), epsilon=EPSILON)


def run(dtype: str = "float32", rows: int = ROWS, columns: int = COLUMNS) -> tuple[NDArray[Any], NDArray[Any]]:
    """What the device computed, and what NumPy does in double precision: y, with a column for the means and one for the variances."""
    random = np.random.default_rng(5)
    x = random.normal(0.5, 2, (rows, columns)).astype(dtype)
    gamma, beta = (random.normal(1, 0.5, columns).astype(dtype) for _ in range(2))
    y, mean, variance = np.zeros_like(x), np.zeros(rows, dtype), np.zeros(rows, dtype)
    layer_norm[config.device().chip.aiv_cores](x, gamma, beta, y, mean, variance, plan_for(rows, columns, x.itemsize))
    wide = x.astype(np.float64)
    middle, spread = wide.mean(axis=1), wide.var(axis=1)
    expected = (wide - middle[:, None]) / np.sqrt(spread + float(np.asarray(EPSILON, dtype)))[:, None] * gamma + beta
    return np.column_stack((y, mean, variance)), np.column_stack((expected, middle, spread))


if __name__ == "__main__":
    got, expected = run()
    print(f"layer_norm in Python: {np.count_nonzero(np.isclose(got, expected, rtol=2e-5, atol=2e-5))} of {got.size} close to numpy")
