# SPDX-License-Identifier: Apache-2.0
"""`aclimb run`: this acl, even where another one is installed; and how a process with waiting threads ends."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = "import sys\nimport acl\nfrom acl import rt\nprint(acl.rt.get_run_mode(), rt is acl.rt, sys.argv[1:])\n"

WAITING = """
import time
import acl
from aclimb import capi

def reporter(_):
    acl.rt.set_device(0)
    while True:
        acl.rt.process_report(10)

acl.rt.set_device(0)
stream, _ = acl.rt.create_stream()
thread, _ = acl.util.start_thread(reporter, 1)
acl.rt.subscribe_report(thread, stream)
capi.aclrtLaunchHostFunc(stream, print, "called")
print(acl.rt.synchronize_stream(stream))
"""


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "aclimb", "run", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, env={**os.environ, **environment}, check=False)


@pytest.fixture
def program(tmp_path: Path) -> str:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    return str(path)


def test_a_program_gets_its_arguments_and_the_live_acl_is_named(program: str) -> None:
    done = run(program, "--size", "4", "-q")
    assert done.stdout == "(1, 0) True ['--size', '4', '-q']\n"
    assert done.stderr == "acl of aclimb 0.1.0, Ascend910_9392 (modelled), 2 devices\n"


def test_quiet_says_nothing(program: str) -> None:
    assert run("-q", program).stderr == ""


def test_our_acl_is_live_where_another_one_is_installed(program: str, tmp_path: Path) -> None:
    other = tmp_path / "cann" / "acl.py"
    other.parent.mkdir()
    other.write_text("raise SystemExit('the wrong acl')\n")
    done = run(program, PYTHONPATH=str(other.parent))
    assert done.stdout == "(1, 0) True []\n"
    assert f"instead of {other}" in done.stderr


def test_a_program_that_is_not_there_is_named() -> None:
    done = run("nowhere.py")
    assert done.returncode == 1
    assert "SourceNotFound: nowhere.py does not exist; give the path of a Python program" in done.stderr


def test_a_process_ends_while_daemon_threads_wait_for_callbacks() -> None:
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", WAITING], capture_output=True, text=True, timeout=60, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (0, "called\n0\n", "")
