# SPDX-License-Identifier: Apache-2.0
"""Findings are the same words whatever runs them: number of threads, SIMD level, and how often."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
PROGRAM = """
import sys
from contextlib import suppress
sys.path.insert(0, {here!r})
from vectors import FAULTY, prepare, source_of
from aclimb import Stream
from aclimb.errors import AclimbError
for vector in FAULTY:
    if vector.file in ("faulty_cores", "faulty_early_start"):
        with suppress(AclimbError):
            stream = Stream()
            prepare(vector, source_of(vector, put_right=False)).launch(stream)
            stream.synchronize()
"""


def report_of(program: Path, **settings: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "aclimb", "check", str(program)], capture_output=True, text=True, env={**os.environ, **settings}
    )
    assert done.returncode == 1, done.stderr
    return done.stdout


@pytest.mark.requirement("ord-21")
def test_the_report_is_the_same_for_every_number_of_threads_and_simd_level(tmp_path: Path) -> None:
    program = tmp_path / "faulty.py"
    program.write_text(PROGRAM.format(here=str(HERE)))
    reports = {
        report_of(program, ACLIMB_THREADS=threads, ACLIMB_ISA=isa)
        for threads, isa in (("1", "scalar"), ("2", "auto"), ("7", "auto"), ("7", "auto"))
    }
    [report] = reports
    assert report.count("[O4]") >= 3
    assert report.count("[X") >= 5
    assert "0x7f" not in report, "an address of this run"
