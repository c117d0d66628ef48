# SPDX-License-Identifier: Apache-2.0
"""What an isolated device does as any other, and what it refuses."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import aclimb
from aclimb import Buffer, Device, Kernel, LaunchConfig, Program, Stream, launch
from aclimb.errors import DeviceError, InvalidArgument, Unsupported

HERE = Path(__file__).parent
ONE = LaunchConfig(num_blocks=1)
Load = Callable[..., Kernel]


def read(buffer: Buffer) -> int:
    content = np.zeros(1, np.uint64)
    buffer.copy_out(content.ctypes.data, 0, 8)
    return int(content[0])


def end_process(process: int) -> None:
    """As a crash would. 0 or -1, where no process runs, would end our own group, or everybody."""
    assert process > 0, f"the device has no process: {process}"
    os.kill(process, 9)


def test_constructors_run_in_the_process_of_the_device(load: Load, stream: Stream) -> None:
    out = Buffer(1, np.uint64)
    launch(stream, ONE, load(HERE / "constructor.cpp"), out)
    stream.synchronize()
    assert read(out) == Device().native.process_id != os.getpid()


def test_a_device_stays_as_it_was_opened() -> None:
    assert Device().isolated
    with pytest.raises(InvalidArgument, match=r"device 0 is open already, with isolation; ask for isolated=False where it is used first$"):
        Device(isolated=False)


def test_memory_is_kept_when_the_process_is_replaced(load: Load, stream: Stream) -> None:
    out = Buffer(1, np.uint64)
    content = np.full(1, 7, np.uint64)
    out.copy_in(content.ctypes.data, 0, 8)
    before = Device().native.process_starts
    end_process(Device().native.process_id)
    time.sleep(0.1)
    launch(stream, ONE, load(HERE / "attacks.cpp", "add_one"), out)
    stream.synchronize()
    assert read(out) == 8
    assert Device().native.process_starts == before + 1


def test_a_new_process_gets_no_file_that_the_host_left_inheritable(load: Load, stream: Stream, tmp_path: Path) -> None:
    with (tmp_path / "secret").open("w") as file:
        os.set_inheritable(file.fileno(), True)
        end_process(Device().native.process_id)
        time.sleep(0.1)
        launch(stream, ONE, load(HERE / "attacks.cpp", "add_one"), Buffer.from_array(np.zeros(1, np.uint64)))
        stream.synchronize()
        opened = [os.readlink(each) for each in Path(f"/proc/{Device().native.process_id}/fd").iterdir()]
    assert opened
    assert not [each for each in opened if "secret" in each]


def test_a_process_that_is_killed_while_a_kernel_runs_is_reported(load: Load, stream: Stream) -> None:
    launch(stream, ONE, load(HERE / "attacks.cpp", "run_for_ever"), Buffer(1, np.uint64))
    time.sleep(0.3)
    end_process(Device().native.process_id)
    with pytest.raises(DeviceError, match=r"^the process of the isolated device was lost: it was ended by signal 9, run_for_ever\n"):
        stream.synchronize()


def test_ranks_are_refused_and_nothing_runs_unisolated() -> None:
    words = r"the kernel was not run: ranks of isolated devices cannot see each other's windows; use devices without isolated=True"
    kernel = Kernel(Program(HERE / "attacks.cpp").compile(), "add_one")
    with aclimb.ranks(2) as group:
        out = Buffer(1, np.uint64, group[0].device)
        launch(group[0].stream, ONE, kernel, out)
        with pytest.raises(Unsupported, match=words):
            group[0].stream.synchronize()
        assert read(out) == 0


def test_a_device_whose_process_is_lost_leaves_the_others_running(load: Load) -> None:
    """Both run for ever; one process is killed, and the other device's launch goes on until it is killed too."""
    devices = Device(0), Device(1)
    streams, kernel = [Stream(each) for each in devices], load(HERE / "attacks.cpp", "run_for_ever")
    for stream, device in zip(streams, devices, strict=True):
        launch(stream, ONE, kernel, Buffer(1, np.uint64, device))
    time.sleep(0.3)
    other = devices[1].native.process_id
    end_process(devices[0].native.process_id)
    with pytest.raises(DeviceError, match="was lost: it was ended by signal 9, run_for_ever"):
        streams[0].synchronize()
    assert devices[1].native.process_id == other
    assert not streams[1].idle
    end_process(other)
    with pytest.raises(DeviceError, match="was lost: it was ended by signal 9, run_for_ever"):
        streams[1].synchronize()
    for stream, device in zip(streams, devices, strict=True):
        out = Buffer(1, np.uint64, device)
        out.copy_in(np.full(1, 7, np.uint64).ctypes.data, 0, 8)
        launch(stream, ONE, load(HERE / "attacks.cpp", "add_one"), out)
        stream.synchronize()
        assert read(out) == 8
