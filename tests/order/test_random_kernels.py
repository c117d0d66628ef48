# SPDX-License-Identifier: Apache-2.0
"""Random correct kernels: nothing is found in them, and they compute the same when every pipe is as late as it may."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pytest
from random_kernels import IDS, Made, source_of
from reachability import some_races
from tape import program_of, tapes
from vectors import HERE, TILES, WORDS

import aclimb
from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, _engine, launch

IN_A_FILE = 50


def kernels_of(first: int, count: int) -> Iterator[tuple[Made, Kernel]]:
    text, made = source_of(first, count)
    binary = Program(text, name=f"random_{first}", include_dirs=[HERE]).compile()
    for each in made:
        yield each, Kernel(binary, each.name)


def buffers_for(made: Made) -> list[Buffer]:
    numbers = np.arange(8192)
    x = (numbers % 7 - 3).astype(np.float16) if made.is_cube else numbers[: TILES * WORDS].astype(np.int32)
    zeros = np.zeros(4096, np.float32 if made.is_cube else np.int32)
    return [Buffer.from_array(each) for each in (x, zeros, zeros)]


def run(made: Made, kernel: Kernel, *, late: bool = False) -> list[bytes]:
    stream, buffers = Stream(), buffers_for(made)
    if late:
        stream.native.set_schedule(_engine.ScheduleMode.late)
    launch(stream, LaunchConfig(made.blocks), kernel, *buffers)
    stream.synchronize()
    return [each.to_numpy().tobytes() for each in buffers]


def look_at(first: int, count: int) -> None:
    for made, kernel in kernels_of(first, count):
        with tapes() as launches, aclimb.check() as check:
            results = run(made, kernel)
        assert not [finding for finding in check.findings if finding.severity != "note"], f"{made.name}: {check.findings[0]}"
        assert not some_races(program_of(launches[0])[0]), made.name
        assert run(made, kernel, late=True) == results, made.name


def test_nothing_is_found_in_random_correct_kernels() -> None:
    look_at(0, 20)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 1000, IN_A_FILE))
def test_nothing_is_found_in_a_thousand_of_them(first: int) -> None:
    look_at(first, IN_A_FILE)


def test_random_kernels_have_flags_of_all_kinds() -> None:
    text, _ = source_of(0, 100)
    for call in (
        "MTE2_V",
        "V_MTE3",
        "V_MTE2",
        "MTE3_V",
        "M_MTE1",
        "PipeBarrier<PIPE_MTE2>",
        "SyncAll()",
        "CrossCoreSetFlag<0",
        "CrossCoreSetFlag<2",
    ):
        assert call in text, call
    assert {int(number) for number in re.findall(r"SetFlag<HardEvent::\w+>\((\d)\)", text)} <= set(range(IDS))


def test_a_flag_less_is_in_no_order() -> None:
    """They have what they need and no more: each flag of the first kernels is needed."""
    text, made = source_of(0, 4)
    for name in (each.name for each in made):
        body = text[text.index(f"void {name}(") : text.index("\n}", text.index(f"void {name}("))]
        flags = sorted(set(re.findall(r"HardEvent::(\w+)>\(([^)]*)\)", body)))
        for event, number in flags:
            without = "\n".join(line for line in text.splitlines() if line not in body.splitlines() or f"{event}>({number})" not in line)
            binary = Program(without, name="less", include_dirs=[HERE]).compile()
            with tapes() as launches:
                run(next(each for each in made if each.name == name), Kernel(binary, name))
            assert some_races(program_of(launches[0])[0]), (name, event, number)
