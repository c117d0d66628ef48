# SPDX-License-Identifier: Apache-2.0
"""Runs cube_only.cpp: a Matmul object with the types and the configuration of a build, and a tiling that a test chooses."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch

HERE = Path(__file__).parent
DTYPES: dict[str, Any] = {
    "half": np.float16, "bfloat16_t": ml_dtypes.bfloat16, "float": np.float32, "int8_t": np.int8, "int32_t": np.int32,
    "int4b_t": ml_dtypes.int4,
}  # fmt: skip
FIELDS = [
    "usedCoreNum", "M", "N", "Ka", "Kb", "singleCoreM", "singleCoreN", "singleCoreK", "baseM", "baseN", "baseK", "depthA1", "depthB1",
    "stepM", "stepN", "isBias", "transLength", "iterateOrder", "shareMode", "shareL1Size", "shareL0CSize", "shareUbSize", "batchM",
    "batchN",
    "singleBatchM", "singleBatchN", "stepKa", "stepKb", "depthAL1CacheUB", "depthBL1CacheUB", "dbL0A", "dbL0B", "dbL0C",
]  # fmt: skip
ONES = ("usedCoreNum", "batchM", "batchN", "singleBatchM", "singleBatchN", "stepM", "stepN", "stepKa", "stepKb")
OUTSIDE = 77  # what C holds before


def tiling(m: int, n: int, k: int, base: tuple[int, int, int], **others: int) -> Any:
    """The 50 numbers, with two blocks of each in L1 and L0 where nothing else is said."""
    numbers = dict.fromkeys(FIELDS, 0) | dict.fromkeys(ONES, 1) | dict.fromkeys(("dbL0A", "dbL0B", "dbL0C", "depthA1", "depthB1"), 2)
    numbers |= {"M": m, "N": n, "Ka": k, "Kb": k, "singleCoreM": m, "singleCoreN": n, "singleCoreK": k}
    numbers |= {"baseM": base[0], "baseN": base[1], "baseK": base[2]} | others
    return np.array([numbers[name] for name in FIELDS] + [0] * 17, np.int32)


@cache
def kernel(inputs: str, output: str, bias: str = "", **defines: str) -> Kernel:
    names = {"IN": inputs, "OUT": output, "BIAS": bias or ("int32_t" if inputs.startswith("int") else "float"), **defines}
    return Kernel(Program(HERE / "cube_only.cpp", defines=names).compile(), "multiply")


@dataclass
class How:
    """What a run asks for beside the tiling, in the order of the struct in cube_only.cpp."""

    tail: tuple[int, int, int] = (0, 0, 0)
    turn_a: bool = False
    turn_b: bool = False
    org: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)
    has_bias: bool = False
    by_iterate: int = 0
    atomic: int = 0
    quantises: int = 0
    block_bytes: int = 0
    quant: int = 0
    words: Any = field(default_factory=lambda: np.zeros(1, np.uint64))

    def pack(self) -> Any:
        numbers = [*self.tail, self.turn_a, self.turn_b, *self.org, self.has_bias, self.by_iterate, self.atomic, self.quantises]
        numbers = [int(each) for each in [*numbers, self.block_bytes]]
        numbers += [0] * (len(numbers) % 2)  # the 64-bit word lies at a multiple of 8
        return np.array(numbers, np.int32).tobytes() + np.uint64(self.quant).tobytes()


def packed(values: Any) -> Any:
    """Two int4 in a byte, the first in the low bits; other types as they are."""
    if values.dtype != ml_dtypes.int4:
        return np.ascontiguousarray(values)
    nibbles = values.astype(np.int8).view(np.uint8).ravel() & 15
    return nibbles[0::2] | nibbles[1::2] << 4


def multiply(
    which: Kernel, a: Any, b: Any, cut: Any, shape: Any, dtype: Any, how: How | None = None, bias: Any = None, c: Any = None
) -> Any:
    """C as the kernel left it; it began as `c`, or full of OUTSIDE."""
    how = how or How()
    how.has_bias = bias is not None
    before = np.full(shape, OUTSIDE, dtype) if c is None else c
    out, stream = Buffer.from_array(before), Stream()
    inputs = [Buffer.from_array(packed(each)) for each in (a, b, np.zeros(1, np.float32) if bias is None else bias)]
    rest = [Buffer.from_array(each) for each in (how.words, cut, np.frombuffer(how.pack(), np.uint8))]
    launch(stream, LaunchConfig(num_blocks=1), which, *inputs, out, *rest)
    stream.synchronize()
    return out.to_numpy()


def integers(seed: int, *shape: int, dtype: Any = np.float16, high: int = 4) -> Any:
    """So small that every sum is exact."""
    return np.random.default_rng(seed).integers(-high, high + 1, shape).astype(dtype)
