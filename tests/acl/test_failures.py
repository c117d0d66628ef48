# SPDX-License-Identifier: Apache-2.0
"""Kernels that go wrong: the code, who hears of it and how often, the callback, and the words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from host import in_thread, launch, message, ok, read
from steps import UserList, append, launch_list

import acl

Malloc = Callable[[int], int]
Make = Callable[[], int]
Find = Callable[[str], int]
EXCEPTION = {"out_of_bounds": 507035, "out_of_bounds_cube": 507015, "out_of_bounds_mix": 507015}
TRAP = {"asserting": 507036, "asserting_cube": 507016, "asserting_mix": 507016}
STOP = 1  # a stream's failure mode
# Number in crashes.cpp, and the codes that fit it on AIV and on AIC.
CRASHES = {
    "address": (0, {507035}, {507015}),
    "illegal instruction": (1, {507035, 507036}, {507015, 507016}),
    "division by zero": (2, {507035, 507036}, {507015, 507016}),
    "stack overflow": (3, {507035}, {507015}),
    "trap": (4, {507036}, {507016}),
}
Go = Callable[..., int]


@pytest.fixture
def go_wrong(malloc: Malloc, stream: int, function: Find) -> Go:
    """go_wrong(name) launches a kernel of 4 blocks whose block 2 fails, on the test's stream or another."""
    out = malloc(64)
    return lambda name="out_of_bounds", queue=stream: launch(function(name), 4, queue, out, np.int32(2))


@pytest.fixture
def go_right(malloc: Malloc, stream: int, function: Find) -> Callable[..., Callable[[], bool]]:
    """go_right(stream) launches a kernel; what it gives says later whether it ran."""

    def run(queue: int = stream) -> Callable[[], bool]:
        out = malloc(16)
        ok(acl.rt.memset(out, 16, 255, 16))
        ok(launch(function("fill_index"), 4, queue, out))
        return lambda: read(out, 4).tolist() == [0, 1, 2, 3]

    return run


@pytest.mark.requirement("host-129")
@pytest.mark.parametrize("name", EXCEPTION)
def test_a_kernel_that_leaves_its_memory_fails_when_it_is_waited_for(stream: int, go_wrong: Go, name: str) -> None:
    assert go_wrong(name) == 0
    assert acl.rt.synchronize_stream(stream) == EXCEPTION[name]


@pytest.mark.requirement("host-130")
@pytest.mark.parametrize("name", TRAP)
def test_a_failed_assert_has_a_code_of_its_own(stream: int, go_wrong: Go, name: str) -> None:
    assert go_wrong(name) == 0
    assert acl.rt.synchronize_stream(stream) == TRAP[name]


@pytest.mark.requirement("host-129", "host-130")
def test_a_failure_is_told_by_every_way_to_wait(stream: int, new_event: Make, go_wrong: Go) -> None:
    go_wrong()
    assert acl.rt.synchronize_device() == 507035
    assert acl.rt.synchronize_device() == 0

    event = new_event()
    go_wrong("asserting")
    ok(acl.rt.record_event(event, stream))
    assert acl.rt.synchronize_event(event) == 507036
    assert acl.rt.synchronize_stream(stream) == 0

    go_wrong()
    assert acl.rt.synchronize_stream_with_timeout(stream, 60_000) == 507035
    go_wrong()
    assert acl.rt.synchronize_device_with_timeout(60_000) == 507035


@pytest.mark.requirement("host-131")
def test_a_failure_is_told_once_and_later_kernels_run(stream: int, go_wrong: Go, go_right: Callable[..., Any]) -> None:
    before = go_right()
    assert go_wrong() == 0
    behind = [go_right() for _ in range(3)]
    assert acl.rt.synchronize_stream(stream) == 507035
    assert before()
    assert all(ran() for ran in behind)
    assert acl.rt.synchronize_stream(stream) == 0
    assert acl.rt.synchronize_device() == 0
    assert go_wrong("asserting") == 0
    assert acl.rt.synchronize_stream(stream) == 507036


@pytest.mark.requirement("host-131")
def test_two_failures_before_one_wait_are_one_code(stream: int, go_wrong: Go) -> None:
    go_wrong("out_of_bounds")
    go_wrong("asserting")
    assert acl.rt.synchronize_stream(stream) in (507035, 507036)
    assert acl.rt.synchronize_stream(stream) == 0


@pytest.mark.requirement("host-131")
def test_the_other_blocks_of_a_failed_kernel_do_no_harm(malloc: Malloc, stream: int, function: Find) -> None:
    out = malloc(64)
    ok(launch(function("asserting"), 4, stream, out, np.int32(2)))
    assert acl.rt.synchronize_stream(stream) == 507036
    assert read(out, 4)[2] == 0
    assert set(read(out, 16)) <= {0, 1}


@pytest.mark.requirement("host-132")
def test_in_stop_mode_a_failure_is_the_last_thing_a_context_does(
    device: int, malloc: Malloc, function: Find, go_wrong: Go, new_context: Callable[[int], int]
) -> None:
    out, fill_index = malloc(16), function("fill_index")
    ok(acl.rt.memset(out, 16, 255, 16))
    context = new_context(device)
    stream, other = ok(acl.rt.create_stream()), ok(acl.rt.create_stream())
    right = UserList(fill_index, 8)
    append(right.args, out)
    ok(acl.rt.kernel_args_finalize(right.args))
    assert acl.rt.set_stream_failure_mode(stream, STOP) == 0
    assert go_wrong("out_of_bounds", stream) == 0
    code = launch_list(fill_index, 4, stream, right.args)  # queued before the failure shows, or refused because of it
    assert code in (0, 507035)
    for _ in range(2):
        assert acl.rt.synchronize_stream(stream) == 507035
        assert launch_list(fill_index, 4, stream, right.args) == 507035
        assert launch_list(fill_index, 4, other, right.args) == 507035
        assert acl.rt.synchronize_stream(other) == 507035
        assert acl.rt.synchronize_device() == 507035
    assert "the context stopped when a task failed; reset the device or destroy the context. SetValue needs 4 bytes of outGm" in message()
    assert read(out, 4).tolist() == [-1] * 4
    for each in (stream, other):
        acl.rt.destroy_stream(each)
    ok(acl.rt.destroy_context(context))


@pytest.mark.requirement("host-132")
def test_a_new_context_works_after_a_stopped_one(
    device: int, function: Find, malloc: Malloc, go_wrong: Go, go_right: Callable[..., Any], new_context: Callable[[int], int]
) -> None:
    default = ok(acl.rt.get_context())
    for _ in range(2):
        context = new_context(device)
        stream = ok(acl.rt.create_stream())
        ok(acl.rt.set_stream_failure_mode(stream, STOP))
        go_wrong("asserting", stream)
        assert acl.rt.synchronize_stream(stream) == 507036
        acl.rt.destroy_stream(stream)
        ok(acl.rt.destroy_context(context))
        ok(acl.rt.set_context(default))
        ran = go_right(0)
        ok(acl.rt.synchronize_stream(0))
        assert ran()


@pytest.mark.requirement("host-133")
def test_a_failure_stays_with_its_stream(stream: int, new_stream: Make, go_wrong: Go, go_right: Callable[..., Any]) -> None:
    other = new_stream()
    ran = [go_right(other)]
    go_wrong()
    ran.append(go_right(other))
    assert acl.rt.synchronize_stream(other) == 0
    assert all(each() for each in ran)
    assert acl.rt.synchronize_stream(stream) == 507035


class Witness:
    """An exception callback that asks everything there is to ask."""

    def __init__(self) -> None:
        self.seen: list[dict[str, int]] = []

    def __call__(self, info: int) -> None:
        self.seen.append(
            {what: getattr(acl.rt, f"get_{what}_from_exception_info")(info) for what in ("task_id", "stream_id", "thread_id", "device_id")}
        )
        self.seen[-1]["code"] = acl.rt.get_error_code_from_exception_info(info)


@pytest.fixture
def witness(device: int) -> Iterator[Witness]:
    made = Witness()
    ok(acl.rt.set_exception_info_callback(made))
    yield made
    acl.rt.set_exception_info_callback(None)


@pytest.mark.requirement("host-134")
def test_the_callback_hears_of_a_failure_before_the_wait_is_over(stream: int, go_wrong: Go, witness: Witness) -> None:
    go_wrong()
    assert acl.rt.synchronize_stream(stream) == 507035
    (seen,) = witness.seen
    assert seen["code"] == 507035
    assert seen["device_id"] == 0
    assert seen["stream_id"] == ok(acl.rt.stream_get_id(stream))
    assert 0 <= seen["task_id"] < 2**32
    assert 0 < seen["thread_id"] < 2**32
    assert acl.rt.synchronize_stream(stream) == 0
    assert len(witness.seen) == 1


@pytest.mark.requirement("host-134")
def test_the_callback_hears_of_every_failure(stream: int, new_stream: Make, go_wrong: Go, witness: Witness) -> None:
    other = new_stream()
    go_wrong("out_of_bounds")
    go_wrong("asserting")
    go_wrong("out_of_bounds_cube", other)
    assert acl.rt.synchronize_stream(stream) != 0
    assert acl.rt.synchronize_stream(other) == 507015
    ids = [ok(acl.rt.stream_get_id(each)) for each in (stream, other)]
    assert sorted((seen["stream_id"], seen["code"]) for seen in witness.seen) == sorted(
        [(ids[0], 507035), (ids[0], 507036), (ids[1], 507015)]
    )
    first, second = (seen["task_id"] for seen in witness.seen if seen["stream_id"] == ids[0])
    assert first != second


@pytest.mark.requirement("host-134")
def test_a_kernel_that_works_calls_nobody(stream: int, go_right: Callable[..., Any], witness: Witness) -> None:
    go_right()
    ok(acl.rt.synchronize_stream(stream))
    assert witness.seen == []


@pytest.mark.requirement("host-135")
@pytest.mark.parametrize("nothing", [(), (None,)], ids=["no argument", "None"])
def test_the_callback_can_be_taken_away(stream: int, go_wrong: Go, witness: Witness, nothing: tuple[None, ...]) -> None:
    assert acl.rt.set_exception_info_callback(*nothing) == 0
    go_wrong()
    assert acl.rt.synchronize_stream(stream) == 507035
    assert witness.seen == []


@pytest.mark.requirement("host-135")
def test_a_callback_that_raises_is_dropped(stream: int, go_wrong: Go, witness: Witness) -> None:
    calls = []

    def raises(info: int) -> None:
        calls.append(info)
        raise RuntimeError("of no use")

    ok(acl.rt.set_exception_info_callback(raises))
    for _ in range(2):
        go_wrong()
        assert acl.rt.synchronize_stream(stream) == 507035
    assert len(calls) == 1
    assert witness.seen == []


@pytest.mark.requirement("host-135")
@pytest.mark.parametrize("wrong", [1, "callback", []])
def test_a_callback_can_be_called(device: int, wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"^acl\.rt\.set_exception_info_callback args parse failed$"):
        acl.rt.set_exception_info_callback(wrong)


@pytest.mark.requirement("host-136")
@pytest.mark.parametrize("name", [*EXCEPTION, *TRAP])
def test_the_message_names_kernel_block_and_line(stream: int, go_wrong: Go, name: str) -> None:
    go_wrong(name)
    assert message() == ""
    assert acl.rt.synchronize_stream(stream) != 0
    text = message()
    assert name in text
    assert re.search(r"\bblock 2\b", text)
    assert re.search(r"faults\.cpp:\d+", text)
    if name in TRAP:
        assert "out == nullptr" in text


@pytest.mark.requirement("host-137")
def test_the_last_error_is_looked_at_and_taken(stream: int, go_wrong: Go) -> None:
    acl.rt.get_last_error(0)
    assert acl.rt.peek_at_last_error(0) == 0
    go_wrong()
    assert acl.rt.synchronize_stream(stream) == 507035
    assert [acl.rt.peek_at_last_error(0) for _ in range(2)] == [507035, 507035]
    assert [acl.rt.get_last_error(0) for _ in range(2)] == [507035, 0]
    assert acl.rt.peek_at_last_error(0) == 0


@pytest.mark.requirement("host-137")
def test_the_last_error_belongs_to_its_thread(stream: int) -> None:
    acl.rt.get_last_error(0)
    assert acl.rt.synchronize_stream_with_timeout(stream, 0) == 107000
    assert in_thread(lambda: acl.rt.peek_at_last_error(0)) == 0
    assert acl.rt.synchronize_stream(stream) == 0
    assert acl.rt.get_last_error(0) == 107000


@pytest.mark.requirement("host-138")
@pytest.mark.parametrize("kernel", ["crashing", "crashing_cube"])
@pytest.mark.parametrize("crash", CRASHES)
def test_the_process_survives_a_crash(
    malloc: Malloc, stream: int, function: Find, go_right: Callable[..., Any], crash: str, kernel: str
) -> None:
    number, vector, cube = CRASHES[crash]
    out = malloc(64)
    for _ in range(3):
        ok(launch(function(kernel), 1, stream, out, np.uint32(number)))
        ran = go_right()
        assert acl.rt.synchronize_stream(stream) in (vector if kernel == "crashing" else cube)
        assert kernel in message()
        assert ran()
    assert read(out, 1)[0] == 0
