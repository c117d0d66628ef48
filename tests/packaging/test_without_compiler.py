# SPDX-License-Identifier: Apache-2.0
"""The README's first command on a machine without a C++ compiler, from a fresh checkout with nothing in the environment."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from installing import ROOT, path_without_compilers, run


@pytest.mark.slow
def test_make_demo_runs_without_a_compiler(tmp_path: Path) -> None:
    checkout = tmp_path / "aclimb"
    for name in run("git", "ls-files", "-co", "--exclude-standard", cwd=ROOT).splitlines():
        if (ROOT / name).is_file():
            (checkout / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, checkout / name)
    bare = {"PATH": path_without_compilers(tmp_path / "bin"), "HOME": str(tmp_path), "COLUMNS": "200"}
    said = run("make", "demo", cwd=checkout, env=bare, timeout=3000)
    assert "no C++ compiler found: the ziglang wheel takes its place" in said
    assert "16384 of 16384 equal to numpy" in said
    assert "Hang: hang at the end of the kernel" in said
