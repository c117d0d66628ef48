# SPDX-License-Identifier: Apache-2.0
"""Runs a bit of everything and prints one JSON line: a hash of the bits of each result, and what the kernels printed.

Run by test_same_results.py with other numbers of threads and other SIMD levels.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
from pathlib import Path

import numpy as np

from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, _engine, launch

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"
RANDOM = np.random.default_rng(11)


def kernel(source: Path, name: str | None = None) -> Kernel:
    return Kernel(Program(source).compile(), name)


def bits(buffer: Buffer) -> str:
    return hashlib.sha256(buffer.to_numpy().tobytes()).hexdigest()[:16]


def normal(shape: tuple[int, ...] | int, dtype: str) -> np.ndarray:
    return RANDOM.normal(scale=3, size=shape).astype(dtype)


def add() -> Buffer:
    z = Buffer(16384, np.float32)
    x, y = Buffer.from_array(normal(16384, "float32")), Buffer.from_array(normal(16384, "float32"))
    launch(Stream(), LaunchConfig(16), kernel(HERE / "kernels.cpp", "add"), x, y, z, 16384)
    return z


def exp(name: str, dtype: str) -> Buffer:
    z = Buffer(4096, dtype)
    launch(Stream(), LaunchConfig(1), kernel(HERE / "kernels.cpp", name), Buffer.from_array(normal(4096, dtype)), z, 4096)
    return z


def softmax(name: str, dtype: str) -> Buffer:
    x = normal((64, 333), dtype)
    y = Buffer(x.shape, dtype)
    launch(Stream(), LaunchConfig(12), kernel(EXAMPLES / "softmax" / "softmax.cpp", name), Buffer.from_array(x), y, *x.shape)
    return y


def matmul() -> Buffer:
    m, n, k = 100, 130, 90
    c = Buffer((m, n), np.float32)
    a, b = Buffer.from_array(normal((m, k), "float16")), Buffer.from_array(normal((k, n), "float16"))
    launch(Stream(), LaunchConfig(6), kernel(EXAMPLES / "matmul" / "matmul.cpp"), a, b, c, m, n, k)
    return c


def accumulate(name: str, dtype: str) -> Buffer:
    blocks, share = 48, 256
    total = Buffer.from_array(np.zeros(share, dtype))
    x = Buffer.from_array(normal(blocks * share, "float32").astype(dtype))
    for _ in range(5):
        launch(Stream(), LaunchConfig(blocks), kernel(HERE / "kernels.cpp", name), x, total, share)
        total.device.synchronize()
    return total


def normalize() -> Buffer:
    """SyncAll and float atomics."""
    x = np.abs(normal(8192, "float32")) + 1
    y, total = Buffer(8192, np.float32), Buffer(8, np.float32)
    launch(Stream(), LaunchConfig(8), kernel(EXAMPLES / "reduce_cores" / "normalize.cpp"), Buffer.from_array(x), y, total, 8192)
    return y


def spoken() -> str:
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        stream = Stream()
        for blocks in (48, 5):
            launch(stream, LaunchConfig(blocks), kernel(HERE / "kernels.cpp", "speaks"), None)
        stream.synchronize()
    return text.getvalue()


def main() -> None:
    results = {
        "add": bits(add()),
        "exp float": bits(exp("exp_float", "float32")),
        "exp half": bits(exp("exp_half", "float16")),
        "softmax float": bits(softmax("softmax_float", "float32")),
        "softmax half": bits(softmax("softmax_half", "float16")),
        "matmul": bits(matmul()),
        "float atomics": bits(accumulate("accumulate", "float32")),
        "integer atomics": bits(accumulate("accumulate_integers", "int32")),
        "sync all": bits(normalize()),
        "printf": spoken(),
    }
    print(json.dumps({"threads": _engine.threads(), "level": _engine.simd_level(), "results": results}))


if __name__ == "__main__":
    main()
