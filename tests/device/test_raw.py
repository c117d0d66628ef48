# SPDX-License-Identifier: Apache-2.0
"""Raw intrinsics and the C API, against NumPy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from aclimb import Buffer
from aclimb.compile import ub_arrays
from aclimb.errors import KernelTrap, Misaligned, Misuse, Unsupported

Run = Callable[..., None]
RANDOM = np.random.default_rng(16)


def buffer(values: np.ndarray) -> Buffer:
    return Buffer.from_array(values)


@pytest.mark.requirement("lib-63")
def test_raw_vector_intrinsics_compute_as_numpy(run: Run) -> None:
    x = RANDOM.permutation(256).astype(np.float32) - 128
    y = RANDOM.integers(1, 9, 256).astype(np.float32)
    out = Buffer(16 * 256, "float32")
    run("raw", "raw_float", buffer(x), buffer(y), out)
    rows = out.to_numpy().reshape(16, 256)
    expected = [x + y, x - y, x * y, x / y, np.maximum(x, y), np.minimum(x, y), x + np.float32(2.5), x * -3, np.abs(x), np.maximum(x, 0)]
    for number, values in enumerate(expected):
        np.testing.assert_array_equal(rows[number], values, err_msg=str(number))
    repeats = x.reshape(4, 64)
    np.testing.assert_array_equal(rows[10, :4], repeats.sum(axis=1))
    np.testing.assert_array_equal(rows[11, :4], repeats.max(axis=1))
    np.testing.assert_array_equal(rows[12, :8:2], repeats.min(axis=1))
    np.testing.assert_array_equal(rows[12, 1:8:2].view(np.uint32), repeats.argmin(axis=1))
    np.testing.assert_array_equal(rows[13, :32], x.reshape(32, 8).sum(axis=1))
    np.testing.assert_array_equal(rows[14], [7] * 128 + [0] * 128)
    np.testing.assert_array_equal(rows[15, :128], x.reshape(4, 64)[[0, 2]].reshape(-1))


@pytest.mark.requirement("lib-63")
def test_raw_intrinsics_work_under_the_mask_register(run: Run) -> None:
    x, out = np.arange(64, dtype=np.float32) + 5, Buffer(64, "float32")
    run("raw", "raw_mask", buffer(x), out)
    np.testing.assert_array_equal(out.to_numpy(), [*x[:8], *[1] * 56])


def test_raw_conversions_round_as_their_suffix_says(run: Run) -> None:
    x = (RANDOM.standard_normal(64) * 100).astype(np.float32)
    halves, whole, back = Buffer(64, "float16"), Buffer(64, "int32"), Buffer(64, "float32")
    run("raw", "raw_convert", buffer(x), halves, whole, back)
    np.testing.assert_array_equal(halves.to_numpy(), x.astype(np.float16))
    np.testing.assert_array_equal(whole.to_numpy(), np.floor(x).astype(np.int32))
    np.testing.assert_array_equal(back.to_numpy(), x.astype(np.float16).astype(np.float32))


@pytest.mark.requirement("lib-63")
def test_raw_copies_of_bytes_pad_elements(run: Run) -> None:
    x = np.arange(30, dtype=np.float16)
    rows, back = Buffer(48, "float16"), Buffer(36, "float16")
    run("raw", "raw_align", buffer(x), rows, back)
    np.testing.assert_array_equal(rows.to_numpy().reshape(3, 16)[:, 2:12], x.reshape(3, 10))
    np.testing.assert_array_equal(back.to_numpy().reshape(3, 12)[:, 2:], x.reshape(3, 10))


def test_raw_broadcast_fills_a_block_with_each_value(run: Run) -> None:
    x, out = np.arange(8, dtype=np.float32), Buffer(64, "float32")
    run("raw", "raw_brcb", buffer(x), out)
    np.testing.assert_array_equal(out.to_numpy().reshape(8, 8), np.repeat(x, 8).reshape(8, 8))


@pytest.mark.requirement("lib-63")
def test_raw_cube_intrinsics_multiply(run: Run) -> None:
    a = RANDOM.integers(-4, 5, (16, 32)).astype(np.float16)
    b = RANDOM.integers(-4, 5, (32, 16)).astype(np.float16)
    c = Buffer(256, "float32")
    run("raw", "raw_matmul", buffer(a), buffer(b), c)
    np.testing.assert_array_equal(c.to_numpy().reshape(16, 16), a.astype(np.float32) @ b.astype(np.float32))


@pytest.mark.requirement("lib-63")
def test_raw_cube_intrinsics_transpose_and_dequantise(run: Run) -> None:
    a, b = RANDOM.integers(-128, 128, (16, 32)).astype(np.int8), RANDOM.integers(-128, 128, (32, 32)).astype(np.int8)
    scales = (2.0 ** -np.arange(8, 16)).astype(np.float32).repeat(4)
    c = Buffer((16, 32), "float16")
    run("raw", "raw_requantise", buffer(a), buffer(b), buffer(scales.view(np.uint32).astype(np.uint64)), c)
    product = a.astype(np.int32) @ b.astype(np.int32)  # rows of L0B are columns of B: the transpose of b's rows is b as B
    np.testing.assert_array_equal(c.to_numpy(), (np.maximum(product, 0) * scales).astype(np.float16))


@pytest.mark.requirement("lib-63")
def test_set_padding_is_the_value_beside_the_map(run: Run) -> None:
    x, out = RANDOM.integers(-4, 5, (16, 16)).astype(np.float16), Buffer((16, 16), "float32")
    # left, middle and right column of the filter, each with a factor of its own on the diagonal; L0B keeps columns as rows
    eyes = np.concatenate([np.eye(16) * factor for factor in (1, 10, 100)]).astype(np.float16)
    run("raw", "raw_padding", buffer(x), buffer(eyes), out)
    np.testing.assert_array_equal(out.to_numpy(), 7 + 10 * x.astype(np.float32) + 700)


def test_raw_indices_are_those_of_the_group(run: Run) -> None:
    out = Buffer((4, 4), "int64")
    run("raw", "raw_indices", out, blocks=4)
    got = out.to_numpy()
    assert got[:, :2].tolist() == [[block, 4] for block in range(4)]
    assert (got[:, 3] > got[:, 2]).all()  # the program went on
    assert (got[:, 2] == got[0, 2]).all()


@pytest.mark.requirement("lib-63")
def test_a_field_that_is_too_wide_is_refused(run: Run) -> None:
    with pytest.raises(Misuse, match=r"dstRepeatStride.*300.*0 to 255"):
        run("raw", "raw_too_wide", Buffer(8, "float32"))
    with pytest.raises(Unsupported, match=r"vcadd with mode true, which adds up in a register, is not here"):
        run("raw", "raw_add_up", Buffer(8, "float32"))
    with pytest.raises(KernelTrap, match="raw_trap block 0"):
        run("raw", "raw_trap", Buffer(8, "float32"))


def test_a_kernel_may_have_the_name_of_an_intrinsic(run: Run) -> None:
    y = Buffer(1, "int32")
    run("raw", "trap", y)
    assert y.to_numpy()[0] == 9


@pytest.mark.requirement("lib-63")
@pytest.mark.parametrize(("name", "blocks"), [("add_sync", 2), ("add_flags", 1), ("add_flags", 2)])
def test_the_c_api_adds(name: str, blocks: int, run: Run) -> None:
    x, y = RANDOM.standard_normal((2, 512)).astype(np.float32)
    z = Buffer(512, "float32")
    run("c_api", name, buffer(x), buffer(y), z, blocks=blocks)
    np.testing.assert_array_equal(z.to_numpy(), x + y)


@pytest.mark.requirement("lib-63")
def test_the_c_api_has_forms_that_wait(run: Run) -> None:
    x, y = RANDOM.integers(-50, 50, (2, 256)).astype(np.float16)
    z = Buffer(256, "float16")
    run("c_api", "add_waiting", buffer(x), buffer(y), z)
    np.testing.assert_array_equal(z.to_numpy(), x + y)


def test_a_copy_of_the_c_api_is_whole_blocks(run: Run) -> None:
    with pytest.raises(Misaligned, match=r"size of a C API copy.*100.*32"):
        run("c_api", "part_of_a_block", Buffer(64, "float32"))


def test_arrays_in_ub_become_places_and_nothing_else_changes() -> None:
    body = "  __ubuf__ float a[2 * N],\n    b[3]; g(sizeof(a)); auto q = (__ubuf__ half*)p; // __ubuf__ x y[3];\n}"
    text = f"__ubuf__ int outside[4];\nvoid f(__ubuf__ float* p) {{\n{body}"
    made = ub_arrays.place(text)
    assert made.count("\n") == text.count("\n")
    assert made.startswith(
        "__ubuf__ int outside[4];\nvoid f(__ubuf__ float* p) {\n  constexpr uint64_t aclimb_ub_a = 0, aclimb_ub_end_a = "
    )
    assert "aclimb_ub_b = aclimb_ub_end_a," in made
    assert "g((sizeof(float) * (2 * N)))" in made
    assert made.endswith("auto q = (__ubuf__ half*)p; // __ubuf__ x y[3];\n}")
    assert ub_arrays.place("void f(__ubuf__ float* p) {}") == "void f(__ubuf__ float* p) {}"
