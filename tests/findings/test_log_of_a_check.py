# SPDX-License-Identifier: Apache-2.0
"""What a check writes down of global memory has a limit: a launch that goes beyond it is told so, and nothing else changes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, _engine, launch
from aclimb.check.engine_side import Session

SOURCE = Path(__file__).with_name("two_writers.cpp")
FULL = (
    "two_writers makes more accesses to global memory than a check keeps (256 MiB of them): races of those behind were not looked for; "
    "check a smaller shape"
)


def checked(log_bytes: int) -> Session:
    session = Session()
    session.raw = _engine.CheckSession(auto_sync=_engine.AutoSync.on, cache=True, init=True, eager=False, advice=False, log_bytes=log_bytes)
    z = Buffer.from_array(np.zeros(64, np.int32))
    kernel, stream = Kernel(Program(SOURCE).compile()), Stream()
    with session:
        launch(stream, LaunchConfig(num_blocks=2), kernel, z)
        stream.synchronize()
    return session


@pytest.mark.requirement("ord-23")
def test_a_launch_within_the_limit_is_judged_whole() -> None:
    session = checked(1 << 20)
    assert session.notes == []
    assert {each.kind.name for each in session.launches[0].findings} == {"race_cores"}


@pytest.mark.requirement("ord-23")
def test_a_launch_beyond_the_limit_runs_on_and_the_report_says_what_was_not_looked_for() -> None:
    session = checked(1000)  # one share of one core
    assert session.notes == [FULL]
    assert session.launches[0].findings == []
