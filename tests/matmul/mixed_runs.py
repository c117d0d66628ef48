# SPDX-License-Identifier: Apache-2.0
"""Runs mixed.cpp: AIVs that have their AIC multiply, each a part of its own."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from matmul_runs import DTYPES, HERE, OUTSIDE, tiling

from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch

WAYS = ("all", "later", "nobody_waits", "blocks", "to_ub", "ahead", "in_workspace", "leaves", "too_often", "forgets", "in_parts", "twice",
        "whole_in_ub", "no_workspace")  # fmt: skip
SYSTEM = 16 << 20
PART = np.dtype([(name, np.int64) for name in ("a", "b", "bias", "c", "workspace")]
                + [(name, np.int32) for name in ("m", "n", "k", "org_m", "org_n", "org_ka", "org_kb", "turn_a", "turn_b", "has_bias", "way",
                                                 "atomic")])  # fmt: skip


@dataclass
class Task:
    """What one AIV multiplies, and how."""

    a: Any
    b: Any
    way: str = "all"
    bias: Any = None
    turn_a: bool = False
    turn_b: bool = False
    atomic: int = 0

    @property
    def shape(self) -> tuple[int, int, int]:
        return self.a.shape[0], self.b.shape[1], self.a.shape[1]

    def expected(self, dtype: Any) -> Any:
        wide = np.int32 if self.a.dtype == np.int8 else np.float32
        total = self.a.astype(wide) @ self.b.astype(wide) + (0 if self.bias is None else self.bias)
        factor = 2 if self.way in ("to_ub", "ahead", "in_workspace", "whole_in_ub") else 1
        return (total.astype(dtype) * factor).astype(dtype)


@cache
def kernel(inputs: str, output: str, **defines: str) -> Kernel:
    return Kernel(Program(HERE / "mixed.cpp", defines={"IN": inputs, "OUT": output, **defines}).compile(), "multiply")


class Arrays:
    """Arrays one behind the other, each at a multiple of 512 bytes."""

    def __init__(self, dtype: Any) -> None:
        self.dtype = np.dtype(dtype)
        self.parts: list[Any] = []
        self.size = 0

    def add(self, values: Any) -> int:
        at, unit = self.size, 512 // self.dtype.itemsize
        room = -(-values.size // unit) * unit
        self.parts.append(np.concatenate([values.ravel().astype(self.dtype), np.zeros(room - values.size, self.dtype)]))
        self.size += room
        return at

    def array(self) -> Any:
        return np.concatenate(self.parts)


def run(which: Kernel, tasks: list[Task], output: str, base: tuple[int, int, int], largest: tuple[int, int, int] | None = None,
        stream: Stream | None = None, **cut: int) -> list[Any]:  # fmt: skip
    """C of each task as the kernel left it; it began full of OUTSIDE."""
    a, b, bias, c, room = (Arrays(dtype) for dtype in (tasks[0].a.dtype, tasks[0].b.dtype, np.float32, DTYPES[output], DTYPES[output]))
    rows, starts = np.zeros(len(tasks), PART), []
    for row, task in zip(rows, tasks, strict=True):
        m, n, k = task.shape
        row["m"], row["n"], row["k"] = row["org_m"], row["org_n"], row["org_ka"] = m, n, k
        row["org_kb"], row["turn_a"], row["turn_b"] = k, task.turn_a, task.turn_b
        row["way"], row["atomic"] = WAYS.index(task.way), task.atomic
        row["a"], row["b"] = a.add(task.a.T if task.turn_a else task.a), b.add(task.b.T if task.turn_b else task.b)
        row["has_bias"], row["bias"] = task.bias is not None, bias.add(np.zeros(n) if task.bias is None else task.bias)
        row["c"], row["workspace"] = c.add(np.full((m, n), OUTSIDE)), room.add(np.zeros((-(-m // 16) * 16, -(-n // 16) * 16)))
        starts.append((int(row["c"]), m, n))
    m, n, k = largest or tuple(np.max([task.shape for task in tasks], axis=0).tolist())
    numbers = tiling(m, n, k, base, isBias=int(any(task.bias is not None for task in tasks)), **cut)
    out, system, stream = Buffer.from_array(c.array()), Buffer(SYSTEM), stream or Stream()
    inputs = [Buffer.from_array(each.array()) for each in (a, b, bias)]
    rest = [Buffer.from_array(each) for each in (room.array(), numbers, rows.view(np.uint8))]
    launch(stream, LaunchConfig(num_blocks=len(tasks) // 2, workspace=system.address), which, *inputs, out, *rest)
    stream.synchronize()
    got = out.to_numpy()
    return [got[at : at + m * n].reshape(m, n) for at, m, n in starts]


def check(which: Kernel, tasks: list[Task], output: str, base: tuple[int, int, int], **others: Any) -> None:
    for task, got in zip(tasks, run(which, tasks, output, base, **others), strict=True):
        np.testing.assert_array_equal(got, task.expected(DTYPES[output]))
