# SPDX-License-Identifier: Apache-2.0
"""Placeholders, later changes of a list, and what a launch takes from it at which moment."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from host import message, ok, read, write
from steps import UserList, append, fill, launch_list, update

import acl

Malloc = Callable[[int], int]
Find = Callable[[str], int]
COUNT = 16
X = np.arange(COUNT, dtype=np.float32)


def tiling(scale: float, bias: float = 0.5, count: int = COUNT) -> bytes:
    """What the kernel `affine` finds at its second parameter."""
    return np.uint32(count).tobytes() + np.array([scale, bias], np.float32).tobytes()


class Affine:
    """An argument list of the kernel `affine`, filled but for its tiling: x, placeholder, count, y."""

    def __init__(self, malloc: Malloc, function: Find, args: int | None = None) -> None:
        self.function, self.y, x = function("affine"), malloc(4 * COUNT), malloc(4 * COUNT)
        write(x, X)
        self.args: int = ok(acl.rt.kernel_args_init(self.function)) if args is None else args
        self.x = append(self.args, x)[0]
        self.slot: int = ok(acl.rt.kernel_args_append_place_holder(self.args))
        self.count, self.out = append(self.args, np.uint32(COUNT), self.y)

    def buffer(self, size: int = 12) -> int:
        host: int = ok(acl.rt.kernel_args_get_place_holder_buffer(self.args, self.slot, size))
        return host

    def finalize(self) -> None:
        ok(acl.rt.kernel_args_finalize(self.args))

    def launch(self, stream: int) -> int:
        return launch_list(self.function, 1, stream, self.args)

    def result(self) -> list[float]:
        values: list[float] = read(self.y, COUNT, np.float32).tolist()
        return values


@pytest.fixture
def affine(malloc: Malloc, function: Find, stream: int) -> Affine:
    return Affine(malloc, function)


def expected(scale: float, bias: float = 0.5) -> list[float]:
    values: list[float] = (X * np.float32(scale) + np.float32(bias)).tolist()
    return values


@pytest.mark.requirement("host-101")
def test_a_kernel_gets_the_bytes_of_a_placeholder_in_device_memory(affine: Affine, stream: int) -> None:
    fill(affine.buffer(), tiling(2.0))
    affine.finalize()
    ok(affine.launch(stream))
    ok(acl.rt.synchronize_stream(stream))
    assert affine.result() == expected(2.0)


@pytest.mark.requirement("host-101", "host-93")
def test_a_placeholder_works_in_the_callers_memory_too(malloc: Malloc, function: Find, stream: int) -> None:
    mine = UserList(function("affine"), 64)
    affine = Affine(malloc, function, mine.args)
    fill(affine.buffer(), tiling(3.0))
    affine.finalize()
    ok(affine.launch(stream))
    ok(acl.rt.synchronize_stream(stream))
    assert affine.result() == expected(3.0)


@pytest.mark.requirement("host-101")
def test_a_placeholder_buffer_has_a_size_and_a_placeholder(affine: Affine, stream: int) -> None:
    assert acl.rt.kernel_args_get_place_holder_buffer(affine.args, affine.slot, 0) == (0, 100000)
    assert acl.rt.kernel_args_get_place_holder_buffer(affine.args, 0, 8) == (0, 100000)
    assert acl.rt.kernel_args_get_place_holder_buffer(0, affine.slot, 8) == (0, 100000)
    assert acl.rt.kernel_args_get_place_holder_buffer(affine.args, stream, 8) == (0, 107017)
    assert acl.rt.kernel_args_get_place_holder_buffer(stream, affine.slot, 8) == (0, 107017)
    assert acl.rt.kernel_args_get_place_holder_buffer(affine.args, affine.slot, 64 * 1024) == (0, 107000)
    assert "a placeholder's buffer of 65536 bytes does not fit" in message()


@pytest.mark.requirement("host-102")
@pytest.mark.parametrize("sizes", [(13, 7), (8, 8), (1, 300)])
def test_two_placeholders_have_areas_of_their_own(malloc: Malloc, function: Find, stream: int, sizes: tuple[int, int]) -> None:
    both, out = function("two_sources"), malloc(512)
    contents = [np.random.default_rng(size).integers(1, 256, size, np.uint8).tobytes() for size in sizes]
    args, slots = ok(acl.rt.kernel_args_init(both)), []
    for size in sizes:
        slots.append(ok(acl.rt.kernel_args_append_place_holder(args)))
        append(args, np.uint32(size))
    append(args, out)
    areas = [ok(acl.rt.kernel_args_get_place_holder_buffer(args, slot, size)) for slot, size in zip(slots, sizes, strict=True)]
    assert areas[1] - areas[0] == (sizes[0] + 7) // 8 * 8
    for area, content in zip(areas, contents, strict=True):
        fill(area, content)
    ok(acl.rt.kernel_args_finalize(args))
    ok(launch_list(both, 1, stream, args))
    ok(acl.rt.synchronize_stream(stream))
    assert read(out, sum(sizes), np.uint8).tobytes() == b"".join(contents)


@pytest.mark.requirement("host-103")
def test_parameters_come_before_placeholder_buffers(affine: Affine) -> None:
    affine.buffer()
    value = np.zeros(1, np.uint64)
    assert acl.rt.kernel_args_append(affine.args, value.ctypes.data, 8) == (0, 207000)
    assert "placeholder buffers stand behind all parameters, and one was taken already; append everything first" in message()
    assert acl.rt.kernel_args_append_place_holder(affine.args) == (0, 207000)


@pytest.mark.requirement("host-104")
@pytest.mark.parametrize("with_buffer", [False, True])
def test_a_finalised_list_takes_nothing_more(affine: Affine, with_buffer: bool) -> None:
    if with_buffer:
        affine.buffer()
    affine.finalize()
    value = np.zeros(1, np.uint64)
    assert acl.rt.kernel_args_append(affine.args, value.ctypes.data, 8) == (0, 207000)
    assert "finali" in message()
    assert acl.rt.kernel_args_append_place_holder(affine.args) == (0, 207000)
    assert acl.rt.kernel_args_get_place_holder_buffer(affine.args, affine.slot, 8) == (0, 207000)


@pytest.mark.requirement("host-105")
def test_an_ordinary_parameter_has_no_placeholder_buffer(affine: Affine) -> None:
    for parameter in (affine.x, affine.count, affine.out):
        assert acl.rt.kernel_args_get_place_holder_buffer(affine.args, parameter, 8) == (0, 107000)
        assert "is a value, not a placeholder; it has no buffer" in message()


@pytest.mark.requirement("host-105")
def test_of_two_buffers_for_one_placeholder_the_second_counts(affine: Affine, stream: int) -> None:
    first, second = affine.buffer(), affine.buffer()
    assert second - first == 16
    fill(first, tiling(100.0))
    fill(second, tiling(4.0))
    affine.finalize()
    ok(affine.launch(stream))
    ok(acl.rt.synchronize_stream(stream))
    assert affine.result() == expected(4.0)


@pytest.mark.requirement("host-106")
def test_a_placeholder_may_be_written_after_finalize(affine: Affine, stream: int) -> None:
    buffer = affine.buffer()
    fill(buffer, tiling(100.0))
    affine.finalize()
    fill(buffer, tiling(5.0))
    ok(affine.launch(stream))
    ok(acl.rt.synchronize_stream(stream))
    assert affine.result() == expected(5.0)


@pytest.mark.requirement("host-107")
@pytest.mark.parametrize("when", ["before the buffer", "before finalize", "after finalize"])
def test_a_value_can_be_changed(affine: Affine, malloc: Malloc, stream: int, when: str) -> None:
    other = malloc(4 * COUNT)
    if when == "before the buffer":
        assert update(affine.args, affine.out, other) == 0
    fill(affine.buffer(), tiling(6.0))
    if when == "before finalize":
        assert update(affine.args, affine.out, other) == 0
    affine.finalize()
    if when == "after finalize":
        assert update(affine.args, affine.out, other) == 0
        affine.finalize()
    ok(affine.launch(stream))
    ok(acl.rt.synchronize_stream(stream))
    assert read(other, COUNT, np.float32).tolist() == expected(6.0)
    assert affine.result() == [0.0] * COUNT


@pytest.mark.requirement("host-107")
def test_a_value_keeps_its_size_and_a_placeholder_has_none(affine: Affine) -> None:
    assert update(affine.args, affine.count, np.uint64(COUNT)) == 107000
    assert "4" in message()  # bytes it was appended with
    assert update(affine.args, affine.out, np.uint32(0)) == 107000
    assert update(affine.args, affine.slot, np.uint64(0)) == 107000
    assert "is a placeholder: write into its buffer instead of updating it" in message()
    value = np.zeros(1, np.uint64)
    assert acl.rt.kernel_args_para_update(affine.args, affine.out, 0, 8) == 100000
    assert acl.rt.kernel_args_para_update(affine.args, affine.out, value.ctypes.data, 0) == 100000
    assert acl.rt.kernel_args_para_update(affine.args, 0, value.ctypes.data, 8) == 100000
    assert acl.rt.kernel_args_para_update(0, affine.out, value.ctypes.data, 8) == 100000


@pytest.mark.requirement("host-108")
def test_a_list_is_launched_when_it_is_finalised(affine: Affine, stream: int) -> None:
    fill(affine.buffer(), tiling(7.0))
    assert affine.launch(stream) == 107000
    assert "finalize" in message()
    affine.finalize()
    assert affine.launch(stream) == 0
    assert update(affine.args, affine.count, np.uint32(8)) == 0
    assert affine.launch(stream) == 107000
    assert "finalize" in message()
    affine.finalize()
    assert affine.launch(stream) == 0
    ok(acl.rt.synchronize_stream(stream))
    assert affine.result() == expected(7.0)


@pytest.mark.requirement("host-108")
def test_an_update_before_finalize_is_settled_by_it(affine: Affine, stream: int) -> None:
    assert update(affine.args, affine.count, np.uint32(COUNT)) == 0
    fill(affine.buffer(), tiling(8.0))
    affine.finalize()
    assert affine.launch(stream) == 0


@pytest.mark.requirement("host-109")
def test_finalising_again_changes_nothing(affine: Affine, stream: int) -> None:
    fill(affine.buffer(), tiling(9.0))
    for _ in range(3):
        affine.finalize()
    ok(affine.launch(stream))
    ok(acl.rt.synchronize_stream(stream))
    assert affine.result() == expected(9.0)


@pytest.mark.requirement("host-110")
def test_an_empty_list_is_not_launched(stream: int, function: Find) -> None:
    fill_index = function("fill_index")
    args = ok(acl.rt.kernel_args_init(fill_index))
    ok(acl.rt.kernel_args_finalize(args))
    assert launch_list(fill_index, 1, stream, args) == 107000
    assert "fill_index" in message()


@pytest.mark.requirement("host-111")
def test_a_list_changed_between_two_launches_changes_the_second(malloc: Malloc, stream: int, function: Find, gate: Any) -> None:
    digit, number = function("append_digit"), malloc(8)
    gate.shut(stream)
    args = ok(acl.rt.kernel_args_init(digit))
    parameter = append(args, number, np.int64(1))[1]
    ok(acl.rt.kernel_args_finalize(args))
    ok(launch_list(digit, 1, stream, args))
    ok(launch_list(digit, 1, stream, args))
    ok(update(args, parameter, np.int64(2)))
    ok(acl.rt.kernel_args_finalize(args))
    ok(launch_list(digit, 1, stream, args))
    gate.open()
    ok(acl.rt.synchronize_stream(stream))
    assert read(number, 1, np.int64)[0] == 112


@pytest.mark.requirement("host-111")
def test_a_placeholder_rewritten_behind_a_launch_belongs_to_the_next(malloc: Malloc, function: Find, stream: int, gate: Any) -> None:
    gate.shut(stream)
    affine = Affine(malloc, function)
    buffer = affine.buffer()
    affine.finalize()
    fill(buffer, tiling(10.0))
    ok(affine.launch(stream))
    fill(buffer, bytes(12))
    gate.open()
    ok(acl.rt.synchronize_stream(stream))
    assert affine.result() == expected(10.0)
    ok(affine.launch(stream))
    ok(acl.rt.synchronize_stream(stream))
    assert affine.result() == [0.0] * COUNT


@pytest.mark.requirement("host-112")
def test_a_list_is_free_for_the_next_launch_at_once(malloc: Malloc, stream: int, function: Find, gate: Any) -> None:
    digit, number = function("append_digit"), malloc(8)
    gate.shut(stream)
    for value in range(1, 10):
        args = ok(acl.rt.kernel_args_init(digit))
        append(args, number, np.int64(value))
        ok(acl.rt.kernel_args_finalize(args))
        ok(launch_list(digit, 1, stream, args))
    ok(acl.rt.kernel_args_init(digit))
    gate.open()
    ok(acl.rt.synchronize_stream(stream))
    assert read(number, 1, np.int64)[0] == 123456789


@pytest.mark.requirement("host-101")
@pytest.mark.parametrize(("size", "lines"), [(2048, 0), (2049, 1), (40_000, 1)])
def test_much_placeholder_data_works_and_is_mentioned_once(
    affine: Affine, stream: int, caplog: pytest.LogCaptureFixture, size: int, lines: int
) -> None:
    fill(affine.buffer(size), tiling(11.0).ljust(size, b"\xff"))
    affine.finalize()
    with caplog.at_level(logging.DEBUG, logger="aclimb"):
        ok(affine.launch(stream))
        ok(acl.rt.synchronize_stream(stream))
    assert affine.result() == expected(11.0)
    said = [record.getMessage() for record in caplog.records if str(size) in record.getMessage()]
    assert len(said) == lines
