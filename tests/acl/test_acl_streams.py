# SPDX-License-Identifier: Apache-2.0
"""Order within a stream, none between streams, and what a stream handle is good for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from host import HOST_TO_DEVICE, launch, message, ok, read

import acl

Make = Callable[[], int]
Malloc = Callable[[int], int]
Find = Callable[[str], int]
PENDING, DONE = (1, 0), (0, 0)
INVALID, OTHER_CONTEXT, NO_HANDLE, EXPIRED = 107000, 107003, 107017, 507046
AWHILE = np.uint64(20_000_000)  # turns of the kernel slow: some tens of milliseconds


def digits(address: int) -> int:
    return int(read(address, 1, np.int64)[0])


@pytest.mark.requirement("host-30")
def test_tasks_of_a_stream_run_in_order(stream: int, function: Find, malloc: Malloc) -> None:
    append, z = function("append_digit"), malloc(8)
    for digit in range(1, 10):
        ok(launch(append, 1, stream, z, np.int64(digit)))
    ok(acl.rt.synchronize_stream(stream))
    assert digits(z) == 123456789


@pytest.mark.requirement("host-30")
def test_copies_and_kernels_keep_their_order(stream: int, function: Find, malloc: Malloc) -> None:
    append, z = function("append_digit"), malloc(8)
    pinned = ok(acl.rt.malloc_host(8))
    acl.util.ptr_to_numpy(pinned, (1,), 7)[:] = 7
    ok(launch(append, 1, stream, z, np.int64(1)))
    ok(acl.rt.memcpy_async(z, 8, pinned, 8, HOST_TO_DEVICE, stream))
    ok(launch(append, 1, stream, z, np.int64(2)))
    ok(acl.rt.synchronize_stream(stream))
    ok(acl.rt.free_host(pinned))
    assert digits(z) == 72


@pytest.mark.requirement("host-31")
def test_two_streams_overlap(stream: int, new_stream: Make, function: Find, malloc: Malloc, gate: Any) -> None:
    other, z = new_stream(), malloc(8)
    gate.shut(stream)
    ok(launch(function("append_digit"), 1, other, z, np.int64(3)))
    ok(acl.rt.synchronize_stream(other))
    assert digits(z) == 3
    assert acl.rt.stream_query(stream) == PENDING
    gate.open()
    ok(acl.rt.synchronize_stream(stream))


@pytest.mark.requirement("host-31")
def test_an_event_orders_two_streams(stream: int, new_stream: Make, new_event: Make, function: Find, malloc: Malloc, gate: Any) -> None:
    append, z, other, event = function("append_digit"), malloc(8), new_stream(), new_event()
    gate.shut(stream)
    ok(launch(append, 1, stream, z, np.int64(1)))
    ok(acl.rt.record_event(event, stream))
    ok(acl.rt.stream_wait_event(other, event))
    ok(launch(append, 1, other, z, np.int64(2)))
    assert (acl.rt.stream_query(other), digits(z)) == (PENDING, 0)
    gate.open()
    ok(acl.rt.synchronize_stream(other))
    assert digits(z) == 12


@pytest.mark.requirement("host-32")
def test_stream_0_is_taken_everywhere(function: Find, malloc: Malloc, new_event: Make, gate: Any) -> None:
    event, z, host = new_event(), malloc(8), np.array([4], np.int64)
    gate.shut(0)
    assert acl.rt.stream_query(0) == PENDING
    gate.open()
    codes = [
        acl.rt.memset_async(z, 8, 0, 8, 0),
        acl.rt.memcpy_async(z, 8, host.ctypes.data, 8, HOST_TO_DEVICE, 0),
        launch(function("append_digit"), 1, 0, z, np.int64(5)),
        acl.rt.record_event(event, 0),
        acl.rt.stream_wait_event(0, event),
        acl.rt.synchronize_stream_with_timeout(0, -1),
        acl.rt.synchronize_stream(0),
    ]
    assert codes == [0] * len(codes)
    assert (acl.rt.stream_query(0), digits(z)) == (DONE, 45)


@pytest.mark.requirement("host-32")
def test_stream_0_belongs_to_the_current_context(device: int, new_context: Callable[[int], int], gate: Any) -> None:
    default, stream = ok(acl.rt.get_context()), ok(acl.rt.ctx_get_current_default_stream())
    gate.shut(0)
    assert acl.rt.stream_query(stream) == PENDING
    new_context(0)
    assert acl.rt.stream_query(0) == DONE
    ok(acl.rt.synchronize_stream(0))
    ok(acl.rt.set_context(default))
    assert acl.rt.stream_query(0) == PENDING
    gate.open()
    ok(acl.rt.synchronize_stream(0))


@pytest.mark.requirement("host-33")
def test_destroying_a_stream_waits_for_it(new_stream: Make, function: Find, malloc: Malloc) -> None:
    stream, z = new_stream(), malloc(8)
    ok(launch(function("slow"), 1, stream, z, AWHILE, np.int32(6)))
    ok(launch(function("append_digit"), 1, stream, z, np.int64(7)))
    assert acl.rt.destroy_stream(stream) == 0
    assert digits(z) == 67


def uses_of(stream: int, function: Find, memory: int, event: int) -> list[int]:
    host = np.zeros(8, np.uint8)
    return [
        acl.rt.synchronize_stream(stream),
        acl.rt.synchronize_stream_with_timeout(stream, 100),
        acl.rt.stream_query(stream)[-1],
        acl.rt.memcpy_async(memory, 8, host.ctypes.data, 8, HOST_TO_DEVICE, stream),
        acl.rt.memset_async(memory, 8, 0, 8, stream),
        acl.rt.record_event(event, stream),
        acl.rt.stream_wait_event(stream, event),
        launch(function("append_digit"), 1, stream, memory, np.int64(1)),
        acl.rt.destroy_stream(stream),
    ]


@pytest.mark.requirement("host-33")
def test_a_destroyed_stream_is_refused_everywhere(new_stream: Make, new_event: Make, function: Find, malloc: Malloc) -> None:
    stream = new_stream()
    ok(acl.rt.destroy_stream(stream))
    codes = uses_of(stream, function, malloc(8), new_event())
    assert codes == [NO_HANDLE] * len(codes)
    assert "is not a stream that is alive: it was destroyed, or never was one" in message()


@pytest.mark.requirement("host-38")
def test_what_is_no_stream_is_refused_everywhere(new_event: Make, function: Find, malloc: Malloc) -> None:
    event = new_event()
    for wrong in (event, function("slow"), 12345):
        codes = uses_of(wrong, function, malloc(8), event)
        assert codes == [NO_HANDLE] * len(codes)
    assert acl.rt.destroy_event(event) == 0, "the event is still one"


@pytest.mark.requirement("host-34")
def test_force_drops_what_has_not_begun(stream: int, new_stream: Make, new_event: Make, function: Find, malloc: Malloc, gate: Any) -> None:
    other, event, z = new_stream(), new_event(), malloc(8)
    gate.shut(stream)
    ok(acl.rt.record_event(event, stream))
    ok(acl.rt.stream_wait_event(other, event))
    for digit in range(3):
        ok(launch(function("append_digit"), 1, other, z, np.int64(digit + 1)))
    assert acl.rt.destroy_stream_force(other) == 0
    gate.open()
    ok(acl.rt.synchronize_device())
    assert digits(z) == 0
    assert acl.rt.synchronize_stream(other) == NO_HANDLE


@pytest.mark.requirement("host-35")
def test_a_stream_of_another_context_can_only_be_waited_for(
    stream: int, new_context: Callable[[int], int], function: Find, malloc: Malloc
) -> None:
    append, z, host = function("append_digit"), malloc(8), np.zeros(8, np.uint8)
    default = ok(acl.rt.get_context())
    ok(launch(append, 1, stream, z, np.int64(1)))
    new_context(0)
    event = ok(acl.rt.create_event())
    codes = [
        launch(function("append_digit"), 1, stream, z, np.int64(2)),
        acl.rt.memcpy_async(z, 8, host.ctypes.data, 8, HOST_TO_DEVICE, stream),
        acl.rt.record_event(event, stream),
        acl.rt.destroy_stream(stream),
    ]
    assert codes == [OTHER_CONTEXT] * 4
    assert acl.rt.synchronize_stream(stream) == 0
    assert digits(z) == 1
    ok(acl.rt.destroy_event(event))
    ok(acl.rt.set_context(default))
    assert acl.rt.destroy_stream(stream) == 0


@pytest.mark.requirement("host-36")
@pytest.mark.parametrize("milliseconds", [0, -2, -1000])
def test_a_time_that_is_none_is_refused(stream: int, milliseconds: int) -> None:
    assert acl.rt.synchronize_stream_with_timeout(stream, milliseconds) == INVALID
    assert str(milliseconds) in message()


@pytest.mark.requirement("host-36")
def test_minus_one_waits_for_ever(stream: int, function: Find, malloc: Malloc) -> None:
    z = malloc(8)
    ok(launch(function("slow"), 1, stream, z, AWHILE, np.int32(8)))
    assert acl.rt.synchronize_stream_with_timeout(stream, -1) == 0
    assert digits(z) == 8


@pytest.mark.requirement("host-36")
def test_a_wait_that_expires_leaves_the_work_alone(stream: int, function: Find, malloc: Malloc, gate: Any) -> None:
    z = malloc(8)
    gate.shut(stream)
    ok(launch(function("append_digit"), 1, stream, z, np.int64(9)))
    assert acl.rt.synchronize_stream_with_timeout(stream, 50) == EXPIRED
    assert acl.rt.stream_query(stream) == PENDING
    gate.open()
    assert acl.rt.synchronize_stream(stream) == 0
    assert digits(z) == 9


@pytest.mark.requirement("host-37")
def test_a_query_tells_whether_work_is_pending(stream: int, gate: Any) -> None:
    assert acl.rt.stream_query(stream) == DONE
    gate.shut(stream)
    assert acl.rt.stream_query(stream) == PENDING
    gate.open()
    ok(acl.rt.synchronize_stream(stream))
    assert acl.rt.stream_query(stream) == DONE


@pytest.mark.requirement("host-39")
def test_there_is_a_limit_of_streams(device: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACLIMB_STREAMS", "5")
    made = []
    while (answer := acl.rt.create_stream())[-1] == 0 and len(made) < 6:
        made.append(answer[0])
    assert answer == (0, 207008)
    assert 0 < len(made) <= 5
    assert "5" in message()
    assert acl.rt.get_stream_available_num() == (0, 0)
    ok(acl.rt.destroy_stream(made.pop()))
    made.append(ok(acl.rt.create_stream()))
    for stream in made:
        ok(acl.rt.destroy_stream(stream))


@pytest.mark.requirement("host-40")
@pytest.mark.parametrize("mode", [0, 1])
def test_the_failure_mode_is_set_once(stream: int, mode: int) -> None:
    assert acl.rt.set_stream_failure_mode(stream, mode) == 0
    assert acl.rt.set_stream_failure_mode(stream, mode) != 0
    assert "was set already, and can be set once" in message()
    ok(acl.rt.synchronize_stream(stream))


@pytest.mark.requirement("host-40")
def test_there_are_two_failure_modes(stream: int) -> None:
    assert acl.rt.set_stream_failure_mode(stream, 2) == INVALID
    assert acl.rt.set_stream_failure_mode(stream, 0) == 0


@pytest.mark.requirement("host-41")
@pytest.mark.parametrize("priority", [0, 7])
@pytest.mark.parametrize("flag", [0x0, 0x1, 0x2, 0x3, 0x1000])
def test_a_stream_with_any_flag_works(device: int, function: Find, malloc: Malloc, priority: int, flag: int) -> None:
    stream, z = ok(acl.rt.create_stream_with_config(priority, flag)), malloc(8)
    ok(launch(function("append_digit"), 1, stream, z, np.int64(5)))
    assert acl.rt.destroy_stream(stream) == 0
    assert digits(z) == 5
