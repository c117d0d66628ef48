# SPDX-License-Identifier: Apache-2.0
"""Device memory and host memory: asked for, used up, given back."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from host import launch, message, noise, ok, read, run_program, write
from steps import packed

import acl
import aclimb

Malloc = Callable[[int], int]
Find = Callable[[str], int]
NULL, NO_MEMORY = 100000, 207001


@pytest.mark.requirement("host-55")
@pytest.mark.parametrize("policy", [0, 1, 2, 3, 4, 5, 0x1002, 99, -1])
def test_memory_of_any_policy_is_aligned_and_works(device: int, function: Find, policy: int) -> None:
    sizes = (1, 33, 4096, 4 * 1024)
    blocks = [ok(acl.rt.malloc(size, policy)) for size in sizes]
    assert [address % 64 for address in blocks] == [0] * len(blocks)
    for address, size in zip(blocks, sizes, strict=True):
        data = noise(size)
        write(address, data)
        np.testing.assert_array_equal(read(address, size, np.uint8), data)
    ok(launch(function("fill_index"), 1024, 0, blocks[-1]))
    ok(acl.rt.synchronize_stream(0))
    np.testing.assert_array_equal(read(blocks[-1], 1024), np.arange(1024))
    assert [acl.rt.free(address) for address in blocks] == [0] * len(blocks)


@pytest.mark.requirement("host-55")
@pytest.mark.parametrize("name", ["malloc", "malloc_align32", "malloc_cached"])
def test_every_malloc_refuses_nothing(device: int, name: str) -> None:
    assert getattr(acl.rt, name)(0, 0) == (0, NULL)
    assert "size is 0; give at least 1 byte" in message()
    address = ok(getattr(acl.rt, name)(100, 0))
    assert address % 64 == 0
    ok(acl.rt.free(address))


@pytest.mark.requirement("host-56")
def test_allocations_do_not_overlap(device: int) -> None:
    sizes = [1 + 37 * i for i in range(60)]
    blocks = [ok(acl.rt.malloc(size, 0)) for size in sizes]
    spans = sorted((address, address + size) for address, size in zip(blocks, sizes, strict=True))
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    for number, (address, size) in enumerate(zip(blocks, sizes, strict=True)):
        ok(acl.rt.memset(address, size, number, size))
    for number, (address, size) in enumerate(zip(blocks, sizes, strict=True)):
        assert set(read(address, size, np.uint8)) == {number}
        ok(acl.rt.free(address))


@pytest.mark.requirement("host-56")
def test_device_memory_is_not_taken_for_host_memory(malloc: Malloc) -> None:
    address = malloc(64)
    for inside in (address, address + 32):
        with pytest.raises(ValueError, match="device memory"):
            acl.util.ptr_to_numpy(inside, (4,), 5)
        with pytest.raises(ValueError, match="device memory"):
            acl.util.ptr_to_bytes(inside, 16)


@pytest.mark.requirement("host-57")
def test_more_than_the_device_has_is_refused(device: int) -> None:
    free, total = ok(acl.rt.get_mem_info(1))
    assert 0 < free <= total
    for size in (total + 1, 2**63):
        assert acl.rt.malloc(size, 0) == (0, NO_MEMORY)
        assert str(size) in message()
    assert ok(acl.rt.get_mem_info(1)) == (free, total)


@pytest.mark.requirement("host-57")
def test_free_memory_follows_what_is_in_use(device: int) -> None:
    free, total = ok(acl.rt.get_mem_info(1))
    address = ok(acl.rt.malloc(1 << 20, 0))
    less, same = ok(acl.rt.get_mem_info(1))
    assert (less <= free - (1 << 20), same) == (True, total)
    ok(acl.rt.free(address))
    assert ok(acl.rt.get_mem_info(1)) == (free, total)


@pytest.mark.requirement("host-57")
def test_programs_may_ask_for_every_kind_of_memory(device: int) -> None:
    assert [acl.rt.get_mem_info(attribute)[-1] for attribute in range(10)] == [0] * 10
    assert acl.rt.get_mem_info(99)[-1] != 0


SMALL = """
import acl
acl.init(), acl.rt.set_device(0)
print(acl.rt.get_mem_info(1)[1] >> 20)
first, code = acl.rt.malloc(40 << 20, 0)
print(code, acl.rt.malloc(40 << 20, 0))
print(acl.rt.free(first), acl.rt.malloc(40 << 20, 0)[-1])
"""


@pytest.mark.requirement("host-57")
def test_the_memory_of_a_device_can_be_set() -> None:
    assert run_program(SMALL, ACLIMB_DEVICE_MEMORY="64M") == ["64", "0 (0, 207001)", "0 0"]


@pytest.mark.requirement("host-58")
def test_only_a_living_allocation_can_be_freed(device: int, pinned: int) -> None:
    address, host = ok(acl.rt.malloc(4096, 0)), np.zeros(64, np.uint8)
    assert acl.rt.free(0) == NULL
    for wrong in (address + 64, address + 4096, 12345, 2**63, host.ctypes.data, pinned):
        assert acl.rt.free(wrong) != 0
        assert "is not the start of device memory that malloc gave and that is still allocated: it is" in message()
    assert acl.rt.free(address) == 0
    assert acl.rt.free(address) != 0
    assert "it is device memory that was freed at test_memory.py:" in message()


@pytest.mark.requirement("host-58")
def test_free_leaves_alone_what_the_runtime_keeps_for_itself(malloc: Malloc, stream: int, function: Find) -> None:
    """A number that was freed twice may by now be the place of a launch's arguments, which the next failure is written to."""
    out = malloc(64)
    for _ in range(3):
        block = packed(0, np.uint32(3), 0, np.uint32(5), out, b"abc", b"defgh")
        slots = [{"addrOffset": 0, "dataOffset": 40}, {"addrOffset": 16, "dataOffset": 48}]
        ok(acl.rt.launch_kernel_with_host_args(function("two_sources"), 1, stream, [], block.ctypes.data, block.nbytes, slots, 2))
        arguments = int(block[:8].view(np.uint64)[0]) - 40
        assert acl.rt.free(arguments) == 107000
        assert hex(arguments) in message()
        ok(acl.rt.synchronize_stream(stream))
        assert read(out, 8, np.uint8).tobytes() == b"abcdefgh"
        assert launch(function("out_of_bounds"), 1, stream, out, np.int32(0)) == 0
        assert acl.rt.synchronize_stream(stream) == 507035


@pytest.mark.requirement("host-58")
def test_free_leaves_alone_what_an_object_holds(device: int) -> None:
    buffer = aclimb.Buffer.from_array(np.arange(4))
    assert acl.rt.free(buffer.address) == 107000
    assert hex(buffer.address) in message()
    assert buffer.to_numpy().tolist() == [0, 1, 2, 3]


@pytest.mark.requirement("host-58", "host-66")
def test_only_living_host_memory_can_be_freed(malloc: Malloc) -> None:
    address, memory = ok(acl.rt.malloc_host(4096)), malloc(64)
    assert acl.rt.free_host(0) == NULL
    for wrong in (address + 64, 12345, memory):
        assert acl.rt.free_host(wrong) != 0
    assert acl.rt.free_host(address) == 0
    assert acl.rt.free_host(address) != 0
    ok(acl.rt.memset(memory, 64, 1, 64))


@pytest.mark.requirement("host-66")
def test_host_memory_is_read_in_every_way(device: int) -> None:
    address, data = ok(acl.rt.malloc_host(4096)), noise(4096)
    assert address % 64 == 0
    view = acl.util.ptr_to_numpy(address, (4096,), 2)
    view[:] = data
    assert ctypes.string_at(address, 4096) == data.tobytes()
    ctypes.memset(address, 5, 10)
    assert acl.util.ptr_to_bytes(address, 11) == bytes([5] * 10) + data.tobytes()[10:11]
    assert view[:10].tolist() == [5] * 10
    ok(acl.rt.free_host(address))


@pytest.mark.requirement("host-66")
@pytest.mark.parametrize("size", [64, 4096, 3 << 20])
def test_a_kernel_that_misses_host_memory_fails_and_harms_nothing(stream: int, function: Find, size: int) -> None:
    fill_index, address = function("fill_index"), ok(acl.rt.malloc_host(size))
    ok(launch(fill_index, 8, stream, address))
    ok(acl.rt.synchronize_stream(stream))
    assert acl.util.ptr_to_numpy(address, (8,), 5).tolist() == list(range(8))
    for wrong in (address - 4, address + -(-size // 4096) * 4096):
        ok(launch(fill_index, 1, stream, wrong))
        assert acl.rt.synchronize_stream(stream) == 507035
    ok(acl.rt.free_host(address))
    ok(launch(fill_index, 1, stream, address))
    assert acl.rt.synchronize_stream(stream) == 507035


def test_live_counts_what_is_held(device: int, function: Find) -> None:
    before = dict(aclimb.live())
    memory, stream, event = ok(acl.rt.malloc(1000, 0)), ok(acl.rt.create_stream()), ok(acl.rt.create_event())
    function("slow")
    after = aclimb.live()
    assert {name: after[name] - before[name] for name in ("buffers", "streams", "events", "binaries")} == {
        "buffers": 1,
        "streams": 1,
        "events": 1,
        "binaries": 1,
    }
    assert after["bytes"] >= before["bytes"] + 1000
    for result in (acl.rt.free(memory), acl.rt.destroy_stream(stream), acl.rt.destroy_event(event)):
        assert result == 0
