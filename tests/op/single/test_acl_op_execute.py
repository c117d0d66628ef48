# SPDX-License-Identifier: Apache-2.0
"""acl.op runs what a selector chose: the kernel's arguments, its workspaces, and what is stored for how long."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest
from acl_parts import OP, UINT64, UNDEFINED, Run, Single, choosing, message, ok, set_args, set_sizes, tiling
from op_parts import floats

import acl
import aclimb
from aclimb import capi, op
from aclimb.errors import Refused
from aclimb.op.workspace import pool_of
from aclimb.runtime.context import STREAMS


@pytest.mark.requirement("host-145", "op-80")
def test_a_kernel_gets_addresses_and_then_the_bytes(inline: Single) -> None:
    inline.select(OP, choosing("k", tiling(0x1234, 0x5678), blocks=3, workspaces=[64, 64]))
    run = Run(inline)
    ok(run.update())
    ok(run.execute())
    words = run.words()
    assert words[:3] == [run.x.address, run.y.address, run.z.address]
    assert 0 not in words[3:5]
    assert words[5:8] == [0x1234, 0x5678, 3]


@pytest.mark.requirement("op-78", "host-145")
def test_the_last_arguments_count_and_sizes_add_up(inline: Single) -> None:
    def select(*args: Any) -> None:
        set_args(args[5], "k", 9, tiling(1, 1))
        ok(set_sizes(args[5], 64))
        set_args(args[5], "k", 2, tiling(7, 8))
        ok(set_sizes(args[5], 4096))
        ok(set_sizes(args[5]))

    inline.select(OP, select)
    run = Run(inline)
    ok(run.update())
    ok(run.execute())
    words = run.words()
    assert words[5:8] == [7, 8, 2]
    assert len(set(words[:5])) == 5, "two workspaces, one from each call"


@pytest.mark.requirement("host-147")
def test_workspaces_are_large_enough_apart_and_used_again(inline: Single) -> None:
    inline.select(OP, choosing("k", tiling(), workspaces=[1000, 50_000]))
    run = Run(inline)
    ok(run.update())
    ok(run.execute())
    first = run.words()[3:5]
    before = aclimb.live()
    ok(run.execute())
    assert run.words()[3:5] == first
    assert aclimb.live() == before
    assert abs(first[0] - first[1]) >= 1000
    for address, size in zip(first, (1000, 50_000), strict=True):
        ok(acl.rt.memset(address, size, 7, size))  # it is device memory, all of it


@pytest.mark.requirement("host-147")
def test_the_pool_of_a_stream_grows_and_ends_with_the_stream(inline: Single) -> None:
    wanted = [[64, 64]]

    def select(num_in: int, ins: list[int], num_out: int, outs: list[int], attr: int, desc: int) -> None:
        set_args(desc, "k", 1, tiling())
        ok(set_sizes(desc, *wanted[0]))

    inline.select(OP, select)
    small, large = Run(inline, 2), Run(inline, 3)
    ok(small.update())
    wanted[0] = [1 << 20, 1 << 20]
    ok(large.update())
    stream = ok(acl.rt.create_stream())
    before = aclimb.live()["bytes"]
    for each in (small, large, small):
        ok(each.execute(stream=stream))
    ok(acl.rt.synchronize_stream(stream))
    held = aclimb.live()["bytes"] - before
    assert 2 << 20 <= held < 4 << 20, "what was asked for, and not twice as much"
    ok(acl.rt.destroy_stream(stream))
    assert aclimb.live()["bytes"] == before


@pytest.mark.requirement("host-147", "op-42")
def test_the_pool_is_the_one_that_other_operators_of_the_stream_use(inline: Single) -> None:
    inline.select(OP, choosing("k", tiling(), workspaces=[1000, 50_000]))
    run, stream = Run(inline), ok(acl.rt.create_stream())
    ok(run.update())
    before = aclimb.live()
    ok(run.execute(stream=stream))
    assert op.release_workspaces(STREAMS[stream]) >= 51_000
    assert aclimb.live() == before
    ok(run.execute(stream=stream))
    ok(acl.rt.destroy_stream(stream))


@pytest.mark.requirement("host-147", "op-87")
def test_a_capture_keeps_the_workspaces_that_its_replays_need(inline: Single) -> None:
    inline.select(OP, choosing("k", tiling(3), workspaces=[64, 64]))
    run, number = Run(inline), ok(acl.rt.create_stream())
    ok(run.update())
    before = aclimb.live()["bytes"]
    with STREAMS[number].capture() as graph:
        ok(run.execute(stream=number))
    assert op.release_workspaces(STREAMS[number]) == 0
    graph.launch(STREAMS[number])
    ok(acl.rt.synchronize_stream(number))
    assert run.words()[5] == 3
    for address in run.words()[3:5]:
        ok(acl.rt.memset(int(address), 64, 7, 64))
    graph.destroy()
    assert aclimb.live()["bytes"] == before
    ok(acl.rt.destroy_stream(number))


@pytest.mark.requirement("host-147")
def test_a_workspace_in_use_while_its_stream_ends_goes_when_it_is_given_back(inline: Single) -> None:
    number = ok(acl.rt.create_stream())
    stream, pool = STREAMS[number], pool_of(STREAMS[number])
    before = aclimb.live()["bytes"]
    with pool.lend([1000, 2000]) as addresses:
        ok(acl.rt.destroy_stream(number))
        ok(acl.rt.memset(addresses[1], 2000, 7, 2000))
    assert aclimb.live()["bytes"] == before
    with pytest.raises(Refused, match="the stream ended, or acl was finalised, while an operator was queued"):
        pool_of(stream).take(1)
    assert aclimb.live()["bytes"] == before


@pytest.mark.requirement("host-147")
def test_two_streams_have_workspaces_of_their_own(inline: Single) -> None:
    inline.select(OP, choosing("k", tiling(), workspaces=[64, 64]))
    first, second, other = Run(inline), Run(inline), inline.new_stream()
    ok(first.update())
    ok(first.execute())
    ok(second.execute(stream=other))
    ok(acl.rt.synchronize_stream(other))
    assert not set(first.words()[3:5]) & set(second.words()[3:5])


@pytest.mark.requirement("host-148", "op-81")
@pytest.mark.parametrize("count", [17, 40])
def test_more_than_16_workspaces_fail_at_execution(inline: Single, count: int) -> None:
    inline.select(OP, choosing("k", tiling(), workspaces=[64] * count))
    run = Run(inline)
    assert run.update() == 0
    assert run.execute() == 100000
    assert str(count) in message()


@pytest.mark.requirement("op-81")
def test_a_workspace_that_cannot_exist_fails_at_execution(inline: Single) -> None:
    inline.select(OP, choosing("k", tiling(), workspaces=[2**64 - 1, 64]))
    run = Run(inline)
    assert run.update() == 0
    before = aclimb.live()
    assert run.execute() != 0
    assert aclimb.live() == before


@pytest.mark.requirement("host-149", "op-77")
def test_an_execution_that_nothing_fits_gives_100024(inline: Single) -> None:
    run = Run(inline)
    assert run.execute() == 100024
    inline.select(OP, choosing("k", tiling(), workspaces=[64, 64]))
    assert run.execute() == 100024
    assert OP in message()
    ok(run.update())
    ok(run.execute())
    assert Run(inline, 3).execute() == 100024, "another shape"
    attr = inline.attr()
    ok(acl.op.set_attr_int(attr, "n", 1))
    assert run.execute(attr) == 100024, "another attribute"


@pytest.mark.requirement("host-149")
def test_an_execution_queues_on_its_stream(inline: Single) -> None:
    inline.select(OP, choosing("k", tiling(5), workspaces=[64, 64]))
    run = Run(inline)
    ok(run.update())
    release = threading.Event()
    ok(capi.aclrtLaunchHostFunc(inline.stream, lambda data: release.wait(20), None))
    ok(run.execute())
    waiting = run.z.read(np.uint64).tolist()
    release.set()
    assert waiting == [0] * 16, "it came back before the kernel ran"
    assert run.words()[5] == 5


@pytest.mark.requirement("host-150")
def test_a_second_shape_has_tiling_of_its_own_and_the_first_stays(inline: Single) -> None:
    calls: list[int] = []

    def select(num_in: int, ins: list[int], num_out: int, outs: list[int], attr: int, desc: int) -> None:
        count, _ = acl.get_tensor_desc_dim_v2(ins[0], 0)
        calls.append(count)
        set_args(desc, "k", 1, tiling(count))
        ok(set_sizes(desc, 64, 64))

    inline.select(OP, select)
    runs = {count: Run(inline, count) for count in (2, 3, 4)}
    for run in runs.values():
        ok(run.update())
    for count in (4, 2, 3, 2):
        ok(runs[count].execute())
        assert runs[count].words()[5] == count
    assert calls == [2, 3, 4], "only an update calls the selector"


@pytest.mark.requirement("op-82")
def test_a_second_update_of_the_same_keeps_the_first_description(inline: Single) -> None:
    numbers = iter([1, 2, 3])

    def select(*args: Any) -> None:
        set_args(args[5], "k", 1, tiling(next(numbers)))
        ok(set_sizes(args[5], 64, 64))

    inline.select(OP, select)
    run = Run(inline)
    for _ in range(2):
        ok(run.update())
        ok(run.execute())
        assert run.words()[5] == 1
    ok(acl.op.unregister_compile_func(OP))
    ok(acl.op.register_compile_func(OP, select))
    ok(run.update())
    ok(run.execute())
    assert run.words()[5] == 3, "a new registration begins anew"


@pytest.mark.requirement("op-84")
def test_beyond_the_limit_the_least_recently_used_description_leaves(inline: Single) -> None:
    inline.select(OP, choosing("k", tiling(), workspaces=[64, 64]))
    assert acl.op.set_max_op_queue_num(0) == 100000
    assert acl.op.set_max_op_queue_num(2) == 0
    runs = {count: Run(inline, count) for count in (2, 3, 4)}
    ok(runs[2].update())
    ok(runs[3].update())
    ok(runs[2].execute())
    ok(runs[4].update())
    assert [runs[count].execute() for count in (2, 3, 4)] == [0, 100024, 0]
    inline.synchronize()


@pytest.mark.requirement("op-85")
def test_nothing_but_empty_outputs_succeeds_without_a_launch(single: Single) -> None:
    x, empty = single.tensor(floats(2)), single.tensor(np.zeros((0, 2), np.uint64), dtype=UINT64)
    assert acl.op.execute_v2(OP, [x.desc], [x.buffer], [empty.desc], [empty.buffer], 0, single.stream) == 0


@pytest.mark.requirement("op-77", "op-85")
def test_buffers_that_are_missing_are_refused(inline: Single) -> None:
    inline.select(OP, choosing("k", tiling(), workspaces=[64, 64]))
    run = Run(inline)
    ok(run.update())
    ins, outs = [run.x.desc, run.y.desc], [run.z.desc]
    assert acl.op.execute_v2(OP, ins, [run.x.buffer, 0], outs, [run.z.buffer], 0, inline.stream) == 100000
    assert acl.op.execute_v2(OP, ins, [run.x.buffer], outs, [run.z.buffer], 0, inline.stream) != 0
    assert acl.op.execute_v2(OP, [run.x.desc, 0], [run.x.buffer, run.y.buffer], outs, [run.z.buffer], 0, inline.stream) == 100000


@pytest.mark.requirement("op-80")
def test_an_optional_input_that_is_missing_is_a_null_address(inline: Single) -> None:
    inline.select(OP, choosing("k", tiling(), workspaces=[64, 64]))
    run = Run(inline)
    run.y = inline.tensor(None, dims=(), dtype=UNDEFINED)
    ok(run.update())
    ok(run.execute())
    assert run.words()[1] == 0


@pytest.mark.requirement("host-149")
def test_the_whole_sequence_in_cs_names(inline: Single) -> None:
    x, y, z = inline.tensor(floats(2)), inline.tensor(floats(2)), inline.out()
    select = choosing("k", tiling(11), workspaces=[64, 64])
    assert capi.aclopRegisterCompileFunc(OP, select) == 0
    ins, outs = [x.desc, y.desc], [z.desc]
    assert capi.aclopUpdateParams(OP, 2, ins, 1, outs, None) == 0
    assert capi.aclopUpdateParams(OP, 3, ins, 1, outs, None) == 100000
    assert capi.aclopExecuteV2(OP, 2, ins, [x.buffer, y.buffer], 1, outs, [z.buffer], None, inline.stream) == 0
    inline.synchronize()
    assert z.read(np.uint64)[5] == 11
    assert capi.aclopUnregisterCompileFunc(OP) == 0
    assert capi.aclopRegisterCompileFunc(None, select) == 100000
