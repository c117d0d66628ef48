# SPDX-License-Identifier: Apache-2.0
"""Workspaces: how many, how large, whose they are, when they are used again, and when they are given back."""

from __future__ import annotations

import gc
import logging
import re
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from op_parts import FOUR, Find, Register, add_scaled, device, floats, raised, ran, same_shape, six_times, tile_add, watched

import aclimb
from aclimb import Buffer, Event, LaunchConfig, Stream, launch, op
from aclimb.errors import InvalidArgument, OutOfBounds, OutOfMemory
from aclimb.op.workspace import WorkspacePool, pool_of

KIB = 1024


def asking(kernel: Find, sizes: Any, run: Callable[[Any], Any] = lambda ctx: None, **options: Any) -> Any:
    """An operator whose prepare asks for workspaces; `sizes` is a list, or called for one."""
    return six_times(kernel, prepare=lambda ctx: op.Prepared(None, sizes() if callable(sizes) else sizes), launch=run, **options)


@pytest.fixture
def addresses(kernel: Find, register: Register) -> Callable[..., list[int]]:
    """addresses(stream, 64, 128) runs an operator with workspaces of these sizes there; where they were."""
    asked: list[int] = []
    found: list[int] = []

    def run(ctx: Any) -> None:
        found[:] = [each.ptr for each in ctx.workspaces]

    made = asking(kernel, lambda: list(asked), run)
    register(made)
    x, y = device(floats(2)), Buffer(2, np.float32)

    def ask(stream: Stream, *sizes: int) -> list[int]:
        asked[:] = sizes
        made(x, out=y, stream=stream)
        return list(found)

    return ask


@pytest.mark.requirement("op-28")
def test_prepare_has_to_set_sizes_in_every_run(kernel: Find, stream: Stream, register: Register) -> None:
    launched: list[int] = []
    turns = iter([True, False, True])

    def prepare(ctx: Any) -> int:
        if next(turns):
            ctx.set_workspace_sizes([64])
        return op.GRAPH_SUCCESS

    made = six_times(kernel, prepare=prepare, launch=lambda ctx: launched.append(len(ctx.workspaces)))
    register(made)
    made(floats(2), stream=stream)
    with pytest.raises(op.OpError, match="workspace") as caught:
        made(floats(2), stream=stream)
    assert caught.value.operator == "SixTimes"
    assert launched == [1]
    made(floats(2), stream=stream)
    assert launched == [1, 1]


@pytest.mark.requirement("op-28")
def test_an_empty_list_is_fine_and_launch_sees_no_workspace(kernel: Find, stream: Stream, register: Register) -> None:
    seen: list[Any] = []
    made = asking(kernel, [], lambda ctx: seen.append((len(ctx.workspaces), list(ctx.workspace_sizes), ctx.get_workspace_addrs())))
    register(made)
    made(floats(2), stream=stream)
    assert seen == [(0, [], None)]


@pytest.mark.requirement("op-29")
@pytest.mark.parametrize("count", [17, 64])
def test_more_than_16_workspaces_are_an_error_before_launch(kernel: Find, stream: Stream, register: Register, count: int) -> None:
    launched: list[Any] = []
    made = asking(kernel, [32] * count, launched.append)
    register(made)
    with pytest.raises(op.OpError, match=rf"{count}.*16"):
        made(floats(2), stream=stream)
    assert launched == []


@pytest.mark.requirement("op-29")
def test_16_workspaces_are_fine(addresses: Callable[..., list[int]], stream: Stream) -> None:
    assert len(set(addresses(stream, *[32] * 16))) == 16


@pytest.mark.requirement("op-29")
@pytest.mark.parametrize("sizes", [[-1], ["64"], [0.5], 64, [2**64]])
def test_sizes_that_are_none_are_refused(kernel: Find, stream: Stream, register: Register, sizes: Any) -> None:
    made = asking(kernel, sizes)
    register(made)
    with pytest.raises(op.OpError, match="SixTimes"):
        made(floats(2), stream=stream)


@pytest.mark.requirement("op-30")
def test_a_workspace_of_no_bytes_has_no_address(addresses: Callable[..., list[int]], stream: Stream) -> None:
    found = addresses(stream, 0, 64, 0)
    assert [bool(each) for each in found] == [False, True, False]


@pytest.mark.requirement("op-30")
def test_workspaces_are_device_memory_apart_from_each_other(kernel: Find, stream: Stream, register: Register) -> None:
    sizes = [1, 33, 512, 100_000, 7]
    fill, copy = kernel("fill_bytes"), kernel("copy_bytes")
    out = [Buffer(size, np.uint8) for size in sizes]

    def run(ctx: Any) -> None:
        for number, each in enumerate(ctx.workspaces):
            launch(ctx.stream, FOUR, fill, each, each.size, number)
        for each, to in zip(ctx.workspaces, out, strict=True):
            launch(ctx.stream, FOUR, copy, each, to, each.size)

    made = asking(kernel, sizes, run)
    register(made)
    made(floats(2), stream=stream)
    stream.synchronize()
    for number, (size, each) in enumerate(zip(sizes, out, strict=True)):
        np.testing.assert_array_equal(each.to_numpy(), (number + np.arange(size)).astype(np.uint8))


@pytest.mark.requirement("op-31")
def test_sizes_can_be_set_again_with_as_many_and_with_fewer(kernel: Find, stream: Stream, register: Register) -> None:
    seen: list[list[int]] = []

    def prepare(ctx: Any) -> int:
        for sizes in ([1, 2, 3], [4], [5, 6, 7]):  # what counts is how many the first call had
            assert ctx.set_workspace_sizes(sizes) == op.GRAPH_SUCCESS
        error = raised(InvalidArgument, ctx.set_workspace_sizes, [8] * 4)
        assert str(error) == ("workspace sizes are set again, and 4 of them; the first call had 3, and later ones take as many or fewer: "
                              "give all of them in the first")  # fmt: skip
        assert "17 workspaces" in str(raised(InvalidArgument, ctx.set_workspace_sizes, [1] * 17))
        return op.GRAPH_SUCCESS

    made = six_times(kernel, prepare=prepare, launch=lambda ctx: seen.append(list(ctx.workspace_sizes)))
    register(made)
    made(floats(2), stream=stream)
    assert seen == [[5, 6, 7]], "the lists that were too long changed nothing"


@pytest.mark.requirement("op-31")
def test_a_longer_list_that_nobody_catches_ends_the_run(kernel: Find, stream: Stream, register: Register) -> None:
    def prepare(ctx: Any) -> None:
        ctx.set_workspace_sizes([])
        ctx.set_workspace_sizes([64])

    made = six_times(kernel, prepare=prepare)
    register(made)
    with pytest.raises(op.OpError, match=r"failed in prepare: .* set again, and 1 of them; the first call had 0"):
        made(floats(2), stream=stream)


HUGE = "workspace sizes are [1180591620717411303424]; together they take at most 9223372036854775807 bytes"


@pytest.mark.parametrize(
    ("sizes", "said"),
    [
        ([2**70], HUGE),
        ([2**62, 2**62], "workspace sizes are [4611686018427387904, 4611686018427387904]; together they take at most"),
        ([-1], "workspace sizes are [-1]; each takes a whole number of bytes, 0 and more"),
        (None, "workspace sizes are None; they are a list, and an empty one when no workspace is needed"),
        (64, "workspace sizes are 64; they are a list"),
        ([2**40], "OutOfMemory: a workspace of 1099511627776 bytes does not fit"),
    ],
)
def test_sizes_that_no_device_has_are_refused_in_words(sizes: Any, said: str, kernel: Find, register: Register) -> None:
    two_stage = six_times(kernel, prepare=lambda ctx: op.Prepared(2, sizes))
    tiled = add_scaled(kernel, tiling=lambda ctx: (tile_add(ctx), setattr(ctx, "workspace_sizes", sizes), None)[-1])
    for made, args in ((two_stage, (floats(2),)), (tiled, (floats(2), floats(2)))):
        register(made)
        with pytest.raises(op.OpError, match=re.escape(said)):
            made(*args)


def test_sizes_filled_into_the_list_of_tiling_are_checked_too(kernel: Find, register: Register) -> None:
    def tile(ctx: Any) -> None:
        tile_add(ctx)
        ctx.get_workspace_sizes(1)[0] = 2**70

    made = add_scaled(kernel, tiling=tile)
    register(made)
    for run in (made, made.plan):
        with pytest.raises(op.OpError, match=re.escape(f"AddScaled failed in tiling: InvalidArgument: {HUGE}")):
            run(floats(2), floats(2))


def test_a_single_stage_gets_none_for_more_than_there_is(kernel: Find, stream: Stream, register: Register) -> None:
    seen: list[Any] = []

    def execute(ctx: Any) -> None:
        seen.extend([ctx.malloc_workspace(2**40), ctx.malloc_workspace(2**70), ctx.malloc_workspace(64).size])
        for size in (-1, 1.5, True):
            error = raised(InvalidArgument, ctx.malloc_workspace, size)
            assert str(error) == f"a workspace of {size} is asked for; it takes a whole number of bytes, 0 and more"

    made = op.define("Executed").input("x", dtype=["float32"]).output("y", follow="x")
    made.execute(execute)
    register(made)
    made(floats(2), stream=stream)
    assert seen == [None, None, 64]


@pytest.mark.requirement("op-31")
def test_a_later_run_may_ask_for_more_workspaces(addresses: Callable[..., list[int]], stream: Stream) -> None:
    for count in (1, 3, 2, 16):
        assert len(addresses(stream, *[64] * count)) == count


# --- the pool


@pytest.mark.requirement("op-42")
def test_a_stream_uses_its_workspace_again_without_waiting(addresses: Callable[..., list[int]], stream: Stream, gate: Any) -> None:
    gate.shut(stream)
    first = addresses(stream, 4096)
    before = aclimb.live()
    second = addresses(stream, 4096)
    assert not stream.idle, "nobody waited"
    assert first == second
    assert aclimb.live() == before


@pytest.mark.requirement("op-42")
def test_a_workspace_that_is_used_again_holds_what_the_later_operator_wrote(kernel: Find, stream: Stream, register: Register) -> None:
    made = six_times(kernel)
    register(made)
    inputs = [device(floats(1000, start)) for start in range(20)]
    results = [made(x, stream=stream) for x in inputs]
    stream.synchronize()
    for start, result in enumerate(results):
        np.testing.assert_array_equal(result.to_numpy(), 6 * floats(1000, start))


@pytest.mark.requirement("op-42")
def test_another_stream_does_not_get_a_workspace_that_may_be_in_use(addresses: Callable[..., list[int]], stream: Stream, gate: Any) -> None:
    other = Stream()
    gate.shut(stream)
    first = addresses(stream, 4096)
    second = addresses(other, 4096)
    assert first != second
    gate.open()
    other.synchronize()


@pytest.mark.requirement("op-42")
def test_a_workspace_may_change_streams_behind_an_event(kernel: Find, stream: Stream, register: Register, gate: Any) -> None:
    """Whoever has the memory, both results are right."""
    made = six_times(kernel)
    register(made)
    other, event = Stream(), Event()
    x, y = device(floats(5000)), device(floats(5000, 3.0))
    gate.shut(stream)
    first = made(x, stream=stream)
    stream.record(event)
    other.wait(event)
    second = made(y, stream=other)
    gate.open()
    np.testing.assert_array_equal(ran(stream, first), 6 * floats(5000))
    np.testing.assert_array_equal(ran(other, second), 6 * floats(5000, 3.0))


@pytest.mark.requirement("op-42")
def test_the_pool_grows_and_is_given_back_on_demand(addresses: Callable[..., list[int]], stream: Stream) -> None:
    other = Stream()
    before = aclimb.live()
    for size in (KIB, 64 * KIB, 16 * KIB, 256 * KIB):
        addresses(stream, size)
    addresses(other, 8 * KIB)
    held = aclimb.live()["bytes"] - before["bytes"]
    assert held >= 264 * KIB
    assert op.release_workspaces(other) >= 8 * KIB
    assert op.release_workspaces(stream) >= 256 * KIB
    assert aclimb.live() == before
    assert op.release_workspaces() == 0
    assert addresses(stream, KIB)[0]


@pytest.mark.requirement("op-42")
def test_giving_back_waits_for_the_last_use(addresses: Callable[..., list[int]], stream: Stream, kernel: Find) -> None:
    addresses(stream, 64)
    number = device(np.zeros(1, np.int64))
    launch(stream, LaunchConfig(1), kernel("append_digit"), number, 4)
    op.release_workspaces(stream)
    assert ran(stream, number).tolist() == [4]


@pytest.mark.requirement("op-42")
def test_a_pool_ends_with_its_stream(addresses: Callable[..., list[int]]) -> None:
    gc.collect()
    before = aclimb.live()
    short = Stream()
    addresses(short, 64 * KIB)
    short.synchronize()
    del short
    gc.collect()
    assert aclimb.live() == before


@pytest.mark.requirement("op-42")
def test_two_threads_on_one_stream_have_workspaces_of_their_own(kernel: Find, stream: Stream, register: Register) -> None:
    both, seen = threading.Barrier(2, timeout=600), []

    def run(ctx: Any) -> None:
        seen.append(ctx.workspaces[0].ptr)
        both.wait()  # each has one, and neither has given it back

    made = asking(kernel, [4096], run)
    register(made)
    x, y = device(floats(2)), Buffer(2, np.float32)
    before = aclimb.live()
    with ThreadPoolExecutor(2) as threads:
        for each in [threads.submit(made, x, out=y, stream=stream) for _ in range(2)]:
            each.result(20)
    assert len(set(seen)) == 2
    assert op.release_workspaces(stream) == 2 * 4096
    assert aclimb.live() == before


@pytest.mark.requirement("op-42")
def test_pools_that_are_short_of_memory_at_once_do_not_wait_for_each_other(addresses: Callable[..., list[int]], stream: Stream) -> None:
    """Each of them asks the other one to give back."""
    pools = [pool_of(stream), pool_of(Stream(stream.device))]
    both = threading.Barrier(2, timeout=600)

    def ask(pool: WorkspacePool) -> None:
        for _ in range(20):
            both.wait()
            with pytest.raises(OutOfMemory):
                pool.take(2 * stream.device.memory_total)

    with ThreadPoolExecutor(2) as threads:
        for each in [threads.submit(ask, pool) for pool in pools]:
            each.result(20)


# --- debug mode


@pytest.mark.requirement("op-43")
def test_workspace_bytes_that_nobody_wrote_are_poison(
    kernel: Find, stream: Stream, register: Register, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACLIMB_OP_DEBUG", "1")
    move, fill, out = kernel("move_bytes"), kernel("fill_bytes"), Buffer(64, np.uint8)
    written = [0]

    def run(ctx: Any) -> None:
        launch(ctx.stream, FOUR, fill, ctx.workspaces[0], written[0], 1)
        launch(ctx.stream, LaunchConfig(1), move, ctx.workspaces[0], out, 0)

    made = asking(kernel, [64], run)
    register(made)
    for written[0] in (64, 0, 16):  # what an earlier run wrote is not seen again
        made(floats(2), stream=stream)
        assert ran(stream, out).tolist() == list(range(1, written[0] + 1)) + [0xA5] * (64 - written[0])


@pytest.mark.requirement("op-43")
@pytest.mark.parametrize("offset", [64, 128], ids=["right behind", "beyond"])
def test_leaving_a_workspace_is_reported(
    kernel: Find, stream: Stream, register: Register, monkeypatch: pytest.MonkeyPatch, offset: int
) -> None:
    monkeypatch.setenv("ACLIMB_OP_DEBUG", "1")
    move, out = kernel("move_bytes"), Buffer(64, np.uint8)
    made = asking(kernel, [64, 64], lambda ctx: launch(ctx.stream, LaunchConfig(1), move, ctx.workspaces[0], out, offset))
    register(made)
    made(floats(2), stream=stream)
    with pytest.raises(OutOfBounds):
        stream.synchronize()


# --- single-stage operators


def single(kernel: Find, run: Callable[[Any], Any], type: str = "Single") -> Any:
    made = op.define(type)
    made.input("x", dtype=["float32"])
    made.output("y", follow="x")
    made.infer_shape(same_shape)
    made.execute(run)
    return made


@pytest.mark.requirement("op-48")
def test_a_single_stage_operator_allocates_and_frees_its_workspaces(kernel: Find, stream: Stream, register: Register) -> None:
    scale = kernel("scale")
    seen: list[Any] = []

    def run(ctx: Any) -> None:
        count = ctx.inputs["x"].nbytes // 4
        first, second = ctx.malloc_workspace(4 * count), ctx.malloc_workspace(4 * count)
        seen.append((first.size, second.size, first.ptr != second.ptr, ctx.stream is stream))
        launch(ctx.stream, FOUR, scale, ctx.inputs["x"], first, count, 2.0)
        launch(ctx.stream, FOUR, scale, first, second, count, 2.0)
        launch(ctx.stream, FOUR, scale, second, ctx.outputs["y"], count, 2.0)
        ctx.free_workspace()

    made = single(kernel, run)
    register(made)
    for _ in range(3):
        np.testing.assert_array_equal(ran(stream, made(floats(100), stream=stream)), 8 * floats(100))
    assert seen == [(400, 400, True, True)] * 3


@pytest.mark.requirement("op-48")
def test_a_workspace_that_does_not_fit_is_none(kernel: Find, stream: Stream, register: Register) -> None:
    seen: list[Any] = []
    made = single(kernel, lambda ctx: seen.append(ctx.malloc_workspace(stream.device.memory_total + 1)))
    register(made)
    made(floats(2), stream=stream)
    assert seen == [None]


@pytest.mark.requirement("op-48")
@pytest.mark.parametrize("debug", [False, True])
def test_workspaces_that_are_not_freed_are_freed_after_the_operator_and_reported(
    kernel: Find, stream: Stream, register: Register, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, debug: bool
) -> None:
    monkeypatch.setenv("ACLIMB_OP_DEBUG", "1" if debug else "0")
    made = single(kernel, lambda ctx: ctx.malloc_workspace(64 * KIB) and None, type="Forgetful")
    register(made)
    x, y = device(floats(2)), Buffer(2, np.float32)
    before = aclimb.live()
    with caplog.at_level(logging.WARNING, "aclimb"), watched("execute") as steps:
        made(x, out=y, stream=stream)
    op.release_workspaces()
    assert aclimb.live() == before
    assert len(steps) == 1
    assert ("Forgetful" in caplog.text) == debug
