# SPDX-License-Identifier: Apache-2.0
"""LoadData 3D, LoadDataWithTranspose, sparse and int4 products, and the two ways out of L0C, through the headers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from aclimb import Buffer
from aclimb.errors import Unsupported

Run = Callable[..., None]


def nz(matrix: np.ndarray) -> np.ndarray:
    """(rows, columns) as column groups of 32 bytes."""
    c0 = 32 // matrix.itemsize
    return np.ascontiguousarray(matrix.reshape(matrix.shape[0], -1, c0).transpose(1, 0, 2))


def zn(matrix: np.ndarray, k0: int) -> np.ndarray:
    """(k, n) as L0B keeps it."""
    k, n = matrix.shape
    return np.ascontiguousarray(matrix.reshape(k // k0, k0, n // 16, 16).transpose(0, 2, 3, 1))


def zz(matrix: np.ndarray, k0: int) -> np.ndarray:
    m, k = matrix.shape
    return np.ascontiguousarray(matrix.reshape(m // 16, 16, k // k0, k0).transpose(0, 2, 1, 3))


@pytest.mark.requirement("lib-54")
def test_a_convolution_by_im2col_equals_numpy(run: Run) -> None:
    rng = np.random.default_rng(1)
    fmap, kernel = rng.integers(-4, 5, (32, 7, 9)).astype(np.float16), rng.integers(-4, 5, (32, 32, 3, 3)).astype(np.float16)
    stored = fmap.reshape(2, 16, 7, 9).transpose(0, 2, 3, 1)
    columns = kernel.reshape(32, 2, 16, 3, 3).transpose(1, 3, 4, 2, 0).reshape(288, 32)  # (c1, fh, fw, c0) by output channel
    z = Buffer((63, 32), np.float32)
    run("cube", "convolve", Buffer.from_array(np.ascontiguousarray(stored)), Buffer.from_array(zn(columns, 16)), z)
    padded = np.pad(fmap.astype(np.float32), ((0, 0), (1, 1), (1, 1)))
    expected = np.zeros((32, 7, 9), np.float32)
    for y in range(3):
        for x in range(3):
            expected += np.einsum("oc,chw->ohw", kernel[:, :, y, x].astype(np.float32), padded[:, y : y + 7, x : x + 9])
    np.testing.assert_array_equal(z.to_numpy(), expected.reshape(32, 63).T)


@pytest.mark.requirement("lib-54")
@pytest.mark.parametrize(("name", "dtype"), [("product_3d_half", np.float16), ("product_3d_float", np.float32)])
@pytest.mark.parametrize("way", range(4), ids=["parameters", "registers", "packed", "repeats"])
def test_nz_matrices_multiply_through_load_data_3d(run: Run, name: str, dtype: type, way: int) -> None:
    rng = np.random.default_rng(2)
    x, y = rng.integers(-8, 9, (64, 32)).astype(dtype), rng.integers(-8, 9, (32, 48)).astype(dtype)
    z = Buffer((64, 48), np.float32)
    run("cube", name, Buffer.from_array(nz(x)), Buffer.from_array(nz(y)), z, way)
    np.testing.assert_array_equal(z.to_numpy(), x.astype(np.float32) @ y.astype(np.float32))


@pytest.mark.requirement("lib-55")
def test_a_transposed_square_of_eight_bits_multiplies(run: Run) -> None:
    rng = np.random.default_rng(3)
    x, y = rng.integers(-128, 128, (16, 32)).astype(np.int8), rng.integers(-128, 128, (32, 32)).astype(np.int8)
    z = Buffer((16, 32), np.int32)
    run("cube", "transposed_int8", Buffer.from_array(x), Buffer.from_array(y), z)
    # L0B's rows are columns of B: the transpose of y's rows is y itself as B
    np.testing.assert_array_equal(z.to_numpy(), x.astype(np.int32) @ y.astype(np.int32))


@pytest.mark.requirement("lib-55")
def test_a_sparse_product_equals_the_dense_one(run: Run) -> None:
    rng = np.random.default_rng(4)
    x, kept = rng.integers(-128, 128, (16, 64)).astype(np.int8), rng.integers(-128, 128, (32, 32)).astype(np.int8)
    first, second = rng.integers(0, 3, (16, 32)), rng.integers(0, 3, (16, 32))
    second = np.maximum(first, second)  # the second kept one lies behind the first
    dense, pairs = np.zeros((64, 32), np.int32), np.zeros((32, 32), np.uint8)
    pairs[0::2], pairs[1::2] = first, second
    for group in range(16):
        for column in range(32):
            dense[4 * group + first[group, column], column] = kept[2 * group, column]
            dense[4 * group + 1 + second[group, column], column] = kept[2 * group + 1, column]
    bits = zn(pairs, 32).reshape(-1, 4)
    positions = (bits[:, 0] | bits[:, 1] << 2 | bits[:, 2] << 4 | bits[:, 3] << 6).astype(np.uint8)
    z = Buffer((16, 32), np.int32)
    run("cube", "sparse", *(Buffer.from_array(each) for each in (zz(x, 32), zn(kept, 32), positions)), z)
    np.testing.assert_array_equal(z.to_numpy(), x.astype(np.int32) @ dense)


def test_int4_products_add_up(run: Run) -> None:
    rng = np.random.default_rng(5)
    x, y = rng.integers(-8, 8, (16, 64)).astype(np.int8), rng.integers(-8, 8, (64, 16)).astype(np.int8)

    def packed(fractal: np.ndarray) -> Buffer:
        pairs = fractal.reshape(-1, 2) & 15
        return Buffer.from_array((pairs[:, 0] | pairs[:, 1] << 4).astype(np.int8))

    z = Buffer((16, 16), np.int32)
    run("cube", "int4_twice", packed(x), packed(y.T.copy()), z)
    np.testing.assert_array_equal(z.to_numpy(), 2 * (x.astype(np.int32) @ y.astype(np.int32)))


def test_the_bias_table_may_be_the_source_without_an_operand(run: Run) -> None:
    rng = np.random.default_rng(9)
    x, bias = rng.integers(-8, 9, (16, 16)).astype(np.float16), rng.integers(-99, 99, 16).astype(np.float32)
    z = Buffer((16, 16), np.float32)
    run("cube", "bias_by_source", Buffer.from_array(x), Buffer.from_array(bias), z)
    np.testing.assert_array_equal(z.to_numpy(), x.astype(np.float32) @ x.astype(np.float32) + bias)


def test_rows_of_int4_become_fractals(run: Run) -> None:
    x = np.random.default_rng(8).integers(0, 256, (16, 48), np.uint8)  # rows of 96 elements, of which 80 move
    z = Buffer(1024, np.int8)
    run("cube", "int4_rows", Buffer.from_array(x), z, 16, 40, 48)
    expected = np.zeros((2, 16, 32), np.uint8)
    expected[0], expected[1, :, :8] = x[:, :32], x[:, 32:40]
    np.testing.assert_array_equal(z.to_numpy().view(np.uint8).reshape(2, 16, 32), expected)


def words_and_product(seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x, y = rng.integers(-128, 128, (16, 32)).astype(np.int8), rng.integers(-128, 128, (32, 32)).astype(np.int8)
    return np.concatenate([x.ravel(), zn(y, 32).ravel()]), x.astype(np.int32) @ y.astype(np.int32)


@pytest.mark.requirement("lib-57")
@pytest.mark.parametrize("relu", [0, 1])
@pytest.mark.parametrize(("name", "dtype"), [("dequantise_both_ways", np.float16), ("requantise_both_ways", np.int8)])
def test_the_older_copy_out_of_l0c_gives_what_fixpipe_gives(run: Run, name: str, dtype: type, relu: int) -> None:
    source, product = words_and_product(6)
    scales = (2.0 ** -np.arange(8, 16)).astype(np.float32).repeat(4)
    words = scales.view(np.uint32).astype(np.uint64) | np.uint64(1 << 46)
    z, older = Buffer((16, 32), dtype), Buffer((16, 32), dtype)
    run("cube", name, Buffer.from_array(source), Buffer.from_array(words), z, older, relu)
    scaled = np.maximum(product, 0 if relu else product) * scales
    expected = scaled.astype(np.float16) if dtype == np.float16 else np.clip(np.rint(scaled), -128, 127).astype(np.int8)
    np.testing.assert_array_equal(z.to_numpy(), expected)
    np.testing.assert_array_equal(older.to_numpy(), expected)


@pytest.mark.requirement("lib-56")
def test_one_word_serves_all_columns_in_both_ways(run: Run) -> None:
    source, product = words_and_product(7)
    word = int(np.float32(0.0078125).view(np.uint32)) | (100 << 37)  # offset 100, unsigned
    z, older = Buffer((16, 32), np.uint8), Buffer((16, 32), np.uint8)
    run("cube", "requantise_with_one_word", Buffer.from_array(source), z, older, word)
    expected = np.clip(np.clip(np.rint(product * 0.0078125), -256, 255) + 100, 0, 255).astype(np.uint8)
    np.testing.assert_array_equal(z.to_numpy(), expected)
    np.testing.assert_array_equal(older.to_numpy(), expected)


@pytest.mark.requirement("lib-57")
def test_quantisation_words_that_nobody_set_are_asked_for(run: Run) -> None:
    with pytest.raises(Unsupported, match="need a tensor with a word for each column: in L1 as the third argument of Fixpipe"):
        run("cube", "forgets_the_words", Buffer(512, np.float16))


def test_the_right_register_of_the_map_is_refused(run: Run) -> None:
    with pytest.raises(Unsupported, match="SetFmatrix takes FmatrixMode::FMATRIX_LEFT on Atlas A2 and A3, which serves both matrices"):
        run("cube", "right_fmatrix")
