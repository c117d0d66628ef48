# SPDX-License-Identifier: Apache-2.0
"""Library calls over 4096 x 1024 floats, against torch on the same cores."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch
from benchmarks.bench_add import torch_or_none
from benchmarks.bench_instructions import KERNELS
from benchmarks.harness import Row, bench, best

SHAPE = (4096, 1024)
BLOCKS = 8


@bench("library")
def calls() -> Iterable[Row]:
    torch = torch_or_none()
    if torch is None:
        return
    binary, stream = Program(KERNELS / "library.cpp").compile(), Stream()
    x = np.random.default_rng(1).standard_normal(SHAPE).astype(np.float32)
    given, made = Buffer.from_array(x), Buffer(SHAPE, np.float32)
    tensor = torch.from_numpy(x)

    def row(name: str, peer: Callable[[Any], Any], bar: float) -> Row:
        kernel = Kernel(binary, name)

        def run() -> None:
            launch(stream, LaunchConfig(num_blocks=BLOCKS), kernel, given, made, SHAPE[0])
            stream.synchronize()

        ours, theirs = best(run), best(lambda: peer(tensor))
        np.testing.assert_allclose(made.to_numpy(), peer(tensor).numpy(), rtol=1e-4, atol=1e-5)
        return Row(f"library.{name}", ours / theirs, "x torch's time", bar, peer="torch", note=f"{ours * 1e3:.2f} ms")

    yield row("softmax", lambda t: torch.softmax(t, -1), 5)
    yield row("layer_norm", lambda t: torch.nn.functional.layer_norm(t, (SHAPE[1],)), 7)
    yield row("gelu", lambda t: torch.nn.functional.gelu(t, approximate="tanh"), 1.3)
