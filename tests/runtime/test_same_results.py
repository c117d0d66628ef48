# SPDX-License-Identifier: Apache-2.0
"""The same bits on any number of threads and on every SIMD level."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from aclimb import _engine

PROGRAM = Path(__file__).with_name("program.py")


@functools.cache
def run(**settings: str) -> dict[str, Any]:
    environment = {key: value for key, value in os.environ.items() if key not in ("ACLIMB_THREADS", "ACLIMB_ISA")}
    done = subprocess.run(
        [sys.executable, str(PROGRAM)], env={**environment, **settings}, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


@pytest.mark.parametrize("threads", [2, 8])
def test_results_do_not_depend_on_the_number_of_threads(threads: int) -> None:
    one, many = run(ACLIMB_THREADS="1"), run(ACLIMB_THREADS=str(threads))
    assert (one["threads"], many["threads"]) == (1, threads)
    assert many["results"] == one["results"]


@pytest.mark.parametrize("level", _engine.simd_levels())
def test_results_do_not_depend_on_the_simd_level(level: str) -> None:
    fastest, this = run(ACLIMB_THREADS="1"), run(ACLIMB_ISA=level)
    assert this["level"] == level
    assert this["results"] == fastest["results"]


def test_printf_is_in_block_order_on_many_threads() -> None:
    lines = run(ACLIMB_THREADS="8")["results"]["printf"].splitlines()
    assert lines[::2] == [f"block {i} of {n}" for n in (48, 5) for i in range(n)]
