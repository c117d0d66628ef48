# SPDX-License-Identifier: Apache-2.0
"""The engine's own tests in C++: built without Python, and run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PATH = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"


def run(*command: object, timeout: int) -> str:
    environment = {**os.environ, "PATH": PATH}
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=timeout, env=environment, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_engine_passes_its_own_tests() -> None:
    """`make test` builds them beside the Python module."""
    stamp = ROOT / ".venv" / ".engine_tests"
    if not stamp.exists() or stamp.stat().st_mtime < (ROOT / ".venv" / ".built").stat().st_mtime:
        pytest.skip("the engine's own tests are not built, or older than the engine; `make test` builds them")
    assert run(stamp.read_text().strip(), timeout=600).splitlines()[-1].endswith(" passed, 0 failed")


@pytest.mark.slow
def test_the_engine_builds_alone_and_passes_its_own_tests(tmp_path: Path) -> None:
    """Each file by itself, too: none lives on what its neighbours include."""
    for tool in ("cmake", "ninja", "c++"):
        if not shutil.which(tool, path=PATH):
            pytest.skip(f"no {tool} on this machine")
    run("cmake", "-S", ROOT, "-B", tmp_path, "-G", "Ninja", "-DACLIMB_PYTHON=OFF", "-DACLIMB_TESTS=ON", "-DFILES_AT_ONCE=1", timeout=600)
    run("cmake", "--build", tmp_path, timeout=1500)
    assert run(tmp_path / "engine_tests", timeout=600).splitlines()[-1].endswith(" passed, 0 failed")


@pytest.mark.slow
def test_the_engine_passes_its_tests_on_aarch64(tmp_path: Path) -> None:
    for tool in ("cmake", "ninja", "aarch64-linux-gnu-g++", "qemu-aarch64"):
        if not shutil.which(tool, path=PATH):
            pytest.skip(
                f"no {tool} on this machine; `make test-slow` installs Debian's g++-aarch64-linux-gnu and qemu-user when run as root"
            )
    toolchain = ROOT / "tools" / "aarch64.cmake"
    options = ("-G", "Ninja", f"-DCMAKE_TOOLCHAIN_FILE={toolchain}", "-DACLIMB_PYTHON=OFF", "-DACLIMB_TESTS=ON")
    run("cmake", "-S", ROOT, "-B", tmp_path, *options, timeout=600)
    run("cmake", "--build", tmp_path, timeout=1500)
    output = run("qemu-aarch64", "-L", "/usr/aarch64-linux-gnu", tmp_path / "engine_tests", timeout=600)
    assert output.splitlines()[-1].endswith(" passed, 0 failed")
