# SPDX-License-Identifier: Apache-2.0
"""Operators that are prepared once and launched often, the cache of them, and operators on several threads."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from op_parts import FOUR, Counted, Find, Register, device, elements, floats, prepare_six, ran, same_shape, six_times

import aclimb
from aclimb import Buffer, LaunchConfig, Stream, launch, op
from aclimb.errors import AclimbError


@pytest.mark.requirement("op-46")
def test_a_prepared_operator_launches_once(kernel: Find, stream: Stream, register: Register) -> None:
    made = six_times(kernel)
    register(made)
    with op.prepare(made, floats(6)) as prepared:
        assert list(prepared.workspace_sizes) == [24]
        np.testing.assert_array_equal(ran(stream, prepared.launch(stream)), 6 * floats(6))
        with pytest.raises(AclimbError, match="relaunchable"):
            prepared.launch(stream)


@pytest.mark.requirement("op-46")
def test_a_relaunchable_one_launches_often_with_the_same_result(kernel: Find, stream: Stream, register: Register) -> None:
    prepares: list[int] = []

    def prepare(ctx: Any) -> Any:
        prepares.append(1)
        return prepare_six(ctx)

    made = six_times(kernel, prepare=prepare, relaunchable=True)
    register(made)
    x, out = device(floats(6)), Buffer(6, np.float32)
    with op.prepare(made, x, out=out) as prepared:
        for start in (1.0, 5.0, 9.0):
            x.copy_from(floats(6, start))
            assert prepared.launch(stream) is out
            np.testing.assert_array_equal(ran(stream, out), 6 * floats(6, start))
    assert prepares == [1]
    np.testing.assert_array_equal(ran(stream, made(x, stream=stream)), ran(stream, out))


@pytest.mark.requirement("op-46")
def test_a_prepared_operator_can_be_launched_on_several_streams(kernel: Find, stream: Stream, register: Register) -> None:
    made = six_times(kernel, relaunchable=True)
    register(made)
    other = Stream()
    with op.prepare(made, device(floats(6))) as prepared:
        for each in (stream, other, stream):
            np.testing.assert_array_equal(ran(each, prepared.launch(each)), 6 * floats(6))


@pytest.mark.requirement("op-46", "op-33")
def test_a_closed_one_cannot_be_launched(kernel: Find, stream: Stream, register: Register) -> None:
    params = Counted()
    made = six_times(kernel, prepare=lambda ctx: op.Prepared(params, []), launch=lambda ctx: None, relaunchable=True)
    register(made)
    prepared = op.prepare(made, floats(2))
    assert prepared.params is params
    prepared.launch(stream)
    prepared.launch(stream)
    assert params.closed == 0
    prepared.close()
    assert params.closed == 1
    with pytest.raises(AclimbError, match="closed"):
        prepared.launch(stream)


@pytest.mark.requirement("op-46")
def test_launch_that_fails_leaves_a_prepared_operator_usable(kernel: Find, stream: Stream, register: Register) -> None:
    codes = iter([7, 0, 0])
    made = six_times(kernel, launch=lambda ctx: next(codes), relaunchable=True)
    register(made)
    with op.prepare(made, floats(2)) as prepared:
        with pytest.raises(op.OpError) as caught:
            prepared.launch(stream)
        assert caught.value.code == 7
        prepared.launch(stream)
        prepared.launch(stream)


# --- the cache


def keyed(kernel: Find, **options: Any) -> tuple[Any, list[Any]]:
    """y = factor x, with factor from the host and an attribute; and one entry for each prepare."""
    prepares: list[Any] = []
    scale = kernel("scale")
    made = op.define("Keyed", **options)
    made.input("x", dtype=["float32", "int32"], format=["ND", "ND"])
    made.input("factor", dtype=["float32", "float32"], host=True)
    made.output("y", follow="x")
    made.attr("bias", int, default=0)
    made.infer_shape(same_shape)

    @made.prepare
    def prepare(ctx: Any) -> Any:
        prepares.append(1)
        return op.Prepared(float(ctx.inputs["factor"].to_numpy()[0]), [])

    @made.launch
    def run(ctx: Any) -> None:
        if ctx.inputs["x"].dtype == np.float32:
            launch(ctx.stream, FOUR, scale, ctx.inputs["x"], ctx.outputs["y"], elements(ctx), ctx.params)

    return made, prepares


@pytest.mark.requirement("op-47")
def test_without_the_cache_every_run_prepares(kernel: Find, stream: Stream, register: Register) -> None:
    made, prepares = keyed(kernel, relaunchable=True)
    register(made)
    for _ in range(3):
        made(floats(4), floats(1, 2.0), stream=stream)
    assert len(prepares) == 3


@pytest.mark.requirement("op-47")
def test_the_cache_prepares_once_and_the_addresses_may_differ(kernel: Find, stream: Stream, register: Register) -> None:
    made, prepares = keyed(kernel, relaunchable=True, cached=True)
    register(made)
    for start in (1.0, 4.0, 7.0):
        np.testing.assert_array_equal(ran(stream, made(floats(4, start), floats(1, 2.0), stream=stream)), 2 * floats(4, start))
    assert len(prepares) == 1


@pytest.mark.requirement("op-47")
@pytest.mark.parametrize(
    ("what", "change"),
    [
        ("shape", {"x": floats(4).reshape(2, 2)}),
        ("type", {"x": np.arange(4, dtype=np.int32)}),
        ("attribute", {"bias": 1}),
        ("host value", {"factor": floats(1, 3.0)}),
        ("option", {"options": op.Options(precision_mode=1)}),
        ("deterministic", {"options": op.Options(deterministic=True)}),
        ("core limit", {"options": op.Options(vectorcore_num=2)}),
    ],
)
def test_what_is_part_of_the_key(kernel: Find, stream: Stream, register: Register, what: str, change: dict[str, Any]) -> None:
    made, prepares = keyed(kernel, relaunchable=True, cached=True)
    register(made)
    usual = {"x": floats(4), "factor": floats(1, 2.0)}
    made(**usual, stream=stream)
    made(**{**usual, **change}, stream=stream)
    assert len(prepares) == 2, f"another {what} is another entry"
    made(**usual, stream=stream)
    made(**{**usual, **change}, stream=stream)
    assert len(prepares) == 2, "both are known now"


@pytest.mark.requirement("op-47")
def test_the_format_is_part_of_the_key(kernel: Find, stream: Stream, register: Register) -> None:
    made, prepares = keyed(kernel, relaunchable=True, cached=True)
    register(made)
    x, factor = floats(16).reshape(1, 2, 2, 4), floats(1, 2.0)
    for form in ("ND", "NCHW", "ND", "NCHW"):  # formats that count as ND are accepted, and are not the same
        made(op.tensor(x, format=form), factor, stream=stream)
    assert len(prepares) == 2


@pytest.mark.requirement("op-47")
def test_the_cache_is_for_relaunchable_operators_only(kernel: Find) -> None:
    made, _ = keyed(kernel, cached=True)
    with pytest.raises(AclimbError, match="relaunchable"):
        made.register()


@pytest.mark.requirement("op-47", "op-33")
def test_what_is_cached_is_deleted_when_the_cache_is_cleared_or_the_operator_goes(kernel: Find, stream: Stream) -> None:
    params: list[Counted] = []

    def prepare(ctx: Any) -> Any:
        params.append(Counted())
        return op.Prepared(params[-1], [])

    made = six_times(kernel, prepare=prepare, launch=lambda ctx: None, relaunchable=True, cached=True)
    with made.registered():
        made(floats(2), stream=stream)
        made(floats(3), stream=stream)
        made(floats(2), stream=stream)
        assert [each.closed for each in params] == [0, 0]
        made.clear_cache()
        assert [each.closed for each in params] == [1, 1]
        made(floats(2), stream=stream)
    assert [each.closed for each in params] == [1, 1, 1]


@pytest.mark.requirement("op-47")
def test_a_failed_prepare_is_not_remembered(kernel: Find, stream: Stream, register: Register) -> None:
    broken = [True]

    def prepare(ctx: Any) -> Any:
        return 5 if broken else prepare_six(ctx)

    made = six_times(kernel, prepare=prepare, relaunchable=True, cached=True)
    register(made)
    with pytest.raises(op.OpError):
        made(floats(4), stream=stream)
    broken.clear()
    np.testing.assert_array_equal(ran(stream, made(floats(4), stream=stream)), 6 * floats(4))


# --- threads


@pytest.mark.requirement("op-44")
def test_two_threads_share_neither_parameters_nor_workspaces(kernel: Find, register: Register) -> None:
    made = six_times(kernel)
    register(made)
    start = threading.Barrier(2)

    def work(first: float) -> list[bool]:
        stream = Stream()
        inputs = [device(floats(777, first + turn)) for turn in range(25)]
        start.wait(30)
        results = [made(x, stream=stream) for x in inputs]
        stream.synchronize()
        return [np.array_equal(result.to_numpy(), 6 * floats(777, first + turn)) for turn, result in enumerate(results)]

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(work, (1.0, 1000.0))) == [[True] * 25] * 2


@pytest.mark.requirement("op-44")
def test_launches_of_two_threads_on_one_stream_stay_whole(kernel: Find, stream: Stream, register: Register) -> None:
    """Each launch appends 1, 2, 3; what two threads launch does not mix."""
    digit = kernel("append_digit")
    made = op.define("OneTwoThree")
    made.input("x", dtype=["int64"])
    made.output("y", follow="x")
    made.prepare(lambda ctx: op.Prepared(None, []))

    @made.launch
    def run(ctx: Any) -> None:
        for number in (1, 2, 3):
            launch(ctx.stream, LaunchConfig(1), digit, ctx.outputs["y"], number)

    register(made)
    x, out = device(np.zeros(1, np.int64)), device(np.zeros(1, np.int64))
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda _: made(x, out=out, stream=stream), range(6)))
    assert ran(stream, out).tolist() == [int("123" * 6)]


@pytest.mark.requirement("op-44")
def test_a_failure_on_one_thread_does_not_touch_another(kernel: Find, register: Register) -> None:
    good, bad = six_times(kernel), six_times(kernel, type="Bad", launch=lambda ctx: 3)
    register(good)
    register(bad)
    before = aclimb.live()["buffers"]

    def failing(_: int) -> int:
        with pytest.raises(op.OpError) as caught:
            bad(floats(50))
        return int(caught.value.code)

    def working(_: int) -> float:
        return float(good(floats(50)).to_numpy()[0])

    with ThreadPoolExecutor(4) as pool:
        codes, values = pool.map(failing, range(10)), pool.map(working, range(10))
        assert list(codes) == [3] * 10
        assert list(values) == [6.0] * 10
    op.release_workspaces()
    assert aclimb.live()["buffers"] == before
