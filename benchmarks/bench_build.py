# SPDX-License-Identifier: Apache-2.0
"""Seconds from source to operator binary: nothing cached, precompiled header cached, everything cached; with g++ and with zig."""

from __future__ import annotations

import importlib.util
import os
import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from aclimb import Program
from benchmarks.harness import Row, bench, median

SOURCE = Path(__file__).parent.parent / "examples" / "add" / "add.cpp"
MATMUL = Path(__file__).parent.parent / "examples" / "matmul_object" / "matmul_object.cpp"  # a Matmul object of the AIC alone
FUSED = Path(__file__).parent.parent / "examples" / "fused_matmul" / "fused_matmul.cpp"  # ... and of a mixed kernel: two passes
LIBRARY = Path(__file__).parent / "kernels" / "one_library_call.cpp"
TWENTY = Path(__file__).parent / "kernels" / "twenty.cpp"  # a kernel with twenty different calls


@contextmanager
def environment(**values: str) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None) if value is None else os.environ.__setitem__(name, value)


def _compile(define: str, source: Path = SOURCE) -> float:
    started = time.perf_counter()
    Program(source, defines={"DTYPE_X": "half", "BENCH": define}).compile()
    return time.perf_counter() - started


@bench("build")
def builds() -> Iterable[Row]:
    for name, compiler in (("g++", shutil.which("g++")), ("zig", "zig" if importlib.util.find_spec("ziglang") else None)):
        if compiler is None:
            continue
        folders = [tempfile.mkdtemp(prefix="aclimb-bench-") for _ in range(3)]
        try:
            cold, header, twenty, library, matmul, fused, warm = [], [], [], [], [], [], []
            for folder in folders:
                with environment(ACLIMB_CACHE_DIR=folder, ACLIMB_CXX=compiler):
                    cold.append(_compile("0"))
                    time.sleep(2)  # a header that is precompiled in the background is there now
                    header += [_compile(str(number)) for number in range(1, 5)]
                    twenty += [_compile(str(number), TWENTY) for number in range(3)]
                    library += [_compile(str(number), LIBRARY) for number in range(3)]
                    matmul += [_compile(str(number), MATMUL) for number in range(2)]
                    fused += [_compile(str(number), FUSED) for number in range(2)]
                    warm.append(min(_compile("1") for _ in range(5)))
            bars = (1.0, 0.35, 0.7, 1.0, 2.5, 2.5, 0.020) if name == "g++" else (3.0, None, None, None, None, None, 0.020)
            labels = (
                "cold",
                "with_header",
                "twenty_calls_with_header",
                "library_with_header",
                "matmul_with_header",
                "mixed_matmul_with_header",
                "warm",
            )
            for label, values, bar in zip(labels, (cold, header, twenty, library, matmul, fused, warm), bars, strict=True):
                yield Row(f"build.{name}.{label}", median(values), "s", bar, note=f"median of {len(values)}")
        finally:
            for folder in folders:
                shutil.rmtree(folder, ignore_errors=True)
