# SPDX-License-Identifier: Apache-2.0
"""C and C++ programs: a start and its end, and from an .asc source with one kernel to an executable, cold and from the cache."""

from __future__ import annotations

import subprocess
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

from aclimb.host.prefix import prefix
from aclimb.host.programs import build, executable_of
from benchmarks.bench_build import environment
from benchmarks.harness import Row, after_idle, bench, median

ADD = Path(__file__).parent.parent / "examples" / "cpp" / "add" / "add.asc"
SOURCE = '#include "acl/acl.h"\nint main(void) { return aclInit(NULL); }\n'


@bench("programs")
def programs() -> Iterable[Row]:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "start.c"
        source.write_text(SOURCE)
        program = executable_of(source)
        yield from _builds(Path(folder))
        yield Row("programs.start", after_idle(lambda: subprocess.run([program], check=True)), "s", 0.6, note="started directly")


def _builds(folder: Path) -> Iterable[Row]:
    """In this process, so that the start of the command does not count."""
    cold, cached = [], []
    for number in range(3):
        cache = folder / f"cache{number}"
        with environment(ACLIMB_CACHE_DIR=str(cache)):
            prefix()  # made once for each installation, not for each build
            cold.append(_seconds(folder))
            cached.append(min(_seconds(folder) for _ in range(3)))
    yield Row("programs.build.cold", median(cold), "s", 2.5, note="examples/cpp/add/add.asc, median of 3")
    yield Row("programs.build.cached", median(cached), "s", 0.1, note="the same again")


def _seconds(folder: Path) -> float:
    started = time.perf_counter()
    build([str(ADD)], folder / "add")
    return time.perf_counter() - started
