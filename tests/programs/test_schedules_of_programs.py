# SPDX-License-Identifier: Apache-2.0
"""`aclimb check --schedules` with C++ programs: built from a source, and linked without us."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.programs.route import OPTIONS, SOURCES, library

from aclimb import Program

TESTS = Path(__file__).parents[1]


def check(folder: Path, *words: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "aclimb", "check", *map(str, words)]
    environment = {**os.environ, "NO_COLOR": "1"}
    return subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, timeout=600, check=False)


@pytest.mark.parametrize(("kernel", "status"), [("bad", 1), ("good", 0)])
def test_a_program_that_was_linked_without_us_is_told_what_schedules_found(kernel: str, status: int, tmp_path: Path) -> None:
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("g++ links this one")
    where = [f"-I{library().parent / 'include'}", f"-L{library()}", f"-Wl,-rpath,{library()}", "-lascendcl"]
    subprocess.run([compiler, *OPTIONS, str(SOURCES / "launches.cpp"), "-o", str(tmp_path / "launches"), *where], check=True)
    Program(TESTS / "check_rules" / "S1" / f"{kernel}.cpp").compile().save(tmp_path / "twice.o")
    done = check(tmp_path, "--schedules", "3", tmp_path / "launches", tmp_path / "twice.o")
    assert (done.returncode, done.stderr) == (status, "")
    first, *_, last = done.stdout.splitlines()
    assert first == "0 4094"
    assert last == f"checked 1 launch, each also under 3 schedules: {'2 errors' if status else 'nothing found'}"
    assert ("[S1]" in done.stdout) == bool(status)


@pytest.mark.slow
def test_a_source_is_built_once_and_runs_under_schedules(tmp_path: Path) -> None:
    shutil.copy(TESTS / "fleet" / "racing" / "program.asc", tmp_path)
    shutil.copy(TESTS / "check_rules" / "S1" / "bad.cpp", tmp_path)
    done = check(tmp_path, "program.asc", "--schedules", "30", "-j", "2")
    assert (done.returncode, done.stderr) == (1, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "4094"  # what the program prints is that of its plain run
    assert "Other result: twice leaves other bytes 0x0000-0x0bff in z under late(MTE2) on AIV 0, 18 of 30 schedules   [S1]" in lines
    assert "    task launch   program.asc:20   for (int i = 0; i < 2; i++) twice<<<2, nullptr, stream>>>" in done.stdout
    assert lines[-1] == "checked 2 launches, each also under 30 schedules: 2 errors"
