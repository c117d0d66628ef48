# SPDX-License-Identifier: Apache-2.0
"""A kernel's fault is not the host's: eight ways to go wrong, again and again, while another stream keeps computing."""

from __future__ import annotations

import gc
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from aclimb import Buffer, Kernel, LaunchConfig, Stream, launch
from aclimb.errors import AddressFault, Hang, KernelFault, KernelTrap, OutOfBounds, StackOverflow, TimeLimit

Find = Callable[[str], Kernel]
SOURCE = Path(__file__).with_name("faults.cpp")
FOUR = LaunchConfig(num_blocks=4)
LIMIT = 0.15  # seconds; long beside what the other stream's kernels take
# Number in faults.cpp, exception, a piece of the line that is to blame.
KINDS = {
    "address": (0, AddressFault, "case kAddress:"),
    "trap": (1, KernelTrap, "case kTrap:"),
    "division": (2, KernelTrap, "case kDivision:"),
    "stack overflow": (3, StackOverflow, "frame"),
    "endless loop": (4, TimeLimit, "while (zero == 0)"),
    "endless polling": (5, TimeLimit, "while (zGm.GetValue(0) != -1)"),
    "out of bounds": (6, OutOfBounds, "case kBounds:"),
    "hang": (7, Hang, "default: WaitFlag"),
}


class Calculator:
    """Adds random vectors on a stream of its own, in a thread of its own, and looks at every result."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel, self.stop, self.done, self.problems = kernel, threading.Event(), 0, list[str]()
        self.thread = threading.Thread(target=self._run)

    def __enter__(self) -> Calculator:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop.set()
        self.thread.join(60)

    def _run(self) -> None:
        random, stream = np.random.default_rng(1), Stream()
        x, y, z = (Buffer(1024, np.float32) for _ in range(3))  # once: freeing a buffer waits for the other stream
        while not self.stop.is_set():
            a, b = random.normal(size=(2, 1024)).astype(np.float32)
            for buffer, content in ((x, a), (y, b), (z, np.full_like(a, np.nan))):
                buffer.copy_in(content.ctypes.data, 0, content.nbytes)
            begun = time.monotonic()
            try:
                launch(stream, FOUR, self.kernel, x, y, z, 1024)
                stream.synchronize()
            except KernelFault as fault:
                if isinstance(fault, TimeLimit) and time.monotonic() - begun > LIMIT:
                    continue  # the host was too busy to run it in time: not a kernel ended in place of another
                self.problems.append(str(fault))
                return
            got = np.empty_like(a)
            z.copy_out(got.ctypes.data, 0, got.nbytes)
            if not np.array_equal(got, a + b):
                self.problems.append(f"result {self.done} is wrong")
            self.done += 1

    def wait_for(self, more: int) -> None:
        """Until it has done that many more."""
        target, until = self.done + more, time.monotonic() + 600
        while self.done < target and not self.problems and time.monotonic() < until:
            time.sleep(0.001)


def resources() -> tuple[int, int, int]:
    """Resident bytes, open files, threads."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE"), len(os.listdir("/proc/self/fd")), len(os.listdir("/proc/self/task"))


def go_wrong(stream: Stream, faulty: Kernel, store: Kernel, name: str, times: int) -> None:
    number, error, line = KINDS[name]
    z, w = Buffer.from_array(np.zeros(64, np.int32)), Buffer.from_array(np.zeros(1, np.int32))
    source = SOURCE.read_text().splitlines()
    for i in range(times):
        block = i % 4
        launch(stream, FOUR, faulty, z, number, block)
        launch(stream, LaunchConfig(1), store, w, 0, i)
        with pytest.raises(error) as caught:
            stream.synchronize()
        assert (caught.value.kernel, caught.value.block, caught.value.core) == ("faulty", block, f"AIV {block}")
        assert line in source[caught.value.line - 1]
        stream.synchronize()
        host = np.empty(1, np.int32)
        w.copy_out(host.ctypes.data, 0, 4)
        assert host[0] == i


def suffer(kernel: Find, names: list[str], times: int, growth: int) -> None:
    stream, faulty, store = Stream(), kernel("faulty"), kernel("store_word")
    for name in names:
        go_wrong(stream, faulty, store, name, 2)  # what is made once is made now
    with Calculator(kernel("add")) as calculator:
        calculator.wait_for(5)
        gc.collect()
        before = resources()
        for name in names:
            go_wrong(stream, faulty, store, name, times)
        calculator.wait_for(5)
        gc.collect()
        after = resources()
    assert calculator.problems == []
    assert calculator.done >= 10
    assert after[0] - before[0] < growth
    assert after[1] <= before[1], "files left open"
    assert after[2] <= before[2], "threads left behind"


@pytest.mark.parametrize("name", KINDS)
def test_twenty_faults_leave_the_other_stream_and_the_process_unharmed(
    kernel: Find, time_limit: Callable[[float], None], name: str
) -> None:
    time_limit(LIMIT)
    suffer(kernel, [name], 20, growth=16 << 20)


@pytest.mark.slow
@pytest.mark.parametrize("name", KINDS)
def test_a_thousand_faults_leave_no_trace(kernel: Find, time_limit: Callable[[float], None], name: str) -> None:
    time_limit(LIMIT)
    suffer(kernel, [name], 1000, growth=16 << 20)


def test_faults_of_many_streams_at_once_reach_the_right_one(kernel: Find) -> None:
    streams, faulty, z = [Stream() for _ in range(5)], kernel("faulty"), Buffer.from_array(np.zeros(64, np.int32))
    names = ["address", "trap", "division", "out of bounds", "hang"]
    for _ in range(20):
        for stream, name in zip(streams, names, strict=True):
            launch(stream, FOUR, faulty, z, KINDS[name][0], 2)
        for stream, name in zip(reversed(streams), reversed(names), strict=True):
            with pytest.raises(KINDS[name][1]):
                stream.synchronize()


def test_every_block_that_fails_is_one_error(kernel: Find) -> None:
    """48 blocks, the last one fails: the launch ends with that block's fault."""
    stream, z = Stream(), Buffer.from_array(np.zeros(64, np.int32))
    launch(stream, LaunchConfig(num_blocks=48), kernel("faulty"), z, KINDS["trap"][0], 47)
    with pytest.raises(KernelTrap, match="faulty block 47 "):
        stream.synchronize()
