# SPDX-License-Identifier: Apache-2.0
"""Captures: launches are recorded with their arguments, replayed as often as asked, updated, and fused by scope."""

from __future__ import annotations

import gc
import logging
import threading
from collections.abc import Callable

import numpy as np
import pytest
from chains import KERNELS

from aclimb import Buffer, Device, Event, Kernel, KernelBinary, LaunchConfig, Program, Stream, errors, launch
from aclimb.fuse import super_kernel
from aclimb.runtime import capturing, memory
from aclimb.runtime.graph import Graph

THREE = LaunchConfig(3)


@pytest.fixture(scope="module")
def binary() -> KernelBinary:
    return Program(KERNELS / "rules.cpp").compile()


@pytest.fixture
def kernel(binary: KernelBinary) -> Callable[[str], Kernel]:
    return lambda name: Kernel(binary, name)


@pytest.fixture
def rows() -> list[Buffer]:
    return [Buffer.from_array(np.zeros((48, 16), np.int32)) for _ in range(6)]


Find = Callable[[str], Kernel]


def first(buffer: Buffer) -> int:
    return int(buffer.to_numpy()[0, 0])


@pytest.mark.requirement("host-155")
def test_captured_launches_run_when_they_are_replayed(stream: Stream, kernel: Find, rows: list[Buffer]) -> None:
    with stream.capture() as graph:
        launch(stream, THREE, kernel("plain"), rows[0], rows[1])
        launch(stream, THREE, kernel("plain"), rows[1], rows[0])
    stream.synchronize()
    assert first(rows[0]) == 0
    for times in (1, 2):
        graph.launch(stream)
        stream.synchronize()
        assert first(rows[0]) == 2 * times
    assert [each.name for each in graph.launches] == ["plain", "plain"]


@pytest.mark.requirement("host-155", "op-88")
def test_a_graph_keeps_what_its_launches_use(stream: Stream, binary: KernelBinary) -> None:
    device = Device()
    gc.collect()
    device.synchronize()  # what other tests left goes now
    before = device.native.allocations
    with stream.capture() as graph:
        source, target = (Buffer.from_array(np.zeros((48, 16), np.int32)) for _ in range(2))
        launch(stream, THREE, Kernel(binary, "plain"), source, target)
    del source, target
    gc.collect()
    assert device.native.allocations == before + 2
    graph.launch(stream)
    stream.synchronize()
    graph.destroy()
    del graph
    gc.collect()
    device.synchronize()
    assert device.native.allocations == before


@pytest.mark.requirement("host-156")
def test_an_update_takes_kernels_of_the_same_kind_only(stream: Stream, kernel: Find, rows: list[Buffer]) -> None:
    with stream.capture() as graph:
        launch(stream, THREE, kernel("plain"), rows[0], rows[1])
    graph.update(0, LaunchConfig(1), kernel("good_set"), rows[1], rows[2])
    with pytest.raises(errors.Refused, match="launch 0 is good_set, a AIV_ONLY kernel; both_aivs, MIX_AIC_1_1, cannot take its place"):
        graph.update(0, THREE, kernel("both_aivs"), rows[3], rows[4])
    with pytest.raises(errors.InvalidArgument, match="launch 1 does not exist; the graph has 1"):
        graph.update(1, THREE, kernel("plain"), rows[3], rows[4])
    graph.launch(stream)
    stream.synchronize()
    assert rows[2].to_numpy()[:2, 0].tolist() == [1, 0]


@pytest.mark.requirement("op-89")
def test_waiting_and_reading_are_refused_while_a_stream_is_captured(stream: Stream, rows: list[Buffer]) -> None:
    with stream.capture() as graph:
        for forbidden in (stream.synchronize, rows[0].to_numpy, Device().synchronize, Event().synchronize):
            with pytest.raises(errors.Refused, match="captured"):
                forbidden()
        with pytest.raises(errors.Refused, match="is being captured already"), stream.capture():
            pass
        with pytest.raises(errors.Refused, match="still being captured"):
            graph.launch(stream)
    stream.synchronize()


def test_a_capture_that_raises_leaves_the_stream_as_it_was(stream: Stream, kernel: Find, rows: list[Buffer]) -> None:
    with pytest.raises(RuntimeError, match="no"), stream.capture():  # noqa: PT012
        launch(stream, THREE, kernel("plain"), rows[0], rows[1])
        raise RuntimeError("no")
    launch(stream, THREE, kernel("plain"), rows[0], rows[1])
    stream.synchronize()
    assert first(rows[1]) == 1


def test_events_pull_other_streams_into_a_capture_and_lead_them_back(stream: Stream, kernel: Find, rows: list[Buffer]) -> None:
    other, there, back = Stream(), Event(), Event()
    with stream.capture() as graph:
        launch(stream, THREE, kernel("plain"), rows[0], rows[1])
        stream.record(there)
        other.wait(there)
        launch(other, THREE, kernel("plain"), rows[1], rows[2])
        other.record(back)
        stream.wait(back)
        launch(stream, THREE, kernel("plain"), rows[2], rows[3])
    graph.launch(other)
    other.synchronize()
    assert first(rows[3]) == 3
    with pytest.raises(errors.Refused, match="were not led back"), stream.capture():  # noqa: PT012
        stream.record(there)
        other.wait(there)
    outside = Event()
    stream.record(outside)
    with pytest.raises(errors.Refused, match="recorded outside the capture"), stream.capture():
        stream.wait(outside)


def test_streams_are_led_back_through_others_and_with_all_their_launches(stream: Stream, kernel: Find, rows: list[Buffer]) -> None:
    second, third, events = Stream(), Stream(), [Event() for _ in range(3)]
    with stream.capture() as graph:
        stream.record(events[0])
        second.wait(events[0])
        launch(second, THREE, kernel("plain"), rows[0], rows[1])
        second.record(events[1])
        third.wait(events[1])
        launch(third, THREE, kernel("plain"), rows[1], rows[2])
        third.record(events[2])
        stream.wait(events[2])
    graph.launch(stream)
    stream.synchronize()
    assert first(rows[2]) == 2
    with pytest.raises(errors.Refused, match="1 streams that events pulled into the capture were not led back"), stream.capture():  # noqa: PT012
        stream.record(events[0])
        second.wait(events[0])
        second.record(events[1])
        stream.wait(events[1])
        launch(second, THREE, kernel("plain"), rows[0], rows[1])


def test_copies_of_arrays_on_a_captured_stream_are_refused(stream: Stream, kernel: Find, rows: list[Buffer]) -> None:
    host = np.full((48, 16), 7, np.int32)
    with stream.capture():
        for copy in (rows[0].copy_from, rows[0].copy_to):
            with pytest.raises(errors.Refused, match="it can neither be waited for nor copy arrays"):
                copy(host, stream=stream)
    with pytest.raises(errors.Refused, match="nor copy"), super_kernel("x", stream=stream):
        rows[0].copy_from(host, stream=stream)
    rows[0].copy_from(host, stream=stream)
    assert first(rows[0]) == 7


def test_a_capture_that_another_thread_ends_is_over_for_all(stream: Stream, rows: list[Buffer]) -> None:
    capturing.begin(stream).any_thread = True
    ender = threading.Thread(target=capturing.end, args=(stream,))
    ender.start()
    ender.join()
    assert first(rows[0]) == 0


# --- scopes


def launched(stream: Stream, kernel: Find, rows: list[Buffer], names: str) -> None:
    for index, name in enumerate(names.split()):
        launch(stream, THREE, kernel(name), rows[index], rows[index + 1])


def fates(graph: Graph) -> list[str]:
    return [decision.fused_into or decision.reason for decision in graph.report]


@pytest.mark.requirement("sk-43", "sk-47", "op-90")
def test_a_scope_becomes_one_launch_with_the_same_result(stream: Stream, kernel: Find, rows: list[Buffer]) -> None:
    with stream.capture() as graph:
        launch(stream, THREE, kernel("plain"), rows[0], rows[1])
        with super_kernel("decode"):
            launch(stream, THREE, kernel("good_set"), rows[1], rows[2])
            launch(stream, THREE, kernel("good_wait"), rows[2], rows[3])
    assert (len(graph), graph.tasks) == (3, 2)
    assert fates(graph) == ["NOT_IN_SCOPE", "decode", "decode"]
    graph.launch(stream)
    stream.synchronize()
    assert first(rows[3]) == 3
    graph.update(1, THREE, kernel("good_set"), rows[3], rows[2])  # new arguments inside the SuperKernel
    graph.launch(stream)
    stream.synchronize()
    assert first(rows[3]) == 5
    with pytest.raises(errors.Refused, match="is part of a SuperKernel: only its arguments can change"):
        graph.update(1, LaunchConfig(2), kernel("good_set"), rows[3], rows[2])


@pytest.mark.requirement("sk-43")
def test_scopes_nest_and_equal_names_are_one_scope(stream: Stream, kernel: Find, rows: list[Buffer]) -> None:
    with stream.capture() as graph, super_kernel("outer"):
        launch(stream, THREE, kernel("plain"), rows[0], rows[1])
        launch(stream, THREE, kernel("plain"), rows[1], rows[2])
        with super_kernel("inner"):
            launch(stream, THREE, kernel("plain"), rows[2], rows[3])
            with super_kernel(None):
                launch(stream, THREE, kernel("plain"), rows[3], rows[4])
        with super_kernel("outer"):
            launch(stream, THREE, kernel("plain"), rows[4], rows[5])
        launch(stream, THREE, kernel("plain"), rows[5], rows[0])
    assert fates(graph) == [
        "outer_split_0_1",
        "outer_split_0_1",
        "SCOPE_FUSE_PART",
        "IN_UNFUSIBLE_SCOPE",
        "outer_split_4_5",
        "outer_split_4_5",
    ]
    graph.launch(stream)
    stream.synchronize()
    assert first(rows[0]) == 6


@pytest.mark.requirement("sk-44", "sk-47")
def test_what_cannot_be_fused_cuts_the_scope(stream: Stream, kernel: Find, rows: list[Buffer], caplog: pytest.LogCaptureFixture) -> None:
    names = "plain plain raw_index plain plain"
    with stream.capture() as graph, super_kernel("s"):
        launched(stream, kernel, rows, names)
    assert fates(graph) == ["s_split_0_1", "s_split_0_1", "OP_UNSUPPORT", "s_split_3_4", "s_split_3_4"]
    assert str(graph.report[2]) == "[2] raw_index: OP_UNSUPPORT: it uses block_idx, get_block_idx or get_block_num"
    graph.launch(stream)
    stream.synchronize()
    assert first(rows[5]) == 5
    with caplog.at_level(logging.WARNING, "aclimb"), stream.capture() as graph, super_kernel("s", "strict-scope-check=bypass"):
        launched(stream, kernel, rows, names)
    assert (graph.tasks, fates(graph)[2]) == (5, "OP_UNSUPPORT")
    assert "scope 's' cannot be fused as one: launch 2, raw_index" in caplog.text
    with (
        pytest.raises(errors.FuseError, match="scope 's' cannot be fused as one: launch 2, raw_index"),
        stream.capture(),
        super_kernel("s", "strict-scope-check=abort"),
    ):
        launched(stream, kernel, rows, names)


@pytest.mark.requirement("sk-44")
def test_a_copy_cuts_the_scope_between_two_launches(stream: Stream, kernel: Find, rows: list[Buffer]) -> None:
    size = rows[2].nbytes

    def recorded(options: str = "") -> Graph:
        with stream.capture() as graph, super_kernel("s", options):
            launched(stream, kernel, rows[:3], "plain plain")
            memory.copy(rows[3].address, size, rows[2].address, size, memory.DEVICE_TO_DEVICE, stream)
            launched(stream, kernel, rows[3:], "plain plain")
        return graph

    graph = recorded()
    assert (fates(graph), graph.tasks) == (["s_split_0_1", "s_split_0_1", "s_split_2_3", "s_split_2_3"], 3)
    graph.launch(stream)
    stream.synchronize()
    assert first(rows[5]) == 4
    with pytest.raises(errors.FuseError, match="launch 2, plain: OP_UNSUPPORT: a MEMCPY_ASYNC stands before it"):
        recorded("strict-scope-check=abort")


@pytest.mark.requirement("sk-43")
def test_around_launches_a_scope_fuses_and_runs_them(stream: Stream, kernel: Find, rows: list[Buffer]) -> None:
    seen = set()
    for times in range(1, 4):
        with super_kernel("now", stream=stream) as scope:
            launched(stream, kernel, rows, "good_set good_wait")
            launch(stream, THREE, kernel("plain"), rows[2], rows[0])
        assert scope.graph is not None
        assert scope.graph.tasks == 1
        seen.add(scope.graph.native.launches()[0].kernel)
        stream.synchronize()
        assert first(rows[0]) == 3 * times
    assert len(seen) == 1  # fused once, mapped once


def test_the_name_of_a_scope_is_checked() -> None:
    with pytest.raises(errors.InvalidArgument, match="the name of a scope is ' '"):
        super_kernel(" ")
    with pytest.raises(errors.InvalidArgument, match="outside a capture"), super_kernel("s"):
        pass


@pytest.mark.requirement("sk-21")
def test_two_streams_of_a_scope_run_side_by_side_with_the_option(stream: Stream, kernel: Find, rows: list[Buffer]) -> None:
    other, there, back = Stream(), Event(), Event()
    with stream.capture() as graph:
        with super_kernel("s", "stream-fusion=1"):
            launch(stream, THREE, kernel("cube"), rows[4], rows[5])
            stream.record(there)
            other.wait(there)
            launch(other, THREE, kernel("plain"), rows[0], rows[1])
            launch(stream, THREE, kernel("cube"), rows[4], rows[5])
            launch(other, THREE, kernel("plain"), rows[1], rows[2])
        other.record(back)
        stream.wait(back)
    assert graph.tasks == 1
    fused = graph.native.launches()[0]
    assert fused.name == "s"
    graph.launch(stream)
    stream.synchronize()
    assert first(rows[2]) == 2


def test_a_scope_of_a_stream_belongs_to_its_capture(stream: Stream, kernel: Find, rows: list[Buffer]) -> None:
    scope, other = super_kernel("both", stream=stream), Stream()
    with scope:
        launched(stream, kernel, rows, "plain plain")
    with stream.capture() as graph:
        with other.capture(), scope:
            launched(stream, kernel, rows, "plain plain")
        launched(stream, kernel, rows, "plain")
    assert (len(graph), graph.tasks) == (3, 2)


def test_a_destroyed_graph_is_not_launched(stream: Stream) -> None:
    with stream.capture() as graph:
        pass
    graph.destroy()
    with pytest.raises(errors.InvalidArgument, match="the graph was destroyed; capture it again"):
        graph.launch(stream)
