# SPDX-License-Identifier: Apache-2.0
"""Events: reached or not, how long it took, and the three kinds of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from host import launch, message, ok, read

import acl

Make = Callable[[], int]
Malloc = Callable[[int], int]
Find = Callable[[str], int]
PENDING = (1, 0)
INVALID, NO_HANDLE, NOT_REACHED, EXPIRED = 107000, 107017, 107006, 507047
SYNC = 0x1
AWHILE = np.uint64(20_000_000)  # turns of the kernel slow: some tens of milliseconds


@pytest.fixture
def sync_event(device: int) -> Iterator[int]:
    event = ok(acl.rt.create_event_with_flag(SYNC))
    yield event
    acl.rt.destroy_event(event)


@pytest.fixture
def ex_event(device: int) -> Iterator[int]:
    event = ok(acl.rt.create_event_ex_with_flag(SYNC))
    yield event
    acl.rt.destroy_event(event)


@pytest.mark.requirement("host-42")
def test_elapsed_time_is_in_milliseconds(stream: int, new_event: Make, function: Find, malloc: Malloc) -> None:
    events, z = [new_event() for _ in range(3)], malloc(8)
    ok(acl.rt.record_event(events[0], stream))
    ok(launch(function("slow"), 1, stream, z, AWHILE, np.int32(1)))
    ok(acl.rt.record_event(events[1], stream))
    ok(acl.rt.record_event(events[2], stream))
    for event in events:
        ok(acl.rt.synchronize_event(event))
    first, second, both = (ok(acl.rt.event_elapsed_time(events[a], events[b])) for a, b in ((0, 1), (1, 2), (0, 2)))
    assert [type(each) for each in (first, second, both)] == [float] * 3
    assert first > 0
    assert second >= 0
    assert both == pytest.approx(first + second, abs=0.01)


@pytest.mark.requirement("host-42")
def test_elapsed_time_backwards_is_negative(stream: int, new_event: Make, function: Find, malloc: Malloc) -> None:
    start, end, z = new_event(), new_event(), malloc(8)
    ok(acl.rt.record_event(start, stream))
    ok(launch(function("slow"), 1, stream, z, AWHILE, np.int32(1)))
    ok(acl.rt.record_event(end, stream))
    ok(acl.rt.synchronize_stream(stream))
    assert ok(acl.rt.event_elapsed_time(end, start)) < 0
    assert ok(acl.rt.event_elapsed_time(start, start)) == 0


@pytest.mark.requirement("host-43")
def test_an_event_that_is_not_reached_has_no_time(stream: int, new_event: Make, gate: Any) -> None:
    start, end = new_event(), new_event()
    ok(acl.rt.record_event(start, stream))
    gate.shut(stream)
    ok(acl.rt.record_event(end, stream))
    ok(acl.rt.synchronize_event(start))
    for pair in ((start, end), (end, start)):
        assert acl.rt.event_elapsed_time(*pair) == (0, NOT_REACHED)
        assert "is not done yet; synchronise it first" in message()
    gate.open()
    ok(acl.rt.synchronize_event(end))
    assert ok(acl.rt.event_elapsed_time(start, end)) >= 0


@pytest.mark.requirement("host-43")
def test_an_event_that_was_never_recorded_has_no_time(stream: int, new_event: Make) -> None:
    recorded, never = new_event(), new_event()
    ok(acl.rt.record_event(recorded, stream))
    ok(acl.rt.synchronize_event(recorded))
    for pair in ((recorded, never), (never, recorded), (never, never)):
        value, ret = acl.rt.event_elapsed_time(*pair)
        assert value == 0
        assert ret not in (0, NO_HANDLE)
        assert "was never recorded" in message()


@pytest.mark.requirement("host-44")
def test_the_two_queries_of_an_event_mean_opposite_things(stream: int, new_event: Make, gate: Any) -> None:
    event = new_event()
    gate.shut(stream)
    ok(acl.rt.record_event(event, stream))
    assert (acl.rt.query_event_status(event), acl.rt.query_event(event)) == ((0, 0), (1, 0))
    gate.open()
    ok(acl.rt.synchronize_event(event))
    assert (acl.rt.query_event_status(event), acl.rt.query_event(event)) == ((1, 0), (0, 0))


@pytest.mark.requirement("host-44")
def test_the_wait_status_turns_when_the_waiting_stream_has_gone_on(stream: int, new_stream: Make, new_event: Make, gate: Any) -> None:
    waiting, event = new_stream(), new_event()
    gate.shut(stream)
    ok(acl.rt.record_event(event, stream))
    ok(acl.rt.stream_wait_event(waiting, event))
    assert acl.rt.query_event_wait_status(event) == (1, 0)
    gate.open()
    ok(acl.rt.synchronize_stream(waiting))
    assert acl.rt.query_event_wait_status(event) == (0, 0)


@pytest.mark.requirement("host-44")
def test_an_event_tells_of_the_work_before_it_only(stream: int, new_event: Make, gate: Any) -> None:
    event = new_event()
    ok(acl.rt.record_event(event, stream))
    gate.shut(stream)
    ok(acl.rt.synchronize_event(event))
    assert (acl.rt.query_event_status(event), acl.rt.stream_query(stream)) == ((1, 0), PENDING)
    gate.open()


@pytest.mark.requirement("host-45")
@pytest.mark.parametrize("flag", [0, 0x400, 0x80000000])
def test_a_flag_without_meaning_is_refused(device: int, flag: int) -> None:
    assert acl.rt.create_event_with_flag(flag) == (0, INVALID)
    assert acl.rt.create_event_ex_with_flag(flag) == (0, INVALID)
    assert "; it takes a combination of the bits 0x" in message()


@pytest.mark.requirement("host-45")
@pytest.mark.parametrize("flag", [0x11, 0x28])
def test_flags_that_stand_alone_are_refused_together(device: int, flag: int) -> None:
    assert acl.rt.create_event_with_flag(flag) == (0, INVALID)


@pytest.mark.requirement("host-46")
def test_the_last_record_of_an_ex_event_counts(
    ex_event: int, stream: int, new_stream: Make, function: Find, malloc: Malloc, gate: Any
) -> None:
    other, z = new_stream(), malloc(8)
    assert acl.rt.query_event_status(ex_event) == (1, 0), "complete before the first record"
    ok(acl.rt.record_event(ex_event, stream))
    ok(acl.rt.record_event(ex_event, stream))
    ok(acl.rt.synchronize_event(ex_event))
    assert acl.rt.query_event_status(ex_event) == (1, 0)
    gate.shut(stream)
    ok(acl.rt.record_event(ex_event, stream))
    assert acl.rt.query_event_status(ex_event) == (0, 0)
    ok(acl.rt.stream_wait_event(other, ex_event))
    ok(launch(function("append_digit"), 1, other, z, np.int64(1)))
    assert acl.rt.stream_query(other) == PENDING
    gate.open()
    ok(acl.rt.synchronize_stream(other))
    assert acl.rt.query_event_status(ex_event) == (1, 0)


@pytest.mark.requirement("host-46")
def test_a_wait_for_an_ex_event_without_a_record_is_over_at_once(ex_event: int, stream: int, function: Find, malloc: Malloc) -> None:
    z = malloc(8)
    ok(acl.rt.stream_wait_event(stream, ex_event))
    ok(launch(function("append_digit"), 1, stream, z, np.int64(1)))
    ok(acl.rt.synchronize_event(ex_event))
    ok(acl.rt.synchronize_stream_with_timeout(stream, 20_000))
    assert read(z, 1, np.int64)[0] == 1


@pytest.mark.requirement("host-46")
def test_an_ex_event_refuses_what_is_for_other_events(ex_event: int, stream: int) -> None:
    ok(acl.rt.record_event(ex_event, stream))
    ok(acl.rt.synchronize_event(ex_event))
    assert acl.rt.reset_event(ex_event, stream) != 0
    assert acl.rt.query_event(ex_event)[-1] != 0
    assert acl.rt.query_event_wait_status(ex_event)[-1] != 0
    assert "an event of create_event_ex_with_flag is asked by query_event_status" in message()


@pytest.mark.requirement("host-47")
def test_a_sync_event_can_be_reset_and_used_again(
    sync_event: int, stream: int, new_stream: Make, function: Find, malloc: Malloc, gate: Any
) -> None:
    other, z, append = new_stream(), malloc(8), function("append_digit")
    for digit in (1, 2, 3):
        gate.shut(stream)
        ok(acl.rt.record_event(sync_event, stream))
        ok(acl.rt.stream_wait_event(other, sync_event))
        ok(acl.rt.reset_event(sync_event, other))
        ok(launch(append, 1, other, z, np.int64(digit)))
        assert acl.rt.stream_query(other) == PENDING, f"round {digit}"
        gate.open()
        ok(acl.rt.synchronize_stream(other))
        ok(acl.rt.synchronize_stream(stream))
    assert read(z, 1, np.int64)[0] == 123


@pytest.mark.requirement("host-48")
def test_a_wait_for_an_event_expires(stream: int, new_event: Make, gate: Any) -> None:
    event = new_event()
    gate.shut(stream)
    ok(acl.rt.record_event(event, stream))
    assert acl.rt.synchronize_event_with_timeout(event, 50) == EXPIRED
    assert acl.rt.query_event_status(event) == (0, 0)
    gate.open()
    assert acl.rt.synchronize_event_with_timeout(event, -1) == 0
    assert acl.rt.synchronize_event_with_timeout(event, 50) == 0


@pytest.mark.requirement("host-38")
def test_a_destroyed_event_is_refused_everywhere(stream: int, device: int) -> None:
    event = ok(acl.rt.create_event())
    ok(acl.rt.destroy_event(event))
    for wrong in (event, stream, 12345):
        codes = [
            acl.rt.record_event(wrong, stream),
            acl.rt.stream_wait_event(stream, wrong),
            acl.rt.synchronize_event(wrong),
            acl.rt.query_event_status(wrong)[-1],
            acl.rt.event_elapsed_time(wrong, wrong)[-1],
            acl.rt.destroy_event(wrong),
        ]
        assert codes == [NO_HANDLE] * len(codes)
    assert acl.rt.destroy_event(0) == 100000


def test_an_event_may_go_while_a_stream_waits_for_it(stream: int, new_stream: Make, function: Find, malloc: Malloc, gate: Any) -> None:
    """What is queued keeps its event; only the handle is gone."""
    other, z, event = new_stream(), malloc(8), ok(acl.rt.create_event())
    gate.shut(stream)
    ok(acl.rt.record_event(event, stream))
    ok(acl.rt.stream_wait_event(other, event))
    ok(launch(function("append_digit"), 1, other, z, np.int64(4)))
    assert acl.rt.destroy_event(event) == 0
    assert (acl.rt.stream_query(other), read(z, 1, np.int64)[0]) == (PENDING, 0)
    gate.open()
    ok(acl.rt.synchronize_stream(other))
    assert read(z, 1, np.int64)[0] == 4
