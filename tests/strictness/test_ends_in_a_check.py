# SPDX-License-Identifier: Apache-2.0
"""The rest of a buffer's last block in a check: bytes that nobody wrote, and a finding only where they matter."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import aclimb
from aclimb import Buffer, Kernel, KernelBinary, LaunchConfig, Program, Stream, launch

SOURCE = Path(__file__).with_name("rest_of_block.cpp")


@cache
def binary() -> KernelBinary:
    return Program(SOURCE).compile()


def checked(way: int, length: int, strictness: str = "strict") -> tuple[np.ndarray, list[tuple[str, str]]]:
    stream, kernel = Stream(), Kernel(binary())
    with aclimb.check() as found:
        x, z = Buffer.from_array(np.arange(length, dtype=np.float32)), Buffer.from_array(np.zeros(length, np.float32))
        launch(stream, LaunchConfig(num_blocks=1, strictness=strictness), kernel, x, z, length, way)
        stream.synchronize()
    return z.to_numpy(), [(each.rule, each.severity) for each in found.findings]


def test_a_rest_that_is_left_out_again_is_a_warning_only() -> None:
    z, findings = checked(0, 13)
    np.testing.assert_array_equal(z, np.arange(13) + 1)
    assert findings == [("B1", "warning")]


def test_a_sum_over_the_rest_is_an_error_although_it_is_right_here() -> None:
    z, findings = checked(1, 13)
    assert z[0] == 78
    assert findings == [("I2", "error"), ("B1", "warning")]


@pytest.mark.parametrize("way", [0, 1])
def test_whole_blocks_of_a_buffer_that_fills_them_are_no_finding(way: int) -> None:
    assert checked(way, 16)[1] == []


def test_a_rest_that_goes_into_the_rest_of_another_buffer_is_no_unwritten_value() -> None:
    z, findings = checked(2, 13, "hardware")
    np.testing.assert_array_equal(z, np.arange(13) + 1)
    assert findings == [("B1", "warning"), ("B1", "warning")]


def test_a_refusal_of_strict_says_in_a_check_that_a_chip_runs_it() -> None:
    stream, kernel = Stream(), Kernel(binary())
    with aclimb.check() as found:
        x, z = Buffer.from_array(np.zeros(16, np.float32)), Buffer.from_array(np.zeros(13, np.float32))
        launch(stream, LaunchConfig(num_blocks=1), kernel, x, z, 13, 2)
        with pytest.raises(aclimb.errors.OutOfBounds):
            stream.synchronize()
    (finding,) = found.findings
    assert (finding.rule, finding.severity) == ("B1", "error")
    assert finding.details[-1] == (
        'a chip would run it; to allow it: LaunchConfig(strictness="hardware") for one launch, ACLIMB_STRICTNESS=hardware for a program'
    )
