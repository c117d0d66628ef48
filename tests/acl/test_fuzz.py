# SPDX-License-Identifier: Apache-2.0
"""Whatever `acl` is called with, the process lives and answers: fuzz.py in child processes, seed and last call in the message."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import aclimb

FUZZ = Path(__file__).with_name("fuzz.py")
KERNEL = '#include "kernel_operator.h"\nextern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR y) {}\n'


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return aclimb.Program(KERNEL, name="k").compile().save(tmp_path_factory.mktemp("fuzz"))


def run(seed: int, count: int, kernel: Path, folder: Path) -> None:
    last = folder / f"last.{seed}"
    command = [sys.executable, "-W", "ignore", str(FUZZ), str(seed), str(count), str(kernel), str(last)]
    env = os.environ | {"ACLIMB_DEVICE_MEMORY": "16M", "ACLIMB_DEVICES": "2", "ACLIMB_LOG": "CRITICAL", "PYTHONFAULTHANDLER": ""}
    done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=600, check=False)
    ended = {0: "", -14: "hangs in", -11: "crashes (SIGSEGV) in"}.get(done.returncode, f"ends with {done.returncode} after")
    assert not ended, f"seed {seed} {ended} {last.read_text().rstrip()}\n{done.stderr[-2000:]}"
    assert done.stdout.startswith(f"{count} calls of ")


@pytest.mark.parametrize("seed", [1, 2])
def test_no_call_crashes_or_hangs_whatever_it_is_given(seed: int, kernel: Path, tmp_path: Path) -> None:
    run(seed, 2500, kernel, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 120))
def test_no_call_of_a_long_run_crashes_or_hangs(seed: int, kernel: Path, tmp_path: Path) -> None:
    run(seed, 5000, kernel, tmp_path)
