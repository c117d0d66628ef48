# SPDX-License-Identifier: Apache-2.0
"""half x half -> float by raw Mmad (examples/matmul) and by the Matmul object (examples/matmul_object), against numpy.matmul in float32;
attention by two objects of a mixed kernel (examples/flash_attention), against torch."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from aclimb import Buffer, Device, Kernel, LaunchConfig, Program, Stream, launch
from aclimb.tiling import CubeFormat, DataType, MultiCoreMatmulTiling, TCubeTiling, TPosition
from benchmarks.bench_add import torch_or_none
from benchmarks.harness import Row, bench, best, median

SOURCE = Path(__file__).parent.parent / "examples" / "matmul" / "matmul.cpp"
OBJECT = SOURCE.parent.parent / "matmul_object" / "matmul_object.cpp"


@bench("matmul")
def matmuls() -> Iterable[Row]:
    stream, kernel = Stream(), Kernel(Program(SOURCE).compile(), "matmul_custom")
    for size, bar, blocks, inner in ((256, 1.3, 4, 20), (1024, 1.5, 24, 2)):
        config = LaunchConfig(num_blocks=blocks)

        def run(a: Buffer, b: Buffer, c: Buffer, size: int = size, config: LaunchConfig = config) -> None:
            launch(stream, config, kernel, a, b, c, size, size, size)
            stream.synchronize()

        yield _against_numpy(f"matmul.half.{size}", run, size, bar, inner)

    made, size = Kernel(Program(OBJECT).compile(), "matmul_object"), 1024
    tiling, bias = _tiling(size), Buffer.from_array(np.zeros(size, np.float32))
    cores = LaunchConfig(num_blocks=tiling.usedCoreNum)

    def run_object(a: Buffer, b: Buffer, c: Buffer) -> None:
        launch(stream, cores, made, a, b, bias, c, tiling)
        stream.synchronize()

    yield _against_numpy(f"matmul_object.half.{size}", run_object, size, 1.6, 2)
    yield _attention(stream)


def _attention(stream: Stream) -> Row:
    """(1, 8, 1024, 128) of half. torch computes it in float32, which is faster on a host than half."""
    spec = importlib.util.spec_from_file_location("flash_attention", SOURCE.parent.parent / "flash_attention" / "run.py")
    assert spec is not None
    assert spec.loader is not None
    example: Any = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = example  # dataclasses look their module up
    spec.loader.exec_module(example)
    rng, blocks = np.random.default_rng(3), 4
    given = [rng.standard_normal((8, 1024, 128)).astype(np.float16) for _ in range(3)]
    buffers = [Buffer.from_array(each) for each in given]

    def run() -> Any:
        found = example.attend(stream, *buffers, blocks, example.TUNED)
        stream.synchronize()
        return found

    np.testing.assert_allclose(run().to_numpy(), example.reference(*given), atol=example.NEAR)
    torch = torch_or_none()
    if torch is None:
        return Row("attention.half.8x1024x128", best(run, rounds=5) * 1e3, "ms", None, note="torch is not installed")
    q, k, v = (torch.from_numpy(each.astype(np.float32))[None] for each in given)
    attention = torch.nn.functional.scaled_dot_product_attention
    pairs = [(best(run, rounds=3), best(lambda: attention(q, k, v), rounds=5)) for _ in range(5)]
    note = f"median of five; {median([ours for ours, _ in pairs]) * 1e3:.1f} ms"
    return Row(
        "attention.half.8x1024x128", median([ours / peer for ours, peer in pairs]), "x torch's time", 6, peer="torch float32", note=note
    )


def _tiling(size: int) -> TCubeTiling:
    chip = Device().chip
    tiler = MultiCoreMatmulTiling(chip.name)
    tiler.set_a_type(TPosition.GM, CubeFormat.ND, DataType.DT_FLOAT16)
    tiler.set_b_type(TPosition.GM, CubeFormat.ND, DataType.DT_FLOAT16)
    tiler.set_shape(size, size, size)
    tiler.enable_bias(True)
    tiler.set_dim(chip.aic_cores)
    return tiler.get_tiling()


def _against_numpy(name: str, run: Callable[[Buffer, Buffer, Buffer], None], size: int, bar: float, inner: int) -> Row:
    rng = np.random.default_rng(size)
    a, b = (rng.standard_normal((size, size)).astype(np.float16) for _ in range(2))
    da, db, dc = Buffer.from_array(a), Buffer.from_array(b), Buffer((size, size), np.float32)
    fa, fb = a.astype(np.float32), b.astype(np.float32)
    pairs = []
    for _ in range(5):
        ours = best(lambda: run(da, db, dc), rounds=5, inner=inner)
        pairs.append((ours, best(lambda: np.matmul(fa, fb), rounds=5, inner=inner)))
    np.testing.assert_allclose(dc.to_numpy(), fa @ fb, rtol=1e-4, atol=1e-3)
    note = f"median of five; {median([ours for ours, _ in pairs]) * 1e3:.2f} ms"
    return Row(name, median([ours / peer for ours, peer in pairs]), "x numpy's time", bar, peer="numpy float32", note=note)
