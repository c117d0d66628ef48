# SPDX-License-Identifier: Apache-2.0
"""The launch calls: where arguments come from, how often blocks run, and in which order."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from host import STAGED, argument_list, in_thread, launch, message, ok, read, write
from steps import append, launch_list, loaded, packed

import acl
from aclimb import capi

Malloc = Callable[[int], int]
Make = Callable[[], int]
Find = Callable[[str], int]
PENDING, DONE = (1, 0), (0, 0)
NOT_A_LIST = r"^argument \d only support the format of list$"


def host_args(function: int, num_blocks: int, stream: int, block: np.ndarray, *slots: tuple[int, int]) -> int:
    """The code of a launch from host memory; slots are (offset of the address, offset of the data)."""
    places = [{"addrOffset": address, "dataOffset": data} for address, data in slots]
    answer: int = acl.rt.launch_kernel_with_host_args(
        function, num_blocks, stream, [], block.ctypes.data, block.nbytes, places, len(places)
    )
    return answer


def affine_block(x: int, y: int, scale: float) -> np.ndarray:
    """x, an empty slot at 8, a count of 4, y, and at 32 the tiling struct the slot is to point to."""
    tiling = np.uint32(4).tobytes() + np.array([scale, 1.0], np.float32).tobytes()
    return packed(x, 0, np.uint32(4), y, tiling)


@pytest.mark.requirement("host-113")
def test_a_launch_returns_before_the_kernel_ends(malloc: Malloc, stream: int, function: Find, gate: Any) -> None:
    out = malloc(16)
    ok(acl.rt.memset(out, 16, 255, 16))
    gate.shut(stream)
    assert launch(function("fill_index"), 4, stream, out) == 0
    assert acl.rt.stream_query(stream) == PENDING
    assert read(out, 4).tolist() == [-1] * 4
    gate.open()
    ok(acl.rt.synchronize_stream(stream))
    assert acl.rt.stream_query(stream) == DONE
    assert read(out, 4).tolist() == [0, 1, 2, 3]


@pytest.mark.requirement("host-114")
@pytest.mark.parametrize("config", [None, (), {}, 0])
def test_a_launch_configuration_is_a_list(malloc: Malloc, stream: int, function: Find, config: Any) -> None:
    fill_index = function("fill_index")
    args = argument_list(fill_index, malloc(4))
    with pytest.raises(ValueError, match=NOT_A_LIST):
        acl.rt.launch_kernel_with_config(fill_index, 1, stream, config, args, 0)


@pytest.mark.requirement("host-114")
def test_a_launch_needs_a_function_a_list_and_nothing_reserved(malloc: Malloc, stream: int, function: Find) -> None:
    fill_index = function("fill_index")
    args = argument_list(fill_index, malloc(4))
    assert acl.rt.launch_kernel_with_config(fill_index, 1, stream, [], args, 1) == 100000
    assert "reserve is 1; it has to be 0" in message()
    assert acl.rt.launch_kernel_with_config(fill_index, 1, stream, [], 0, 0) == 100000
    assert acl.rt.launch_kernel_with_config(0, 1, stream, [], args, 0) == 100000
    assert acl.rt.launch_kernel_with_config(fill_index, 1, stream, [], stream, 0) == 107017
    assert acl.rt.launch_kernel_with_config(stream, 1, stream, [], args, 0) == 107017
    assert acl.rt.launch_kernel_with_config(fill_index, 1, fill_index, [], args, 0) == 107017
    assert acl.rt.stream_query(stream) == DONE


@pytest.mark.requirement("host-115")
def test_arguments_may_lie_in_device_memory(malloc: Malloc, stream: int, function: Find) -> None:
    x, y, z, block = (malloc(256) for _ in range(4))
    write(x, np.arange(64, dtype=np.float32))
    write(y, np.full(64, 0.5, np.float32))
    arguments = packed(x, y, z, np.uint32(64))
    write(block, arguments)
    assert acl.rt.launch_kernel(function("add_custom"), 4, block, arguments.nbytes, stream) == 0
    ok(acl.rt.synchronize_stream(stream))
    np.testing.assert_array_equal(read(z, 64, np.float32), np.arange(64) + 0.5)


@pytest.mark.requirement("host-115")
def test_arguments_in_device_memory_are_read_when_the_kernel_runs(malloc: Malloc, stream: int, function: Find, gate: Any) -> None:
    out, block = malloc(16), malloc(8)
    gate.shut(stream)
    late = packed(out)
    ok(acl.rt.memcpy_async(block, 8, late.ctypes.data, 8, STAGED, stream))
    ok(acl.rt.launch_kernel(function("fill_index"), 4, block, 8, stream))
    gate.open()
    ok(acl.rt.synchronize_stream(stream))
    assert read(out, 4).tolist() == [0, 1, 2, 3]


@pytest.mark.requirement("host-115")
def test_arguments_in_device_memory_are_an_address(stream: int, function: Find, malloc: Malloc) -> None:
    fill_index, block = function("fill_index"), malloc(8)
    for wrong in ([1, 2], None, 1.0, np.uint64(block), b"12345678"):
        with pytest.raises(TypeError, match=r"^acl\.rt\.launch_kernel args parse failed$"):
            acl.rt.launch_kernel(fill_index, 1, wrong, 8, stream)
    assert acl.rt.launch_kernel(fill_index, 1, 0, 8, stream) == 100000
    assert acl.rt.launch_kernel(0, 1, block, 8, stream) == 100000
    assert acl.rt.launch_kernel(fill_index, 1, block, 0, stream) == 107000
    assert "the arguments have 0 bytes" in message()


@pytest.mark.requirement("host-115")
@pytest.mark.parametrize("whose", ["ctypes", "numpy", "malloc_host"])
def test_arguments_in_host_memory_belong_to_other_calls(malloc: Malloc, stream: int, function: Find, whose: str) -> None:
    """Three kinds of host memory, one true sentence; the call that it names takes the same address."""
    fill_index, out = function("fill_index"), malloc(16)
    array, words, locked = np.zeros(1, np.uint64), (ctypes.c_uint64 * 1)(), ok(acl.rt.malloc_host(64))
    address = {"ctypes": ctypes.addressof(words), "numpy": array.ctypes.data, "malloc_host": locked}[whose]
    ctypes.c_uint64.from_address(address).value = out
    for call, answer in (
        ("acl.rt.launch_kernel", lambda: acl.rt.launch_kernel(fill_index, 4, address, 8, stream)),
        ("acl.rt.launch_kernel_v2", lambda: acl.rt.launch_kernel_v2(fill_index, 4, address, 8, [], stream)),
        ("aclrtLaunchKernelV2", lambda: capi.aclrtLaunchKernelV2(fill_index, 4, address, 8, None, stream)),
    ):
        assert answer() == 107000
        assert message() == (
            f"107000: {call}: the arguments of fill_index have to be in device memory of Device(0, soc='{acl.get_soc_name()}'): "
            f"0x{address:x} is host memory; copy them to device memory, or use a call that takes arguments in host memory: "
            "aclrtLaunchKernelWithHostArgs or aclrtLaunchKernelWithConfig (acl.rt.launch_kernel_with_host_args, launch_kernel_with_config)"
        )
    ok(acl.rt.launch_kernel_with_host_args(fill_index, 4, stream, [], address, 8, [], 0))
    ok(acl.rt.synchronize_stream(stream))
    assert read(out, 4).tolist() == [0, 1, 2, 3]
    ok(acl.rt.free_host(locked))


@pytest.mark.requirement("host-115")
def test_what_is_no_memory_at_all_is_said_of_arguments(malloc: Malloc, stream: int, function: Find) -> None:
    fill_index, freed = function("fill_index"), ok(acl.rt.malloc_host(64))
    ok(acl.rt.free_host(freed))
    for address, what in (
        (fill_index, "is the handle of a function, not an address; give the address of device memory"),
        (8, "is not the address of anything: no memory lies there; give the address of device memory"),
        (freed, "is memory of malloc_host that was freed"),
    ):
        assert acl.rt.launch_kernel(fill_index, 1, address, 8, stream) == 107000
        assert f"0x{address:x} {what}" in message()


@pytest.mark.requirement("host-115")
def test_arguments_lie_in_memory_of_the_launching_device(stream: int, function: Find, malloc: Malloc) -> None:
    fill_index, host = function("fill_index"), packed(malloc(8))
    assert acl.rt.launch_kernel(fill_index, 1, host.ctypes.data, 8, stream) != 0
    assert "the arguments of fill_index have to be in device memory of Device(0" in message()
    here = ok(acl.rt.get_context())
    ok(acl.rt.set_device(1))
    there, elsewhere = ok(acl.rt.get_context()), ok(acl.rt.malloc(64, 0))
    ok(acl.rt.set_context(here))
    assert acl.rt.launch_kernel(fill_index, 1, elsewhere, 8, stream) != 0
    assert "is memory of another device than Device(0" in message()
    ok(acl.rt.set_context(there))
    ok(acl.rt.free(elsewhere))
    ok(acl.rt.set_context(here))
    ok(acl.rt.reset_device(1))


@pytest.mark.requirement("host-116")
def test_a_host_block_is_free_again_when_the_launch_returns(malloc: Malloc, stream: int, function: Find, gate: Any) -> None:
    x, y = malloc(16), malloc(16)
    write(x, np.arange(4, dtype=np.float32))
    block = affine_block(x, y, 2.0)
    gate.shut(stream)
    assert host_args(function("affine"), 1, stream, block, (8, 32)) == 0
    block[:] = 0
    gate.open()
    ok(acl.rt.synchronize_stream(stream))
    assert read(y, 4, np.float32).tolist() == [1.0, 3.0, 5.0, 7.0]


@pytest.mark.requirement("host-116")
def test_slots_are_filled_in_the_callers_block(malloc: Malloc, stream: int, function: Find) -> None:
    out = malloc(64)
    block = packed(0, np.uint32(3), 0, np.uint32(5), out, b"abc", b"defgh")
    before = block.copy()
    assert host_args(function("two_sources"), 1, stream, block, (0, 40), (16, 48)) == 0
    first, second = block[:8].view(np.uint64)[0], block[16:24].view(np.uint64)[0]
    assert first
    assert second - first == 8
    block[:8] = block[16:24] = 0
    np.testing.assert_array_equal(block, before)
    ok(acl.rt.synchronize_stream(stream))
    assert read(out, 8, np.uint8).tobytes() == b"abcdefgh"


@pytest.mark.requirement("host-116")
@pytest.mark.parametrize("slot", [(44, 32), (8, 44), (2**31, 32), (8, 2**31), (40, 32)])
def test_a_slot_outside_the_block_is_refused(malloc: Malloc, stream: int, function: Find, slot: tuple[int, int]) -> None:
    block = affine_block(malloc(16), malloc(16), 2.0)
    assert block.nbytes == 44
    before = block.copy()
    assert host_args(function("affine"), 1, stream, block, slot) == 107000
    assert "44" in message()
    np.testing.assert_array_equal(block, before)


@pytest.mark.requirement("host-117")
def test_placeholders_are_counted_and_listed(malloc: Malloc, stream: int, function: Find) -> None:
    fill_index, out = function("fill_index"), malloc(16)
    block = packed(out)
    run = acl.rt.launch_kernel_with_host_args
    assert run(fill_index, 4, stream, [], block.ctypes.data, 8, [], 1) == 107000
    assert "1 placeholders are announced and 0 are given" in message()
    for places in (None, ()):
        with pytest.raises(ValueError, match=NOT_A_LIST):
            run(fill_index, 4, stream, [], block.ctypes.data, 8, places, 0)
    with pytest.raises(ValueError, match=NOT_A_LIST):
        run(fill_index, 4, stream, None, block.ctypes.data, 8, [], 0)
    with pytest.raises(TypeError):
        run(fill_index, 4, stream, [], block.ctypes.data, 8, [(0, 0)], 1)
    assert run(fill_index, 4, stream, [], 0, 8, [], 0) == 100000
    assert run(fill_index, 4, stream, [], block.ctypes.data, 0, [], 0) == 107000
    assert run(fill_index, 4, stream, [], block.ctypes.data, 8, [], 0) == 0
    ok(acl.rt.synchronize_stream(stream))
    assert read(out, 4).tolist() == [0, 1, 2, 3]


@pytest.mark.requirement("host-118")
@pytest.mark.parametrize("blocks", [0, 2**32, 65536, 100_000, 2**32 - 1, -1])
def test_a_number_of_blocks_out_of_range_is_refused(malloc: Malloc, stream: int, function: Find, blocks: int) -> None:
    fill_index, out, block = function("fill_index"), malloc(8), malloc(8)
    write(block, packed(out))
    args = argument_list(fill_index, out)
    none = blocks in (0, 2**32)  # the number is cut to 32 bits before anybody looks at it
    assert launch_list(fill_index, blocks, stream, args) == (100000 if none else 107000)
    assert none or "65535" in message()
    assert acl.rt.launch_kernel(fill_index, blocks, block, 8, stream) == 107000
    assert host_args(fill_index, blocks, stream, packed(out)) == 107000
    assert acl.rt.stream_query(stream) == DONE


@pytest.mark.requirement("host-119")
@pytest.mark.parametrize("blocks", [1, 7, 48, 49, 1000, 65535])
def test_every_block_runs_once(malloc: Malloc, stream: int, function: Find, blocks: int) -> None:
    count, out = function("count_runs"), malloc(4 * blocks)
    ok(launch(count, blocks, stream, out))
    ok(acl.rt.synchronize_stream(stream))
    assert (read(out, blocks) == 1).all()


@pytest.mark.requirement("host-120")
@pytest.mark.parametrize("blocks", [1, 3, 30])
def test_a_block_of_a_mixed_kernel_is_one_cube_and_two_vector_cores(malloc: Malloc, stream: int, function: Find, blocks: int) -> None:
    out = malloc(3 * blocks * 16)
    ok(launch(function("mix_index"), blocks, stream, out))
    ok(acl.rt.synchronize_stream(stream))
    cubes = [[1, core, 0, blocks] for core in range(blocks)]
    vectors = [[1, core, core % 2, blocks] for core in range(2 * blocks)]
    assert read(out, 12 * blocks).reshape(-1, 4).tolist() == cubes + vectors


@pytest.mark.requirement("host-121")
@pytest.mark.parametrize("pending", [False, True], ids=["idle", "with pending work"])
@pytest.mark.parametrize("default", [False, True], ids=["a stream", "stream 0"])
def test_launches_keep_their_order(malloc: Malloc, stream: int, function: Find, gate: Any, default: bool, pending: bool) -> None:
    queue, digit, number = 0 if default else stream, function("append_digit"), malloc(8)
    block = packed(number, np.int64(3))
    device_block = malloc(16)
    write(device_block, packed(number, np.int64(4)))
    if pending:
        gate.shut(queue)
    ok(launch(digit, 1, queue, number, np.int64(1)))
    ok(launch(digit, 1, queue, number, np.int64(2)))
    ok(host_args(digit, 1, queue, block))
    ok(acl.rt.launch_kernel(digit, 1, device_block, 16, queue))
    ok(launch(digit, 1, queue, number, np.int64(5)))
    gate.open()
    ok(acl.rt.synchronize_stream(queue))
    assert read(number, 1, np.int64)[0] == 12345


@pytest.mark.requirement("host-122")
def test_a_stream_of_another_context_is_refused(
    malloc: Malloc, stream: int, function: Find, new_context: Callable[[int], int], device: int
) -> None:
    fill_index, out, block = function("fill_index"), malloc(16), malloc(8)
    write(block, packed(out))
    new_context(device)
    args = argument_list(fill_index, out)
    assert launch_list(fill_index, 4, stream, args) == 107003
    assert "belongs to another context, of Device(0" in message()
    assert acl.rt.launch_kernel(fill_index, 4, block, 8, stream) == 107003
    assert host_args(fill_index, 4, stream, packed(out)) == 107003
    ok(launch_list(fill_index, 4, 0, args))  # the function itself belongs to the device
    ok(acl.rt.synchronize_stream(0))
    assert read(out, 4).tolist() == [0, 1, 2, 3]


@pytest.mark.requirement("host-122")
def test_a_thread_without_a_context_launches_nothing(malloc: Malloc, stream: int, function: Find) -> None:
    fill_index, out, block = function("fill_index"), malloc(16), malloc(8)
    write(block, packed(out))
    args = argument_list(fill_index, out)
    for queue in (0, stream):
        assert in_thread(lambda queue=queue: launch_list(fill_index, 1, queue, args)) == 107002
        assert in_thread(lambda queue=queue: acl.rt.launch_kernel(fill_index, 1, block, 8, queue)) == 107002
        assert in_thread(lambda queue=queue: host_args(fill_index, 1, queue, packed(out))) == 107002


@pytest.mark.requirement("host-122")
def test_a_function_is_asked_for_again_on_another_device(device: int, kernels: dict[str, Path]) -> None:
    with loaded(kernels["fill_index"]) as binary:
        function, here = ok(acl.rt.binary_get_function(binary, "fill_index")), ok(acl.rt.get_context())
        ok(acl.rt.set_device(1))
        out = ok(acl.rt.malloc(16, 0))
        assert launch(function, 4, 0, out) == 107017
        assert "fill_index was not loaded on Device(1" in message()
        function = ok(acl.rt.binary_get_function(binary, "fill_index"))
        assert launch(function, 4, 0, out) == 0
        ok(acl.rt.synchronize_stream(0))
        assert read(out, 4).tolist() == [0, 1, 2, 3]
        ok(acl.rt.free(out))
        ok(acl.rt.set_context(here))
        ok(acl.rt.reset_device(1))


@pytest.mark.requirement("host-128")
@pytest.mark.parametrize("kind", [np.int8, np.uint16, np.int32, np.int64, np.uint64])
def test_a_numpy_integer_is_a_number_of_blocks_and_no_address(malloc: Malloc, stream: int, function: Find, kind: type) -> None:
    count, out, block = function("count_runs"), malloc(16), malloc(8)
    write(block, packed(out))
    args = ok(acl.rt.kernel_args_init(count))
    append(args, out)
    ok(acl.rt.kernel_args_finalize(args))
    ok(acl.rt.launch_kernel_with_config(count, kind(4), stream, [], args, 0))
    ok(acl.rt.launch_kernel(count, kind(4), block, 8, stream))
    for wrong in [(np.uint64(count), 1, block, 8, stream), (count, 1, block, kind(8), stream), (count, 1, block, 8, np.uint64(stream))]:
        with pytest.raises(TypeError, match=r"^acl\.rt\.launch_kernel args parse failed$"):
            acl.rt.launch_kernel(*wrong)
    ok(acl.rt.synchronize_stream(stream))
    assert read(out, 4).tolist() == [2] * 4
