# SPDX-License-Identifier: Apache-2.0
"""aclimb.capi: functions that exist in C only, under their C names, with None for NULL."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from host import launch, message, ok, read, write
from steps import attributes, loaded, packed

import acl
from aclimb import capi

Malloc = Callable[[int], int]
Make = Callable[[], int]
Find = Callable[[str], int]
AICORE, CUBE, VECTOR, MIX = range(4)  # kernel types
LONG = 20  # seconds: reached only when something is wrong


@pytest.fixture
def vector(device: int, kernels: dict[str, Path]) -> Iterator[int]:
    """The binary of the AIV kernels."""
    with loaded(kernels["fill_index"]) as binary:
        yield binary


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
    assert message()
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


# --- what a binary and a function know


@pytest.mark.requirement("host-153")
def test_a_binary_lies_somewhere_on_the_device(vector: int) -> None:
    address, size, ret = capi.aclrtBinaryGetDevAddress(vector)
    assert ret == 0
    assert address
    assert size
    assert capi.aclrtBinaryGetDevAddress(None) == (0, 0, 100000)
    ok(acl.rt.binary_unload(vector))
    assert capi.aclrtBinaryGetDevAddress(vector) == (0, 0, 107017)


@pytest.mark.requirement("host-153")
def test_a_global_that_is_not_there_has_a_code_of_its_own(vector: int) -> None:
    assert capi.aclrtBinaryGetGlobal(vector, "no_such_global") == (0, 0, 107042)
    assert "no_such_global" in message()
    assert capi.aclrtBinaryGetGlobal(None, "no_such_global") == (0, 0, 100000)
    assert capi.aclrtBinaryGetGlobal(vector, None) == (0, 0, 100000)


@pytest.mark.requirement("host-83", "host-153")
def test_an_entry_is_looked_for_in_a_binary(vector: int, stream: int) -> None:
    assert capi.aclrtBinaryGetFunctionByEntry(None, 0) == (0, 100000)
    assert capi.aclrtBinaryGetFunctionByEntry(stream, 0) == (0, 107017)
    ok(acl.rt.binary_unload(vector))
    assert capi.aclrtBinaryGetFunctionByEntry(vector, 0) == (0, 107017)


@pytest.mark.requirement("host-153")
@pytest.mark.parametrize(("name", "kind"), [("fill_index", VECTOR), ("cube_index", CUBE), ("mix_index", MIX)])
def test_a_function_knows_its_kind(function: Find, name: str, kind: int) -> None:
    assert capi.aclrtGetFunctionAttribute(function(name), 1) == (kind, 0)


@pytest.mark.requirement("host-153")
def test_a_mixed_function_knows_its_ratio(function: Find) -> None:
    assert capi.aclrtGetFunctionAttribute(function("mix_index"), 2) == (1 << 16 | 2, 0)  # one cube, two vector cores


@pytest.mark.requirement("host-153")
def test_a_function_has_three_attributes(function: Find, stream: int) -> None:
    fill_index = function("fill_index")
    assert capi.aclrtGetFunctionAttribute(fill_index, 3) == (0, 0)  # schedule mode
    for number in (0, 4, 99):
        assert capi.aclrtGetFunctionAttribute(fill_index, number) == (0, 107000)
        assert str(number) in message()
    assert capi.aclrtGetFunctionAttribute(None, 1) == (0, 100000)
    assert capi.aclrtGetFunctionAttribute(stream, 1) == (0, 107017)


@pytest.mark.requirement("host-86", "host-153")
@pytest.mark.parametrize(
    ("name", "has_aic", "has_aiv"), [("fill_index", False, True), ("cube_index", True, False), ("mix_index", True, True)]
)
def test_a_function_has_a_size_for_each_kind_of_core(function: Find, name: str, has_aic: bool, has_aiv: bool) -> None:
    aic, aiv, ret = capi.aclrtGetFunctionSize(function(name))
    assert (aic > 0, aiv > 0, ret) == (has_aic, has_aiv, 0)


@pytest.mark.requirement("host-153")
def test_a_function_knows_its_binary(vector: int, stream: int) -> None:
    function = ok(acl.rt.binary_get_function(vector, "fill_index"))
    assert capi.aclrtFunctionGetBinary(function) == (vector, 0)
    assert capi.aclrtFunctionGetBinary(None) == (0, 100000)
    assert capi.aclrtFunctionGetBinary(stream) == (0, 107017)
    ok(acl.rt.binary_unload(vector))
    assert capi.aclrtFunctionGetBinary(function) == (0, 107017)


# --- failures


@pytest.mark.requirement("host-134", "host-153")
def test_a_binary_has_an_exception_callback(malloc: Malloc, stream: int, kernels: dict[str, Path]) -> None:
    user, first, seen = object(), [], []

    def callback(info: int, data: object) -> None:
        seen.append((data, capi.aclrtGetFuncHandleFromExceptionInfo(info), capi.aclrtGetArgsFromExceptionInfo(info)))

    with loaded(kernels["asserting"]) as binary:
        function = ok(acl.rt.binary_get_function(binary, "asserting"))
        assert capi.aclrtBinarySetExceptionCallback(binary, lambda *_: first.append(1), None) == 0
        assert capi.aclrtBinarySetExceptionCallback(binary, callback, user) == 0  # the last one counts
        ok(launch(function, 1, stream, malloc(64), np.int32(0)))
        assert acl.rt.synchronize_stream(stream) == 507036
        assert first == []
        ((data, handle, (address, size, ret)),) = seen
        assert data is user
        assert handle == (function, 0)
        assert ret == 0
        assert address
        assert size >= 12  # a pointer and an int32


@pytest.mark.requirement("host-134", "host-153")
def test_an_exception_callback_is_for_its_own_binary(malloc: Malloc, stream: int, kernels: dict[str, Path], vector: int) -> None:
    seen: list[int] = []
    with loaded(kernels["asserting"]) as binary:
        ok(capi.aclrtBinarySetExceptionCallback(vector, lambda *_: seen.append(1), None))
        ok(launch(ok(acl.rt.binary_get_function(binary, "asserting")), 1, stream, malloc(64), np.int32(0)))
        assert acl.rt.synchronize_stream(stream) == 507036
    assert seen == []
    assert capi.aclrtBinarySetExceptionCallback(None, print, None) == 100000
    assert capi.aclrtBinarySetExceptionCallback(stream, print, None) == 107017


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
    assert message()
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
def test_thread_kernels_and_capture_are_not_supported(stream: int, function: Find) -> None:
    grid, block, kernel = (1, 1, 1), (32, 1, 1), function("fill_index")
    answers = [
        capi.aclrtLaunchSIMTKernelWithHostArgs(kernel, grid, block, 0, stream, None, 0, 0, None, 0),
        capi.aclrtLaunchSIMTKernelWithArgsArray(kernel, grid, block, 0, stream, None, []),
        capi.aclmdlRICaptureBegin(stream, 0),
        capi.aclmdlRICaptureEnd(stream),
        capi.aclmdlRIExecuteAsync(0, stream),
        capi.aclmdlRIDestroy(0),
    ]
    assert [each[-1] if isinstance(each, tuple) else each for each in answers] == [207000] * 6
    text = message()
    assert "aclmdlRICaptureBegin" in text
    assert "aclrtLaunchSIMTKernelWithHostArgs" in text
