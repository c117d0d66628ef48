# SPDX-License-Identifier: Apache-2.0
"""DataCopy, DataCopyPad, atomics, scalar access and debug output, through the headers."""

from __future__ import annotations

import re
from collections.abc import Callable

import ml_dtypes
import numpy as np
import pytest

from aclimb import Buffer
from aclimb.errors import KernelTrap

Run = Callable[..., None]


def numbers(count: int, dtype: str) -> np.ndarray:
    return np.arange(1, count + 1).astype(dtype)


@pytest.mark.parametrize(
    ("rows", "width", "gap", "left", "right"), [(3, 20, 5, 0, 0), (4, 13, 0, 2, 3), (1, 16, 0, 0, 16), (2, 1, 7, 1, 0)]
)
def test_rows_are_padded_to_whole_blocks(run: Run, rows: int, width: int, gap: int, left: int, right: int) -> None:
    x, z = numbers(1024, "float16"), Buffer(4096, np.float16)
    run("movement", "pad_rows", Buffer.from_array(x), z, rows, width, gap, left, right)
    expected = np.full(4096, -1, np.float16)
    block = -(-(left + width + right) // 16) * 16
    for row in range(rows):
        at = row * (block + 16)  # one block of 32 bytes between the rows
        expected[at : at + block] = 7
        expected[at + left : at + left + width] = x[row * (width + gap) :][:width]
    np.testing.assert_array_equal(z.to_numpy(), expected)


@pytest.mark.parametrize(("rows", "width", "gap"), [(3, 20, 5), (4, 13, 0), (1, 1, 0)])
def test_only_the_row_itself_reaches_global_memory(run: Run, rows: int, width: int, gap: int) -> None:
    x = numbers(4096, "float16")
    z = Buffer.from_array(np.zeros(256, np.float16))
    run("movement", "unpad_rows", Buffer.from_array(x), z, rows, width, gap)
    expected = np.zeros(256, np.float16)
    block = -(-width // 16) * 16
    for row in range(rows):
        expected[row * (width + gap) :][:width] = x[row * (block + 16) :][:width]
    np.testing.assert_array_equal(z.to_numpy(), expected)


PADDED = [("pad_by_register_half", "float16"), ("pad_by_register_int", "int32"), ("pad_by_register_old", "int16")]


@pytest.mark.parametrize(("width", "left", "right"), [(5, 0, 8), (20, 8, 4), (6, 2, 0)])
@pytest.mark.parametrize(("name", "dtype"), PADDED)
def test_padding_without_is_pad_has_the_value_of_set_pad_value(run: Run, name: str, dtype: str, width: int, left: int, right: int) -> None:
    x = numbers(width, dtype)
    for when in (1, 2):  # a SetPadValue behind the copy does not reach it
        z = Buffer.from_array(np.zeros(left + width + right, dtype))
        run("movement", name, Buffer.from_array(x), z, width, left, right, when)
        np.testing.assert_array_equal(z.to_numpy(), np.pad(x, (left, right), constant_values=3))


@pytest.mark.parametrize(("name", "dtype"), PADDED)
def test_padding_that_nobody_gave_a_value_is_poison(run: Run, name: str, dtype: str) -> None:
    x, z = numbers(5, dtype), Buffer.from_array(np.zeros(8, dtype))
    run("movement", name, Buffer.from_array(x), z, 5, 0, 3, 0)
    np.testing.assert_array_equal(z.to_numpy().view(np.uint8), np.r_[x.view(np.uint8), np.full(3 * x.itemsize, 0xFF, np.uint8)])


def test_set_pad_value_leaves_the_filler_of_a_copy_without_padding_alone(run: Run) -> None:
    x, z = numbers(5, "float16"), Buffer.from_array(np.zeros(16, np.float16))
    run("movement", "filler", Buffer.from_array(x), z, 5)
    np.testing.assert_array_equal(z.to_numpy(), np.pad(x, (0, 11), mode="constant", constant_values=x[0]))


def test_blocks_go_where_gaps_say(run: Run) -> None:
    x, z = numbers(24, "int32"), Buffer(64, np.int32)
    run("movement", "blocks", Buffer.from_array(x), z)
    expected = np.zeros(64, np.int32)
    expected[0:8], expected[24:32], expected[32:40] = x[0:8], x[16:24], x[0:8]
    np.testing.assert_array_equal(z.to_numpy(), expected)


def test_atomic_copies_of_all_blocks_add_up(run: Run) -> None:
    z = Buffer.from_array(np.zeros(64, np.float32))
    run("movement", "add_everywhere", z, blocks=8)
    np.testing.assert_array_equal(z.to_numpy(), np.repeat(np.float32([36, 8]), 32))


@pytest.mark.parametrize("size", [1, 5, 1000, 40000])
def test_global_memory_is_filled_to_the_last_element_and_no_further(run: Run, size: int) -> None:
    values = [np.int8(-3), np.float16(1.5), np.int32(0x12345678), np.int64(0x123456789ABCDEF0)]
    buffers = [Buffer.from_array(np.zeros(size + 9, value.dtype)) for value in values]
    run("movement", "fill_gm", *buffers, size)
    for buffer, value in zip(buffers, values, strict=True):
        np.testing.assert_array_equal(buffer.to_numpy(), [value] * size + [0] * 9)


def test_scalar_access_and_arithmetic(run: Run) -> None:
    x, z = np.float32([3, 4, 2, 0, 0, 0, 0, 0]), Buffer(16, np.float32)
    run("movement", "scalars", Buffer.from_array(x), z)
    third = np.float16(1) / np.float16(3)
    got = z.to_numpy()
    assert got[:3].tolist() == [3, 5, 15]
    assert got[3] == third
    assert got[4] == third * np.float16(3) + np.float16(0.25)
    assert got[5] == np.float32(x[:1].view(np.int32)[0])
    assert got[6:8].tolist() == [16, 10]
    assert got[8] == np.sqrt(np.float32(2))
    assert got[9] == -3
    assert got[10] == 4 + 100 * 8 + 10000 * 63
    assert got[11] == np.float32(ml_dtypes.bfloat16(1.01))
    assert got[12:].tolist() == [4 + 100 * 64, 0, 0, 0]


def test_printf_and_dumptensor_reach_the_user(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    run("movement", "talks", Buffer(8, np.float32), blocks=2)
    out = capsys.readouterr().out
    assert re.findall(r"block \d of 3: .*", out) == [f"block {i} of 3: 0.500000 text ff %" for i in range(2)]
    assert out.count("desc=9") == 2
    assert "[4, 4, 4, 4, 4, 4, 4, 4]" in out


def test_assert_gives_its_text_and_its_line(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    run("movement", "refuses", Buffer(8, np.float32), 9)
    with pytest.raises(KernelTrap, match="value < 10") as caught:
        run("movement", "refuses", Buffer(8, np.float32), 10)
    assert caught.value.file.endswith("movement.cpp")
    assert "value is 10" in capsys.readouterr().out
