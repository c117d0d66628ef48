# SPDX-License-Identifier: Apache-2.0
"""`aclimb run` and `aclimb profile` with C and C++ sources and with executables."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.programs.route import SOURCES, Route, own

from aclimb.version import __version__


def aclimb(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "aclimb", *words], capture_output=True, text=True, timeout=600, check=False)


def test_run_builds_a_source_and_names_the_live_acl() -> None:
    done = aclimb("run", str(SOURCES / "plain.c"), "5,6")
    assert (done.returncode, done.stdout) == (5, "1 of 1: 0 1, NULL gives 100000\nhandler 0\n")
    assert done.stderr == f"acl of aclimb {__version__}, Ascend910_9392 (modelled), 1 device\n"


def test_run_takes_an_executable_and_leaves_its_options_to_it() -> None:
    done = aclimb("run", "-q", "--strictness", "hardware", str(own("scenes.cpp")), "words", "-q", "--strictness")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("[-q]\n[--strictness]\n")


def test_run_takes_an_executable_that_was_linked_without_us(without_us: Path) -> None:
    done = aclimb("run", "-q", str(without_us), "exit", "4")
    assert (done.returncode, done.stdout, done.stderr) == (4, "handler\n", "")


def test_a_source_that_does_not_build_shows_what_the_compiler_says(tmp_path: Path) -> None:
    source = tmp_path / "wrong.cpp"
    source.write_text('#include "acl/acl.h"\nint main() { return aclrtNoSuchCall(); }\n')
    done = aclimb("run", "-q", str(source))
    assert done.returncode == 1
    assert "wrong.cpp:2" in done.stderr


def test_a_missing_function_is_an_error_of_the_link(tmp_path: Path) -> None:
    source = tmp_path / "missing.c"
    source.write_text("int aclrtNoSuchCall(void);\nint main(void) { return aclrtNoSuchCall(); }\n")
    done = aclimb("run", "-q", str(source))
    assert done.returncode == 1
    assert "aclrtNoSuchCall" in done.stderr


def test_a_program_that_is_not_there_is_named() -> None:
    done = aclimb("run", "nowhere.asc")
    assert done.returncode == 1
    assert "nowhere.asc does not exist" in done.stderr


def test_profile_runs_a_program_and_keeps_its_status(tmp_path: Path) -> None:
    done = aclimb("profile", "-o", str(tmp_path), str(own("scenes.cpp")), "exit", "4")
    assert done.returncode == 4
    assert done.stdout == "handler\nno kernel was launched while the profile was open\n"


def test_a_profile_of_a_source_is_written_when_the_program_calls_exit(tmp_path: Path) -> None:
    done = aclimb("profile", "-o", str(tmp_path), str(SOURCES / "says.asc"))
    assert done.returncode == 4, done.stderr
    assert done.stdout.startswith("before\nkernel says 42\nafter 0\n")
    assert {"profile.json", "trace.json", "report.html"} <= {path.name for path in tmp_path.iterdir()}


def test_a_profile_is_written_for_what_was_queued_before_the_program(tmp_path: Path, with_kernel: Callable[..., Route]) -> None:
    done = with_kernel("says", ["--profile", str(tmp_path)])("exit", "4")
    assert done.returncode == 4
    assert done.stdout.startswith("handler\n")
    assert {"profile.json", "trace.json", "report.html"} <= {path.name for path in tmp_path.iterdir()}


def test_profile_refuses_what_it_cannot_look_into(without_us: Path) -> None:
    done = aclimb("profile", str(without_us), "return", "0")
    assert done.returncode == 1
    assert "was linked without aclimb" in done.stderr
    assert "aclimb build" in done.stderr


@pytest.mark.parametrize("name", ["program.py", "no_suffix"])
def test_a_python_program_is_still_one(tmp_path: Path, name: str) -> None:
    program = tmp_path / name
    program.write_text("import acl\nprint(acl.rt.get_run_mode())\n")
    assert aclimb("run", "-q", str(program)).stdout == "(1, 0)\n"
