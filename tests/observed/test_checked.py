# SPDX-License-Identifier: Apache-2.0
"""What a check finds through plain pointers, and what it says of those it cannot see."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import aclimb
from aclimb import Buffer, Kernel, KernelBinary, LaunchConfig, Program, Stream, launch

SOURCE = Path(__file__).with_name("raw.cpp")
LINE = next(i for i, line in enumerate(SOURCE.read_text().splitlines(), 1) if line.endswith("// race"))


@cache
def built() -> KernelBinary:
    return Program(SOURCE).compile()


def checked(kernel: Kernel) -> aclimb.check:
    stream, y = Stream(), Buffer(64, "int32")
    with aclimb.check() as found:
        launch(stream, LaunchConfig(num_blocks=2), kernel, y)
        stream.synchronize()
    return found


def test_two_cores_that_write_one_word_by_plain_pointers_are_reported_at_their_line() -> None:
    [finding] = checked(Kernel(built(), "both_write")).findings
    assert finding.rule == "O5"
    assert {(Path(each.file).name, each.line, each.role) for each in finding.accesses} == {("raw.cpp", LINE, "writes")}


def test_cores_that_keep_apart_are_not_reported() -> None:
    found = checked(Kernel(built(), "each_its_own"))
    assert found.findings == ()
    assert found.result.notes == ()


@pytest.mark.requirement("ord-28")
def test_a_check_says_once_which_plain_pointers_it_did_not_see(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built().save(tmp_path / "foreign.o")
    monkeypatch.setenv("ACLIMB_CACHE_DIR", str(tmp_path / "empty"))
    found = checked(Kernel(tmp_path / "foreign.o", "both_write"))
    assert found.findings == ()
    [note] = found.result.notes
    assert note.startswith("raw pointers of foreign were not seen: its source is not known here")
    assert note in found.report()


@pytest.mark.slow
def test_kernels_inside_a_cpp_program_are_seen_too() -> None:
    ended = subprocess.run([sys.executable, "-m", "aclimb", "check", str(SOURCE.with_name("race.asc"))], capture_output=True, text=True)
    assert ended.returncode == 1, ended.stderr
    assert "[O5]" in ended.stdout + ended.stderr
    assert "race.asc:7" in ended.stdout + ended.stderr
