# SPDX-License-Identifier: Apache-2.0
"""What Python costs: translating, and a launch beyond the launch itself. The limits leave room for a busy machine."""

from __future__ import annotations

import importlib.util
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import aclimb
import aclimb.asc as asc
from aclimb.asc.codegen import emit
from aclimb.asc.lib import runtime as rt
from aclimb.asc.runtime.jit import MockValue

EXAMPLES = Path(__file__).parents[2] / "examples"


def load(folder: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"speed_{folder}", EXAMPLES / folder / f"{folder}.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def least(work: Callable[[], object], times: int, clock: Callable[[], float] = time.perf_counter) -> float:
    """Seconds of the fastest of several runs."""
    found = []
    for _ in range(times):
        start = clock()
        work()
        found.append(clock() - start)
    return min(found)


@pytest.mark.requirement("py-35")
def test_translating_two_hundred_lines_takes_milliseconds() -> None:
    example = load("flash_attention")
    kernel, lines = example.flash_attention, len((EXAMPLES / "flash_attention" / "flash_attention.py").read_text().splitlines())
    assert lines > 200
    arguments = [asc.float16] * 4 + [asc.float32, asc.float16, example.Shape()]

    def translate() -> None:
        kernel.cache_clear()
        emit.text_of(kernel.specialise(arguments, kernel.options).tree, emit.BUILT, "")

    assert least(translate, 5, time.process_time) < 0.06  # 280 lines that become 350 statements


@pytest.mark.requirement("py-35")
def test_a_cached_launch_costs_little_beyond_the_launch_and_its_copies() -> None:
    example = load("add")
    length, launcher = example.LENGTH, example.add[8]
    arrays = [np.ones(length, np.float32) for _ in range(3)]
    launcher(*arrays, length)
    compiled = example.add.compile(*[asc.float32] * 3, MockValue(asc.int32))
    buffers, stream = [aclimb.Buffer.from_array(each) for each in arrays], rt.current_stream()

    def plain() -> None:
        for buffer, array in zip(buffers, arrays, strict=True):
            buffer.copy_in(array.ctypes.data, 0, array.nbytes)
        aclimb.launch(stream, aclimb.LaunchConfig(num_blocks=8), compiled.kernel, *buffers, length)
        stream.synchronize()
        for buffer, array in zip(buffers, arrays, strict=True):
            buffer.copy_out(array.ctypes.data, 0, array.nbytes)

    plain()
    assert least(lambda: launcher(*arrays, length), 200) - least(plain, 200) < 100e-6
