# SPDX-License-Identifier: Apache-2.0
"""Ranks: devices of one process that see each other's windows, and kernels on them that wait for each other."""

from __future__ import annotations

import gc
import os
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import aclimb
from aclimb import Buffer, Device, Kernel, LaunchConfig, Program, Stream, launch, ranks
from aclimb.errors import AddressFault, Hang, InvalidArgument, KernelTrap, Misuse, OutOfBounds
from aclimb.runtime.ranks import RankGroup

SOURCE = Path(__file__).with_name("ranks.cpp")
ONE, TWO = LaunchConfig(num_blocks=1), LaunchConfig(num_blocks=2)
WINDOW = 4096
Find = Callable[[str], Kernel]


@pytest.fixture(scope="module")
def kernel() -> Find:
    binary = Program(SOURCE).compile()
    return lambda name: Kernel(binary, name)


def run(group: RankGroup, rank: int, kernel: Kernel, *args: object, config: LaunchConfig = ONE) -> None:
    launch(group[rank].stream, config, kernel, *args)


def read_context(group: RankGroup, kernel: Find, rank: int, words: int, offset: int = 0) -> bytes:
    out = Buffer(words, np.uint64, group[rank].device)
    run(group, rank, kernel("copy_context"), out, offset, words)
    return out.to_numpy().tobytes()


# --- what the context says


@pytest.mark.requirement("lib-62")
def test_a_context_of_the_first_layout_has_the_published_offsets(kernel: Find) -> None:
    with ranks(3, window=WINDOW) as group:
        for rank in group:
            content = read_context(group, kernel, rank.index, 68)
            assert struct.unpack_from("<QQIIQ", content, 0) == (0, 0, rank.index, 3, WINDOW)
            ins, outs = struct.unpack_from("<32Q", content, 32), struct.unpack_from("<32Q", content, 288)
            assert ins == (*(each.window.address for each in group), *[0] * 29)
            assert outs == (*(each.window_out.address for each in group), *[0] * 29)


@pytest.mark.requirement("lib-62")
def test_a_context_of_the_second_layout_has_the_published_offsets(kernel: Find) -> None:
    with ranks(3, window=WINDOW, layout="HcclOpResParam") as group:
        for rank in group:
            content = read_context(group, kernel, rank.index, 26)
            assert struct.unpack_from("<QQIIQQQ", content, 0) == (0, 0, rank.index, 3, WINDOW, rank.window.address, rank.window_out.address)
            assert content[48:176] == bytes(128)  # hcomId
            assert struct.unpack_from("<QQIIQ", content, 176) == (rank.window_exp.nbytes, rank.window_exp.address, 0, 0, 0)
            assert len(content) == 208


@pytest.mark.parametrize("remote_res", [2984, 4096])
def test_the_second_layout_leads_to_the_windows_of_every_peer(kernel: Find, remote_res: int) -> None:
    with ranks(3, window=WINDOW, layout="HcclOpResParam", remote_res=remote_res) as group:
        own = group[1]
        table = read_context(group, kernel, 1, 8, remote_res - 8)
        assert struct.unpack_from("<II", table, 0) == (0, 3)  # notifysize, remoteResNum
        entries = [struct.unpack_from("<QQ", table, 8 + 16 * each.index) for each in group]
        assert entries[1] == (0, 0), "its own windows are the local ones"
        context = own.context
        assert context is not None
        for peer in (group[0], group[2]):
            host, at = entries[peer.index]
            assert host == 0
            content = read_context(group, kernel, 1, 8, at - context.address)
            assert struct.unpack("<IIQQQ4Q", content) == (
                peer.index, peer.index, peer.window.address, peer.window_out.address, peer.window_exp.address, 0, 0, 0, 0,
            )  # fmt: skip


def test_windows_start_as_zeros(kernel: Find) -> None:
    for _ in range(2):
        with ranks(2, window=WINDOW) as group:
            assert not group[1].window.to_numpy().any()
            run(group, 0, kernel("put"), 1, 0, 100)


def test_a_kernel_may_belong_to_two_groups(kernel: Find) -> None:
    with ranks(3, window=WINDOW), ranks(2, window=WINDOW, index=1) as second:
        out = Buffer(1, np.uint64, second[0].device)
        run(second, 0, kernel("copy_second_context"), out)
        assert out.to_numpy()[0] == 2


def test_a_kernel_can_set_its_context_itself(kernel: Find) -> None:
    out, mine = Buffer(1, np.uint64), Buffer(64)
    launch(Stream(), ONE, kernel("set_context"), out, mine)
    assert out.to_numpy()[0] == mine.address


# --- reading and writing each other's windows


@pytest.mark.requirement("lib-62")
def test_a_rank_writes_the_window_of_another(kernel: Find) -> None:
    with ranks(2, window=WINDOW) as group:
        run(group, 0, kernel("put"), 1, WINDOW - 100, 100)
        group.synchronize()
        assert not group[0].window.to_numpy().any()
        np.testing.assert_array_equal(group[1].window.to_numpy(), np.repeat(np.array([0, 7], np.uint8), [WINDOW - 100, 100]))


def test_one_byte_beyond_a_window_is_named_with_its_rank(kernel: Find) -> None:
    with ranks(2, window=WINDOW) as group:
        for rank in (0, 1):  # the own one, and another's
            run(group, 0, kernel("put"), rank, WINDOW - 100, 101)
            with pytest.raises(OutOfBounds, match=rf"1 bytes beyond windowsIn of rank {rank}, which has 4096 bytes, put block 0") as found:
                group.synchronize()
            assert "winSize of the context is the size of a window" in str(found.value)
            assert "ranks.cpp" in str(found.value)


def test_a_pointer_behind_a_window_is_named_with_its_rank(kernel: Find) -> None:
    with ranks(2, window=WINDOW) as group:
        run(group, 0, kernel("poke"), 1, WINDOW - 1)
        group.synchronize()
        assert group[1].window.to_numpy()[-1] == 7
        run(group, 0, kernel("poke"), 1, WINDOW)
        with pytest.raises(AddressFault, match="which is not device memory, right behind windowsIn of rank 1, which has 4096 bytes"):
            group.synchronize()


def test_other_memory_of_another_rank_stays_its_own(kernel: Find) -> None:
    with ranks(2, window=WINDOW) as group:
        private = Buffer(WINDOW, np.uint8, group[1].device)
        run(group, 0, kernel("store_at"), private.address)
        with pytest.raises(OutOfBounds, match="which is memory of another device"):
            group.synchronize()
        run(group, 0, kernel("store_at"), group[1].window.address)
        group.synchronize()
        assert group[1].window.to_numpy()[0] == 7


def test_windows_are_no_longer_visible_when_the_group_is_closed(kernel: Find) -> None:
    with ranks(2, window=WINDOW) as group:
        address, stream = group[1].window.address, group[0].stream
    launch(stream, ONE, kernel("store_at"), address)
    with pytest.raises(OutOfBounds, match="memory of another device"):
        stream.synchronize()


# --- waiting for each other


@pytest.mark.requirement("lib-62")
@pytest.mark.parametrize("way", ["wait_by_value", "wait_by_pointer", "wait_by_copy"])
def test_a_kernel_waits_for_one_that_is_launched_later_on_another_device(kernel: Find, way: str) -> None:
    with ranks(2, window=WINDOW) as group:
        run(group, 0, kernel(way), 128, 5)
        assert not group[0].stream.idle
        run(group, 1, kernel("tell"), 0, 128, 5)
        group.synchronize()


@pytest.mark.parametrize("way", ["wait_by_value", "wait_by_pointer", "wait_by_copy"])
def test_a_rank_that_never_signals_is_an_error(kernel: Find, way: str) -> None:
    with ranks(2, window=WINDOW, timeout=0.2) as group:
        run(group, 0, kernel(way), 128, 5)
        run(group, 1, kernel("tell"), 0, 128, 4)
        with pytest.raises(Hang) as found:
            group.synchronize()
    message = str(found.value)
    head = "the kernel reads windowsIn of rank 0, byte 0x80 again and again, and for 0.2 s no rank has done anything else, "
    assert message.startswith(f"{head}{way} block 0 (AIV 0)")
    assert "rank 1: tell has ended" in message
    assert "every wait needs a rank that writes what it waits for; timeout= of aclimb.ranks says how long it may take" in message


def test_a_rank_without_a_kernel_is_named(kernel: Find) -> None:
    with ranks(3, window=WINDOW, timeout=0.2) as group:
        run(group, 0, kernel("wait_by_value"), 128, 5)
        with pytest.raises(Hang, match=r"(?s)rank 1: no kernel was launched.*rank 2: no kernel was launched"):
            group.synchronize()


def test_ranks_that_wait_for_each_other_all_end(kernel: Find) -> None:
    with ranks(3, window=WINDOW, timeout=0.2) as group:
        for rank in group:
            run(group, rank.index, kernel("wait_by_value"), 128, 5)
        with pytest.raises(Hang, match="rank 1: wait_by_value waits too") as found:
            group.synchronize()
        notes = found.value.__notes__
        assert [note.partition(":")[0] for note in notes if note.startswith("On rank")] == ["On rank 1", "On rank 2"]


def test_a_rank_that_failed_is_named(kernel: Find) -> None:
    with ranks(2, window=WINDOW, timeout=0.2) as group:
        run(group, 0, kernel("wait_by_value"), 128, 5)
        run(group, 1, kernel("put"), 0, WINDOW, 1)
        with pytest.raises(Hang, match="rank 1: put failed") as found:
            group.synchronize()
        assert any("On rank 1: DataCopyPad needs 1 bytes" in note for note in found.value.__notes__)


@pytest.mark.parametrize("device", [1, 5])
def test_a_rank_whose_kernel_can_still_start_is_waited_for(kernel: Find, device: int) -> None:
    """Its stream waits for a kernel that computes longer than the time limit: one of the same rank, or of a device outside the group."""
    with ranks(2, window=WINDOW, timeout=0.1) as group:
        other = Stream(Device.of_rank(device))
        slow = Kernel(Program(_SLOW, name="slow").compile())
        done = aclimb.Event()
        launch(other, ONE, slow, 500_000_000)
        other.record(done)
        group[1].stream.wait(done)
        run(group, 1, kernel("tell"), 0, 128, 5)
        run(group, 0, kernel("wait_by_value"), 128, 5)
        group.synchronize()


_TRAP = """
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void trap_it() { AscendC::Trap(); }
"""
_SLOW = """
#include "kernel_operator.h"
extern "C" __global__ __aicore__ void slow(int64_t turns) {
    for (volatile int64_t i = 0; i < turns; i = i + 1) {}
}
"""


def test_a_ring_of_eight_ranks_goes_round_on_one_thread_each() -> None:
    program = """
import sys
from aclimb import Kernel, LaunchConfig, Program, launch, ranks
ring = Kernel(Program(sys.argv[1]).compile(), "ring")
with ranks(8, window=4096) as group:
    for rank in group:
        launch(rank.stream, LaunchConfig(num_blocks=1), ring, 200)
    group.synchronize()
    print([int(rank.window.to_numpy().view("int32")[0]) for rank in group])
"""
    environment = {**os.environ, "ACLIMB_THREADS": "1"}
    answer = subprocess.run([sys.executable, "-c", program, str(SOURCE)], env=environment, capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == str([200] * 8)


def test_a_block_that_waits_lets_the_other_blocks_of_its_rank_run(kernel: Find) -> None:
    with ranks(2, window=WINDOW) as group:
        for rank in group:
            run(group, rank.index, kernel("two_blocks"), config=TWO)
        group.synchronize()


def test_a_core_local_variable_is_not_shared_between_ranks(kernel: Find) -> None:
    count = kernel("count_turns")
    with ranks(2, window=WINDOW) as group:
        out = [Buffer(1, np.int32, rank.device) for rank in group]
        for rank in group:
            run(group, rank.index, count, out[rank.index], 50)
        group.synchronize()
        assert [int(each.to_numpy()[0]) for each in out] == [50, 100]


# --- making and closing a group


def test_a_device_without_a_group_has_no_context(kernel: Find) -> None:
    launch(Stream(), ONE, kernel("tell"), 0, 0, 1)
    with pytest.raises(Misuse, match=r"^GetHcclContext<0> has no context: the device is no rank of a group, tell block 0") as found:
        Device().synchronize()
    assert "launch inside `with aclimb.ranks(count, window=...) as group:`, on the streams of its ranks" in str(found.value)


def test_a_kernel_that_has_one_group_asks_for_the_other(kernel: Find) -> None:
    with ranks(2, window=WINDOW) as group:
        run(group, 0, kernel("copy_second_context"), Buffer(1, np.uint64, group[0].device))
        with pytest.raises(Misuse, match=r"(?s)GetHcclContext<1> has no context.*window=\.\.\., index=1\) as group"):
            group.synchronize()


@pytest.mark.parametrize(("arguments", "sentence"), [
    ({"count": 0}, "count is 0; it takes 1 to 32"),
    ({"count": 33}, "count is 33; it takes 1 to 32"),
    ({"count": True}, "count is True; it takes 1 to 32"),
    ({"count": 65, "layout": "HcclOpResParam"}, "count is 65; it takes 1 to 64"),
    ({"count": 1, "layout": "Mine"}, "layout is 'Mine'; it takes 'HcclCombinOpParam' or 'HcclOpResParam'"),
    ({"count": 1, "window": 0}, "window is 0; it takes 1 to 1099511627776"),
    ({"count": 1, "index": 2}, "index is 2; it takes 0 to 1"),
    ({"count": 1, "timeout": 0}, "timeout is 0; it takes seconds, more than 0 and at most 1000000"),
    ({"count": 1, "remote_res": 100}, "remote_res is 100; it takes 216 to 1048576"),
    ({"count": 1, "remote_res": 2988}, "remote_res is 2988; it takes a multiple of 8"),
])  # fmt: skip
def test_a_group_that_cannot_be_made_is_refused(arguments: dict[str, object], sentence: str) -> None:
    with pytest.raises(InvalidArgument) as found:
        ranks(**arguments)  # type: ignore[arg-type]
    assert str(found.value) == sentence


def test_a_device_is_in_one_group_of_an_index(kernel: Find) -> None:
    words = r"is in a group of index 0 already; close that one first, or make this one of index 1$"
    with ranks(2, window=WINDOW), pytest.raises(InvalidArgument, match=words):
        ranks(1)
    ranks(1).close()


def test_leaving_the_block_raises_the_fault_of_a_rank_and_gives_the_memory_back(kernel: Find) -> None:
    gc.collect()
    devices = [Device.of_rank(0), Device.of_rank(1)]
    before = [device.memory_used for device in devices]
    with pytest.raises(OutOfBounds), ranks(2, window=WINDOW) as group:
        run(group, 1, kernel("put"), 0, WINDOW, 1)
    assert [device.memory_used for device in devices] == before
    group.close()


def test_an_error_inside_the_block_is_the_one_that_is_raised(kernel: Find) -> None:
    def fail() -> None:
        with ranks(2, window=WINDOW) as group:
            run(group, 1, kernel("put"), 0, WINDOW, 1)
            raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        fail()
    with pytest.raises(OutOfBounds):
        Device.of_rank(1).synchronize()


def test_a_trap_of_one_rank_leaves_the_others_running(kernel: Find) -> None:
    trap = Kernel(Program(_TRAP, name="trap").compile())
    with ranks(2, window=WINDOW) as group:
        run(group, 0, trap)
        run(group, 1, kernel("put"), 0, 0, 10)
        with pytest.raises(KernelTrap):
            group.synchronize()
        assert group[0].window.to_numpy()[9] == 7


def test_a_launch_through_acl_on_a_device_of_the_group_is_one_of_its_ranks(tmp_path: Path) -> None:
    program = """
import ctypes, sys
import acl
from aclimb import ranks

def ok(result):
    *values, ret = result if isinstance(result, tuple) else (result,)
    assert ret == 0, acl.get_recent_err_msg()
    return values[0] if values else None

with ranks(2, window=4096) as group:
    ok(acl.init())
    ok(acl.rt.set_device(1))
    stream = ok(acl.rt.create_stream())
    function = ok(acl.rt.binary_get_function(ok(acl.rt.binary_load_from_file(sys.argv[1], [])), "tell"))
    args = ok(acl.rt.kernel_args_init(function))
    for value in (ctypes.c_uint32(0), ctypes.c_uint64(64), ctypes.c_int32(9)):
        ok(acl.rt.kernel_args_append(args, ctypes.addressof(value), ctypes.sizeof(value)))
    ok(acl.rt.kernel_args_finalize(args))
    ok(acl.rt.launch_kernel_with_config(function, 1, stream, [], args, 0))
    ok(acl.rt.synchronize_stream(stream))
    print(int(group[0].window.to_numpy().view("int32")[16]))
"""
    binary = Program(SOURCE).compile().save(tmp_path)
    environment = {**os.environ, "ACLIMB_DEVICES": "2"}
    answer = subprocess.run([sys.executable, "-c", program, str(binary)], env=environment, capture_output=True, text=True)
    assert (answer.stdout, answer.returncode) == ("9\n", 0), answer.stderr


def test_a_profile_of_ranks_times_each_launch(kernel: Find) -> None:
    with ranks(2, window=WINDOW) as group, aclimb.profile() as timeline:
        run(group, 0, kernel("wait_by_value"), 128, 5)
        run(group, 1, kernel("tell"), 0, 128, 5)
        group.synchronize()
    assert sorted(launch.kernel for launch in timeline.launches) == ["tell", "wait_by_value"]
