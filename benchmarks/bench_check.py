# SPDX-License-Identifier: Apache-2.0
"""What `aclimb check` costs: the same launch with everything on and without, and a SuperKernel of nine members on 48 cores."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, _engine, launch
from aclimb.fuse import Member, fuse
from benchmarks.bench_instructions import KERNELS
from benchmarks.harness import Row, bench, best

MI = 2**20
EXAMPLES = KERNELS.parent.parent / "examples"


@bench("check")
def checks() -> Iterable[Row]:
    yield from _add()
    yield _ratio("check.softmax", _softmax())
    yield _ratio("check.matmul", _matmul())
    yield _chain()


def _session() -> Any:
    return _engine.CheckSession(auto_sync=_engine.AutoSync.on, cache=True, init=True, eager=False, advice=False)


def _checked(run: Callable[[], None], rounds: int = 9, inner: int = 1) -> float:
    session = _session()
    session.open()
    try:
        seconds = best(run, rounds=rounds, inner=inner)
    finally:
        session.close()
    found = [each for launched in session.launches for each in launched.findings]
    assert not found, found[0].kind
    return seconds


def _ratio(name: str, run: Callable[[], None], inner: int = 1) -> Row:
    plain = best(run, rounds=9, inner=inner)
    checked = _checked(run, inner=inner)
    return Row(
        name, checked / plain, "x the plain run", 3, peer="unchecked", note=f"{plain * 1e3:.2f} ms plain, {checked * 1e3:.2f} ms checked"
    )


def _runner(kernel: Kernel, blocks: int, *args: Any) -> Callable[[], None]:
    stream, config = Stream(), LaunchConfig(num_blocks=blocks)

    def run() -> None:
        launch(stream, config, kernel, *args)
        stream.synchronize()

    run()
    return run


def _add() -> Iterable[Row]:
    binary = Program(KERNELS / "add.cpp").compile()
    x = Buffer.from_array(np.random.default_rng(1).random(MI, np.float32).astype(np.float16))
    y, z = Buffer.from_array(x.to_numpy()), Buffer((MI,), np.float16)
    run = _runner(Kernel(binary, "add_half"), 8, x, y, z, MI, 8192)
    row = _ratio("check.add.half.1Mi", run, inner=4)
    yield row
    yield Row("check.add.half.1Mi.time", _checked(run, inner=4) * 1e3, "ms, everything on", 0.7)


def _softmax() -> Callable[[], None]:
    x = np.random.default_rng(1).standard_normal((4096, 1024)).astype(np.float32)
    kernel = Kernel(Program(KERNELS / "library.cpp").compile(), "softmax")
    return _runner(kernel, 8, Buffer.from_array(x), Buffer(x.shape, np.float32), x.shape[0])


def _matmul() -> Callable[[], None]:
    size = 1024
    a, b = (Buffer.from_array(np.random.default_rng(seed).random((size, size)).astype(np.float16)) for seed in (1, 2))
    kernel = Kernel(Program(EXAMPLES / "matmul" / "matmul.cpp").compile(), "matmul_custom")
    return _runner(kernel, 24, a, b, Buffer((size, size), np.float32), size, size, size)


def _chain() -> Row:
    """Nine soft-maxes, each behind the other, on all AIVs."""
    rows, members = 3840, 9
    binary = Program(KERNELS / "library.cpp").compile()
    x = np.random.default_rng(1).standard_normal((rows, 1024)).astype(np.float32)
    buffers = [Buffer.from_array(x), *(Buffer(x.shape, np.float32) for _ in range(members))]
    kernel = Kernel(fuse([Member(binary, 48, "softmax")] * members))
    args = [each for i in range(members) for each in (buffers[i], buffers[i + 1], rows)]
    run = _runner(kernel, 48, *args)
    return Row("check.chain.9x48", _checked(run, rounds=3), "s", 2, note=f"{best(run, rounds=3):.3f} s unchecked")
