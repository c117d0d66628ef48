# SPDX-License-Identifier: Apache-2.0
"""Argument lists without placeholders: whose they are, how large they get, and what reaches the kernel."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from host import message, ok, read, write
from steps import UserList, append, launch_list, packed, update

import acl
from aclimb import capi

Malloc = Callable[[int], int]
Find = Callable[[str], int]
ROOM = 64 * 1024  # bytes of a list that the system manages


def word(address: int) -> int:
    return int(read(address, 1)[0])


def append_bytes(args: int, count: int) -> tuple[int, int]:
    data = np.zeros(count, np.uint8)
    answer: tuple[int, int] = acl.rt.kernel_args_append(args, data.ctypes.data, data.nbytes)
    return answer


@pytest.mark.requirement("host-91")
def test_a_second_init_empties_the_list_of_the_thread(malloc: Malloc, stream: int, function: Find) -> None:
    fill, out, decoy = function("fill_index"), malloc(8), malloc(8)
    args = ok(acl.rt.kernel_args_init(fill))
    old = append(args, decoy, decoy)
    assert ok(acl.rt.kernel_args_init(fill)) == args
    for parameter in old:
        assert update(args, parameter, out) == 107017
        assert "is not a parameter of this argument list, or one from before its last init" in message()
    append(args, out)
    ok(acl.rt.kernel_args_finalize(args))
    ok(launch_list(fill, 2, stream, args))
    ok(acl.rt.synchronize_stream(stream))
    assert read(out, 2).tolist() == [0, 1]
    assert read(decoy, 2).tolist() == [0, 0]


@pytest.mark.requirement("host-91")
def test_a_list_is_for_a_function(device: int, stream: int) -> None:
    assert acl.rt.kernel_args_init(0) == (0, 100000)
    assert acl.rt.kernel_args_init(stream) == (0, 107017)
    assert "is a stream; a function is needed here" in message()


@pytest.mark.requirement("host-91")
@pytest.mark.parametrize("own_memory", [False, True], ids=["system", "user"])
def test_a_list_for_another_function_is_refused_at_the_launch(malloc: Malloc, stream: int, function: Find, own_memory: bool) -> None:
    """By both launches, with both names; for its own function it is good."""
    fill, other, out = function("fill_index"), function("count_runs"), malloc(8)
    kept = UserList(fill, 64) if own_memory else None
    args = kept.args if kept else ok(acl.rt.kernel_args_init(fill))
    append(args, out)
    ok(acl.rt.kernel_args_finalize(args))
    why = "the argument list was made for fill_index, and count_runs is launched; call kernel_args_init with count_runs"
    for call, answer in (
        ("acl.rt.launch_kernel_with_config", lambda: launch_list(other, 2, stream, args)),
        ("aclrtLaunchKernelWithConfig", lambda: capi.aclrtLaunchKernelWithConfig(other, 2, stream, None, args, 0)),
    ):
        assert answer() == 107000
        assert message() == f"107000: {call}: {why}"
    ok(launch_list(fill, 2, stream, args))
    ok(acl.rt.synchronize_stream(stream))
    assert read(out, 2).tolist() == [0, 1]


@pytest.mark.requirement("host-91")
def test_a_list_for_a_function_of_the_same_name_says_so(malloc: Malloc, stream: int, function: Find, kernels: dict[str, Path]) -> None:
    again = ok(acl.rt.binary_load_from_file(str(kernels["fill_index"]), []))
    there = ok(acl.rt.binary_get_function(again, "fill_index"))
    args = ok(acl.rt.kernel_args_init(there))
    append(args, malloc(8))
    ok(acl.rt.kernel_args_finalize(args))
    assert launch_list(function("fill_index"), 2, stream, args) == 107000
    assert "was made for fill_index of another binary, and fill_index is launched" in message()
    ok(acl.rt.binary_unload(again))
    assert launch_list(function("fill_index"), 2, stream, args) == 107000
    assert "was made for a function whose binary was unloaded, and fill_index is launched" in message()


@pytest.mark.requirement("host-92")
def test_two_threads_build_their_lists_at_the_same_time(malloc: Malloc, stream: int, function: Find) -> None:
    digit, context = function("append_digit"), ok(acl.rt.get_context())
    here, there = malloc(8), malloc(8)
    with ThreadPoolExecutor(1) as other:

        def run(call: Callable[..., Any], *rest: Any) -> Any:
            return other.submit(call, *rest).result(60)

        mine, theirs = ok(acl.rt.kernel_args_init(digit)), ok(run(acl.rt.kernel_args_init, digit))
        assert mine != theirs
        append(mine, here)
        run(append, theirs, there)
        append(mine, np.int64(1))
        run(append, theirs, np.int64(2))
        ok(run(acl.rt.set_context, context))
        ok(run(acl.rt.kernel_args_finalize, theirs))
        ok(acl.rt.kernel_args_finalize(mine))
        ok(launch_list(digit, 1, stream, mine))
        ok(run(launch_list, digit, 1, stream, theirs))
        ok(acl.rt.synchronize_stream(stream))
    assert (word(here), word(there)) == (1, 2)


@pytest.mark.requirement("host-93")
@pytest.mark.parametrize("size", [0, 1, 100, 70_000])
def test_the_sizes_to_allocate_are_large_enough(function: Find, size: int) -> None:
    fill = function("fill_index")
    assert ok(acl.rt.kernel_args_get_handle_mem_size(fill)) > 0
    assert ok(acl.rt.kernel_args_get_mem_size(fill, size)) >= size


@pytest.mark.requirement("host-93")
def test_two_lists_in_the_callers_memory_are_built_side_by_side(malloc: Malloc, stream: int, function: Find) -> None:
    digit = function("append_digit")
    outs = malloc(8), malloc(8)
    lists = UserList(digit, 16), UserList(digit, 16)
    for each, out in zip(lists, outs, strict=True):
        append(each.args, out)
    for each, value in zip(lists, (3, 4), strict=True):
        append(each.args, np.int64(value))
    for each in lists:
        ok(acl.rt.kernel_args_finalize(each.args))
    for each in (*lists, lists[0]):
        ok(launch_list(digit, 1, stream, each.args))
    ok(acl.rt.synchronize_stream(stream))
    assert [word(out) for out in outs] == [33, 4]


@pytest.mark.requirement("host-93")
def test_the_memory_of_a_list_can_be_used_again(malloc: Malloc, stream: int, function: Find) -> None:
    digit, out = function("append_digit"), malloc(8)
    mine = UserList(digit, 16)
    handle, memory = mine._handle, mine._memory
    for value in (5, 6):
        ok(acl.rt.kernel_args_init_by_user_mem(digit, handle.ctypes.data, memory.ctypes.data, memory.nbytes))
        append(mine.args, out, np.int64(value))
        ok(acl.rt.kernel_args_finalize(mine.args))
        ok(launch_list(digit, 1, stream, mine.args))
    ok(acl.rt.synchronize_stream(stream))
    assert word(out) == 56


@pytest.mark.requirement("host-93")
def test_memory_that_was_not_made_a_list_is_none(function: Find, stream: int) -> None:
    digit = function("append_digit")
    bare = np.zeros(max(2**22, ok(acl.rt.kernel_args_get_handle_mem_size(digit))), np.uint8)  # large: no list of another test lay there
    value = np.zeros(1, np.uint64)
    assert acl.rt.kernel_args_append(bare.ctypes.data, value.ctypes.data, 8) == (0, 107017)
    assert acl.rt.kernel_args_finalize(bare.ctypes.data) == 107017
    assert launch_list(digit, 1, stream, bare.ctypes.data) == 107017


@pytest.mark.requirement("host-93")
def test_a_list_in_the_callers_memory_needs_all_of_it(function: Find) -> None:
    digit = function("append_digit")
    handle = np.zeros(ok(acl.rt.kernel_args_get_handle_mem_size(digit)), np.uint8).ctypes
    memory = np.zeros(1024, np.uint8).ctypes
    assert acl.rt.kernel_args_init_by_user_mem(0, handle.data, memory.data, 1024) == 100000
    assert acl.rt.kernel_args_init_by_user_mem(digit, 0, memory.data, 1024) == 100000
    assert acl.rt.kernel_args_init_by_user_mem(digit, handle.data, 0, 1024) == 100000
    assert acl.rt.kernel_args_init_by_user_mem(digit, handle.data, memory.data, 0) == 100000


@pytest.mark.requirement("host-94")
def test_a_parameter_that_does_not_fit_the_callers_memory_is_refused(function: Find) -> None:
    mine = UserList(function("many"), 0, exactly=20)
    append(mine.args, 1, 2)
    assert append_bytes(mine.args, 8) == (0, 107000)
    assert "20" in message()  # bytes there are
    assert append_bytes(mine.args, 4)[1] == 0


@pytest.mark.requirement("host-95")
def test_a_value_is_copied_when_it_is_appended(malloc: Malloc, stream: int, function: Find) -> None:
    digit, out = function("append_digit"), malloc(8)
    args = ok(acl.rt.kernel_args_init(digit))
    values = np.array([out, 7], np.uint64)
    for index in range(2):
        ok(acl.rt.kernel_args_append(args, values.ctypes.data + 8 * index, 8))
    values[:] = 0
    ok(acl.rt.kernel_args_finalize(args))
    ok(launch_list(digit, 1, stream, args))
    ok(acl.rt.synchronize_stream(stream))
    assert word(out) == 7


@pytest.mark.requirement("host-96")
def test_values_of_every_size_arrive_whole(malloc: Malloc, stream: int, function: Find) -> None:
    echo, out = function("echo_args"), malloc(512)
    random = np.random.default_rng(96)
    values = [random.integers(0, 256, size, np.uint8).tobytes() for size in (1, 2, 4, 8, 12, 300)]
    args = ok(acl.rt.kernel_args_init(echo))
    append(args, *values, out)
    ok(acl.rt.kernel_args_finalize(args))
    ok(launch_list(echo, 1, stream, args))
    ok(acl.rt.synchronize_stream(stream))
    assert read(out, 328, np.uint8).tobytes() == b"".join(values) + b"\0"


@pytest.mark.requirement("host-97")
def test_one_packed_block_is_the_same_as_single_parameters(malloc: Malloc, stream: int, function: Find) -> None:
    add, count = function("add_custom"), 64
    x, y = np.arange(count, dtype=np.float32), np.linspace(-1, 1, count, dtype=np.float32)
    xs, ys, single, whole = (malloc(4 * count) for _ in range(4))
    write(xs, x)
    write(ys, y)
    for out, pack in ((single, False), (whole, True)):
        values = (xs, ys, out, np.uint32(count))
        args = ok(acl.rt.kernel_args_init(add))
        append(args, *((packed(*values),) if pack else values))
        ok(acl.rt.kernel_args_finalize(args))
        ok(launch_list(add, 2, stream, args))
    ok(acl.rt.synchronize_stream(stream))
    np.testing.assert_array_equal(read(single, count, np.float32), x + y)
    np.testing.assert_array_equal(read(whole, count, np.float32), x + y)


@pytest.mark.requirement("host-98")
def test_a_list_takes_128_parameters(malloc: Malloc, stream: int, function: Find) -> None:
    many, out = function("many"), malloc(8 * 128)
    args = ok(acl.rt.kernel_args_init(many))
    append(args, out, *range(1, 128))
    assert append_bytes(args, 8) == (0, 107000)
    assert "128" in message()
    assert acl.rt.kernel_args_append_place_holder(args) == (0, 107000)
    ok(acl.rt.kernel_args_finalize(args))
    ok(launch_list(many, 1, stream, args))
    ok(acl.rt.synchronize_stream(stream))
    assert read(out, 128, np.uint64).tolist() == [out, *range(1, 128)]


@pytest.mark.requirement("host-98")
def test_a_list_in_the_callers_memory_takes_no_more_than_128_either(malloc: Malloc, stream: int, function: Find) -> None:
    many, out = function("many"), malloc(8 * 128)
    mine = UserList(many, 8 * 128)
    append(mine.args, out, *range(1, 128))
    ok(acl.rt.kernel_args_finalize(mine.args))
    ok(launch_list(many, 1, stream, mine.args))
    ok(acl.rt.synchronize_stream(stream))
    assert read(out, 128, np.uint64).tolist() == [out, *range(1, 128)]
    more = UserList(many, 8 * 200)
    codes = [append_bytes(more.args, 8)[1] for _ in range(130)]
    assert codes[:128] == [0] * 128
    assert codes[-1] == 107000


@pytest.mark.requirement("host-99")
@pytest.mark.parametrize("sizes", [(ROOM + 1,), (ROOM, 1), (ROOM - 7, 1), (40_000, 30_000)])
def test_a_list_of_the_system_holds_64_kib(function: Find, sizes: tuple[int, ...]) -> None:
    args = ok(acl.rt.kernel_args_init(function("fill_index")))
    for size in sizes[:-1]:
        assert append_bytes(args, size)[1] == 0
    assert append_bytes(args, sizes[-1]) == (0, 107000)
    text = message()
    assert str(ROOM) in text or "64 KiB" in text


@pytest.mark.requirement("host-99")
def test_64_kib_themselves_are_taken(function: Find) -> None:
    args = ok(acl.rt.kernel_args_init(function("fill_index")))
    for size in (ROOM - 8, 8):
        assert append_bytes(args, size)[1] == 0
    ok(acl.rt.kernel_args_finalize(args))


@pytest.mark.requirement("host-100")
def test_nothing_cannot_be_appended(function: Find, stream: int) -> None:
    args, value = ok(acl.rt.kernel_args_init(function("fill_index"))), np.zeros(1, np.uint64)
    assert acl.rt.kernel_args_append(args, 0, 8) == (0, 100000)
    assert "value is 0" in message()
    assert acl.rt.kernel_args_append(args, value.ctypes.data, 0) == (0, 100000)
    assert acl.rt.kernel_args_append(0, value.ctypes.data, 8) == (0, 100000)
    assert acl.rt.kernel_args_append(stream, value.ctypes.data, 8) == (0, 107017)
    assert acl.rt.kernel_args_append_place_holder(0) == (0, 100000)
    assert acl.rt.kernel_args_finalize(0) == 100000
    assert acl.rt.kernel_args_finalize(stream) == 107017
