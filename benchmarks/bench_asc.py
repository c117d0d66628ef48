# SPDX-License-Identifier: Apache-2.0
"""Kernels in Python: translating, the first call of a new kernel in a new process, and a call of one that is known, beyond the launch
and its copies. A first call on the clock and in CPU time: on a machine with other work the second is the steadier one."""

from __future__ import annotations

import importlib.util
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType

import numpy as np

import aclimb
import aclimb.asc as asc
from aclimb.asc.codegen import emit
from aclimb.asc.lib import runtime as rt
from aclimb.asc.runtime.jit import MockValue
from benchmarks.harness import Row, bench, in_turns, median

ROOT = Path(__file__).parent.parent
LINES = 200


@bench("asc")
def kernels_in_python() -> Iterable[Row]:
    yield from _translation()
    yield from _first_calls()
    yield from _cached_calls()


def _translation() -> Iterable[Row]:
    """Of a kernel of nearly 300 lines, counted for 200. Its functions are read from the file the first time."""
    example, file = _example("flash_attention"), ROOT / "examples" / "flash_attention" / "flash_attention.py"
    kernel, share = example.flash_attention, LINES / len(file.read_text().splitlines())
    arguments = [asc.float16] * 4 + [asc.float32, asc.float16, example.Shape()]

    def translate() -> None:
        kernel.cache_clear()
        emit.text_of(kernel.specialise(arguments, kernel.options).tree, emit.BUILT, "")

    first = _cpu(translate)
    times = [_cpu(translate) for _ in range(21)]
    yield Row("asc.translate", median(times) * share * 1e3, "ms", 20, note="CPU time for 200 lines, median of 21")
    yield Row(
        "asc.translate_first", first * share * 1e3, "ms", note="... the first time in a process: the table of calls and the file are read"
    )


def _first_calls() -> Iterable[Row]:
    """A process of its own with an empty cache: the first kernel finds nothing, the next ones the precompiled header."""
    script = "from benchmarks.bench_asc import first_calls; first_calls()"
    found = []
    for _ in range(3):
        with tempfile.TemporaryDirectory(prefix="aclimb-bench-") as folder:
            environment = {**os.environ, "ACLIMB_CACHE_DIR": folder}
            answer = subprocess.run([sys.executable, "-c", script], cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
            found.append(json.loads(answer.stdout))
    for name, number, note in (("first_call", 0, "nothing cached"), ("first_call_with_header", 1, "header precompiled")):
        yield Row(f"asc.{name}", median([each[number][0] for each in found]), "s", 1.2, note=f"a new add, {note}; median of 3")
        yield Row(f"asc.{name}_cpu", median([each[number][1] for each in found]), "s", note="... CPU time, the compiler's included")


def first_calls() -> None:
    """Prints seconds and CPU seconds of each of two first calls; the half of `_first_calls` in the other process."""
    from aclimb.compile import precompiled

    text = (ROOT / "examples" / "add" / "add.py").read_text()
    arrays, found = [np.ones(2048, np.float32) for _ in range(3)], []
    for number in range(2):
        path = Path(os.environ["ACLIMB_CACHE_DIR"], f"first_{number}.py")
        path.write_text("\n" * number + text)  # other lines are another kernel
        launcher = _module(path).add[8]
        start, cpu = time.perf_counter(), _cpu_of_all()
        launcher(*arrays, 2048)
        found.append((time.perf_counter() - start, _cpu_of_all() - cpu))
        precompiled.wait_for_background()
    print(json.dumps(found))


def _cached_calls() -> Iterable[Row]:
    example = _example("add")
    length, launcher = example.LENGTH, example.add[8]
    arrays = [np.ones(length, np.float32) for _ in range(3)]
    launcher(*arrays, length)
    kernel = example.add.compile(*[asc.float32] * 3, MockValue(asc.int32)).kernel
    buffers, stream, config = [aclimb.Buffer.from_array(each) for each in arrays], rt.current_stream(), aclimb.LaunchConfig(num_blocks=8)

    def plain() -> None:
        for buffer, array in zip(buffers, arrays, strict=True):
            buffer.copy_in(array.ctypes.data, 0, array.nbytes)
        aclimb.launch(stream, config, kernel, *buffers, length)
        stream.synchronize()
        for buffer, array in zip(buffers, arrays, strict=True):
            buffer.copy_out(array.ctypes.data, 0, array.nbytes)

    whole, base = in_turns(lambda: launcher(*arrays, length), plain)
    yield Row("asc.cached_call", whole, "us", note="a known add of 8 blocks, three arrays in and out")
    yield Row("asc.cached_beyond_launch", whole - base, "us", 15, note="... beyond launch() and the copies, in turns")


def _cpu(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _cpu_of_all() -> float:
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def _example(name: str) -> ModuleType:
    return _module(ROOT / "examples" / name / f"{name}.py")


def _module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"bench_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
