# SPDX-License-Identifier: Apache-2.0
"""`aclimb check` and ACLIMB_CHECK with C and C++ programs, whichever way Python comes into them; the engine's checker is a fake."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.programs.route import SOURCES, own

FAKES = Path(__file__).parents[1] / "findings"
NOTHING_FOUND = "checked 1 launch: nothing found\n"


def settings(folder: Path, finds: str, **more: str) -> dict[str, str]:
    source = folder / "add.cpp"
    source.write_text("".join(f"line {number}\n" for number in range(1, 20)))
    return {
        **os.environ,
        "NO_COLOR": "1",
        "PYTHONPATH": str(FAKES / "fake_site"),
        "FAKE_SOURCE": str(source),
        "FAKE_FINDINGS": finds,
        **more,
    }


def check(folder: Path, *words: object, finds: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "aclimb", "check", *map(str, words)]
    return subprocess.run(command, env=settings(folder, finds), cwd=folder, capture_output=True, text=True, timeout=600, check=False)


def test_a_source_is_built_checked_and_its_status_is_that_of_the_check(tmp_path: Path) -> None:
    done = check(tmp_path, SOURCES / "says.asc", finds="race")
    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith("before\nkernel says 42\nafter 0\nRace: V writes and MTE3 reads ")
    assert done.stdout.endswith("\nchecked 1 launch: 1 error; the program ended with exit status 4\n")


def test_an_executable_runs_to_its_end_and_its_own_failure_is_told(tmp_path: Path) -> None:
    done = check(tmp_path, own("scenes.cpp"), "exit", "0")
    assert (done.returncode, done.stdout) == (0, f"handler\n{NOTHING_FOUND}")
    done = check(tmp_path, own("scenes.cpp"), "exit", "4")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (2, "checked 1 launch: nothing found; the program ended with exit status 4")


def test_a_program_that_was_linked_without_us_is_checked_too(tmp_path: Path, without_us: Path) -> None:
    done = check(tmp_path, "-o", "report.json", without_us, "exit", "0", finds="race")
    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith("handler\nRace: V writes and MTE3 reads ")
    assert done.stdout.splitlines()[-2:] == ["checked 1 launch: 1 error", str(tmp_path / "report.json")]
    assert (tmp_path / "report.json").is_file()


def test_the_variable_leaves_the_status_to_the_program(tmp_path: Path, without_us: Path) -> None:
    for program in (own("scenes.cpp"), without_us):
        done = subprocess.run(
            [program, "exit", "4"], env=settings(tmp_path, "race", ACLIMB_CHECK="1"), capture_output=True, text=True, timeout=600
        )
        assert (done.returncode, done.stdout) == (4, "handler\n")
        assert done.stderr.endswith("\nchecked 1 launch: 1 error\n")
