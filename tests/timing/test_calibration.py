# SPDX-License-Identifier: Apache-2.0
"""The model against published measurements: kernels of ours, written to the parameters that were published with the times.

Core time is compared, the average over the cores, after one launch to warm the L2; for the pure copies it is the time of MTE2, and for
single units cycles or the time of that unit. Times are microseconds. Sources: the asc-devkit samples on the elementwise add, on copies,
on UB banks and on matmul (A2: 48 AIV, 24 AIC, 1850 MHz), and the msopprof samples on the elementwise add (910B4).
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import aclimb
from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch

KERNELS = Path(__file__).parent / "kernels"
TOLERANCE = 0.12
MEDIAN_TOLERANCE = 0.05
A2, B4 = "Ascend910B1", "Ascend910B4"
A2_CLOCK_MHZ = 1850
ADDED, ADDED_B4 = 8192 * 8192, 83_886_080  # elements
SIDE = 12288  # of the matrix that is copied
FULL_TILE = 16384


@dataclass(frozen=True)
class Row:
    id: str
    published: float
    measure: Callable[[], float]


def row(name: str, published: float, measure: Callable[[], float]) -> Row:
    return Row(name, published, measure)


@cache
def kernel(file: str, name: str) -> Kernel:
    return Kernel(Program(KERNELS / file).compile(), name)


@cache
def memory(size_bytes: int, number: int) -> Buffer:
    """The same buffers for all rows; timing does not read them."""
    return Buffer(size_bytes)


def profiled(soc: str, blocks: int, which: Kernel, *args: Any) -> dict[str, Any]:
    """What the profile says about the second of two launches."""
    stream = Stream()
    with aclimb.profile(soc=soc, timing_only=True, trace=False) as profile:
        for _ in range(2):
            launch(stream, LaunchConfig(num_blocks=blocks), which, *args)
        stream.synchronize()
    last: dict[str, Any] = profile.json()["launches"][-1]
    return last


def pipe_us(profile: dict[str, Any], pipe: str) -> float:
    return statistics.fmean(core["pipes"][pipe]["active_us"] for core in profile["cores"])


@cache
def add(
    soc: str, length: int, unit: int, tile: int, buffers: int, blocks: int, adds: int = 1, bypass: bool = False, spread: bool = False
) -> dict[str, Any]:
    x, y, z = (memory(2 * max(ADDED, ADDED_B4), number) for number in range(3))
    return profiled(soc, blocks, kernel("add.cpp", "add_half"), x, y, z, length, unit, tile, buffers, adds, int(bypass), int(spread))


def add_a2(tile: int, buffers: int, blocks: int, **extras: bool) -> dict[str, Any]:
    return add(A2, ADDED, 8192, tile, buffers, blocks, **extras)


def add_b4(tile: int, buffers: int, blocks: int, adds: int = 1) -> float:
    return float(add(B4, ADDED_B4, tile, tile, buffers, blocks, adds)["core_us"])


@cache
def copied(path: str, tile_m: int, tile_n: int, columns: int = SIDE, parts: int = 1, times: int = 1) -> dict[str, Any]:
    x = memory(2 * SIDE * SIDE, 0)
    return profiled(
        A2, {"ub": 48, "l1": 24}[path], kernel(f"copy_{path}.cpp", f"copy_{path}"), x, SIDE, columns, tile_m, tile_n, parts, times
    )


def mte2(*args: Any, **extras: int) -> float:
    return pipe_us(copied(*args, **extras), "MTE2")


def one_add(x: int, y: int, z: int) -> float:
    """Cycles of one Add among many, without what comes before and after them."""
    few, many = (profiled(A2, 1, kernel("units.cpp", "vector_alone"), x, y, z, times)["core_us"] for times in (100, 1100))
    return float(many - few) * A2_CLOCK_MHZ / 1000


def cube() -> float:
    return pipe_us(profiled(A2, 24, kernel("units.cpp", "cube_alone"), 8192**3 // (128 * 256 * 64)), "M")


LADDER: dict[str, tuple[float, float, Callable[[], dict[str, Any]]]] = {  # core time, vector time
    "V02": (6909.14, 761.65, lambda: add_a2(4096, 1, 1)),
    "V03": (297.14, 15.885, lambda: add_a2(4096, 1, 48)),
    "V04": (261.50, 12.845, lambda: add_a2(FULL_TILE, 1, 48)),
    "V05": (257.56, 12.846, lambda: add_a2(FULL_TILE, 2, 48)),
    "V06": (185.15, 12.846, lambda: add_a2(FULL_TILE, 2, 48, bypass=True)),
    "V07": (178.49, 6.954, lambda: add_a2(FULL_TILE - 128, 2, 48, bypass=True, spread=True)),
}
ROWS = [
    *(row(name, core, lambda run=run: run()["core_us"]) for name, (core, _, run) in LADDER.items()),
    row("S01", 14974.3, lambda: add_b4(2048, 1, 1)),
    row("S01b", 2023, lambda: add_b4(2048, 1, 8)),
    row("S02", 831, lambda: add_b4(20480, 1, 8)),
    row("S03a", 1370, lambda: add_b4(20480, 1, 8, adds=8)),
    row("S03b", 946, lambda: add_b4(10240, 2, 8, adds=8)),
    row("C01 UB", 548.2, lambda: mte2("ub", 1, 64)),
    row("C02 UB", 220.8, lambda: mte2("ub", 64, 64)),
    row("C03 UB", 202.7, lambda: mte2("ub", 64, 1024)),
    row("C04 UB", 259.0, lambda: mte2("ub", 64, 1024, columns=SIDE - 1)),
    row("C06 UB", 354.6, lambda: copied("ub", 64, 1024, parts=4, times=4)["core_us"]),
    row("C02 L1", 283.5, lambda: mte2("l1", 64, 64)),
    row("C03 L1", 214.5, lambda: mte2("l1", 64, 256)),
    row("C06 L1", 397.8, lambda: copied("l1", 64, 1024, parts=4, times=4)["core_us"]),
    row("Add, no conflict", 88.4, lambda: one_add(0, 0x10100, 0x20000)),
    row("Add, sources in one bank", 154.2, lambda: one_add(0, 0x4000, 0x10000)),
    row("Add, result one block off", 138.8, lambda: one_add(0, 0x10100, 0x4020)),
    row("M of an 8192 cube", 3081.7, cube),
]
PARTS = [row(f"{name} vector", vector, lambda run=run: pipe_us(run(), "V")) for name, (_, vector, run) in LADDER.items()]


@cache
def error(which: Row) -> float:
    """Of the model, as a part of what was published."""
    return which.measure() / which.published - 1


@pytest.mark.parametrize("which", ROWS + PARTS, ids=lambda which: which.id)
def test_the_model_is_near_the_published_time(which: Row) -> None:
    off = error(which)
    assert abs(off) <= TOLERANCE, f"{which.id}: published {which.published:g}, modelled {which.published * (1 + off):.5g}, {off:+.1%}"


@pytest.mark.parametrize("rows", [ROWS[::4], pytest.param(ROWS, marks=pytest.mark.slow)], ids=["some", "all"])
def test_half_of_the_rows_are_very_near(rows: list[Row]) -> None:
    assert statistics.median(abs(error(which)) for which in rows) <= MEDIAN_TOLERANCE


def test_the_order_of_the_tuning_steps_is_the_published_one() -> None:
    """Each step of the ladder helps, as it did on hardware."""
    times = [run()["core_us"] for _, _, run in LADDER.values()]
    assert times == sorted(times, reverse=True)


@pytest.mark.parametrize(("tile", "buffers", "spread"), [(4096, 1, False), (FULL_TILE, 2, False), (FULL_TILE - 128, 2, True)])
def test_the_add_that_is_timed_adds(tile: int, buffers: int, spread: bool) -> None:
    length, unit = 40 * 8192, 8192
    x, y = (np.random.default_rng(seed).integers(-1000, 1000, length).astype(np.float16) for seed in range(2))
    device = [Buffer.from_array(each) for each in (x, y, np.zeros_like(x))]
    stream = Stream()
    launch(stream, LaunchConfig(num_blocks=12), kernel("add.cpp", "add_half"), *device, length, unit, tile, buffers, 1, 1, int(spread))
    stream.synchronize()
    np.testing.assert_array_equal(device[2].to_numpy(), x + y)
