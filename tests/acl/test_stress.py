# SPDX-License-Identifier: Apache-2.0
"""Four threads with four streams on each of two devices: many launches, events and copies between them, and every number right."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from host import DEVICE_TO_DEVICE, DEVICE_TO_HOST, HOST_TO_DEVICE, launch, ok, write
from steps import no_longer_than, packed

import acl

THREADS, DEVICES, STREAMS, LAUNCHES = 4, 2, 4, 5  # launches in a turn
FACTOR = 6364136223846793005  # of the kernel `chain`
FRESH = 16  # every so many turns the number comes from the host again
SYNC = 1  # an event that orders streams


class Lane:
    """What a thread has on one device: a ring of streams that hand a number round. Each turn is one stream's:

    wait for the stream before it, fetch its number, launch `chain` on it several times, send the result to the host, record.
    """

    def __init__(self, device: int, path: Path, turns: int, seed: int) -> None:
        self.device = device
        ok(acl.rt.set_device(device))
        self.context = ok(acl.rt.get_context())
        self.binary = ok(acl.rt.binary_load_from_file(str(path), []))
        self.chain = ok(acl.rt.binary_get_function(self.binary, "chain"))
        self.streams = [ok(acl.rt.create_stream()) for _ in range(STREAMS)]
        self.events = [ok(acl.rt.create_event_ex_with_flag(SYNC)) for _ in range(STREAMS)]
        self.numbers, self.fetched = (ok(acl.rt.malloc(64 * STREAMS, 0)) for _ in range(2))
        self.host = ok(acl.rt.malloc_host(16 * turns))
        self.sent, self.received = acl.util.ptr_to_numpy(self.host, (2, turns), 8)
        self.sent[:] = np.random.default_rng(seed).integers(0, 2**63, turns, np.uint64)
        self.expected: list[int] = []
        write(self.numbers, np.zeros(8 * STREAMS, np.uint64))

    def turn(self, number: int) -> None:
        ok(acl.rt.set_context(self.context))
        mine, before = number % STREAMS, (number - 1) % STREAMS
        stream, result, fetched = self.streams[mine], self.numbers + 64 * mine, self.fetched + 64 * mine
        ok(acl.rt.stream_wait_event(stream, self.events[before]))
        if number % FRESH == 0:
            value = int(self.sent[number])
            ok(acl.rt.memcpy_async(fetched, 8, self.host + 8 * number, 8, HOST_TO_DEVICE, stream))
        else:
            value = self.expected[-1]
            ok(acl.rt.memcpy_async(fetched, 8, self.numbers + 64 * before, 8, DEVICE_TO_DEVICE, stream))
        ok(launch(self.chain, 1, stream, fetched, result, np.uint64(number)))
        value = (value * FACTOR + number) % 2**64
        for step in range(1, LAUNCHES):
            block = packed(result, result, np.uint64(number + step))
            ok(acl.rt.launch_kernel_with_host_args(self.chain, 1, stream, [], block.ctypes.data, block.nbytes, [], 0))
            value = (value * FACTOR + number + step) % 2**64
        received = self.host + self.sent.nbytes + 8 * number
        ok(acl.rt.memcpy_async(received, 8, result, 8, DEVICE_TO_HOST, stream))
        ok(acl.rt.record_event(self.events[mine], stream))
        self.expected.append(value)

    def wrong_turns(self) -> list[int]:
        """Waits, and compares."""
        ok(acl.rt.set_context(self.context))
        for stream in self.streams:
            ok(acl.rt.synchronize_stream(stream))
        return np.flatnonzero(self.received != np.array(self.expected, np.uint64)).tolist()

    def end(self) -> None:
        ok(acl.rt.set_context(self.context))
        for stream in self.streams:
            ok(acl.rt.destroy_stream(stream))
        for event in self.events:
            ok(acl.rt.destroy_event(event))
        for address in (self.numbers, self.fetched):
            ok(acl.rt.free(address))
        ok(acl.rt.free_host(self.host))
        ok(acl.rt.binary_unload(self.binary))
        ok(acl.rt.reset_device(self.device))


def work(path: Path, turns: int, thread: int, together: threading.Barrier) -> tuple[int, list[int]]:
    """The launches of one thread, and the turns that gave a wrong number."""
    lanes = [Lane(device, path, turns, DEVICES * thread + device) for device in range(DEVICES)]
    together.wait(60)
    for number in range(turns):
        for lane in lanes:
            lane.turn(number)
    wrong = [turn for lane in lanes for turn in lane.wrong_turns()]
    for lane in lanes:
        lane.end()
    return DEVICES * turns * LAUNCHES, wrong


@pytest.mark.requirement("host-31", "host-62", "host-92")
@pytest.mark.parametrize("launches", [5_000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_launches_events_and_copies_of_many_threads_give_the_right_numbers(kernels: dict[str, Path], launches: int) -> None:
    turns, together = launches // (THREADS * DEVICES * LAUNCHES), threading.Barrier(THREADS)
    ok(acl.init())
    with no_longer_than(120 + launches / 100), ThreadPoolExecutor(THREADS) as pool:
        running = [pool.submit(work, kernels["chain"], turns, thread, together) for thread in range(THREADS)]
        done, wrong = zip(*(each.result() for each in running), strict=True)
    ok(acl.finalize())
    assert sum(done) == launches
    assert list(wrong) == [[]] * THREADS
