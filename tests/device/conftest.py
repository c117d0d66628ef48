# SPDX-License-Identifier: Apache-2.0
"""Kernels of tests/device/kernels, built once, and a short way to run one."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from aclimb import Kernel, LaunchConfig, Program, Stream, launch

KERNELS = Path(__file__).with_name("kernels")


@cache
def kernel(source: str, name: str) -> Kernel:
    return Kernel(Program(KERNELS / f"{source}.cpp").compile(), name)


@pytest.fixture
def run() -> Callable[..., None]:
    """run("vector", "casts", x, y, z): builds, launches on one block (or `blocks`), waits."""

    def _run(source: str, name: str, *args: Any, blocks: int = 1) -> None:
        stream = Stream()
        launch(stream, LaunchConfig(num_blocks=blocks), kernel(source, name), *args)
        stream.synchronize()

    return _run
