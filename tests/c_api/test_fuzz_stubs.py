# SPDX-License-Identifier: Apache-2.0
"""No call from C breaks Python, whatever it is given."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).with_name("fuzz_stubs.py")
CALLS = 4000


def run(seed: int, count: int, kernels: Path, folder: Path) -> None:
    last = folder / "last"
    environment = {**os.environ, "ACLIMB_DEVICE_MEMORY": "256M"}
    done = subprocess.run([sys.executable, str(PROGRAM), str(seed), str(count), str(kernels), str(last)], capture_output=True, text=True,
                          timeout=600, check=False, env=environment, cwd=folder)  # fmt: skip
    call = last.read_text("utf-8", "replace").strip() if last.exists() else "nothing"
    assert done.returncode == 0, f"seed {seed} ends with {done.returncode} after {call}\n{done.stderr[-2000:]}"
    assert done.stdout.endswith("4950 Python still counts\n")


@pytest.mark.requirement("cpp-4")
@pytest.mark.parametrize("seed", [1, 2])
def test_no_call_from_c_breaks_python(seed: int, kernels: Path, tmp_path: Path) -> None:
    run(seed, CALLS, kernels, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10, 20))
def test_no_call_from_c_breaks_python_for_long(seed: int, kernels: Path, tmp_path: Path) -> None:
    run(seed, 50 * CALLS, kernels, tmp_path)
