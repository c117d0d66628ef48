# SPDX-License-Identifier: Apache-2.0
"""Vector calls on tiles that lie in a cache, on one core, against NumPy on arrays of the same size; masked and strided forms against
contiguous ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import ml_dtypes
import numpy as np

from aclimb import Buffer, Kernel, KernelBinary, LaunchConfig, Program, Stream, launch
from benchmarks.bench_instructions import KERNELS
from benchmarks.harness import Row, bench, best

ONE = LaunchConfig(num_blocks=1)
COUNT, TIMES, ROUNDS = 8192, 200, 25
PEERS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "add": lambda x, y, z: np.add(x, y, out=z),
    "sub": lambda x, y, z: np.subtract(x, y, out=z),
    "mul": lambda x, y, z: np.multiply(x, y, out=z),
    "div": lambda x, y, z: np.divide(x, y, out=z),
    "max": lambda x, y, z: np.maximum(x, y, out=z),
    "adds": lambda x, y, z: np.add(x, x.dtype.type(2), out=z),
    "muls": lambda x, y, z: np.multiply(x, x.dtype.type(2), out=z),
    "abs": lambda x, y, z: np.abs(x, out=z),
    "sqrt": lambda x, y, z: np.sqrt(x, out=z),
    "exp": lambda x, y, z: np.exp(x, out=z),
    "ln": lambda x, y, z: np.log(x, out=z),
}


@bench("vector")
def vectors() -> Iterable[Row]:
    binary = Program(KERNELS / "vector.cpp").compile()
    for dtype, bar in ((np.float32, 0.5), (np.float16, 1)):
        x, y = (np.random.default_rng(seed).uniform(0.5, 4, COUNT).astype(dtype) for seed in (1, 2))
        for name, peer in PEERS.items():
            yield _call(binary, name, x, y, peer, bar)
    yield from _casts(binary)
    for word in ("float", "half"):
        yield from _forms(binary, word)


def _seconds(binary: KernelBinary, name: str, x: Any, y: Any, z: Buffer) -> float:
    """Of one call; the copies in and out count, once for hundreds of calls."""
    kernel, stream = Kernel(binary, name), Stream()
    dx, dy = Buffer.from_array(x), Buffer.from_array(y)

    def run() -> None:
        launch(stream, ONE, kernel, dx, dy, z, TIMES)
        stream.synchronize()

    return best(run, rounds=ROUNDS, pause=0.05) / TIMES


def _call(binary: KernelBinary, name: str, x: Any, y: Any, peer: Callable[[Any, Any, Any], Any], bar: float) -> Row:
    word = "float" if x.dtype == np.float32 else "half"
    out, z = np.empty_like(x), Buffer(COUNT, x.dtype)
    theirs = best(lambda: peer(x, y, out), rounds=ROUNDS, inner=TIMES, pause=0.05)
    ours = _seconds(binary, f"{name}_{word}", x, y, z)
    np.testing.assert_allclose(z.to_numpy(), out, rtol=4e-3 if word == "half" else 1e-6)
    return Row(f"vector.{name}.{word}", theirs / ours, "of numpy's speed", bar, True, "numpy", f"{ours * 1e9 / COUNT:.3f} ns an element")


def _casts(binary: KernelBinary) -> Iterable[Row]:
    x = np.random.default_rng(3).standard_normal(COUNT).astype(np.float32)
    narrow, wide = x.astype(ml_dtypes.bfloat16), np.empty(COUNT, np.float32)
    theirs = best(lambda: x.astype(ml_dtypes.bfloat16), rounds=ROUNDS, inner=TIMES, pause=0.05)
    z = Buffer(COUNT, np.float32)
    ours = _seconds(binary, "to_bfloat16", x, x, z)
    np.testing.assert_array_equal(z.to_numpy().view(np.uint16)[:COUNT], narrow.view(np.uint16))
    yield Row(
        "vector.cast.float_to_bfloat16", theirs / ours, "of numpy's speed", 1, True, "ml_dtypes", f"{ours * 1e9 / COUNT:.3f} ns an element"
    )
    theirs = best(lambda: np.copyto(wide, narrow), rounds=ROUNDS, inner=TIMES, pause=0.05)
    both = np.concatenate([narrow.view(np.uint16), np.zeros(COUNT, np.uint16)]).view(np.float32)
    ours = _seconds(binary, "from_bfloat16", both, both, z)
    np.testing.assert_array_equal(z.to_numpy(), wide)
    yield Row(
        "vector.cast.bfloat16_to_float", theirs / ours, "of numpy's speed", 1, True, "ml_dtypes", f"{ours * 1e9 / COUNT:.3f} ns an element"
    )


def _forms(binary: KernelBinary, word: str) -> Iterable[Row]:
    """For the same number of bytes; a mask of half the lanes computes half of them and is compared with all."""
    x = np.random.default_rng(4).uniform(0.5, 4, COUNT).astype(np.float32 if word == "float" else np.float16)
    z = Buffer(COUNT, x.dtype)
    plain = _seconds(binary, f"add_{word}", x, x, z)
    for form in ("full", "bits", "lanes", "gaps", "one_source"):
        ours = _seconds(binary, f"forms_{word}_{form}", x, x, z)
        yield Row(f"vector.form.{form}.{word}", ours / plain, "x the contiguous form's time", 4, note=f"{ours * 1e6:.2f} us")
