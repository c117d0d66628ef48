# SPDX-License-Identifier: Apache-2.0
"""A set of a cross-core flag whose counter is full waits for the core that takes from it, and says so once."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch
from aclimb.errors import Misuse
from aclimb.fuse import Member, fuse, stress
from aclimb.runtime.fused_runs import ScheduleMode

SOURCE = Path(__file__).with_name("cross_room.cpp")
BLOCKS, ROUNDS = 4, 1000
Load = Callable[..., Kernel]
WARNING = "cross-core flag 3 stood at 15, its limit, when it was set again; here the set waits for the other core"


def taken(stream: Stream, kernel: Kernel, rounds: int = ROUNDS) -> list[int]:
    z = Buffer.from_array(np.zeros(64, np.int32))
    launch(stream, LaunchConfig(BLOCKS), kernel, z, rounds)
    stream.synchronize()
    return [int(each) for each in z.to_numpy()[: 2 * BLOCKS]]


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]


@pytest.mark.parametrize("name", ["in_haste", "in_haste_from_a_queue"])
def test_a_set_waits_until_there_is_room(stream: Stream, load: Load, caplog: pytest.LogCaptureFixture, name: str) -> None:
    kernel = load(SOURCE, name)
    with caplog.at_level(logging.WARNING, "aclimb"):
        for _ in range(3):
            assert taken(stream, kernel) == [ROUNDS] * 2 * BLOCKS
    (told,) = warnings(caplog)
    lines = told.splitlines()
    assert lines[0].startswith(WARNING)
    assert "CrossCoreSetFlag<2, PIPE_FIX>(kReady);" in lines[1]
    assert lines[2].strip().startswith("on hardware nothing waits: the kernel relies on the other core being fast enough")


@pytest.mark.parametrize("rounds", [15, 1000])
def test_a_kernel_that_waits_for_answers_is_not_warned(stream: Stream, load: Load, caplog: pytest.LogCaptureFixture, rounds: int) -> None:
    with caplog.at_level(logging.WARNING, "aclimb"):
        assert taken(stream, load(SOURCE, "in_step"), rounds) == [rounds] * 2 * BLOCKS
        assert taken(stream, load(SOURCE, "in_haste"), 15) == [15] * 2 * BLOCKS
    assert warnings(caplog) == []


def test_it_is_an_error_when_nobody_is_left_to_take_one(stream: Stream, load: Load) -> None:
    with pytest.raises(Misuse, match="cross-core flag 3 is set more than 15 times without a wait, and no core is left") as caught:
        taken(stream, load(SOURCE, "taken_too_seldom"))
    assert "taken_too_seldom block" in str(caught.value)
    assert taken(stream, load(SOURCE, "in_haste")) == [ROUNDS] * 2 * BLOCKS


@pytest.mark.parametrize("names", [("in_haste", "in_step"), ("in_haste_from_a_queue", "in_haste")])
def test_it_waits_under_every_schedule_of_a_fused_kernel(names: tuple[str, str]) -> None:
    binary = Program(SOURCE).compile()
    kernel = Kernel(fuse([Member(binary, BLOCKS, name) for name in names], name="chain"))
    z = [Buffer.from_array(np.zeros(64, np.int32)) for _ in names]
    arguments = [each for pair in zip(z, (40, 50), strict=True) for each in pair]
    assert str(stress(kernel, *arguments, seeds=range(60))) == "chain: the same result as separate launches under 60 schedules"
    stream = Stream()
    launch(stream, LaunchConfig(BLOCKS), kernel, *arguments)
    stream.synchronize()
    assert [each.to_numpy()[: 2 * BLOCKS].tolist() for each in z] == [[40] * 2 * BLOCKS, [50] * 2 * BLOCKS]


@pytest.mark.parametrize("mode", ScheduleMode)
def test_nobody_left_to_take_one_is_an_error_under_a_schedule_too(mode: ScheduleMode) -> None:
    binary = Program(SOURCE).compile()
    kernel = Kernel(fuse([Member(binary, BLOCKS, name) for name in ("taken_too_seldom", "in_step")], name="chain"))
    stream, z = Stream(), Buffer.from_array(np.zeros(64, np.int32))
    for seed in range(1, 10):
        stream.native.set_schedule(mode, seed)
        launch(stream, LaunchConfig(BLOCKS), kernel, z, 40, z, 40)
        with pytest.raises(Misuse, match="cross-core flag 3 is set more than 15 times without a wait, and no core is left"):
            stream.synchronize()


@pytest.mark.parametrize("threads", ["1", "3"])
def test_it_waits_on_any_number_of_threads(threads: str) -> None:
    code = f"""
import sys; sys.path.insert(0, {str(SOURCE.parent)!r})
from test_cross_room import *
print([taken(Stream(), Kernel(Program(SOURCE).compile(), "in_haste")) for _ in range(5)])
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "ACLIMB_THREADS": threads},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.stdout == f"{[[ROUNDS] * 2 * BLOCKS] * 5}\n", done.stderr
