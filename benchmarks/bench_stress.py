# SPDX-License-Identifier: Apache-2.0
"""`stress` with its 200 schedules, beside 200 seeds: what it ran before there were extremes and priorities. CPU time of the process, since
a run under a schedule has one worker."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from aclimb import Buffer, Kernel, LaunchConfig, Program
from aclimb.fuse import Member, fuse, stress
from benchmarks.harness import Row, bench, median

EXAMPLES = Path(__file__).parents[1] / "examples"
Case = tuple[Kernel, list[Any], LaunchConfig | None]


def _built(folder: str, name: str | None = None) -> Kernel:
    return Kernel(Program(next((EXAMPLES / folder).glob("*.cpp"))).compile(), name)


def _add() -> Case:
    x = np.ones(4 * 1024, np.float16)
    return _built("add_flags"), [*map(Buffer.from_array, (x, x)), Buffer(x.size, x.dtype), x.size], LaunchConfig(4)


def _softmax() -> Case:
    x = np.random.default_rng(1).standard_normal((96, 100)).astype(np.float32)
    return _built("softmax", "softmax_float"), [Buffer.from_array(x), Buffer(x.shape, x.dtype), 96, 100], LaunchConfig(48)


def _mix() -> Case:
    a, b = np.ones(5 * 32 * 64, np.float16), np.ones(64 * 64, np.float16)
    buffers = [*map(Buffer.from_array, (a, b)), Buffer((5 * 32, 64), np.float32), Buffer((2, 32, 64), np.float32)]
    return _built("mix"), [*buffers, 5, 0.25], LaunchConfig(2)


def _fused() -> Case:
    binary = Program(next((EXAMPLES / "early_start").glob("*.cpp"))).compile()
    kernel = Kernel(fuse([Member(binary, 1)] * 5))
    buffers = [Buffer.from_array(np.ones(512, np.float16)) for _ in range(6)]
    return kernel, [each for i in range(5) for each in (buffers[i], buffers[i], buffers[i + 1])], None


def _cpu(run: Callable[[], object]) -> float:
    started = time.process_time()
    run()
    return time.process_time() - started


def _both(kernel: Kernel, args: list[Any], config: LaunchConfig | None) -> tuple[float, float]:
    seeds = _cpu(lambda: stress(kernel, *args, config=config, seeds=range(200)))
    return seeds, _cpu(lambda: stress(kernel, *args, config=config))


@bench("stress")
def stressing() -> Iterable[Row]:
    for name, make in {"add": _add, "softmax_48": _softmax, "mix": _mix, "fused": _fused}.items():
        case = make()
        pairs = [_both(*case) for _ in range(9)][2:]  # in turns: both meet the same host
        yield Row(f"stress.{name}_seeds", 1e3 * median([one for one, _ in pairs]), "ms", note="200 seeds")
        yield Row(f"stress.{name}", 1e3 * median([two for _, two in pairs]), "ms", note="the default: 200 schedules, the extremes first")
        yield Row(f"stress.{name}_ratio", median([two / one for one, two in pairs]), "x", 2.0, note="default beside seeds")
