# SPDX-License-Identifier: Apache-2.0
"""A program that checks its operator: python op_program.py JOBS [WHERE]. One row is wrong, and what prepare stores stays."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from aclimb import Kernel, LaunchConfig, Program, launch, op

SOURCE = """
#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR y, uint32_t count) {
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float*)x, count);
    to.SetGlobalBuffer((__gm__ float*)y, count);
    for (uint32_t i = 0; i < count; i++) to.SetValue(i, 2 * from.GetValue(i));
    DataCacheCleanAndInvalid<float, CacheLine::ENTIRE_DATA_CACHE>(to);
}
"""
twice = op.define("TwiceInProcesses")
twice.input("x", dtype=["float32"])
twice.output("y", follow="x")
kernel = Kernel(Program(SOURCE).compile())
kept: list[Any] = []


class Params:
    def __init__(self, count: int) -> None:
        self.count = count


@twice.infer_shape
def same_shape(ctx: Any) -> None:
    ctx.output_shape[0] = ctx.input_shape[0]


@twice.prepare
def prepare(ctx: Any) -> Any:
    kept.append(Params(ctx.inputs[0].nbytes // 4))
    return op.Prepared(kept[-1], workspace_sizes=[])


@twice.launch
def run(ctx: Any) -> None:
    if ctx.params.count:
        launch(ctx.stream, LaunchConfig(num_blocks=1), kernel, ctx.inputs["x"], ctx.outputs["y"], ctx.params.count)


def samples(shape: tuple[int, ...], dtype: Any) -> tuple[Any, ...]:
    return (np.arange(int(np.prod(shape)), dtype=dtype).reshape(shape),)


def reference(x: Any) -> Any:
    return x * 3 if x.size == 7 else x * 2


if __name__ == "__main__":
    twice.register()
    shapes = [(3,), (7,), (2, 5), (0,), (64,)]
    told: list[tuple[int, int]] = []
    more: dict[str, Any] = {"jobs": int(sys.argv[1])} if int(sys.argv[1]) else {}
    where: dict[str, Any] = {"on": sys.argv[2]} if len(sys.argv) > 2 else {}
    report = op.check(twice, samples, reference=reference, shapes=shapes, progress=lambda *each: told.append(each), **more, **where)
    print(report)
    given = [(np.ones(4, np.float32),), (np.ones(7, np.float32),)]
    print(op.check(twice, given, reference=reference, **more, **where))
    print(told)
