# SPDX-License-Identifier: Apache-2.0
"""The compiler's command: from a source of a hundred lines with kernel and host part to a shared library, against `aclimb build` of the
same source plus one compile of its host part; and the same command again, from the cache. The start of each command counts."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from aclimb.compile import unit
from aclimb.compile.host_options import HostOptions
from aclimb.host.prefix import prefix
from benchmarks.harness import Row, bench, median

SOFTMAX = Path(__file__).parent.parent / "examples" / "softmax" / "softmax.cpp"
HOST = """
extern "C" void call(uint8_t* x, uint8_t* y, uint32_t rows, uint32_t columns, void* stream) {
    softmax_float<<<8, nullptr, stream>>>(x, y, rows, columns);
}
"""
ROUNDS = 5


@bench("driver")
def driver() -> Iterable[Row]:
    with tempfile.TemporaryDirectory() as folder:
        rounds = [_round(Path(folder), number) for number in range(ROUNDS + 1)][1:]  # the first leaves precompiled headers behind
    library, own, host, cached = (median(list(each)) for each in zip(*rounds, strict=True))
    note = f"{library:.2f} s; aclimb build {own:.2f} s, host part {host:.2f} s; median of {ROUNDS}"
    yield Row("driver.shared", median([a / (b + c) for a, b, c, _ in rounds]), "x", 1.5, note=note)
    yield Row("driver.cached", cached, "s", 0.3, note="the same command again")


def _round(folder: Path, number: int) -> tuple[float, float, float, float]:
    """Each with a source that nobody has built before."""
    texts = SOFTMAX.read_text() + HOST
    for name in ("library", "own", "host"):
        (folder / f"{name}{number}.cpp").write_text(f"// {name} {number}\n{texts}")
    bisheng, words = str(prefix() / "bin" / "bisheng"), ["--npu-arch=dav-2201", "-O2", "-std=c++17", "-xasc", "-fPIC", "--shared"]
    made = [bisheng, *words, str(folder / f"library{number}.cpp"), "-o", str(folder / "library.so")]
    aclimb = [sys.executable, "-m", "aclimb", "build", str(folder / f"own{number}.cpp"), "-O", "2", "-o", str(folder / "own.o")]
    options = HostOptions(language="asc", standard="c++17", opt_level="2", host_only=True)
    return (
        _seconds(lambda: subprocess.run(made, check=True)),
        _seconds(lambda: subprocess.run(aclimb, check=True, capture_output=True)),
        _seconds(lambda: unit.compile_unit(folder / f"host{number}.cpp", options, folder / "host.o")),
        min(_seconds(lambda: subprocess.run(made, check=True)) for _ in range(3)),
    )


def _seconds(run: Callable[[], Any]) -> float:
    started = time.perf_counter()
    run()
    return time.perf_counter() - started
