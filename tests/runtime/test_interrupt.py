# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C ends a wait for an endless kernel, and the process is as usable as before."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

HERE = Path(__file__).parent
PROGRAM = f"""
import signal, sys, time
import numpy as np
from aclimb import Buffer, Device, Kernel, LaunchConfig, Program, Stream, launch

signal.signal(signal.SIGINT, signal.default_int_handler)
faulty = Kernel(Program({str(HERE / "faults.cpp")!r}).compile())
binary = Program({str(HERE / "kernels.cpp")!r}).compile()
add, slow, store = (Kernel(binary, name) for name in ("add", "slow_store", "store_word"))
z, w = (Buffer.from_array(np.zeros(64, np.int32)) for _ in range(2))
stream, other = Stream(), Stream()
scenario, kind, blocks = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])


def wait():
    if scenario == "helping":  # the only thread of the pool is busy, so this one runs the kernel
        launch(other, LaunchConfig(1), slow, w, 300_000_000, 1)
        time.sleep(0.05)
        launch(stream, LaunchConfig(blocks), faulty, z, kind, blocks - 1)
        print("ready", flush=True)
        stream.synchronize()
    launch(stream, LaunchConfig(blocks), faulty, z, kind, blocks - 1)
    launch(stream, LaunchConfig(1), store, w, 1, 9)
    if scenario == "waiting":  # a thread of the pool has begun with the kernel
        time.sleep(0.2)
    print("ready", flush=True)
    if scenario == "to_numpy":
        z.to_numpy()
    elif scenario == "copy_from":
        z.copy_from(np.ones(64, np.int32))
    else:
        stream.synchronize()


try:
    wait()
    print("ended without KeyboardInterrupt")
except KeyboardInterrupt:
    print("interrupted")
if scenario == "copy_from":
    try:
        stream.synchronize()
        print("the kernel ended")
    except KeyboardInterrupt:
        print("interrupted")
stream.synchronize()
other.synchronize()
if scenario != "helping":
    print("behind it", w.to_numpy()[1])
x = np.arange(1024, dtype=np.float32)
result = Buffer(1024, np.float32)
launch(stream, LaunchConfig(4), add, Buffer.from_array(x), Buffer.from_array(x), result, 1024)
print("right" if np.array_equal(result.to_numpy(), x + x) else "wrong")
"""


def interrupt(scenario: str, *, kind: int, blocks: int, threads: int, times: int = 1) -> list[str]:
    """What the program says; SIGINT comes a moment after it is ready."""
    command = [sys.executable, "-c", PROGRAM, scenario, str(kind), str(blocks)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment(threads)) as process:
        assert process.stdout
        try:
            assert process.stdout.readline() == "ready\n"
            for _ in range(times):
                time.sleep(0.3)
                process.send_signal(signal.SIGINT)
            out, _ = process.communicate(timeout=600)
        finally:
            process.kill()
    assert process.returncode == 0
    return out.splitlines()


def environment(threads: int) -> dict[str, str]:
    return {**os.environ, "ACLIMB_THREADS": str(threads), "ACLIMB_TIMEOUT": "60"}


LOOP, POLLING = 4, 5


@pytest.mark.parametrize("kind", [LOOP, POLLING], ids=["without instructions", "with instructions"])
@pytest.mark.parametrize("blocks", [1, 4])
def test_ctrl_c_ends_a_kernel_that_the_waiting_thread_runs_itself(kind: int, blocks: int) -> None:
    assert interrupt("helping", kind=kind, blocks=blocks, threads=1) == ["interrupted", "right"]


@pytest.mark.parametrize("kind", [LOOP, POLLING], ids=["without instructions", "with instructions"])
@pytest.mark.parametrize("threads", [1, 4])
def test_ctrl_c_ends_a_kernel_that_another_thread_runs(kind: int, threads: int) -> None:
    assert interrupt("waiting", kind=kind, blocks=4, threads=threads) == ["interrupted", "behind it 9", "right"]


def test_ctrl_c_ends_a_kernel_that_two_threads_share() -> None:
    assert interrupt("shared", kind=LOOP, blocks=48, threads=2) == ["interrupted", "behind it 9", "right"]


def test_ctrl_c_ends_to_numpy() -> None:
    assert interrupt("to_numpy", kind=LOOP, blocks=1, threads=2) == ["interrupted", "behind it 9", "right"]


def test_ctrl_c_leaves_copy_from() -> None:
    assert interrupt("copy_from", kind=LOOP, blocks=1, threads=2, times=2) == ["interrupted", "interrupted", "behind it 9", "right"]
