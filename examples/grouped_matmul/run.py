# SPDX-License-Identifier: Apache-2.0
"""Groups of rows, each multiplied with a matrix of its own: bytes in, half out, a scale for each group and column."""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aclimb import Buffer, Device, Kernel, LaunchConfig, Program, Stream, launch
from aclimb.tiling import CubeFormat, DataType, DequantType, MatmulApiTiling, TCubeTiling, TPosition

SOURCE = Path(__file__).with_name("grouped_matmul.cpp")
BLOCKS, ROWS, N, K = 4, (37, 0, 200, 1, 90, 128), 320, 96


@cache
def kernel() -> Kernel:
    return Kernel(Program(SOURCE).compile())


def cut(rows: int, n: int, k: int, tile: tuple[int, int]) -> TCubeTiling:
    """Of one tile, in matrices of this size."""
    tiler = MatmulApiTiling(Device().chip.name)
    tiler.set_a_type(TPosition.GM, CubeFormat.ND, DataType.DT_INT8)
    tiler.set_b_type(TPosition.GM, CubeFormat.ND, DataType.DT_INT8)
    tiler.set_c_type(TPosition.GM, CubeFormat.ND, DataType.DT_FLOAT16)
    tiler.set_dequant_type(DequantType.TENSOR)
    tiler.set_org_shape(rows, n, k)
    tiler.set_shape(*tile, k)
    return tiler.get_tiling()


def words(scales: NDArray[Any]) -> NDArray[Any]:
    """Quantisation words: the bits of a float, of whose mantissa the chip takes 10."""
    return (scales.view(np.uint32) & 0xFFFFE000).astype(np.uint64)


def multiply(
    stream: Stream, a: Buffer, b: Buffer, scales: Buffer, ends: Buffer, *, blocks: int, tile: tuple[int, int], waits: bool
) -> Buffer:
    (rows, k), (groups, _, n) = a.shape, b.shape
    c = Buffer((rows, n), np.float16)
    tiling = cut(rows, n, k, tile)
    launch(stream, LaunchConfig(num_blocks=blocks), kernel(), a, b, scales, ends, c, tiling, groups, int(waits))
    return c


def reference(a: NDArray[Any], b: NDArray[Any], scales: NDArray[Any], ends: NDArray[Any]) -> NDArray[Any]:
    factors = scales.astype(np.uint32).view(np.float32).astype(np.float64)
    parts = np.split(a.astype(np.int32), ends[:-1])
    products = [part @ each.astype(np.int32) * factor for part, each, factor in zip(parts, b, factors, strict=True)]
    return np.concatenate(products).astype(np.float16)


def run(
    rows: tuple[int, ...] = ROWS, n: int = N, k: int = K, blocks: int = BLOCKS, *, waits: bool = False, stream: Stream | None = None
) -> tuple[NDArray[Any], NDArray[Any]]:
    """What the device computed, and what NumPy does. Sums below 2^13 times 11 bits of scale are exact; only half rounds."""
    random = np.random.default_rng(8)
    a = random.integers(-8, 9, (sum(rows), k)).astype(np.int8)
    b = random.integers(-8, 9, (len(rows), k, n)).astype(np.int8)
    scales = words(random.uniform(0.01, 2, (len(rows), n)).astype(np.float32))
    ends = np.cumsum(rows, dtype=np.int32)
    inputs = map(Buffer.from_array, (a, b, scales, ends))
    c = multiply(stream or Stream(), *inputs, blocks=blocks, tile=(64, 128), waits=waits)
    return c.to_numpy(), reference(a, b, scales, ends)


if __name__ == "__main__":
    got, expected = run()
    equal = int(np.count_nonzero(got == expected))
    where = f"{Device().chip.name} (modelled), {BLOCKS:>2} blocks"
    print(f"grouped_matmul     {where}   {equal} of {got.size} equal to numpy")
    raise SystemExit(equal != got.size)
