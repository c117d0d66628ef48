# SPDX-License-Identifier: Apache-2.0
"""Matrix products in Python: on the cube core alone, and from vector cores that go on with the result; with the one tiler."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import aclimb.asc as asc
import aclimb.asc.lib.host as host
from aclimb import chips
from aclimb.asc.codegen.errors import CodegenError
from aclimb.asc.runtime import config

GM = asc.TPosition.GM
ND = asc.CubeFormat.ND


@asc.jit
def part_of(block: int, tiling: asc.adv.TCubeTiling):
    rows = tiling.m.ceildiv(tiling.single_core_m)
    return block % rows * tiling.single_core_m, block // rows * tiling.single_core_n


@asc.jit(matmul_cube_only=True)
def product(a: asc.GlobalAddress, b: asc.GlobalAddress, bias: asc.GlobalAddress, c: asc.GlobalAddress, tiling: asc.adv.TCubeTiling,
            kind: asc.ConstExpr[str] = "mdl"):  # fmt: skip
    block = asc.get_block_idx()
    if block >= tiling.used_core_num:
        return
    m, n = part_of(block, tiling)
    a_gm = asc.GlobalTensor()
    b_gm = asc.GlobalTensor()
    c_gm = asc.GlobalTensor()
    bias_gm = asc.GlobalTensor()
    a_gm.set_global_buffer(a + m * tiling.k_a)
    b_gm.set_global_buffer(b + n)
    c_gm.set_global_buffer(c + (m * tiling.n + n))
    bias_gm.set_global_buffer(bias + n)
    pipe = asc.TPipe()
    half = asc.adv.MatmulType(GM, ND, a.dtype)
    single = asc.adv.MatmulType(GM, ND, asc.float32)
    if kind == "mdl":
        setting = asc.adv.get_mdl_config()
    else:
        setting = asc.adv.get_normal_config(intrinsics_limit=True, iterate_order=asc.IterateOrder.ORDER_M)
    mm = asc.adv.Matmul(half, half, single, single, matmul_config=setting)
    asc.adv.register_matmul(pipe, asc.get_sys_workspace(), mm, tiling)
    mm.set_tail(min(tiling.single_core_m, tiling.m - m), min(tiling.single_core_n, tiling.n - n))
    mm.set_tensor_a(a_gm)
    mm.set_tensor_b(b_gm)
    mm.set_bias(bias_gm)
    mm.iterate_all(c_gm)
    mm.end()


def tiler(m: int, n: int, k: int, cores: int, *, to: Any = host.TPosition.GM, bias: bool = False) -> host.MultiCoreMatmulTiling:
    made = host.MultiCoreMatmulTiling(host.get_ascendc_platform())
    made.set_dim(cores)
    made.set_a_type(host.TPosition.GM, host.CubeFormat.ND, host.DataType.DT_FLOAT16, False)
    made.set_b_type(host.TPosition.GM, host.CubeFormat.ND, host.DataType.DT_FLOAT16)
    made.set_c_type(to, host.CubeFormat.ND, asc.float32)
    made.set_bias_type(host.TPosition.GM, host.CubeFormat.ND, host.DataType.DT_FLOAT)
    made.set_org_shape(m, n, k)
    made.set_shape(m, n, k)
    made.enable_bias(bias)
    made.set_buffer_space(-1, -1, -1)
    return made


def operands(m: int, n: int, k: int) -> tuple[Any, Any, Any]:
    random = np.random.default_rng(5)
    return (
        random.standard_normal((m, k)).astype(np.float16),
        random.standard_normal((k, n)).astype(np.float16),
        random.standard_normal(n).astype(np.float32),
    )


@pytest.mark.requirement("py-3", "py-28")
@pytest.mark.parametrize("kind", ["mdl", "norm"])
def test_a_product_on_cube_cores_equals_numpys(kind: str) -> None:
    m, n, k = 200, 336, 144
    a, b, bias = operands(m, n, k)
    tiling, c = asc.adv.TCubeTiling(), np.zeros((m, n), np.float32)
    assert tiler(m, n, k, 4, bias=True).get_tiling(tiling) == 0
    product[4](a, b, bias, c, tiling, kind)
    np.testing.assert_allclose(c, a.astype(np.float32) @ b.astype(np.float32) + bias, rtol=1e-4, atol=1e-3)
    compiled = product.specializations[-1]
    assert compiled.kernel_type == "AIC_ONLY"
    assert "#define ASCENDC_CUBE_ONLY" in compiled.source
    if kind == "norm":
        assert "    made.intrinsicsCheck = true;\n    made.iterateOrder = IterateOrder::ORDER_M;" in product.source()


@asc.jit
def leaky(
    a: asc.GlobalAddress, b: asc.GlobalAddress, c: asc.GlobalAddress, counted: asc.GlobalAddress, tiling: asc.adv.TCubeTiling, slope: float
):
    pipe = asc.TPipe()
    to_vector = asc.adv.MatmulType(asc.TPosition.VECIN, ND, asc.float32)
    mm = asc.adv.Matmul(asc.adv.MatmulType(GM, ND, a.dtype), asc.adv.MatmulType(GM, ND, b.dtype), to_vector)
    asc.adv.register_matmul(pipe, None, mm, tiling)
    block = asc.get_block_idx()
    if block >= tiling.used_core_num:
        return
    m, n = part_of(block, tiling)
    a_gm = asc.GlobalTensor()
    b_gm = asc.GlobalTensor()
    c_gm = asc.GlobalTensor()
    counted_gm = asc.GlobalTensor()
    a_gm.set_global_buffer(a + m * tiling.k_a)
    b_gm.set_global_buffer(b + n)
    c_gm.set_global_buffer(c + (m * tiling.n + n))
    counted_gm.set_global_buffer(counted, 64)
    size = tiling.base_m * tiling.base_n
    results = asc.TQue(asc.TPosition.VECIN, 1)
    outputs = asc.TQue(asc.TPosition.VECOUT, 1)
    pipe.init_buffer(results, 1, size * 4)
    pipe.init_buffer(outputs, 1, size * 4)
    mm.set_tensor_a(a_gm)
    mm.set_tensor_b(b_gm)
    total = 0
    rows = tiling.single_core_m // tiling.base_m
    with mm.iterate() as count:
        result = results.alloc_tensor(asc.float32)
        mm.get_tensor_c(result)
        results.enque(result)
        result = results.deque(asc.float32)
        output = outputs.alloc_tensor(asc.float32)
        asc.leaky_relu(output, result, slope, count=size)
        results.free_tensor(result)
        outputs.enque(output)
        output = outputs.deque(asc.float32)
        row = count % rows * tiling.base_m
        column = count // rows * tiling.base_n
        params = asc.DataCopyParams(tiling.base_m, tiling.base_n // 8, 0, (tiling.n - tiling.base_n) // 8)
        asc.data_copy(c_gm[row * tiling.n + column :], output, params)
        outputs.free_tensor(output)
        total = total * 10 + count
    mm.end()
    counted_gm.set_value(block * 8, total)


@pytest.mark.requirement("py-3", "py-28", "py-29")
def test_vector_cores_go_on_with_blocks_of_the_product() -> None:
    m, n, k = 256, 256, 128
    a, b, _ = operands(m, n, k)
    made = tiler(m, n, k, 4, to=host.TPosition.VECIN)
    made.set_fix_split(64, 64, -1)
    tiling, c, counted = asc.adv.TCubeTiling(), np.zeros((m, n), np.float32), np.zeros(64, np.int32)
    assert made.get_tiling(tiling) == 0, made.why
    assert (tiling.base_m, tiling.base_n, tiling.single_core_m, tiling.single_core_n) == (64, 64, 128, 128)
    leaky[2](a, b, c, counted, tiling, 0.25)
    whole = a.astype(np.float32) @ b.astype(np.float32)
    np.testing.assert_allclose(c, np.where(whole > 0, whole, whole / 4), rtol=1e-4, atol=1e-3)
    assert counted[::8].tolist() == [123, 123, 123, 123, 0, 0, 0, 0]
    assert leaky.specializations[-1].kernel_type == "MIX_AIC_1_2"


@pytest.mark.requirement("py-30")
@pytest.mark.parametrize(
    ("m", "n", "k", "cores"), [(512, 1024, 512, 24), (128, 30720, 1024, 24), (32, 32, 32, 1), (1024, 640, 256, 2), (77, 130, 60, 3)]
)
def test_a_tiling_fits_the_memories_and_covers_the_product(m: int, n: int, k: int, cores: int) -> None:
    tiling = asc.adv.TCubeTiling()
    assert tiler(m, n, k, cores).get_tiling(tiling) == 0
    memory = chips.load(config.soc()).arch.memory
    assert 2 * tiling.base_m * tiling.base_k * tiling.db_l0a <= memory["L0A"]
    assert 2 * tiling.base_n * tiling.base_k * tiling.db_l0b <= memory["L0B"]
    assert 4 * tiling.base_m * tiling.base_n <= memory["L0C"]
    assert 2 * (tiling.depth_a1 * tiling.base_m + tiling.depth_b1 * tiling.base_n) * tiling.base_k <= memory["L1"]
    parts = asc.ceildiv(m, tiling.single_core_m) * asc.ceildiv(n, tiling.single_core_n)
    assert parts <= tiling.used_core_num <= cores


@pytest.mark.requirement("py-30")
def test_what_was_set_is_honoured_and_what_does_not_fit_is_minus_one() -> None:
    tiling, made = asc.adv.TCubeTiling(), tiler(512, 512, 512, 8)
    made.set_fix_split(32, 64, 16)
    made.set_traverse(host.MatrixTraverse.FIRSTN)
    assert made.get_tiling(tiling) == 0
    assert (tiling.base_m, tiling.base_n, tiling.base_k, tiling.iterate_order) == (32, 64, 16, 1)
    assert tiling.used_core_num <= 8
    made.set_fix_split(1024, 512, -1)
    assert made.get_tiling(tiling) == -1
    assert "does not fit" in made.why
    with pytest.raises(ValueError, match="a Matmul has no operands of uint64"):
        made.set_c_type(host.TPosition.GM, host.CubeFormat.ND, asc.uint64)


def test_what_is_no_matmul_is_refused() -> None:
    @asc.jit
    def no_tiling(x: asc.GlobalAddress, n: int):
        pipe = asc.TPipe()
        mm = asc.adv.Matmul(*[asc.adv.MatmulType(GM, ND, asc.float16) for _ in (1, 2, 3)])
        asc.adv.register_matmul(pipe, None, mm, n)

    @asc.jit
    def other_with(x: asc.GlobalAddress):
        with open("x"):
            pass

    with pytest.raises(CodegenError, match=r"the tiling is a number of type int32; it takes an asc.adv.TCubeTiling"):
        no_tiling.source(asc.float32, 3)
    with pytest.raises(CodegenError, match=r"with is for a Matmul's blocks; with mm.iterate\(\) as count:"):
        other_with.source(asc.float32)


@asc.jit
def batches(a: asc.GlobalAddress, b: asc.GlobalAddress, c: asc.GlobalAddress, tiling: asc.adv.TCubeTiling, several: asc.ConstExpr[int],
            workspace: asc.GlobalAddress):  # fmt: skip
    tensors = [asc.GlobalTensor() for _ in range(3)]
    for tensor, address in zip(tensors, (a, b, c), strict=True):
        tensor.set_global_buffer(address)
    pipe = asc.TPipe()
    normal = [asc.adv.MatmulType(GM, ND, each.dtype, False, asc.LayoutMode.NORMAL) for each in (a, b, c)]
    mm = asc.adv.Matmul(*normal)
    asc.adv.register_matmul(pipe, workspace, mm, tiling)
    if asc.get_block_idx() > 0:
        return
    mm.set_tensor_a(tensors[0])
    mm.set_tensor_b(tensors[1])
    mm.iterate_batch(tensors[2], several, several, False)
    mm.end()


@asc.jit(matmul_cube_only=True)
def batches_on_cube(
    a: asc.GlobalAddress, b: asc.GlobalAddress, c: asc.GlobalAddress, tiling: asc.adv.TCubeTiling, several: asc.ConstExpr[int]
):
    tensors = [asc.GlobalTensor() for _ in range(3)]
    for tensor, address in zip(tensors, (a, b, c), strict=True):
        tensor.set_global_buffer(address)
    pipe = asc.TPipe()
    mm = asc.adv.Matmul(*[asc.adv.MatmulType(GM, ND, each.dtype, False, asc.LayoutMode.NORMAL) for each in (a, b, c)])
    asc.adv.register_matmul(pipe, asc.get_sys_workspace(), mm, tiling)
    mm.set_tensor_a(tensors[0])
    mm.set_tensor_b(tensors[1])
    mm.set_batch_num(several, several)
    mm.iterate_batch(tensors[2], False, 0, False)
    mm.end()


def batch_tiling(several: int, m: int, n: int, k: int, kind: Any) -> asc.adv.TCubeTiling:
    made = host.MultiCoreMatmulTiling(host.get_ascendc_platform())
    made.set_a_type(host.TPosition.GM, host.CubeFormat.ND, kind, False)
    made.set_b_type(host.TPosition.GM, host.CubeFormat.ND, kind, False)
    made.set_c_type(host.TPosition.GM, host.CubeFormat.ND, host.DataType.DT_FLOAT)
    made.set_dim(1)
    made.set_org_shape(m, n, k)
    made.set_shape(m, n, k)
    made.set_buffer_space(-1, -1, -1)
    made.set_a_layout(several, m, 1, 1, k)
    made.set_b_layout(several, k, 1, 1, n)
    made.set_c_layout(several, m, 1, 1, n)
    made.set_batch_num(several)
    tiling = asc.adv.TCubeTiling()
    assert made.get_tiling(tiling) == 0, made.why
    return tiling


@pytest.mark.requirement("py-42")
@pytest.mark.parametrize("dtype", [np.float16, np.float32])
@pytest.mark.parametrize("is_cube_only", [False, True])
def test_products_of_batches_equal_numpys(dtype: type[np.generic], is_cube_only: bool) -> None:
    several, m, n, k = 3, 32, 48, 64
    random = np.random.default_rng(6)
    a, b = random.standard_normal((several, m, k)).astype(dtype), random.standard_normal((several, k, n)).astype(dtype)
    tiling = batch_tiling(several, m, n, k, host.DataType.DT_FLOAT if dtype is np.float32 else host.DataType.DT_FLOAT16)
    c = np.zeros((several, m, n), np.float32)
    if is_cube_only:
        batches_on_cube[1](a, b, c, tiling, several)
    else:
        batches[1](a, b, c, tiling, several, np.zeros(2**20, np.uint8))
    np.testing.assert_allclose(c, a.astype(np.float32) @ b.astype(np.float32), rtol=1e-4, atol=1e-3)


@asc.jit
def quantised(a: asc.GlobalAddress, b: asc.GlobalAddress, scales: asc.GlobalAddress, c: asc.GlobalAddress, tiling: asc.adv.TCubeTiling,
              scalar: asc.ConstExpr[int], workspace: asc.GlobalAddress):  # fmt: skip
    pipe = asc.TPipe()
    mm = asc.adv.Matmul(*[asc.adv.MatmulType(GM, ND, each.dtype) for each in (a, b, c)])
    asc.adv.register_matmul(pipe, workspace, mm, tiling)
    block = asc.get_block_idx()
    if block >= tiling.used_core_num:
        return
    m, n = part_of(block, tiling)
    tensors = [asc.GlobalTensor() for _ in range(4)]
    tensors[0].set_global_buffer(a + m * tiling.k_a)
    tensors[1].set_global_buffer(b + n)
    tensors[2].set_global_buffer(c + (m * tiling.n + n))
    tensors[3].set_global_buffer(scales + n)
    mm.set_org_shape(tiling.m, tiling.n, tiling.k_a)
    mm.set_single_shape(tiling.single_core_m, tiling.single_core_n, tiling.single_core_k)
    mm.set_tensor_a(tensors[0])
    mm.set_tensor_b(tensors[1])
    if scalar:
        mm.set_quant_scalar(scalar)
    else:
        mm.set_quant_vector(tensors[3])
    mm.iterate_all(tensors[2])
    mm.end()


def quant_bits(values: Any) -> Any:
    """The cube unit reads a scale as 1, 8 and 10 bits of a float, in the low half of a word of 64."""
    return (np.asarray(values, np.float32).view(np.uint32) & 0xFFFFE000).astype(np.uint64)


@pytest.mark.requirement("py-42")
@pytest.mark.parametrize("is_scalar", [False, True])
def test_an_int8_product_is_scaled_to_half_on_its_way_out(is_scalar: bool) -> None:
    m, n, k = 64, 128, 96
    random = np.random.default_rng(7)
    a, b = (random.integers(-5, 6, shape).astype(np.int8) for shape in ((m, k), (k, n)))
    scales = quant_bits(random.uniform(-4, 4, n))
    made = host.MultiCoreMatmulTiling(host.get_ascendc_platform())
    made.set_a_type(host.TPosition.GM, host.CubeFormat.ND, host.DataType.DT_INT8, False)
    made.set_b_type(host.TPosition.GM, host.CubeFormat.ND, host.DataType.DT_INT8, False)
    made.set_c_type(host.TPosition.GM, host.CubeFormat.ND, host.DataType.DT_FLOAT16)
    made.set_dequant_type(host.DequantType.SCALAR if is_scalar else host.DequantType.TENSOR)
    made.set_dim(2)
    made.set_org_shape(m, n, k)
    made.set_shape(m, n, k)
    made.set_buffer_space(-1, -1, -1)
    tiling, c = asc.adv.TCubeTiling(), np.zeros((m, n), np.float16)
    assert made.get_tiling(tiling) == 0, made.why
    one = int(quant_bits([0.75])[0])
    quantised[1](a, b, scales, c, tiling, one if is_scalar else 0, np.zeros(2**20, np.uint8))
    factors = np.full(n, 0.75, np.float32) if is_scalar else scales.astype(np.uint32).view(np.float32)
    product = (a.astype(np.int32) @ b.astype(np.int32)).astype(np.float32)
    np.testing.assert_array_equal(c, (product * factors).astype(np.float16))  # 12 times 11 bits are exact: one rounding
