# SPDX-License-Identifier: Apache-2.0
"""Kernels that ran, judged by the search: the examples are in order, and a flag less is not."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from reachability import some_races
from tape import program_of, tapes

from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch

EXAMPLES = Path(__file__).parents[2] / "examples"
SOURCE = (EXAMPLES / "add_flags" / "add_flags.cpp").read_text()


def races_of(source: str) -> int:
    x = Buffer.from_array(np.ones(8192, np.float16))
    stream = Stream()
    with tapes() as launches:
        launch(stream, LaunchConfig(4), Kernel(Program(source, name="add_flags").compile()), x, x, Buffer(8192, np.float16), 8192)
        stream.synchronize()
    (taped,) = launches
    return len(some_races(program_of(taped)[0]))


def test_a_kernel_with_its_flags_is_in_order() -> None:
    assert races_of(SOURCE) == 0


@pytest.mark.parametrize("flag", ["MTE2_V", "V_MTE2", "V_MTE3", "MTE3_V"])
def test_a_kernel_without_one_of_them_is_not(flag: str) -> None:
    kept = "\n".join(line for line in SOURCE.splitlines() if f"HardEvent::{flag}" not in line)
    assert races_of(kept) > 0
