# SPDX-License-Identifier: Apache-2.0
"""Library calls without help from the host: shapes noted on tensors, constants of a call, a tiling filled by hand."""

from __future__ import annotations

import numpy as np
import pytest

import aclimb.asc as asc

ROWS, WIDTH = 8, 128


@asc.jit(insert_sync=True)
def soft_max(x: asc.GlobalAddress, z: asc.GlobalAddress, tiles: asc.ConstExpr[int]):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    assert x.dtype == z.dtype, "one type for both"
    for i in asc.range(tiles):
        offset = (asc.get_block_idx() * tiles + i) * ROWS * WIDTH
        src = asc.LocalTensorAuto(x.dtype, (ROWS, WIDTH))
        total = asc.LocalTensorAuto(x.dtype, ROWS * 8)
        greatest = asc.LocalTensorAuto(x.dtype, ROWS * 8)
        asc.data_copy(src, x_gm[offset:], count=ROWS * WIDTH)
        src.set_shape_info(asc.ShapeInfo(asc.array(asc.int32, (2, ROWS // 2, WIDTH))))
        tiling = asc.adv.SoftmaxTiling()
        asc.adv.softmax(src, total, greatest, src, tiling)
        asc.data_copy(z_gm[offset:], src, count=ROWS * WIDTH)


@pytest.mark.requirement("py-39")
def test_a_soft_max_takes_its_rows_from_the_shape_that_is_noted() -> None:
    x = np.random.default_rng(3).uniform(0, 5, (2 * 3 * ROWS, WIDTH)).astype(np.float32)
    z = np.zeros_like(x)
    soft_max[2](x, z, 3)
    expected = np.exp(x - x.max(axis=1, keepdims=True))
    np.testing.assert_allclose(z, expected / expected.sum(axis=1, keepdims=True), rtol=1e-5)


@asc.jit
def quantise(x: asc.GlobalAddress, z: asc.GlobalAddress, size: int, known: asc.ConstExpr[tuple]):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, size)
    z_gm.set_global_buffer(z, size)
    pipe = asc.TPipe()
    inputs = asc.TQue(asc.TPosition.VECIN, 1)
    outputs = asc.TQue(asc.TPosition.VECOUT, 1)
    scratch = asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(inputs, 1, size * x.dtype.sizeof())
    pipe.init_buffer(outputs, 1, size)
    pipe.init_buffer(scratch, 1024)
    src = inputs.alloc_tensor(x.dtype)
    asc.data_copy(src, x_gm, count=size)
    inputs.enque(src)
    src = inputs.deque(x.dtype)
    dst = outputs.alloc_tensor(asc.int8)
    for each in known:
        asc.adv.quant(dst, src, 2.0, 0.5, size, scratch.get(asc.uint8), config=asc.adv.QuantConfig(*each))
    outputs.enque(dst)
    inputs.free_tensor(src)
    dst = outputs.deque(asc.int8)
    asc.data_copy(z_gm, dst, count=size)
    outputs.free_tensor(dst)


@pytest.mark.requirement("py-39")
@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_quant_takes_sizes_that_are_known_at_compile_time(dtype: type[np.floating]) -> None:
    x = np.random.default_rng(4).integers(-200, 200, 256).astype(dtype) / 4
    z = np.zeros(256, np.int8)
    quantise[1](x, z, 256, ((32, 0, 0, 512), (64,), (32, 0, 0, 512)))
    np.testing.assert_array_equal(z, np.clip(np.rint(x.astype(np.float32) * 2 + 0.5), -128, 127).astype(np.int8))
    text = quantise.source()
    assert (
        "constexpr AscendQuantConfig QUANT_CONFIG_0 = {32, 0, 0, 512};\n\nconstexpr AscendQuantConfig QUANT_CONFIG_1 = {64, 0, 0, 0};"
        in text
    )
    assert text.count("false, QUANT_CONFIG_0>(") == 2


@asc.jit
def by_hand(a: asc.GlobalAddress, b: asc.GlobalAddress, c: asc.GlobalAddress, workspace: asc.GlobalAddress, size: asc.ConstExpr[int]):
    tiling = asc.adv.TCubeTiling(used_core_num=1, m=size, n=size, k_a=2 * size, k_b=2 * size, base_m=32, base_n=32, base_k=32,
                                 single_core_m=size, single_core_n=size, single_core_k=2 * size, depth_a1=1, depth_b1=1, step_m=1, step_n=1,
                                 share_l1_size=asc.property(asc.TOTAL_L1_SIZE),
                                 share_l0c_size=asc.property(asc.TOTAL_L0C_SIZE))  # fmt: skip
    pipe = asc.TPipe()
    results = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(que=results, num=2, len=32 * 32 * 4)
    nd = [asc.adv.MatmulType(asc.TPosition.GM, asc.CubeFormat.ND, asc.float16) for _ in range(2)]
    mm = asc.adv.Matmul(*nd, asc.adv.MatmulType(asc.TPosition.VECCALC, asc.CubeFormat.ND, asc.float32))
    asc.adv.register_matmul(pipe, workspace, mm)
    mm.init(tiling)
    if asc.get_block_idx() > 0:
        return
    tensors = [asc.GlobalTensor() for _ in range(3)]
    for tensor, address in zip(tensors, (a, b, c), strict=True):
        tensor.set_global_buffer(address)
    mm.set_tensor_a(tensors[0])
    mm.set_tensor_b(tensors[1])
    with mm.iterate() as count:
        result = results.alloc_tensor(asc.float32)
        mm.get_tensor_c(result, en_sequential_write=True)
        asc.muls(result, result, 2.0, 32 * 32)
        results.enque(result)
        result = results.deque(asc.float32)
        row = count % (size // 32) * 32
        place = row * size + count // (size // 32) * 32
        asc.data_copy(tensors[2][place:], result, repeat_params=asc.DataCopyParams(32, 4, 0, (size - 32) // 8))
        results.free_tensor(result)
    mm.end()


@pytest.mark.requirement("py-3", "py-29")
def test_a_tiling_filled_by_hand_has_one_buffer_where_it_says_none() -> None:
    size, random = 64, np.random.default_rng(5)
    a, b = (random.integers(-4, 5, shape).astype(np.float16) for shape in ((size, 2 * size), (2 * size, size)))
    c = np.zeros((size, size), np.float32)
    by_hand[1](a, b, c, np.zeros(2**20, np.uint8), size)
    np.testing.assert_array_equal(c, 2 * (a.astype(np.float32) @ b.astype(np.float32)))
