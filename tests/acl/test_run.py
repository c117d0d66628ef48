# SPDX-License-Identifier: Apache-2.0
"""`aclimb run`: this acl, even where another one is installed; and how a process with waiting threads ends."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import aclimb

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
    return subprocess.run(command, capture_output=True, text=True, timeout=600, env={**os.environ, **environment}, check=False)


@pytest.fixture
def program(tmp_path: Path) -> str:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    return str(path)


def test_a_program_gets_its_arguments_and_the_live_acl_is_named(program: str) -> None:
    done = run(program, "--size", "4", "-q")
    assert done.stdout == "(1, 0) True ['--size', '4', '-q']\n"
    assert done.stderr == f"acl of aclimb {aclimb.__version__}, Ascend910_9392 (modelled), 2 devices\n"


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
    assert (done.returncode, done.stderr) == (1, "SourceNotFound: nowhere.py does not exist; give the path of a program\n")


def test_a_process_ends_while_daemon_threads_wait_for_callbacks() -> None:
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", WAITING], capture_output=True, text=True, timeout=600, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (0, "called\n0\n", "")


# --- what a program does not catch

WRONG = """\
import sys
import acl
from aclimb import LaunchConfig

def deep(which):
    if which == "divide":
        return 1 // 0
    if which == "refused":
        return LaunchConfig(num_blocks=0)
    if which == "argument":
        return acl.rt.malloc("many", 0)
    if which == "name":
        return acl.rt.mallok
    if which == "from":
        try:
            LaunchConfig(num_blocks=0)
        except ValueError as error:
            raise RuntimeError("no launch") from error
    if which == "hook":
        sys.excepthook = lambda kind, error, frames: print(kind.__name__, frames.tb_lineno)
        raise KeyError
    return sys.exit(which)

deep(sys.argv[1])
"""
LINES = {text.strip(): number for number, text in enumerate(WRONG.splitlines(), 1)}


def frames_of(stderr: str) -> list[str]:
    return [line.split(", line ")[1] for line in stderr.splitlines() if line.startswith("  File ")]


@pytest.mark.parametrize(
    ("which", "line", "last"),
    [
        ("divide", "return 1 // 0", "ZeroDivisionError: integer division or modulo by zero"),
        ("refused", "return LaunchConfig(num_blocks=0)", "aclimb.errors.InvalidArgument: num_blocks is 0; it takes 1 to 65535"),
        ("argument", 'return acl.rt.malloc("many", 0)', "TypeError: acl.rt.malloc args parse failed"),
        ("name", "return acl.rt.mallok", "AttributeError: module 'acl.rt' has no attribute 'mallok'; did you mean 'malloc'?"),
    ],
)
def test_an_error_shows_the_programs_frames_and_no_others(tmp_path: Path, which: str, line: str, last: str) -> None:
    path = tmp_path / "wrong.py"
    path.write_text(WRONG)
    done = run("-q", str(path), which)
    assert done.returncode == 1
    assert frames_of(done.stderr) == [f"{LINES['deep(sys.argv[1])']}, in <module>", f"{LINES[line]}, in deep"]
    assert done.stderr.splitlines()[-1] == last
    assert done.stderr.count("Traceback") == 1


def test_a_chain_of_errors_shows_the_programs_frames_of_each(tmp_path: Path) -> None:
    path = tmp_path / "wrong.py"
    path.write_text(WRONG)
    done = run("-q", str(path), "from")
    places = ["LaunchConfig(num_blocks=0)", "deep(sys.argv[1])", 'raise RuntimeError("no launch") from error']
    assert [int(frame.split(",")[0]) for frame in frames_of(done.stderr)] == [LINES[text] for text in places]
    assert "The above exception was the direct cause of the following exception" in done.stderr


def test_a_program_ends_with_its_own_code_and_its_own_hook(tmp_path: Path) -> None:
    path = tmp_path / "wrong.py"
    path.write_text(WRONG)
    done = run("-q", str(path), "bye")
    assert (done.returncode, done.stderr) == (1, "bye\n")
    done = run("-q", str(path), "hook")
    assert (done.returncode, done.stdout, done.stderr) == (1, f"KeyError {LINES['deep(sys.argv[1])']}\n", "")


def test_a_name_that_is_almost_right_is_guessed_once(program: str) -> None:
    done = subprocess.run([sys.executable, "-c", "import acl; acl.rt.mallok"], capture_output=True, text=True, timeout=600, check=False)
    assert done.stderr.splitlines()[-1] == "AttributeError: module 'acl.rt' has no attribute 'mallok'; did you mean 'malloc'?"
