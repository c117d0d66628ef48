# SPDX-License-Identifier: Apache-2.0
"""Elementwise add, kernel time from launch to synchronise, against numpy.add into a preallocated output and against torch."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from aclimb import Buffer, Kernel, KernelBinary, LaunchConfig, Program, Stream, launch
from benchmarks.bench_instructions import KERNELS
from benchmarks.harness import Row, bench, best

MI = 2**20
BLOCKS = 8


def torch_or_none() -> Any:
    try:
        import torch
    except ImportError:
        return None
    return torch


@bench("add")
def adds() -> Iterable[Row]:
    binary = Program(KERNELS / "add.cpp").compile()
    for count, label in ((16 * MI, "16Mi"), (MI, "1Mi")):
        x, y = (np.random.default_rng(seed).random(count, np.float32) for seed in (1, 2))
        z = np.empty_like(x)
        inner = 1 if count > MI else 10
        numpy_time = best(lambda x=x, y=y, z=z: np.add(x, y, out=z), rounds=9, inner=inner)  # type: ignore[misc]
        tiles = ((8, 0.6), (16, 0.7), (24, 0.7)) if count > MI else ((16, None),)
        for kib, bar in tiles:
            ours = _ours(binary, "add_float", x, y, kib * 1024 // 4, inner)
            if count > MI:
                yield Row(
                    f"add.float.{label}.tile_{kib}KiB", numpy_time / ours, "of numpy's speed", bar, True, "numpy", f"{ours * 1e3:.2f} ms"
                )
            else:
                yield Row(f"add.float.{label}", ours / numpy_time, "x numpy's time", 2.5, peer="numpy", note=f"{ours * 1e6:.0f} us")
        yield _half(binary, x, y, label, inner, numpy_time)


def _half(binary: KernelBinary, x: Any, y: Any, label: str, inner: int, numpy_time: float) -> Row:
    hx, hy = x.astype(np.float16), y.astype(np.float16)
    ours = _ours(binary, "add_half", hx, hy, 16 * 1024 // 2, inner)
    torch = torch_or_none()
    if torch is None:
        return Row(f"add.half.{label}", ours / numpy_time, "x numpy's float32 time", 6, peer="numpy float32", note="torch is not installed")
    tx, ty = torch.from_numpy(hx), torch.from_numpy(hy)
    tz = torch.empty_like(tx)
    peer = best(lambda: torch.add(tx, ty, out=tz), rounds=9, inner=inner)
    bar = 3 if label == "16Mi" else 1.5
    return Row(f"add.half.{label}", ours / peer, "x torch's time", bar, peer="torch", note=f"{ours * 1e3:.2f} ms")


def _ours(binary: KernelBinary, name: str, x: Any, y: Any, tile: int, inner: int) -> float:
    kernel, stream, config = Kernel(binary, name), Stream(), LaunchConfig(num_blocks=BLOCKS)
    dx, dy, dz = Buffer.from_array(x), Buffer.from_array(y), Buffer(x.shape, x.dtype)
    total = x.size // (BLOCKS * tile) * BLOCKS * tile  # whole tiles; the last few elements of an odd tile size are left out

    def run() -> None:
        launch(stream, config, kernel, dx, dy, dz, total, tile)
        stream.synchronize()

    seconds: float = best(run, rounds=9, inner=inner) * x.size / total
    np.testing.assert_array_equal(dz.to_numpy()[:total], (x + y)[:total])
    return seconds
