# SPDX-License-Identifier: Apache-2.0
"""Dumps and profiles that a C program switches on, in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

HERE = Path(__file__).parent


@pytest.mark.requirement("cpp-8")
@pytest.mark.parametrize("whole", [False, True], ids=["one launch", "all launches"])
@pytest.mark.parametrize("ends", ["aclFinalize", "return"])
def test_a_c_program_gets_its_dump_and_its_profile(kernels: Path, tmp_path: Path, whole: bool, ends: str) -> None:
    config = {"dump": {"dump_path": "dumps"}} | ({"profiler": {"switch": "on", "output": "prof"}} if whole else {})
    (tmp_path / "acl.json").write_text(json.dumps(config))
    command = [sys.executable, "-m", "aclimb", "run", "-q", str(HERE / "switches.c"), "acl.json", str(kernels)]
    done = subprocess.run([*command, *(["end"] if ends == "return" else [])], cwd=tmp_path, capture_output=True, text=True, check=False,
                          env={**os.environ, "ACLIMB_LOG": "INFO"})  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr
    folder = tmp_path / ("prof" if whole else "aclimb_profile")
    count = "2 launches" if whole else "1 launch"
    assert done.stderr == f"aclimb info: the profile of {count} was written to {folder}\n"
    launches = json.loads((folder / "profile.json").read_text())["launches"]
    assert [each["kernel"] for each in launches] == ["fill"] * (2 if whole else 1)
    (file,) = (tmp_path / "dumps").rglob("*.npy")
    assert file.name == "fill.1.output.0.out.npy"
    np.testing.assert_array_equal(np.load(file).view(np.int32)[:16], 10 + 2 * np.arange(16))
