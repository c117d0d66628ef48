# SPDX-License-Identifier: Apache-2.0
"""Bytes from here to there, at once or in a stream."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from host import (
    BY_ADDRESS,
    DEVICE_TO_DEVICE,
    DEVICE_TO_HOST,
    HOST_TO_DEVICE,
    HOST_TO_HOST,
    STAGED,
    launch,
    message,
    noise,
    ok,
    read,
    write,
)

import acl

Malloc = Callable[[int], int]
Find = Callable[[str], int]
PENDING = (1, 0)
NULL, INVALID, UNSUPPORTED = 100000, 107000, 207000
AWHILE = np.uint64(20_000_000)  # turns of the kernel slow: some tens of milliseconds


@pytest.mark.requirement("host-59")
def test_a_copy_is_checked_in_order(malloc: Malloc) -> None:
    there, host = malloc(64), np.zeros(64, np.uint8)
    here = host.ctypes.data
    cases = [
        ((0, 0, 0, 0, 99), 0),
        ((there, 0, here, 0, HOST_TO_DEVICE), 0),
        ((0, 64, here, 64, HOST_TO_DEVICE), NULL),
        ((there, 64, 0, 64, HOST_TO_DEVICE), NULL),
        ((0, 0, here, 64, 99), NULL),
        ((there, 63, here, 64, HOST_TO_DEVICE), INVALID),
        ((there, 63, here, 64, 99), INVALID),
        *(((there, 64, here, 64, kind), NULL) for kind in (6, 7, 99, -1)),
        ((there, 64, there, 64, DEVICE_TO_DEVICE), 0),
        ((there, 64, here, 64, HOST_TO_DEVICE), 0),
    ]
    assert [acl.rt.memcpy(*args) for args, _ in cases] == [expected for _, expected in cases]


BOTH = ("host", "device")


@pytest.mark.requirement("host-60")
@pytest.mark.parametrize(
    ("kind", "source", "target"),
    [
        (HOST_TO_HOST, "host", "host"),
        (HOST_TO_DEVICE, "host", "device"),
        (DEVICE_TO_HOST, "device", "host"),
        (DEVICE_TO_DEVICE, "device", "device"),
        (STAGED, "host", "device"),
        *((BY_ADDRESS, source, target) for source in BOTH for target in BOTH),
    ],
)
def test_every_kind_of_copy_moves_the_right_bytes(malloc: Malloc, kind: int, source: str, target: str) -> None:
    size, taken, put, count = 8192, 1003, 2501, 4001
    here, there = [noise(size, 1), noise(size, 2)], [malloc(size), malloc(size)]
    expected = here[1].copy()
    expected[put : put + count] = here[0][taken : taken + count]
    for host, memory in zip(here, there, strict=True):
        write(memory, host)
    addresses = {"host": [host.ctypes.data for host in here], "device": there}
    ok(acl.rt.memcpy(addresses[target][1] + put, count, addresses[source][0] + taken, count, kind))
    np.testing.assert_array_equal(here[1] if target == "host" else read(there[1], size, np.uint8), expected)


@pytest.mark.requirement("host-60")
def test_memory_is_copied_between_devices(malloc: Malloc) -> None:
    data, first = noise(4096), malloc(4096)
    write(first, data)
    ok(acl.rt.set_device(1))
    ok(acl.rt.device_enable_peer_access(0, 0))
    second = ok(acl.rt.malloc(4096, 0))
    ok(acl.rt.memcpy(second, 4096, first, 4096, DEVICE_TO_DEVICE))
    np.testing.assert_array_equal(read(second, 4096, np.uint8), data)
    ok(acl.rt.free(second))
    ok(acl.rt.set_device(0))
    ok(acl.rt.reset_device(0))
    ok(acl.rt.reset_device(1))


@pytest.mark.requirement("host-61")
def test_a_copy_past_the_end_is_refused_and_touches_nothing(malloc: Malloc) -> None:
    size, far = 4096, 1 << 16
    blocks = [malloc(size) for _ in range(3)]
    for number, block in enumerate(blocks):
        ok(acl.rt.memset(block, size, number + 1, size))
    host = np.full(far, 99, np.uint8)
    middle, here = blocks[1], host.ctypes.data
    calls = {
        "onto the end": lambda: acl.rt.memcpy(middle, far, here, 2 * size, HOST_TO_DEVICE),
        "onto the end from the middle": lambda: acl.rt.memcpy(middle + 64, far, here, size, HOST_TO_DEVICE),
        "from the end": lambda: acl.rt.memcpy(here, far, middle, 2 * size, DEVICE_TO_HOST),
        "between": lambda: acl.rt.memcpy(blocks[0], far, middle, 2 * size, DEVICE_TO_DEVICE),
        "memset": lambda: acl.rt.memset(middle, far, 99, 2 * size),
    }
    for name, call in calls.items():
        assert call() != 0, name
        assert "are not all in one piece of allocated device memory: 4" in message(), name
    assert [set(read(block, size, np.uint8)) for block in blocks] == [{1}, {2}, {3}]
    assert set(host) == {99}


@pytest.mark.requirement("host-61")
def test_a_copy_to_memory_that_was_freed_is_refused(device: int) -> None:
    gone, host = ok(acl.rt.malloc(4096, 0)), np.full(64, 99, np.uint8)
    ok(acl.rt.free(gone))
    assert acl.rt.memcpy(gone, 64, host.ctypes.data, 64, HOST_TO_DEVICE) != 0
    assert acl.rt.memcpy(host.ctypes.data, 64, gone, 64, DEVICE_TO_HOST) != 0
    assert "that is device memory that was freed at test_copies.py:" in message()
    assert set(host) == {99}


@pytest.mark.requirement("host-62")
def test_ordinary_host_memory_has_been_read_when_the_call_returns(stream: int, function: Find, malloc: Malloc) -> None:
    z, host = malloc(4), np.full(1, 2, np.int32)
    ok(launch(function("slow"), 1, stream, z, AWHILE, np.int32(1)))
    ok(acl.rt.memcpy_async(z, 4, host.ctypes.data, 4, HOST_TO_DEVICE, stream))
    host[:] = 3
    ok(acl.rt.synchronize_stream(stream))
    assert read(z, 1)[0] == 2


@pytest.mark.requirement("host-62")
def test_pinned_memory_is_copied_when_its_turn_comes(stream: int, malloc: Malloc, pinned: int, gate: Any) -> None:
    z, back = malloc(4), pinned + 32
    ctypes.c_int32.from_address(pinned).value = 5
    gate.shut(stream)
    ok(acl.rt.memcpy_async(z, 4, pinned, 4, HOST_TO_DEVICE, stream))
    ok(acl.rt.memcpy_async(back, 4, z, 4, DEVICE_TO_HOST, stream))
    assert (acl.rt.stream_query(stream), read(z, 1)[0], ctypes.c_int32.from_address(back).value) == (PENDING, 0, 0)
    gate.open()
    ok(acl.rt.synchronize_stream(stream))
    assert (read(z, 1)[0], ctypes.c_int32.from_address(back).value) == (5, 5)


@pytest.mark.requirement("host-58", "host-66")
@pytest.mark.parametrize("queued", [False, True])
def test_host_memory_that_was_freed_is_neither_read_nor_written(stream: int, malloc: Malloc, queued: bool) -> None:
    there, host = malloc(64), ok(acl.rt.malloc_host(64))

    def copy(dst: int, src: int, count: int, kind: int) -> int:
        args = (dst, count, src, count, kind)
        return acl.rt.memcpy_async(*args, stream) if queued else acl.rt.memcpy(*args)

    assert copy(there, host, 64, HOST_TO_DEVICE) == 0
    assert copy(there, host + 8, 60, HOST_TO_DEVICE) == INVALID
    ok(acl.rt.synchronize_stream(stream))
    ok(acl.rt.free_host(host))
    for args in ((there, host, 8, HOST_TO_DEVICE), (host, there, 8, DEVICE_TO_HOST)):
        assert copy(*args) == INVALID
        assert "malloc_host" in message()


@pytest.mark.requirement("host-66")
def test_host_memory_that_is_freed_while_a_copy_waits_stays_until_it_is_done(stream: int, malloc: Malloc, gate: Any) -> None:
    z, host = malloc(4), ok(acl.rt.malloc_host(4))
    ctypes.c_int32.from_address(host).value = 5
    gate.shut(stream)
    ok(acl.rt.memcpy_async(z, 4, host, 4, HOST_TO_DEVICE, stream))
    ok(acl.rt.free_host(host))
    gate.open()
    ok(acl.rt.synchronize_stream(stream))
    assert read(z, 1).tolist() == [5]


@pytest.mark.requirement("host-62")
def test_staged_memory_may_be_reused_at_once(stream: int, function: Find, malloc: Malloc, pinned: int) -> None:
    z, number = malloc(4), ctypes.c_int32.from_address(pinned)
    number.value = 7
    ok(launch(function("slow"), 1, stream, z, AWHILE, np.int32(1)))
    ok(acl.rt.memcpy_async(z, 4, pinned, 4, STAGED, stream))
    number.value = 8
    ok(acl.rt.synchronize_stream(stream))
    assert read(z, 1)[0] == 7


@pytest.mark.requirement("host-62", "host-59")
def test_an_asynchronous_copy_is_checked_when_it_is_queued(stream: int, malloc: Malloc) -> None:
    there, host = malloc(64), np.zeros(64, np.uint8)
    here = host.ctypes.data
    assert acl.rt.memcpy_async(there, 63, here, 64, HOST_TO_DEVICE, stream) == INVALID
    assert acl.rt.memcpy_async(0, 64, here, 64, HOST_TO_DEVICE, stream) == NULL
    assert acl.rt.memcpy_async(there, 64, here, 64, 99, stream) == NULL
    assert acl.rt.memcpy_async(here, 32, here + 32, 32, HOST_TO_HOST, stream) == UNSUPPORTED
    assert acl.rt.synchronize_stream(stream) == 0


@pytest.mark.requirement("host-63")
def test_a_copy_does_not_wait_for_kernels(stream: int, function: Find, malloc: Malloc, gate: Any) -> None:
    z = malloc(8)
    gate.shut(stream)
    ok(launch(function("append_digit"), 1, stream, z, np.int64(1)))
    assert read(z, 1, np.int64)[0] == 0
    write(z, np.array([4], np.int64))
    assert acl.rt.stream_query(stream) == PENDING
    gate.open()
    ok(acl.rt.synchronize_stream(stream))
    assert read(z, 1, np.int64)[0] == 41


@pytest.mark.requirement("host-64")
@pytest.mark.parametrize(("value", "byte"), [(0, 0), (7, 7), (0x1FF, 0xFF), (-1, 0xFF), (0x12345678, 0x78)])
def test_memset_writes_the_low_byte(stream: int, malloc: Malloc, value: int, byte: int) -> None:
    for set_bytes in (acl.rt.memset, lambda *args: acl.rt.memset_async(*args, stream)):
        address = malloc(64)
        ok(set_bytes(address + 8, 56, value, 40))
        ok(acl.rt.synchronize_stream(stream))
        assert read(address, 64, np.uint8).tolist() == [0] * 8 + [byte] * 40 + [0] * 16


@pytest.mark.requirement("host-64")
def test_memset_stays_inside_its_size(stream: int, malloc: Malloc) -> None:
    address = malloc(64)
    assert acl.rt.memset(address, 63, 1, 64) == INVALID
    assert acl.rt.memset_async(address, 63, 1, 64, stream) == INVALID
    assert acl.rt.memset(address, 64, 1, 0) == 0
    assert acl.rt.memset(0, 64, 1, 64) == NULL
    assert set(read(address, 64, np.uint8)) == {0}


@pytest.mark.requirement("host-65")
@pytest.mark.parametrize("queued", [False, True])
def test_rows_are_copied_with_their_pitches(stream: int, malloc: Malloc, queued: bool) -> None:
    width, height, wide, narrow = 24, 5, 64, 40
    image, there = noise(height * wide).reshape(height, wide), malloc(height * narrow)
    back = np.zeros((height, wide), np.uint8)
    turns = [
        (there, narrow, image.ctypes.data, wide, width, height, HOST_TO_DEVICE),
        (back.ctypes.data, wide, there, narrow, width, height, DEVICE_TO_HOST),
    ]
    for args in turns:
        ok(acl.rt.memcpy2d_async(*args, stream) if queued else acl.rt.memcpy2d(*args))
        ok(acl.rt.synchronize_stream(stream))
    rows = read(there, height * narrow, np.uint8).reshape(height, narrow)
    np.testing.assert_array_equal(rows[:, :width], image[:, :width])
    np.testing.assert_array_equal(back[:, :width], image[:, :width])
    assert not rows[:, width:].any()
    assert not back[:, width:].any()


@pytest.mark.requirement("host-65")
@pytest.mark.parametrize("pitches", [(2**63, 64), (64, 2**63), (2**64 - 1, 2**64 - 1)])
@pytest.mark.parametrize("height", [3, 2**60 + 1, 2**64 - 1])
def test_rows_that_lead_beyond_the_last_address_are_refused(stream: int, malloc: Malloc, pitches: tuple[int, int], height: int) -> None:
    """2 * 2**63 is 0 in 64 bits, and 0 + 32 bytes would fit everywhere."""
    there, host = malloc(1024), np.zeros(1024, np.uint8)
    args = (there, pitches[0], host.ctypes.data, pitches[1], 32, height, HOST_TO_DEVICE)
    assert acl.rt.memcpy2d(*args) == NULL
    assert acl.rt.memcpy2d_async(*args, stream) == NULL
    assert f"{height} rows of 32 bytes" in message()


@pytest.mark.requirement("host-65")
def test_a_row_is_not_wider_than_its_pitch(malloc: Malloc) -> None:
    there, host = malloc(1024), np.zeros(1024, np.uint8)
    assert acl.rt.memcpy2d(there, 31, host.ctypes.data, 64, 32, 4, HOST_TO_DEVICE) == NULL
    assert acl.rt.memcpy2d(there, 64, host.ctypes.data, 31, 32, 4, HOST_TO_DEVICE) == NULL
    assert acl.rt.memcpy2d(there, 32, host.ctypes.data, 32, 32, 4, HOST_TO_DEVICE) == 0
