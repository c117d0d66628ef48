# SPDX-License-Identifier: Apache-2.0
"""Calls for images: bilinear interpolation with a scratch from a TBuf, and settings that only LoadImageToLocal would read."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import aclimb.asc as asc
from aclimb.errors import CompileError, OutOfBounds


@asc.jit
def taken(gm: asc.GlobalTensor, queue: asc.TQue, count: asc.ConstExpr[int]):
    local = queue.alloc_tensor(gm.dtype)
    asc.data_copy(local, gm, count=count)
    queue.enque(local)


@asc.jit
def interpolate(x: asc.GlobalAddress, offsets: asc.GlobalAddress, weights: asc.GlobalAddress, z: asc.GlobalAddress,
                counts: asc.ConstExpr[tuple], across: asc.ConstExpr[int], down: asc.ConstExpr[int], each_block: asc.ConstExpr[bool],
                mask: asc.ConstExpr[object], scratch_bytes: asc.ConstExpr[int]):  # fmt: skip
    pipe = asc.TPipe()
    queues = [asc.TQue(asc.TPosition.VECIN, 1) for _ in range(3)]
    results = asc.TQue(asc.TPosition.VECOUT, 1)
    scratch = asc.TBuf(asc.TPosition.VECCALC)
    for buffer, queue, count in zip((x, offsets, weights), queues, counts, strict=True):
        pipe.init_buffer(que=queue, num=1, len=count * buffer.dtype.sizeof())
        gm = asc.GlobalTensor()
        gm.set_global_buffer(buffer)
        taken(gm, queue, count)
    pipe.init_buffer(que=results, num=1, len=down * 256)
    pipe.init_buffer(buf=scratch, num=scratch_bytes)
    image = queues[0].deque(asc.half)
    places = queues[1].deque(asc.uint32)
    shares = queues[2].deque(asc.half)
    result = results.alloc_tensor(asc.half)
    asc.duplicate(result, 0.0, down * 128)
    tmp = scratch.alloc_tensor(asc.uint8)
    asc.bilinear_interpolation(result, image, places, shares, mask, across, each_block, 1, 128, down, tmp)
    scratch.free_tensor(tmp)
    results.enque(result)
    result = results.deque(asc.half)
    z_gm = asc.GlobalTensor()
    z_gm.set_global_buffer(z)
    asc.data_copy(z_gm, result, count=down * 128)
    results.free_tensor(result)


def operands(across: int, down: int, each_block: bool) -> tuple[Any, Any, Any, Any]:
    random = np.random.default_rng(21)
    x = random.uniform(-4, 4, 640).astype(np.float16)
    blocks = random.integers(0, 40, 8 * across * down)
    weights = random.uniform(-1, 1, max(16, across * down * (8 if each_block else 1))).astype(np.float16)
    taken = x.reshape(-1, 16)[blocks].reshape(down, across, 8, 16)
    used = weights[: across * down * (8 if each_block else 1)].reshape(down, across, -1, 1)
    total = np.zeros((down, 8, 16), np.float16)
    for i in range(across):
        total = taken[:, i] * used[:, i] + total  # each step in half
    return x, (blocks * 32).astype(np.uint32), weights, total.reshape(down, 128)


@pytest.mark.requirement("py-41")
@pytest.mark.parametrize(("across", "down", "each_block"), [(2, 2, False), (4, 3, True), (1, 2, True)])
@pytest.mark.parametrize("mask", [128, [2**64 - 1, 0xFFFF]])
def test_blocks_of_an_image_are_added_with_their_weights(across: int, down: int, each_block: bool, mask: Any) -> None:
    x, offsets, weights, expected = operands(across, down, each_block)
    z, counts = np.zeros((down, 128), np.float16), (x.size, offsets.size, weights.size)
    interpolate[1](x, offsets, weights, z, counts, across, down, each_block, mask, 32 * (offsets.size + weights.size))
    lanes = 128 if mask == 128 else 80
    np.testing.assert_array_equal(z[:, :lanes], expected[:, :lanes])
    assert not z[:, lanes:].any()


@pytest.mark.requirement("py-41", "py-20")
def test_a_scratch_that_is_too_small_is_named() -> None:
    x, offsets, weights, _ = operands(2, 2, False)
    with pytest.raises(OutOfBounds, match=r"BilinearInterpolation needs UB bytes .* of tmp, which has 32 bytes"):
        interpolate[1](x, offsets, weights, np.zeros((2, 128), np.float16), (640, 32, 16), 2, 2, False, 128, 1024 + 32)


@asc.jit
def copy_with_settings(x: asc.GlobalAddress, z: asc.GlobalAddress, count: asc.ConstExpr[int], dtype: asc.ConstExpr[asc.DataType]):
    x_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    z_gm.set_global_buffer(z)
    pipe = asc.TPipe()
    queue = asc.TQueBind(asc.TPosition.VECIN, asc.TPosition.VECOUT, 1)
    pipe.init_buffer(queue, 1, count * x.dtype.sizeof())
    settings = asc.AippParams(dtype, padding_params=asc.AippPaddingParams(1, 3), swap_params=asc.AippSwapParams(is_swap_rb=True),
                              dtc_params=asc.AippDataTypeConvParams(dtc_mean_ch0=4, dtc_var_ch2=0.5),
                              c_padding_params=asc.AippChannelPaddingParams(c_padding_value=7),
                              csc_params=asc.AippColorSpaceConvParams(True, csc_matrix_r1_c2=-5, csc_bias_out_2=9))  # fmt: skip
    asc.set_aipp_functions(x_gm, asc.AippInputFormat.RGB888_U8, settings)
    local = queue.alloc_tensor(x.dtype)
    asc.data_copy(local, x_gm, count=count)
    queue.enque(local)
    local = queue.deque(x.dtype)
    asc.data_copy(z_gm, local, count=count)
    queue.free_tensor(local)


@pytest.mark.requirement("py-41")
@pytest.mark.parametrize(("dtype", "of"), [(np.uint8, asc.uint8), (np.int8, asc.int8), (np.float16, asc.half)])
def test_a_copy_does_not_see_the_settings_for_images(dtype: type[np.generic], of: asc.DataType) -> None:
    x = np.arange(768).astype(dtype)
    z = np.zeros_like(x)
    copy_with_settings[1](x, z, 768, of)
    np.testing.assert_array_equal(z, x)
    text = copy_with_settings.source()
    for line in (f"AippPaddingParams<{of.cpp}> params_4;", "isSwapRB = true;", "cscMatrixR1C2 = -5;", "cscBiasOut2 = 9;"):
        assert line in text


@pytest.mark.requirement("py-40", "py-41")
def test_loading_an_image_is_refused_at_its_line() -> None:
    @asc.jit
    def load(x: asc.GlobalAddress):
        local = asc.LocalTensor(asc.int8, asc.TPosition.A1, 0, 1024)
        asc.load_image_to_local(local, asc.LoadImageToLocalParams())

    with pytest.raises(CompileError, match="load_image_to_local") as caught:
        load.compile(asc.int8)
    assert "device headers do not have it" in str(caught.value)
