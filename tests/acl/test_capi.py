# SPDX-License-Identifier: Apache-2.0
"""aclimb.capi: launches, streams and memory as only C has them, under their C names, with None for NULL."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from host import launch, message, ok, read, write
from steps import attributes, packed

import acl
from aclimb import capi

Malloc = Callable[[int], int]
Make = Callable[[], int]
Find = Callable[[str], int]
LONG = 20  # seconds: reached only when something is wrong


def filled(out: int) -> bool:
    done = read(out, 4).tolist() == [0, 1, 2, 3]
    ok(acl.rt.memset(out, 16, 255, 16))
    return done


# --- launches


@pytest.mark.requirement("host-115", "host-153")
@pytest.mark.parametrize("config", [None, [], attributes(schedule_mode=1, timeout=60)], ids=["NULL", "empty", "two attributes"])
def test_launch_v2_takes_device_arguments_and_a_configuration(malloc: Malloc, stream: int, function: Find, config: Any) -> None:
    out, block = malloc(16), malloc(8)
    write(block, packed(out))
    assert capi.aclrtLaunchKernelV2(function("fill_index"), 4, block, 8, config, stream) == 0
    ok(acl.rt.synchronize_stream(stream))
    assert filled(out)


@pytest.mark.requirement("host-118", "host-153")
def test_launch_v2_refuses_what_the_other_launches_refuse(malloc: Malloc, stream: int, function: Find) -> None:
    fill_index, block = function("fill_index"), malloc(8)
    assert capi.aclrtLaunchKernelV2(None, 1, block, 8, None, stream) == 100000
    assert capi.aclrtLaunchKernelV2(fill_index, 1, None, 8, None, stream) == 100000
    assert "aclrtLaunchKernelV2: the address of the arguments is 0 (NULL)" in message()
    assert capi.aclrtLaunchKernelV2(fill_index, 1, block, 0, None, stream) == 107000
    assert capi.aclrtLaunchKernelV2(fill_index, 0, block, 8, None, stream) == 107000
    assert capi.aclrtLaunchKernelV2(fill_index, 65536, block, 8, None, stream) == 107000
    assert capi.aclrtLaunchKernelV2(fill_index, 1, block, 8, [{"id": 10, "value": 0}], stream) == 107000
    assert capi.aclrtLaunchKernelV2(fill_index, 1, block, 8, None, fill_index) == 107017
    assert capi.aclrtLaunchKernelV2(stream, 1, block, 8, None, stream) == 107017


@pytest.mark.requirement("host-125", "host-153")
def test_launch_v2_honours_its_time_limit(malloc: Malloc, stream: int, function: Find) -> None:
    block = malloc(16)
    write(block, packed(malloc(64), np.int32(0)))
    assert capi.aclrtLaunchKernelV2(function("endless"), 1, block, 12, attributes(timeout_us=20_000), stream) == 0
    assert acl.rt.synchronize_stream(stream) == 507034


@pytest.mark.requirement("host-32", "host-153")
def test_no_stream_is_the_default_stream(malloc: Malloc, function: Find) -> None:
    out, block = malloc(16), malloc(8)
    write(block, packed(out))
    assert capi.aclrtLaunchKernelV2(function("fill_index"), 4, block, 8, None, None) == 0
    ok(acl.rt.synchronize_stream(0))
    assert filled(out)


@pytest.mark.requirement("host-153")
def test_an_array_of_arguments_is_laid_out_by_the_kernels_parameters(malloc: Malloc, stream: int, function: Find) -> None:
    echo, out = function("echo_args"), malloc(512)
    values = [np.random.default_rng(size).integers(0, 256, size, np.uint8) for size in (1, 2, 4, 8, 12, 300)]
    arguments = [*values, np.array([out], np.uint64)]
    assert capi.aclrtLaunchKernelWithArgsArray(echo, 1, stream, None, [each.ctypes.data for each in arguments]) == 0
    for each in arguments:
        each[:] = 0
    ok(acl.rt.synchronize_stream(stream))
    expected = [np.random.default_rng(size).integers(0, 256, size, np.uint8).tobytes() for size in (1, 2, 4, 8, 12, 300)]
    assert read(out, 327, np.uint8).tobytes() == b"".join(expected)


@pytest.mark.requirement("host-118", "host-153")
def test_an_array_of_arguments_is_checked(malloc: Malloc, stream: int, function: Find) -> None:
    fill_index, address = function("fill_index"), np.array([malloc(16)], np.uint64)
    run = capi.aclrtLaunchKernelWithArgsArray
    assert run(fill_index, 0, stream, None, [address.ctypes.data]) == 100000
    assert run(None, 1, stream, None, [address.ctypes.data]) == 100000
    assert run(fill_index, 1, stream, None, None) == 100000
    assert run(fill_index, 65536, stream, None, [address.ctypes.data]) == 107000
    assert run(fill_index, 1, stream, [{"id": 0, "value": 0}], [address.ctypes.data]) == 107000
    assert run(fill_index, 1, stream, attributes(schedule_mode=1), [address.ctypes.data]) == 0
    ok(acl.rt.synchronize_stream(stream))


# --- streams and memory


@pytest.mark.requirement("host-153")
def test_a_host_function_holds_its_stream(malloc: Malloc, stream: int, function: Find) -> None:
    out, calls = malloc(16), list[object]()
    begun, go = threading.Event(), threading.Event()

    def wait(argument: object) -> None:
        calls.append(argument)
        begun.set()
        go.wait(LONG)

    ok(acl.rt.memset(out, 16, 255, 16))
    assert capi.aclrtLaunchHostFunc(stream, wait, "first") == 0
    assert capi.aclrtLaunchHostFunc(stream, calls.append, "second") == 0
    ok(launch(function("fill_index"), 4, stream, out))
    try:
        assert begun.wait(LONG)
        assert acl.rt.stream_query(stream) == (1, 0)
        assert read(out, 4).tolist() == [-1] * 4
        assert calls == ["first"]
    finally:
        go.set()
    ok(acl.rt.synchronize_stream(stream))
    assert calls == ["first", "second"]
    assert filled(out)


@pytest.mark.requirement("host-153")
def test_a_host_function_that_raises_does_not_break_its_stream(malloc: Malloc, stream: int, function: Find) -> None:
    out = malloc(16)
    assert capi.aclrtLaunchHostFunc(stream, lambda _: 1 // 0, None) == 0
    ok(launch(function("fill_index"), 4, stream, out))
    ok(acl.rt.synchronize_stream(stream))
    assert filled(out)
    assert capi.aclrtLaunchHostFunc(stream, None, None) == 100000


@pytest.mark.requirement("host-31", "host-153")
@pytest.mark.parametrize("milliseconds", [0, 20_000])
def test_a_wait_in_a_stream_may_have_a_limit(
    malloc: Malloc, stream: int, new_stream: Make, new_event: Make, function: Find, gate: Any, milliseconds: int
) -> None:
    number, event, other, digit = malloc(8), new_event(), new_stream(), function("append_digit")
    gate.shut(stream)
    ok(launch(digit, 1, stream, number, np.int64(1)))
    ok(acl.rt.record_event(event, stream))
    assert capi.aclrtStreamWaitEventWithTimeout(other, event, milliseconds) == 0  # 0: none
    ok(launch(digit, 1, other, number, np.int64(2)))
    gate.open()
    ok(acl.rt.synchronize_stream(other))
    assert read(number, 1, np.int64)[0] == 12


@pytest.mark.requirement("host-153")
def test_a_wait_that_lasts_too_long_is_told_by_its_stream(stream: int, new_stream: Make, new_event: Make, gate: Any) -> None:
    event, other = new_event(), new_stream()
    gate.shut(stream)
    ok(acl.rt.record_event(event, stream))
    assert capi.aclrtStreamWaitEventWithTimeout(other, event, 20) == 0
    assert acl.rt.synchronize_stream(other) != 0
    assert "the stream waited longer than 20 ms for an event, and went on without it" in message()
    assert capi.aclrtStreamWaitEventWithTimeout(other, event, -1) == 107000
    gate.open()
    ok(acl.rt.synchronize_stream(stream))


@pytest.mark.requirement("host-153")
def test_there_is_an_address_for_hardware_sync(device: int) -> None:
    address, ret = capi.aclrtGetHardwareSyncAddr()
    assert ret == 0
    assert address


@pytest.mark.requirement("host-153")
def test_memory_is_freed_when_the_device_no_longer_needs_it(stream: int, function: Find) -> None:
    out = ok(acl.rt.malloc(64, 0))
    ok(launch(function("slow"), 1, stream, out, np.uint64(20_000_000), np.int32(1)))
    assert capi.aclrtFreeWithDevSync(out) == 0
    assert acl.rt.synchronize_stream(stream) == 0
    assert capi.aclrtFreeWithDevSync(out) != 0
    assert capi.aclrtFreeWithDevSync(None) == 100000


@pytest.mark.requirement("host-153")
def test_memory_is_filled_word_by_word(malloc: Malloc) -> None:
    out = malloc(64)
    assert capi.aclrtMemsetD32(out, 64, 0xDEADBEEF, 3) == 0
    assert read(out, 4, np.uint32).tolist() == [0xDEADBEEF] * 3 + [0]
    assert capi.aclrtMemsetD32(None, 64, 1, 3) == 100000
    assert capi.aclrtMemsetD32(out, 11, 1, 3) != 0  # three words are 12 bytes
    assert read(out, 4, np.uint32).tolist() == [0xDEADBEEF] * 3 + [0]


# --- what is not there yet


@pytest.mark.requirement("host-153")
def test_thread_kernels_are_not_supported(stream: int, function: Find) -> None:
    grid, block, kernel = (1, 1, 1), (32, 1, 1), function("fill_index")
    answers = [
        capi.aclrtLaunchSIMTKernelWithHostArgs(kernel, grid, block, 0, stream, None, 0, 0, None, 0),
        capi.aclrtLaunchSIMTKernelWithArgsArray(kernel, grid, block, 0, stream, None, []),
    ]
    assert [each[-1] if isinstance(each, tuple) else each for each in answers] == [207000] * 2
    text = message()
    assert "aclrtLaunchSIMTKernelWithHostArgs" in text
