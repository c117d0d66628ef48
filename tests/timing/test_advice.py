# SPDX-License-Identifier: Apache-2.0
"""Advice against the truth: twenty kernels whose changes can really be made. The best next step is the one with the largest gain when each
is made and profiled; ten of them are steps of published ladders of tuning."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import pytest
from published import A2, ADDED, ADDED_B4, SIDE, kernel, memory, operands, tiling

import aclimb
from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch

RIGHT = 18
CLOSE = 0.05  # two steps that gain as much are both best
PART = ADDED // 8


def profiled(blocks: int, which: Kernel, *args: Any, launches: int = 1) -> Any:
    stream = Stream()
    with aclimb.profile(soc=A2, timing_only=True) as profile:
        for _ in range(launches):
            launch(stream, LaunchConfig(num_blocks=blocks), which, *args)
        stream.synchronize()
    return profile


def add(
    *, tile: int = 4096, buffers: int = 1, blocks: int = 48, adds: int = 1, bypass: bool = False, spread: bool = False, length: int = PART,
    scalars: bool = False, barriers: bool = False,
) -> Any:  # fmt: skip
    x, y, z = (memory(2 * max(ADDED, ADDED_B4), number) for number in range(3))
    launches = 2 if length == ADDED else 1
    if scalars:
        return profiled(1, kernel("add.cpp", "add_scalars"), x, y, z, length)
    if barriers:
        return profiled(blocks, kernel("add.cpp", "add_barriers"), x, y, z, length, tile)
    if spread:
        tile -= 128
    which = kernel("add.cpp", "add_half")
    return profiled(blocks, which, x, y, z, length, 8192, tile, buffers, adds, int(bypass), int(spread), launches=launches)


def copied(*, path: str = "ub", tile_m: int = 64, tile_n: int = 64, columns: int = SIDE, blocks: int = 0, rows: int = SIDE // 4) -> Any:
    which = kernel(f"copy_{path}.cpp", f"copy_{path}")
    return profiled(blocks or {"ub": 48, "l1": 24}[path], which, memory(2 * SIDE * SIDE, 0), rows, columns, tile_m, tile_n, 1, 1)


def read_all(*, path: str = "ub", tile_m: int = 128, tile_n: int = 64, apart: bool = False) -> Any:
    blocks = {"ub": 48, "l1": 24}[path]
    return profiled(blocks, kernel("read_all.cpp", f"read_all_{path}"), memory(2 * SIDE * SIDE, 0), 6144, 512, tile_m, tile_n, int(apart))


def product(*, depth: tuple[int, int] = (1, 1), blocks: int = 24) -> Any:
    """512 x 1536 x 2048 in blocks of 128 x 256 x 64: one for each core, or all for one."""
    cut = tiling(512, 1536, 2048, (128, 256) if blocks > 1 else (512, 1536), (128, 256, 64), depth)
    return profiled(blocks, kernel("matmul_object.cpp", "matmul_mdl"), *operands(), cut, 1)


@dataclass(frozen=True)
class Case:
    id: str
    run: Callable[..., Any]
    now: Mapping[str, Any]
    steps: Mapping[str, Mapping[str, Any]] = field(hash=False)  # by the name of the advice: what is different then


BLOCKS, BUFFERS = {"blocks": 48}, {"buffers": 2}
CASES = [
    Case("scalar add", add, {"scalars": True, "length": 4096 * 16}, {"vector instructions": {"scalars": False, "blocks": 1}}),
    Case("add, one core", add, {"blocks": 1}, {"more blocks": BLOCKS, "second buffer": BUFFERS, "larger copies": {"tile": 16384}}),
    Case("add, one core, large tiles", add, {"blocks": 1, "tile": 16384}, {"more blocks": BLOCKS, "second buffer": BUFFERS}),
    Case("add, one core, two buffers", add, {"blocks": 1, "tile": 16384, "buffers": 2},
         {"more blocks": BLOCKS, "past the L2": {"bypass": True}}),
    Case("add, 8 cores", add, {"blocks": 8}, {"more blocks": BLOCKS, "second buffer": BUFFERS, "larger copies": {"tile": 16384}}),
    Case("add, 8 cores, two buffers", add, {"blocks": 8, "tile": 16384, "buffers": 2},
         {"more blocks": BLOCKS, "past the L2": {"bypass": True}, "no bank conflicts": {"spread": True}}),
    Case("add, all cores, small tiles", add, {"tile": 512}, {"larger copies": {"tile": 2048}, "second buffer": BUFFERS}),
    Case("add, all cores", add, {"tile": 1024}, {"larger copies": {"tile": 4096}, "second buffer": BUFFERS}),
    Case("add, all cores, two buffers of all vectors", add, {"tile": 16384, "buffers": 2, "length": ADDED},
         {"past the L2": {"bypass": True}, "no bank conflicts": {"spread": True}}),
    Case("adds, one buffer", add, {"tile": 16384, "adds": 32, "spread": True}, {"second buffer": BUFFERS, "past the L2": {"bypass": True}}),
    Case("adds, two buffers, conflicts", add, {"tile": 16384, "buffers": 2, "adds": 32},
         {"no bank conflicts": {"spread": True}, "past the L2": {"bypass": True}}),
    Case("adds, one core, conflicts", add, {"tile": 16384, "buffers": 2, "adds": 32, "blocks": 1},
         {"no bank conflicts": {"spread": True}, "more blocks": BLOCKS}),
    Case("add with barriers", add, {"barriers": True, "tile": 8192}, {"flags": {"barriers": False, "buffers": 2, "spread": True}}),
    Case("one matrix, same order", read_all, {}, {"different places": {"apart": True}}),
    Case("one matrix to L1, same order", read_all, {"path": "l1", "tile_m": 256}, {"different places": {"apart": True}}),
    Case("copy of single rows", copied, {"tile_m": 1}, {"larger copies": {"tile_m": 4}}),
    Case("copy of ragged rows", copied, {"tile_n": 1024, "columns": SIDE - 1}, {"aligned rows": {"columns": SIDE}}),
    Case("matmul, one core", product, {"blocks": 1}, {"more blocks": {"blocks": 24}, "second buffer": {"depth": (2, 2)}}),
    Case("matmul, all cores, one block at a time", product, {},
         {"second buffer": {"depth": (2, 2)}, "longer rows": {"depth": (8, 8)}}),
    Case("matmul, all cores, short rows", product, {"depth": (2, 2)}, {"longer rows": {"depth": (8, 8)}}),
]  # fmt: skip


@cache
def outcome(case_id: str) -> tuple[list[str], dict[str, float], dict[str, float]]:
    """The advice in its order with its gains, and what each step really gains."""
    case = next(each for each in CASES if each.id == case_id)
    before = case.run(**case.now)
    last = before.launches[-1]
    told = {each.what: each.gain for each in before.advice(last)}
    gains = {what: last.task_us / case.run(**{**case.now, **change}).launches[-1].task_us for what, change in case.steps.items()}
    return list(told), told, gains


def is_right(case: Case) -> bool:
    """The first advice is the best step, or one as good; none is given where none helps."""
    names, _, gains = outcome(case.id)
    best = max(gains.values())
    if best < 1.03:
        return not names
    return bool(names) and gains.get(names[0], 0.0) >= best * (1 - CLOSE)


@pytest.mark.parametrize("case", CASES[::5], ids=lambda case: case.id)
def test_the_first_advice_is_the_best_step(case: Case) -> None:
    assert is_right(case), outcome(case.id)


@pytest.mark.slow
def test_of_twenty_kernels_eighteen_get_the_best_step() -> None:
    assert len(CASES) == 20
    wrong = {case.id: outcome(case.id) for case in CASES if not is_right(case)}
    assert len(CASES) - len(wrong) >= RIGHT, wrong


def test_what_is_there_is_not_advised() -> None:
    names, _, _ = outcome("adds, two buffers, conflicts")
    assert "second buffer" not in names
    assert "more blocks" not in names
    best = add(tile=16384, buffers=2, bypass=True, spread=True)
    assert not {each.what for each in best.advice(best.launches[-1])} & {"past the L2", "no bank conflicts", "second buffer", "more blocks"}


def test_the_gain_of_a_second_buffer_is_what_it_is() -> None:
    _, told, gains = outcome("adds, one buffer")
    assert told["second buffer"] == pytest.approx(gains["second buffer"], rel=0.1)


MIX = """
#include "kernel_operator.h"
using namespace AscendC;

// The AIC reads and the AIVs wait for it.
extern "C" __global__ __aicore__ void mixed(GM_ADDR x, uint32_t rounds) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
    if ASCEND_IS_AIC {
        GlobalTensor<half> matrix;
        matrix.SetGlobalBuffer((__gm__ half*)x);
        LocalTensor<half> tile(TPosition::A1, 0, 64 * 64);
        for (uint32_t i = 0; i < rounds; ++i) DataCopy(tile, matrix[i * 4096], Nd2NzParams(1, 64, 64, 0, 64, 64, 1, 0));
        CrossCoreSetFlag<2, PIPE_MTE2>(3);
    }
    if ASCEND_IS_AIV CrossCoreWaitFlag(3);
}
"""


def test_a_mixed_kernel_is_bound_by_the_cores_that_hold_the_others_up() -> None:
    x, stream = Buffer(np.zeros(4096 * 200, np.float16).nbytes), Stream()
    with aclimb.profile() as profile:
        launch(stream, LaunchConfig(num_blocks=2), Kernel(Program(MIX).compile()), x, 200)
    timed = profile.launches[0]
    assert timed.bound == "AIC MTE2: L2"  # three of four rows lie in a line that the one before them brought
    assert {stall.core for stall in timed.biggest_stalls()} == {"AIC"}


def test_a_critical_path_makes_up_the_time_of_the_last_core() -> None:
    timed = add(tile=16384, blocks=8).launches[-1]
    path = timed.critical_path
    assert path is not None
    assert sum(part.share for part in path.parts) == pytest.approx(1)
    assert all(one.start == pytest.approx(other.end, abs=2) for one, other in zip(path.links, path.links[1:], strict=False))
    assert path.parts[0].pipe == "MTE2"
    assert {"V", "MTE2"} <= {part.pipe for part in path.parts if part.share > 0.01}  # with one buffer they take turns
    two = add(tile=16384, blocks=8, buffers=2).launches[-1].critical_path
    assert two is not None
    assert sum(part.share for part in two.parts if part.pipe == "V") < 0.01  # with two V is off the path


def test_without_a_trace_there_is_no_path_and_no_advice() -> None:
    stream = Stream()
    with aclimb.profile(timing_only=True, trace=False) as profile:
        x, y, z = (memory(2 * max(ADDED, ADDED_B4), number) for number in range(3))
        launch(stream, LaunchConfig(num_blocks=8), kernel("add.cpp", "add_half"), x, y, z, PART // 8, 8192, 4096, 1, 1, 0, 0)
        stream.synchronize()
    assert profile.launches[0].critical_path is None
    assert profile.advice(profile.launches[0]) == []
