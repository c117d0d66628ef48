# SPDX-License-Identifier: Apache-2.0
"""Host functions in a stream, run by the thread that asked for them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from host import in_thread, launch, message, ok, read

import acl

Make = Callable[[], int]
Malloc = Callable[[int], int]
Find = Callable[[str], int]
PENDING = (1, 0)
NO_BLOCK, BLOCK = 0, 1
ALREADY, NOT_SUBSCRIBED, NOBODY, NOTHING_CAME = 107011, 107012, 107015, 507012
LONG = 20  # seconds: reached only when something is wrong


def report(stop: threading.Event) -> None:
    """What a subscribed thread does."""
    while not stop.is_set():
        if acl.rt.process_report(20) == NOT_SUBSCRIBED:
            time.sleep(0.001)


@pytest.fixture
def reporter(device: int) -> Iterator[int]:
    """The ident of a thread that runs callbacks."""
    stop = threading.Event()
    thread = threading.Thread(target=report, args=(stop,))
    thread.start()
    yield thread.ident or 0
    stop.set()
    thread.join(LONG)
    assert not thread.is_alive()


@pytest.fixture
def subscribed(reporter: int, stream: int) -> Iterator[int]:
    """A stream whose callbacks the reporter runs."""
    ok(acl.rt.subscribe_report(reporter, stream))
    yield stream
    acl.rt.unsubscribe_report(reporter, stream)


class Held:
    """A callback that does not return before it is let go."""

    def __init__(self) -> None:
        self.begun, self.go = threading.Event(), threading.Event()

    def __call__(self, _: object) -> None:
        self.begun.set()
        self.go.wait(LONG)


@pytest.fixture
def held(subscribed: int) -> Iterator[Held]:
    made = Held()
    yield made
    made.go.set()


@pytest.mark.requirement("host-50")
def test_a_callback_needs_a_subscriber(stream: int, reporter: int) -> None:
    called: list[object] = []
    assert acl.rt.launch_callback(called.append, 1, BLOCK, stream) == NOBODY
    assert "call acl.rt.subscribe_report first" in message()
    ok(acl.rt.subscribe_report(reporter, stream))
    assert acl.rt.launch_callback(called.append, 2, BLOCK, stream) == 0
    ok(acl.rt.synchronize_stream(stream))
    ok(acl.rt.unsubscribe_report(reporter, stream))
    assert acl.rt.launch_callback(called.append, 3, BLOCK, stream) == NOBODY
    ok(acl.rt.synchronize_stream(stream))
    assert called == [2]


@pytest.mark.requirement("host-50")
def test_a_subscription_is_for_one_stream(subscribed: int, new_stream: Make) -> None:
    assert acl.rt.launch_callback(print, None, BLOCK, new_stream()) == NOBODY


@pytest.mark.requirement("host-51")
def test_a_callback_gets_its_object_in_the_reporters_thread(subscribed: int, reporter: int) -> None:
    calls: list[tuple[object, int]] = []
    things = [object(), None, [1, 2], "text"]
    for thing in things:
        ok(acl.rt.launch_callback(lambda it: calls.append((it, threading.get_ident())), thing, BLOCK, subscribed))
    ok(acl.rt.synchronize_stream(subscribed))
    assert len(calls) == len(things)
    for (got, thread), thing in zip(calls, things, strict=True):
        assert got is thing
        assert thread == reporter


@pytest.mark.requirement("host-51")
def test_a_callback_takes_its_turn_in_the_stream(subscribed: int, function: Find, malloc: Malloc) -> None:
    append, z, seen = function("append_digit"), malloc(8), list[int]()

    def look(context: int) -> None:
        ok(acl.rt.set_context(context))
        seen.append(int(read(z, 1, np.int64)[0]))

    for digit in (1, 2, 3):
        ok(launch(append, 1, subscribed, z, np.int64(digit)))
        ok(acl.rt.launch_callback(look, ok(acl.rt.get_context()), BLOCK, subscribed))
    ok(acl.rt.synchronize_stream(subscribed))
    assert seen == [1, 12, 123]


@pytest.mark.requirement("host-51")
@pytest.mark.parametrize("block_type", [NO_BLOCK, BLOCK])
def test_a_callback_that_raises_does_not_break_the_stream(subscribed: int, function: Find, malloc: Malloc, block_type: int) -> None:
    z, later = malloc(8), threading.Event()

    def fails(_: object) -> None:
        raise RuntimeError("on purpose")

    ok(acl.rt.launch_callback(fails, None, block_type, subscribed))
    ok(launch(function("append_digit"), 1, subscribed, z, np.int64(7)))
    ok(acl.rt.launch_callback(lambda _: later.set(), None, block_type, subscribed))
    ok(acl.rt.synchronize_stream(subscribed))
    assert later.wait(LONG)
    assert read(z, 1, np.int64)[0] == 7


@pytest.mark.requirement("host-52")
def test_later_tasks_wait_for_a_blocking_callback(subscribed: int, held: Held, function: Find, malloc: Malloc) -> None:
    z = malloc(8)
    ok(acl.rt.launch_callback(held, None, BLOCK, subscribed))
    ok(launch(function("append_digit"), 1, subscribed, z, np.int64(8)))
    assert held.begun.wait(LONG)
    assert acl.rt.synchronize_stream_with_timeout(subscribed, 50) == 507046
    assert (acl.rt.stream_query(subscribed), read(z, 1, np.int64)[0]) == (PENDING, 0)
    held.go.set()
    ok(acl.rt.synchronize_stream(subscribed))
    assert read(z, 1, np.int64)[0] == 8


@pytest.mark.requirement("host-52")
def test_later_tasks_do_not_wait_for_another_callback(subscribed: int, held: Held, function: Find, malloc: Malloc) -> None:
    z = malloc(8)
    ok(acl.rt.launch_callback(held, None, NO_BLOCK, subscribed))
    ok(launch(function("append_digit"), 1, subscribed, z, np.int64(9)))
    assert held.begun.wait(LONG)
    assert acl.rt.synchronize_stream_with_timeout(subscribed, 1000 * LONG) == 0
    assert not held.go.is_set()
    assert read(z, 1, np.int64)[0] == 9


@pytest.mark.requirement("host-53")
def test_a_report_has_its_codes(stream: int) -> None:
    me = threading.get_ident()
    assert acl.rt.process_report(20) == NOT_SUBSCRIBED
    ok(acl.rt.subscribe_report(me, stream))
    assert acl.rt.process_report(20) == NOTHING_CAME
    for time_out in (0, -2):
        assert acl.rt.process_report(time_out) == 100000
        assert str(time_out) in message()
    ok(acl.rt.unsubscribe_report(me, stream))
    assert acl.rt.process_report(20) == NOT_SUBSCRIBED


@pytest.mark.requirement("host-53")
def test_minus_one_waits_for_the_next_callback(stream: int) -> None:
    """And the waiting thread needs no context."""
    called: list[object] = []
    subscribed, done = threading.Event(), threading.Event()
    codes: list[int] = []

    def wait() -> None:
        subscribed.wait(LONG)
        codes.append(acl.rt.process_report(-1))
        done.set()

    thread = threading.Thread(target=wait)
    thread.start()
    ok(acl.rt.subscribe_report(thread.ident, stream))
    subscribed.set()
    ok(acl.rt.launch_callback(called.append, 1, BLOCK, stream))
    ok(acl.rt.synchronize_stream(stream))
    assert done.wait(LONG)
    thread.join(LONG)
    ok(acl.rt.unsubscribe_report(thread.ident, stream))
    assert (codes, called) == ([0], [1])


@pytest.mark.requirement("host-54")
def test_a_thread_of_acl_can_subscribe(stream: int) -> None:
    stop, called = threading.Event(), list[int]()
    thread = ok(acl.util.start_thread(report, stop))
    ok(acl.rt.subscribe_report(thread, stream))
    ok(acl.rt.launch_callback(lambda _: called.append(threading.get_ident()), None, BLOCK, stream))
    ok(acl.rt.synchronize_stream(stream))
    ok(acl.rt.unsubscribe_report(thread, stream))
    stop.set()
    ok(acl.util.stop_thread(thread))
    assert called == [thread]


@pytest.mark.requirement("host-54", "host-32")
def test_stream_0_can_be_subscribed_to(reporter: int) -> None:
    called: list[Any] = []
    ok(acl.rt.subscribe_report(reporter, 0))
    ok(acl.rt.launch_callback(called.append, "here", BLOCK, 0))
    ok(acl.rt.synchronize_stream(0))
    ok(acl.rt.unsubscribe_report(reporter, 0))
    assert called == ["here"]


@pytest.mark.requirement("host-54")
def test_one_thread_may_subscribe_to_two_streams(subscribed: int, reporter: int, new_stream: Make) -> None:
    other, called = new_stream(), list[int]()
    ok(acl.rt.subscribe_report(reporter, other))
    for number, stream in enumerate((subscribed, other)):
        ok(acl.rt.launch_callback(called.append, number, BLOCK, stream))
        ok(acl.rt.synchronize_stream(stream))
    ok(acl.rt.unsubscribe_report(reporter, other))
    assert called == [0, 1]


@pytest.mark.requirement("host-54")
def test_a_stream_has_one_subscriber(subscribed: int, reporter: int) -> None:
    assert acl.rt.subscribe_report(reporter, subscribed) == ALREADY
    assert acl.rt.subscribe_report(threading.get_ident(), subscribed) == ALREADY
    assert in_thread(lambda: acl.rt.process_report(20)) == NOT_SUBSCRIBED
