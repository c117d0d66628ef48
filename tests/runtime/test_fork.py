# SPDX-License-Identifier: Apache-2.0
"""The device does not survive fork(); a child that opens its own works."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

KERNELS = Path(__file__).with_name("kernels.cpp")
PROGRAM = f"""
import gc, os, sys
import numpy as np
import aclimb
from aclimb import Buffer, Device, Kernel, LaunchConfig, Program, Stream, launch
from aclimb.errors import ForkedProcess

binary = Program({str(KERNELS)!r}).compile()


def store():
    z = Buffer.from_array(np.zeros(1, np.int32))
    launch(Stream(), LaunchConfig(1), Kernel(binary, "store_word"), z, 0, 5)
    return int(z.to_numpy()[0])


def attempts():
    stream, z, kernel = kept
    yield "Device", Device
    yield "Stream", Stream
    yield "Buffer", lambda: Buffer(4)
    yield "Kernel", lambda: Kernel(binary, "add")
    yield "launch", lambda: launch(stream, LaunchConfig(1), kernel, z, 0, 1)
    yield "synchronize", stream.synchronize
    yield "to_numpy", z.to_numpy
    yield "copy_from", lambda: z.copy_from(np.zeros(1, np.int32))


def child():
    if sys.argv[1] == "before":
        print("child", store())
        return
    if sys.argv[1] == "busy":
        kept.clear()
        gc.collect()
        print("child has let go")
        return
    for name, attempt in attempts():
        try:
            attempt()
            print(name, "works")
        except ForkedProcess as error:
            print(name, str(error).replace(str(os.getppid()), "PARENT").replace(str(os.getpid()), "CHILD"))
    print(kept[2], kept[2].info.kernel_type.task_ration)


if sys.argv[1] == "after":
    kept = Stream(), Buffer.from_array(np.zeros(1, np.int32)), Kernel(binary, "store_word")
    print("parent", store())
if sys.argv[1] == "busy":
    kept = [Stream(), Buffer.from_array(np.zeros(1, np.int32))]
    launch(kept[0], LaunchConfig(1), Kernel(binary, "slow_store"), kept[1], 300_000_000, 6)
sys.stdout.flush()
pid = os.fork()
if pid == 0:
    child()
    sys.stdout.flush()
    os._exit(0)
assert os.waitpid(pid, 0)[1] == 0
if sys.argv[1] == "busy":
    print("parent", kept[1].to_numpy()[0])
print("parent", store())
"""


def run(when: str) -> list[str]:
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", PROGRAM, when]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def test_a_child_of_a_process_with_a_device_gets_a_sentence_for_everything_it_tries() -> None:
    words = (
        "aclimb was used in process PARENT before fork(); this child, CHILD, has no device. "
        "Use multiprocessing with the 'spawn' start method, or open the device after the fork"
    )
    said = "<Kernel store_word(z: GM_ADDR, index: uint32, value: int32) AIV_ONLY> (0, 1)"  # what needs no device still works
    tries = ["Device", "Stream", "Buffer", "Kernel", "launch", "synchronize", "to_numpy", "copy_from"]
    assert run("after") == ["parent 5", *(f"{name} {words}" for name in tries), said, "parent 5"]


def test_a_device_opened_after_the_fork_works() -> None:
    assert run("before") == ["child 5", "parent 5"]


def test_a_child_can_let_go_of_what_the_parent_still_uses() -> None:
    """The parent's task never ends in the child, so nothing there may wait for it."""
    assert run("busy") == ["child has let go", "parent 6", "parent 5"]
