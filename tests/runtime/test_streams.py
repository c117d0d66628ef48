# SPDX-License-Identifier: Apache-2.0
"""Tasks in order, streams side by side, errors once, and nothing left behind."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable

import numpy as np
import pytest

from aclimb import Buffer, Device, Kernel, LaunchConfig, Stream, launch
from aclimb.errors import KernelTrap, OutOfBounds

Find = Callable[[str], Kernel]
ONE, FOUR = LaunchConfig(num_blocks=1), LaunchConfig(num_blocks=4)
TRAP, BOUNDS = 1, 6
AWHILE = 20_000_000  # turns of slow_store: some milliseconds


def zeros(count: int) -> Buffer:
    return Buffer.from_array(np.zeros(count, np.int32))


def test_tasks_of_a_stream_run_in_order(stream: Stream, kernel: Find) -> None:
    z = Buffer.from_array(np.zeros(1, np.int64))
    append = kernel("append_digit")
    for digit in range(1, 10):
        launch(stream, ONE, append, z, digit)
    assert z.to_numpy()[0] == 123456789


def test_launch_returns_before_the_kernel_has_ended(stream: Stream, kernel: Find) -> None:
    z = zeros(1)
    launch(stream, ONE, kernel("slow_store"), z, 20 * AWHILE, 3)  # longer than a busy machine keeps this thread waiting
    assert not stream.idle
    stream.synchronize()
    assert stream.idle
    assert z.to_numpy()[0] == 3


def test_to_numpy_waits_for_a_stream_that_is_no_longer_held(balanced: Device, kernel: Find) -> None:
    z = zeros(1)
    launch(Stream(), ONE, kernel("slow_store"), z, AWHILE, 4)
    assert z.to_numpy()[0] == 4


def test_the_fault_of_a_stream_that_is_no_longer_held_is_raised(kernel: Find) -> None:
    z = zeros(64)
    launch(Stream(), FOUR, kernel("faulty"), z, TRAP, 1)
    with pytest.raises(KernelTrap):
        z.to_numpy()
    z.to_numpy()


def test_forgotten_streams_do_not_pile_up(kernel: Find) -> None:
    device, store, z = Device(), kernel("store_word"), zeros(1)
    device.synchronize()
    gc.collect()
    before = len(device._queues)
    for i in range(100):
        launch(Stream(), ONE, store, z, 0, i)
    device.synchronize()
    assert len(device._queues) == before


def test_copy_from_waits_for_what_is_queued(stream: Stream, kernel: Find) -> None:
    z = zeros(1)
    launch(stream, ONE, kernel("slow_store"), z, AWHILE, 5)
    z.copy_from(np.full(1, 6, np.int32))
    assert z.to_numpy()[0] == 6


def test_freeing_a_buffer_waits_for_what_is_queued(stream: Stream, kernel: Find) -> None:
    z = zeros(1)
    launch(stream, ONE, kernel("slow_store"), z, AWHILE, 5)
    z.free()
    assert stream.idle
    stream.synchronize()


def test_an_error_is_raised_once_and_later_tasks_have_run(stream: Stream, kernel: Find) -> None:
    z, w = zeros(64), zeros(1)
    launch(stream, FOUR, kernel("faulty"), z, TRAP, 2)
    launch(stream, ONE, kernel("store_word"), w, 0, 7)
    with pytest.raises(KernelTrap):
        stream.synchronize()
    stream.synchronize()
    assert w.to_numpy()[0] == 7


def test_the_first_of_two_errors_is_raised(stream: Stream, kernel: Find) -> None:
    z = zeros(64)
    launch(stream, FOUR, kernel("faulty"), z, BOUNDS, 2)
    launch(stream, FOUR, kernel("faulty"), z, TRAP, 2)
    with pytest.raises(OutOfBounds):
        stream.synchronize()
    stream.synchronize()


def test_to_numpy_raises_the_kernels_fault(stream: Stream, kernel: Find) -> None:
    z = zeros(64)
    launch(stream, FOUR, kernel("faulty"), z, BOUNDS, 3)
    with pytest.raises(OutOfBounds, match=r"^SetValue needs 4 bytes of zGm at 0x[0-9a-f]+, 256 bytes behind the buffer of 256 bytes"):
        z.to_numpy()


def test_the_device_waits_for_every_stream_and_tells_of_every_fault(kernel: Find) -> None:
    device, streams, z, w = Device(), [Stream(), Stream(), Stream()], zeros(64), zeros(1)
    launch(streams[0], FOUR, kernel("faulty"), z, TRAP, 0)
    launch(streams[1], FOUR, kernel("faulty"), z, BOUNDS, 0)
    launch(streams[2], ONE, kernel("slow_store"), w, AWHILE, 8)
    with pytest.raises(KernelTrap) as caught:
        device.synchronize()
    assert streams[2].idle
    first, other = caught.value.__notes__
    assert first.strip().endswith('launch(streams[0], FOUR, kernel("faulty"), z, TRAP, 0)')
    assert other.startswith("On another stream: SetValue needs 4 bytes of zGm")
    assert other.endswith('launch(streams[1], FOUR, kernel("faulty"), z, BOUNDS, 0)')
    device.synchronize()
    assert w.to_numpy()[0] == 8


def work(stream: Stream, kernel: Kernel, seed: int, rounds: int, wrong: list[int]) -> None:
    random = np.random.default_rng(seed)
    z = Buffer(1024, np.float32)
    for _ in range(rounds):
        x, y = random.normal(size=(2, 1024)).astype(np.float32)
        launch(stream, FOUR, kernel, Buffer.from_array(x), Buffer.from_array(y), z, 1024)
        stream.synchronize()
        if not np.array_equal(z.to_numpy(), x + y):
            wrong.append(seed)


@pytest.mark.parametrize("shared", [False, True], ids=["two streams", "one stream"])
def test_two_threads_launch_at_the_same_time(kernel: Find, shared: bool) -> None:
    first = Stream()
    streams = [first, first if shared else Stream()]
    wrong: list[int] = []
    add = kernel("add")
    threads = [threading.Thread(target=work, args=(each, add, seed, 150, wrong)) for seed, each in enumerate(streams)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    assert wrong == []


def test_two_streams_overlap(kernel: Find) -> None:
    """The second stream's task ends while the first stream's still runs."""
    slow, quick, z, w = Stream(), Stream(), zeros(1), zeros(1)
    launch(slow, ONE, kernel("slow_store"), z, 15 * AWHILE, 1)
    launch(quick, ONE, kernel("store_word"), w, 0, 2)
    quick.synchronize()
    assert not slow.idle
    slow.synchronize()
    assert (z.to_numpy()[0], w.to_numpy()[0]) == (1, 2)


def test_two_kernels_of_one_binary_share_no_memory(stream: Stream, kernel: Find) -> None:
    assert kernel("add") is not kernel("add")
    z = zeros(2)
    launch(stream, ONE, kernel("store_word"), z, 0, 1)
    launch(stream, ONE, kernel("store_word"), z, 1, 2)
    assert z.to_numpy().tolist() == [1, 2]


def test_everything_is_given_back(balanced: Device, kernel: Find) -> None:
    def use() -> None:
        stream = Stream()
        x = Buffer.from_array(np.ones(1024, np.float32))
        for _ in range(20):
            z = Buffer(1024, np.float32)
            launch(stream, FOUR, kernel("add"), x, x, z, 1024)
        launch(stream, FOUR, kernel("faulty"), zeros(64), TRAP, 1)
        with pytest.raises(KernelTrap):
            stream.synchronize()

    use()
    gc.collect()
    balanced.synchronize()
    assert balanced.native.pending == 0
