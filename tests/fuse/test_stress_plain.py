# SPDX-License-Identifier: Apache-2.0
"""Adversarial schedules of kernels that are no SuperKernels: a missing flag shows, and the same kernel put right is stable."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, errors, launch
from aclimb.fuse import Member, fuse, stress

EXAMPLES = Path(__file__).parents[2] / "examples"
BLOCKS, ROWS, WIDTH = 4, 3, 64

# Rows through one buffer in and one out. Each flag can be left out by a macro.
SOURCE = """
#include "kernel_operator.h"
using namespace AscendC;
constexpr int kRows = 3, kWidth = 64;

extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    TBuf<TPosition::VECCALC> in, out;
    pipe.InitBuffer(in, kWidth * sizeof(float));
    pipe.InitBuffer(out, kWidth * sizeof(float));
    LocalTensor<float> a = in.Get<float>(), b = out.Get<float>();
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * kRows * kWidth);
    to.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * kRows * kWidth);
    for (int row = 0; row < kRows; row++) {
        DataCopy(a, from[row * kWidth], kWidth);
#ifndef NO_LOADED
        SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
        WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
#endif
        Adds(b, a, 1.0f, kWidth);
        PipeBarrier<PIPE_V>();
        Muls(b, b, 2.0f, kWidth);
        SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
        WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
        DataCopy(to[row * kWidth], b, kWidth);
#ifndef NO_STORED
        SetFlag<HardEvent::MTE3_V>(EVENT_ID0);
        WaitFlag<HardEvent::MTE3_V>(EVENT_ID0);
#endif
#ifndef NO_READ
        SetFlag<HardEvent::V_MTE2>(EVENT_ID0);
        WaitFlag<HardEvent::V_MTE2>(EVENT_ID0);
#endif
    }
}
"""


def stressed(missing: str, seeds: range = range(60)) -> str:
    source = f"#define {missing}\n{SOURCE}" if missing else SOURCE
    x = np.arange(BLOCKS * ROWS * WIDTH, dtype=np.float32)
    into = Buffer.from_array(np.full_like(x, -1))
    report = stress(Kernel(Program(source).compile()), Buffer.from_array(x), into, config=LaunchConfig(BLOCKS), seeds=seeds)
    assert np.array_equal(into.to_numpy(), np.full_like(x, -1))  # put back
    assert report.is_stable == (not missing)
    return str(report)


def test_a_kernel_with_all_its_flags_is_stable() -> None:
    assert stressed("") == "twice: the same result under 60 schedules"


@pytest.mark.parametrize("missing", ["NO_LOADED", "NO_STORED", "NO_READ"])
def test_a_missing_flag_changes_the_result_under_some_schedule(missing: str) -> None:
    said = stressed(missing)
    assert "schedules change the result; something has to wait for what it uses: a flag, a barrier or SyncAll is missing" in said
    assert "y bytes " in said
    assert "differ" in said


def test_the_latest_schedule_is_enough_for_a_load_that_nobody_waits_for() -> None:
    said = stressed("NO_LOADED", range(1))
    assert said.splitlines()[1].startswith("    seed 0 (every pipe as late as it may): y bytes 0-")


def test_a_scalar_barrier_is_no_flag_between_pipes() -> None:
    source = SOURCE.replace("#ifndef NO_LOADED", "#ifdef NO_LOADED\n        DataSyncBarrier<MemDsbT::ALL>();\n#else")
    assert not stress(
        Kernel(Program(f"#define NO_LOADED\n{source}").compile()), Buffer.from_array(np.ones(BLOCKS * ROWS * WIDTH, np.float32)),
        Buffer(BLOCKS * ROWS * WIDTH, np.float32), config=LaunchConfig(BLOCKS), seeds=range(10),
    ).is_stable  # fmt: skip


def test_a_hang_is_a_hang_under_every_schedule(stream: Stream) -> None:
    kernel = Kernel(Program(SOURCE.replace("        SetFlag<HardEvent::MTE2_V>(EVENT_ID0);\n", "")).compile())
    x = Buffer.from_array(np.zeros(BLOCKS * ROWS * WIDTH, np.float32))
    for mode in (1, 2, 3):
        stream.native.set_schedule(mode, 5)
        launch(stream, LaunchConfig(BLOCKS), kernel, x, x)
        with pytest.raises(errors.Hang, match="MTE2"):
            stream.synchronize()


def example(name: str) -> tuple[Kernel, list[Any], int]:
    """Whole numbers, so that sums are exact in any order."""
    source = next((EXAMPLES / name).glob("*.cpp"))
    numbers = np.random.default_rng(4).integers(1, 9, 32 * 64 * 16)
    if name == "add_flags":
        half = numbers[: 4 * 1024].astype(np.float16)
        return (
            Kernel(Program(source).compile()),
            [Buffer.from_array(half), Buffer.from_array(half), Buffer(half.size, half.dtype), half.size],
            4,
        )
    if name == "softmax":
        x = numbers[:6400].reshape(64, 100).astype(np.float32)
        return Kernel(Program(source).compile(), "softmax_float"), [Buffer.from_array(x), Buffer(x.shape, x.dtype), 64, 100], 4
    if name == "reduce_cores":
        x = numbers[:4096].astype(np.float32)
        return Kernel(Program(source).compile()), [Buffer.from_array(x), Buffer(x.size, x.dtype), Buffer(1, x.dtype), x.size], 4
    a, b = numbers[: 5 * 32 * 64].astype(np.float16), numbers[: 64 * 64].astype(np.float16)
    into = Buffer((5 * 32, 64), np.float32)
    return (
        Kernel(Program(source).compile()),
        [Buffer.from_array(a), Buffer.from_array(b), into, Buffer((2, 32, 64), np.float32), 5, 0.25],
        2,
    )


@pytest.mark.parametrize("name", ["add_flags", "softmax", "reduce_cores", "mix"])
def test_the_examples_are_stable(name: str) -> None:
    kernel, arguments, blocks = example(name)
    report = stress(kernel, *arguments, config=LaunchConfig(blocks), seeds=range(30))
    assert str(report) == f"{kernel.name}: the same result under 30 schedules"


def test_a_missing_syncall_changes_the_result() -> None:
    source = (EXAMPLES / "reduce_cores" / "normalize.cpp").read_text().replace("        AscendC::SyncAll();\n", "")
    _, arguments, blocks = example("reduce_cores")
    assert not stress(Kernel(Program(source).compile()), *arguments, config=LaunchConfig(blocks), seeds=range(10)).is_stable


def test_a_long_kernel_is_held_back_in_parts() -> None:
    rows = 200_000  # more records than a queue takes
    kernel = Kernel(Program(SOURCE.replace("kRows = 3", f"kRows = {rows}")).compile())
    x = np.ones(rows * WIDTH, np.float32)
    into = Buffer.from_array(np.zeros_like(x))
    report = stress(kernel, Buffer.from_array(x), into, config=LaunchConfig(1), seeds=[0])
    assert str(report) == "twice: the same result under 1 schedules"


def test_a_plain_kernel_needs_its_blocks() -> None:
    kernel = Kernel(Program(SOURCE).compile())
    x = Buffer.from_array(np.zeros(BLOCKS * ROWS * WIDTH, np.float32))
    with pytest.raises(errors.InvalidArgument, match=r"twice is no SuperKernel, which knows its blocks; add config=LaunchConfig\("):
        stress(kernel, x, x)
    with pytest.raises(errors.InvalidArgument, match=r"config is 4; twice is no SuperKernel, .* add config=LaunchConfig\("):
        stress(kernel, x, x, config=4)  # type: ignore[arg-type]
    both = Kernel(fuse([Member(kernel.binary, BLOCKS), Member(kernel.binary, BLOCKS)], name="both"))
    with pytest.raises(errors.InvalidArgument, match="both is a SuperKernel, which knows its blocks; leave config out"):
        stress(both, x, x, x, x, config=LaunchConfig(BLOCKS))
