# SPDX-License-Identifier: Apache-2.0
"""half x half -> float by raw Mmad (examples/matmul), against numpy.matmul in float32."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch
from benchmarks.harness import Row, bench, best, median

SOURCE = Path(__file__).parent.parent / "examples" / "matmul" / "matmul.cpp"


@bench("matmul")
def matmuls() -> Iterable[Row]:
    kernel, stream = Kernel(Program(SOURCE).compile(), "matmul_custom"), Stream()
    for size, bar, blocks, inner in ((256, 1.3, 4, 20), (1024, 1.5, 24, 2)):
        rng = np.random.default_rng(size)
        a, b = (rng.standard_normal((size, size)).astype(np.float16) for _ in range(2))
        da, db, dc = Buffer.from_array(a), Buffer.from_array(b), Buffer((size, size), np.float32)
        config = LaunchConfig(num_blocks=blocks)

        def run(config: LaunchConfig = config, da: Buffer = da, db: Buffer = db, dc: Buffer = dc, size: int = size) -> None:
            launch(stream, config, kernel, da, db, dc, size, size, size)
            stream.synchronize()

        fa, fb = a.astype(np.float32), b.astype(np.float32)
        pairs = []
        for _ in range(5):
            ours = best(run, rounds=5, inner=inner)
            pairs.append((ours, best(lambda fa=fa, fb=fb: np.matmul(fa, fb), rounds=5, inner=inner)))  # type: ignore[misc]
        np.testing.assert_allclose(dc.to_numpy(), fa @ fb, rtol=1e-4, atol=1e-3)
        note = f"median of five; {median([ours for ours, _ in pairs]) * 1e3:.2f} ms"
        ratio = median([ours / peer for ours, peer in pairs])
        yield Row(f"matmul.half.{size}", ratio, "x numpy's time", bar, peer="numpy float32", note=note)
