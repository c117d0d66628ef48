# SPDX-License-Identifier: Apache-2.0
"""Which device, which context, in which thread."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from host import DEVICE_TO_HOST, HOST_TO_DEVICE, in_thread, launch, message, ok, write

import acl
from aclimb import Device, chips, knobs

Make = Callable[[], int]
Malloc = Callable[[int], int]
Find = Callable[[str], int]
NO_DEVICE, NO_CONTEXT, NO_HANDLE = 107001, 107002, 107017
AWHILE = np.uint64(20_000_000)  # turns of the kernel slow: some tens of milliseconds


@pytest.mark.requirement("host-19")
@pytest.mark.parametrize("number", [2, 64, -1, 2**31 - 1])
def test_a_device_that_does_not_exist_is_refused(device: int, number: int) -> None:
    assert acl.rt.set_device(number) == NO_DEVICE
    assert str(number) in message()
    assert acl.rt.create_context(number) == (0, NO_DEVICE)
    assert acl.rt.reset_device(number) == NO_DEVICE
    assert acl.rt.get_device() == (0, 0)


@pytest.mark.requirement("host-20")
def test_a_thread_has_no_device_until_it_sets_one(device: int) -> None:
    def look() -> list[object]:
        answers = [acl.rt.get_device(), acl.rt.set_device(1), acl.rt.get_device()]
        ok(acl.rt.reset_device(1))
        return answers

    assert in_thread(look) == [(0, NO_CONTEXT), 0, (1, 0)]
    assert acl.rt.get_device() == (0, 0)


@pytest.mark.requirement("host-20")
def test_the_device_set_last_is_the_current_one(device: int) -> None:
    ok(acl.rt.set_device(1))
    assert acl.rt.get_device() == (1, 0)
    ok(acl.rt.set_device(0))
    assert acl.rt.get_device() == (0, 0)
    ok(acl.rt.reset_device(1))
    assert acl.rt.get_device() == (0, 0)
    ok(acl.rt.reset_device(0))


@pytest.mark.requirement("host-21")
def test_the_program_runs_on_a_host() -> None:
    assert acl.rt.get_run_mode() == (1, 0)


@pytest.mark.requirement("host-22")
def test_reset_device_waits_for_queued_work(kernels: dict[str, Path]) -> None:
    ok(acl.init())
    ok(acl.rt.set_device(0))
    binary = ok(acl.rt.binary_load_from_file(str(kernels["slow"]), []))
    slow, stream = ok(acl.rt.binary_get_function(binary, "slow")), ok(acl.rt.create_stream())
    memory, pinned = ok(acl.rt.malloc(64, 0)), ok(acl.rt.malloc_host(64))
    ctypes.memset(pinned, 0, 64)
    ok(launch(slow, 1, stream, memory, AWHILE, np.int32(42)))
    ok(acl.rt.memcpy_async(pinned, 4, memory, 4, DEVICE_TO_HOST, stream))
    assert acl.rt.reset_device(0) == 0
    assert ctypes.c_int32.from_address(pinned).value == 42
    ok(acl.rt.free_host(pinned))
    ok(acl.rt.set_device(0))
    acl.rt.free(memory)  # whether memory outlives its device is not promised
    acl.rt.binary_unload(binary)
    ok(acl.rt.reset_device(0))
    ok(acl.finalize())


@pytest.mark.requirement("host-23")
def test_the_default_context_lives_until_the_last_reset() -> None:
    ok(acl.init())
    ok(acl.rt.set_device(0))
    context, stream = ok(acl.rt.get_context()), ok(acl.rt.create_stream())
    ok(acl.rt.set_device(0))
    assert acl.rt.get_context() == (context, 0), "there is one default context"
    ok(acl.rt.reset_device(0))
    assert acl.rt.get_context() == (context, 0)
    ok(acl.rt.synchronize_stream(stream))
    ok(acl.rt.reset_device(0))
    assert acl.rt.get_device() == (0, NO_CONTEXT)
    assert acl.rt.set_context(context) == 107000
    assert acl.rt.reset_device(0) == NO_CONTEXT, "one reset too many"
    ok(acl.rt.set_device(0))
    assert acl.rt.synchronize_stream(stream) == NO_HANDLE, "streams go with their context"
    ok(acl.rt.reset_device(0))
    ok(acl.finalize())


@pytest.mark.requirement("host-23")
def test_threads_share_the_count_of_a_device(device: int) -> None:
    def use() -> int:
        ok(acl.rt.set_device(0))
        context: int = ok(acl.rt.get_context())
        ok(acl.rt.reset_device(0))
        return context

    assert in_thread(use) == ok(acl.rt.get_context())


@pytest.mark.requirement("host-24")
def test_a_new_context_is_current_in_its_thread_only(device: int, new_context: Callable[[int], int]) -> None:
    default = ok(acl.rt.get_context())
    context = new_context(1)
    assert context != default
    assert acl.rt.get_context() == (context, 0)
    assert acl.rt.get_device() == (1, 0)
    assert in_thread(acl.rt.get_context) == (0, NO_CONTEXT)


@pytest.mark.requirement("host-24")
def test_a_context_can_be_used_from_another_thread(device: int, new_context: Callable[[int], int]) -> None:
    context = new_context(1)

    def use() -> object:
        ok(acl.rt.set_context(context))
        return acl.rt.get_device()

    assert in_thread(use) == (1, 0)


@pytest.mark.requirement("host-25")
def test_what_is_no_context_cannot_be_set(device: int, stream: int) -> None:
    default = ok(acl.rt.get_context())
    destroyed = ok(acl.rt.create_context(0))
    ok(acl.rt.destroy_context(destroyed))
    assert acl.rt.set_context(0) == 100000
    for wrong in (destroyed, stream, 12345):
        assert acl.rt.set_context(wrong) == 107000
        assert "is not a context that is alive" in message()
    ok(acl.rt.set_context(default))


@pytest.mark.requirement("host-25")
def test_a_context_is_destroyed_once(device: int) -> None:
    default = ok(acl.rt.get_context())
    context = ok(acl.rt.create_context(0))
    assert acl.rt.destroy_context(context) == 0
    assert acl.rt.destroy_context(context) != 0
    assert acl.rt.destroy_context(0) == 100000
    ok(acl.rt.set_context(default))


@pytest.mark.requirement("host-26")
def test_nothing_is_queued_without_a_context(device: int, stream: int, function: Find, malloc: Malloc, new_event: Make) -> None:
    fill, out, host = function("fill_index"), malloc(64), np.zeros(16, np.int32)
    args, event = malloc(8), new_event()
    write(args, np.array([out], np.uint64))

    def use() -> list[object]:
        return [
            acl.rt.create_stream(),
            acl.rt.create_event(),
            acl.rt.launch_kernel(fill, 1, args, 8, stream),
            acl.rt.memcpy_async(out, 64, host.ctypes.data, 64, HOST_TO_DEVICE, stream),
            acl.rt.memset_async(out, 64, 0, 64, stream),
            acl.rt.record_event(event, stream),
            acl.rt.synchronize_device(),
        ]

    assert in_thread(use) == [(0, NO_CONTEXT), (0, NO_CONTEXT), *[NO_CONTEXT] * 5]


@pytest.mark.requirement("host-27")
def test_the_context_that_is_set_is_the_current_one(device: int, new_context: Callable[[int], int]) -> None:
    contexts = [ok(acl.rt.get_context()), new_context(0), new_context(1)]
    for context in (contexts[1], contexts[0], contexts[2], contexts[2]):
        ok(acl.rt.set_context(context))
        assert acl.rt.get_context() == (context, 0)


@pytest.mark.requirement("host-28")
@pytest.mark.parametrize(("visible", "real"), [("0,1", [0, 1]), ("1,0", [1, 0]), ("1", [1]), ("0", [0])])
def test_visible_devices_are_counted_anew(visible: str, real: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASCEND_RT_VISIBLE_DEVICES", visible)
    assert acl.rt.get_device_count() == (len(real), 0)
    assert acl.rt.set_device(len(real)) == NO_DEVICE
    for number, index in enumerate(real):
        before = Device(index).memory_used
        ok(acl.rt.set_device(number))
        assert acl.rt.get_device() == (number, 0)
        memory = ok(acl.rt.malloc(1 << 20, 0))
        assert Device(index).memory_used >= before + (1 << 20), f"device {number} is the {index}th of the machine"
        ok(acl.rt.free(memory))
        ok(acl.rt.reset_device(number))


@pytest.mark.requirement("host-28")
def test_all_devices_are_visible_when_nothing_is_said() -> None:
    assert acl.rt.get_device_count() == (2, 0)


@pytest.mark.requirement("host-29")
def test_a_device_knows_its_cores_and_its_unified_buffer(device: int) -> None:
    chip = chips.load(knobs.soc())
    expected = {101: chip.aic_cores, 102: chip.aic_cores, 201: chip.aiv_cores, 204: chip.arch.memory["UB"]}
    assert {attribute: ok(acl.rt.get_device_info(0, attribute)) for attribute in expected} == expected


@pytest.mark.requirement("host-29")
def test_a_device_says_what_it_does_not_know(device: int) -> None:
    assert acl.rt.get_device_info(2, 101) == (0, NO_DEVICE)
    value, ret = acl.rt.get_device_info(0, 99999)
    assert (value, ret != 0) == (0, True)
    assert "99999" in message()
