# SPDX-License-Identifier: Apache-2.0
"""Attention with two Matmul objects in one mixed kernel, in Python: flash_attention.cpp with the same steps."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

import aclimb.asc as asc
import aclimb.asc.lib.host as host
from aclimb import Buffer
from aclimb.asc.runtime import config

BLOCKS, HEADS, LENGTH, DEPTH = 2, 2, 700, 128
NOTHING = -1e37  # a score that adds nothing
LANES, BLOCK = 64, 8  # floats of one repeat, and of 32 bytes
GM, ND = asc.TPosition.GM, asc.CubeFormat.ND
Tensor = asc.LocalTensor


class Shape(asc.Struct):
    scores = asc.StructField(asc.adv.TCubeTiling)  # of one step
    product = asc.StructField(asc.adv.TCubeTiling)
    heads = asc.Field(asc.int32)
    length = asc.Field(asc.int32)
    rows = asc.Field(asc.int32)  # of one step: of q, and of k and v
    columns = asc.Field(asc.int32)
    slice = asc.Field(asc.int32)  # rows that are in UB at a time
    buffers = asc.Field(asc.int32)
    ahead = asc.Field(asc.int32)
    scale = asc.Field(asc.float32)


# --- float matrices in UB, row by row; a number for each row is spread to the 32 bytes of a block


@asc.jit
def spread_out(spread: Tensor, numbers: Tensor, count: int) -> None:
    asc.brcb(spread, numbers, count // BLOCK, asc.BrcbRepeatParams(1, BLOCK))


@asc.jit
def mul_add(matrix: Tensor, rows: int, columns: int, factor: Tensor, addend: Tensor) -> None:
    """matrix = matrix * factor + addend, both spread."""
    for column in range(0, columns, LANES):
        asc.fused_mul_add(matrix[column:], factor, addend, LANES, rows, asc.BinaryRepeatParams(1, 0, 0, columns // BLOCK, 1, 1))


@asc.jit
def mul_add_matrix(matrix: Tensor, rows: int, factor: Tensor, other: Tensor) -> None:
    """matrix = matrix * factor + other, the factor spread."""
    for column in range(0, DEPTH, LANES):
        asc.fused_mul_add(
            matrix[column:], factor, other[column:], LANES, rows, asc.BinaryRepeatParams(1, 0, 1, DEPTH // BLOCK, 1, DEPTH // BLOCK)
        )


@asc.jit
def divide(matrix: Tensor, rows: int, divisor: Tensor) -> None:
    for column in range(0, DEPTH, LANES):
        asc.div(matrix[column:], matrix[column:], divisor, LANES, rows, asc.BinaryRepeatParams(1, 1, 0, DEPTH // BLOCK, DEPTH // BLOCK, 1))


@asc.jit
def reduce(numbers: Tensor, matrix: Tensor, rows: int, columns: int, folded: Tensor, greatest: asc.ConstExpr[bool]) -> None:
    """The largest number or the sum of each row. All columns are folded to 64 first."""
    for column in range(LANES, columns, LANES):
        first = column == LANES
        params = asc.BinaryRepeatParams(1, 1, 1, BLOCK, columns // BLOCK if first else BLOCK, columns // BLOCK)
        if greatest:
            asc.max(folded, matrix if first else folded, matrix[column:], LANES, rows, params)
        else:
            asc.add(folded, matrix if first else folded, matrix[column:], LANES, rows, params)
    if greatest:
        asc.whole_reduce_max(numbers, folded, LANES, rows, 1, 1, BLOCK, asc.ReduceOrder.ORDER_ONLY_VALUE)
    else:
        asc.whole_reduce_sum(numbers, folded, LANES, rows, 1, 1, BLOCK)


@asc.jit
def fill(matrix: Tensor, rows: int, columns: int, begin: int) -> None:
    """From a column on, everything is a score that adds nothing."""
    for column in range(begin // LANES * LANES, columns, LANES):
        every = asc.number(2**64 - 1, asc.uint64)
        asc.duplicate(matrix[column:], NOTHING, [every << (begin - column if begin > column else 0), 0], rows, 1, columns // BLOCK)


@asc.jit
def flash_attention(q: asc.GlobalAddress, k: asc.GlobalAddress, v: asc.GlobalAddress, o: asc.GlobalAddress, workspace: asc.GlobalAddress,
                    probabilities: asc.GlobalAddress, shape: Any) -> None:  # fmt: skip
    pipe = asc.TPipe()
    half = asc.adv.MatmulType(GM, ND, asc.float16)
    single = asc.adv.MatmulType(GM, ND, asc.float32)
    setting = asc.adv.get_mdl_config()
    scores_mm = asc.adv.Matmul(half, asc.adv.MatmulType(GM, ND, asc.float16, True), single, single, setting)
    product_mm = asc.adv.Matmul(half, half, single, single, setting)
    asc.adv.register_matmul(pipe, None, scores_mm, shape.scores, product_mm, shape.product)  # the AIC serves here

    aiv = asc.get_block_idx()
    aivs = (asc.get_block_num() * asc.get_task_ratio()).cast(asc.int32)
    q_parts = asc.ceildiv(shape.length, shape.rows)
    k_parts = asc.ceildiv(shape.length, shape.columns)
    items = shape.heads * q_parts  # an AIV takes every aivs-th
    steps = asc.ceildiv(items - aiv, aivs) * k_parts if aiv < items else 0
    rows_of_slice = shape.slice
    columns = shape.columns

    def take(count: int) -> Tensor:
        buffer = asc.TBuf(asc.TPosition.VECCALC)
        pipe.init_buffer(buffer, count * 4)
        return buffer.get(asc.float32)

    width = max(columns, DEPTH)
    in_queue = asc.TQue(asc.TPosition.VECIN, 1)
    out_queue = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(in_queue, shape.buffers, rows_of_slice * width * 4)
    pipe.init_buffer(out_queue, shape.buffers, rows_of_slice * width * 2)
    numbers = take(rows_of_slice)
    spread = take(rows_of_slice * BLOCK)
    scale = take(rows_of_slice * BLOCK)
    folded = take(rows_of_slice * LANES)
    o_rows = take(shape.rows * DEPTH)
    maximum = take(shape.rows)
    sums = take(2 * shape.rows)
    fades = take(2 * shape.rows)
    asc.duplicate(scale, shape.scale, rows_of_slice * BLOCK)
    written = pipe.alloc_event_id(asc.HardEvent.MTE3_S)

    q_gm = asc.GlobalTensor()
    k_gm = asc.GlobalTensor()
    v_gm = asc.GlobalTensor()
    o_gm = asc.GlobalTensor()
    scores_gm = asc.GlobalTensor()
    product_gm = asc.GlobalTensor()
    p_gm = asc.GlobalTensor()
    for tensor, address in ((q_gm, q), (k_gm, k), (v_gm, v), (o_gm, o)):
        tensor.set_global_buffer(address)
    of_scores = 2 * shape.rows * columns  # of two steps
    of_product = 2 * shape.rows * DEPTH
    scores_gm.set_global_buffer(workspace + aiv * (of_scores + of_product), of_scores)
    product_gm.set_global_buffer(workspace + (aiv * (of_scores + of_product) + of_scores), of_product)
    p_gm.set_global_buffer(probabilities + aiv * of_scores, of_scores)

    # --- where a step is

    def first_row(step: int) -> int:
        return (aiv + step // k_parts * aivs) % q_parts * shape.rows

    def rows_of(step: int) -> int:
        return min(shape.rows, shape.length - first_row(step))

    def columns_of(step: int) -> int:
        return min(columns, shape.length - step % k_parts * columns)

    def at(step: int, row: int) -> int:
        return ((aiv + step // k_parts * aivs) // q_parts * shape.length + row) * DEPTH

    # --- what the AIC does

    def set_scores(step: int) -> None:
        scores_mm.set_tail(rows_of(step), columns_of(step))
        scores_mm.set_tensor_a(q_gm[at(step, first_row(step)) :])
        scores_mm.set_tensor_b(k_gm[at(step, step % k_parts * columns) :], True)

    def set_product(step: int, side: int) -> None:
        product_mm.set_tail(rows_of(step), -1, columns_of(step))
        product_mm.set_tensor_a(p_gm[side * (of_scores // 2) :])
        product_mm.set_tensor_b(v_gm[at(step, step % k_parts * columns) :])

    def ask_scores(step: int) -> None:
        set_scores(step)
        scores_mm.iterate_all(scores_gm[step % 2 * (of_scores // 2) :], sync=False, wait_iterate_all=True)

    # --- what the AIV does

    def store(gm: asc.GlobalTensor, values: Tensor, count: int) -> None:
        local = out_queue.alloc_tensor(asc.float16)
        asc.cast(local, values, asc.RoundMode.CAST_RINT, count)
        out_queue.enque(local)
        ready = out_queue.deque(asc.float16)
        asc.data_copy(gm, ready, count)
        out_queue.free_tensor(ready)

    def fetch(gm: asc.GlobalTensor, count: int) -> Tensor:
        local = in_queue.alloc_tensor(asc.float32)
        asc.data_copy(local, gm, count)
        in_queue.enque(local)
        return in_queue.deque(asc.float32)

    def make_probabilities(step: int, side: int) -> None:
        """When it ends, p is in global memory, where the AIC reads it."""
        count = rows_of_slice * columns
        for part in range(asc.ceildiv(rows_of(step), rows_of_slice)):
            row = part * rows_of_slice
            scores = fetch(scores_gm[side * (of_scores // 2) + row * columns :], count)
            fill(scores, rows_of_slice, columns, columns_of(step))  # behind the end of k: left over from another step
            top = maximum[row:]
            fade = fades[step % 2 * shape.rows + row :]
            total = sums[step // k_parts % 2 * shape.rows + row :]
            if step % k_parts == 0:
                reduce(top, scores, rows_of_slice, columns, folded, True)
            else:
                reduce(numbers, scores, rows_of_slice, columns, folded, True)
                asc.max(numbers, numbers, top, rows_of_slice)
                asc.sub(fade, top, numbers, rows_of_slice)
                asc.muls(fade, fade, shape.scale, rows_of_slice)
                asc.exp(fade, fade, rows_of_slice)
                asc.adds(top, numbers, 0.0, rows_of_slice)
            asc.muls(numbers, top, -shape.scale, rows_of_slice)
            spread_out(spread, numbers, rows_of_slice)
            mul_add(scores, rows_of_slice, columns, scale, spread)
            asc.exp(scores, scores, count)
            if step % k_parts == 0:
                reduce(total, scores, rows_of_slice, columns, folded, False)
            else:
                reduce(numbers, scores, rows_of_slice, columns, folded, False)
                asc.fused_mul_add(total, fade, numbers, rows_of_slice)
            store(p_gm[side * (of_scores // 2) + row * columns :], scores, count)
            in_queue.free_tensor(scores)
        asc.set_flag(asc.HardEvent.MTE3_S, written)
        asc.wait_flag(asc.HardEvent.MTE3_S, written)

    def join(step: int, side: int) -> None:
        for part in range(asc.ceildiv(rows_of(step), rows_of_slice)):
            row = part * rows_of_slice
            made = fetch(product_gm[side * (of_product // 2) + row * DEPTH :], rows_of_slice * DEPTH)
            target = o_rows[row * DEPTH :]
            if step % k_parts == 0:
                asc.adds(target, made, 0.0, rows_of_slice * DEPTH)
            else:
                spread_out(spread, fades[step % 2 * shape.rows + row :], rows_of_slice)
                mul_add_matrix(target, rows_of_slice, spread, made)
            in_queue.free_tensor(made)
            if step % k_parts == k_parts - 1:
                spread_out(spread, sums[step // k_parts % 2 * shape.rows + row :], rows_of_slice)
                divide(target, rows_of_slice, spread)
                store(o_gm[at(step, first_row(step) + row) :], target, min(rows_of_slice, rows_of(step) - row) * DEPTH)

    if shape.ahead == 0:
        for step in range(steps):
            set_scores(step)
            scores_mm.iterate_all(scores_gm)
            make_probabilities(step, 0)
            set_product(step, 0)
            product_mm.iterate_all(product_gm)
            join(step, 0)
    else:  # the AIV never waits for what it has just asked for; each of two steps has a side of its own in the workspace
        if steps > 0:
            ask_scores(0)
        for step in range(steps):
            if step + 1 < steps:
                ask_scores(step + 1)
            scores_mm.wait_iterate_all()
            side = step % 2
            make_probabilities(step, side)
            set_product(step, side)
            product_mm.iterate_all(product_gm[side * (of_product // 2) :], sync=False, wait_iterate_all=True)
            if step > 0:
                product_mm.wait_iterate_all()
                join(step - 1, (step - 1) % 2)
        if steps > 0:
            product_mm.wait_iterate_all()
            join(steps - 1, (steps - 1) % 2)
    scores_mm.end()
    product_mm.end()


def cut(m: int, n: int, k: int, turned: bool) -> Any:
    """One product of an AIV; `turned`: B lies there as [n, k]."""
    tiler = host.MatmulApiTiling(host.get_ascendc_platform())
    tiler.set_a_type(host.TPosition.GM, host.CubeFormat.ND, asc.float16)
    tiler.set_b_type(host.TPosition.GM, host.CubeFormat.ND, asc.float16, turned)
    tiler.set_c_type(host.TPosition.GM, host.CubeFormat.ND, asc.float32)
    tiler.set_shape(m, n, k)
    tiling = asc.adv.TCubeTiling()
    assert tiler.get_tiling(tiling) == 0, tiler.why
    return tiling


def run(rows: int = 128, columns: int = 512, slice: int = 16, buffers: int = 2, ahead: bool = True) -> tuple[NDArray[Any], NDArray[Any]]:
    """What the device computed, and what NumPy does in double precision."""
    random = np.random.default_rng(17)
    q, k, v = (random.standard_normal((HEADS, LENGTH, DEPTH)).astype(np.float16) for _ in range(3))
    o = np.zeros_like(q)
    shape = Shape(
        scores=cut(rows, columns, DEPTH, True), product=cut(rows, DEPTH, columns, False), heads=HEADS, length=LENGTH, rows=rows,
        columns=columns, slice=slice, buffers=buffers, ahead=int(ahead), scale=DEPTH**-0.5,
    )  # fmt: skip
    workspace = Buffer((2 * BLOCKS, 2, rows, columns + DEPTH), np.float32, config.device())
    probabilities = Buffer((2 * BLOCKS, 2, rows, columns), np.float16, config.device())
    flash_attention[BLOCKS](q, k, v, o, workspace, probabilities, shape)
    wide_q, wide_k, wide_v = (each.astype(np.float64) for each in (q, k, v))
    scores = wide_q @ wide_k.transpose(0, 2, 1) * DEPTH**-0.5
    p = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return o, p / p.sum(axis=-1, keepdims=True) @ wide_v


if __name__ == "__main__":
    got, expected = run()
    print(f"flash_attention in Python: {np.count_nonzero(np.isclose(got, expected, rtol=2e-3, atol=2e-3))} of {got.size} close to numpy")
