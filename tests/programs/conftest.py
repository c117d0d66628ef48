# SPDX-License-Identifier: Apache-2.0
"""Programs are built once a session, by the functions behind `aclimb build`, and run as processes of their own."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from aclimb.compile.host_options import HostOptions
from aclimb.compile.unit import compile_unit
from aclimb.host.link import link_program

HERE = Path(__file__).parent
Built = Callable[..., Path]


def build(folder: Path, sources: Sequence[Path], options: HostOptions, kind: str = "executable", flags: Sequence[str] = ()) -> Path:
    """The program, or the library, in the folder."""
    objects = [compile_unit(source, options, folder / f"{source.stem}.o").object for source in sources]
    output = folder / ("program" if kind == "executable" else "liblibrary.so")
    link_program(objects, output, "executable" if kind == "executable" else "shared", flags)
    return output


def run(program: Path, *arguments: str, code: int = 0, **environment: str) -> subprocess.CompletedProcess[str]:
    """The test fails with what the program said when it ends with another code."""
    command = [str(program), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment}, timeout=170)
    assert done.returncode == code, f"it ended with {done.returncode}\n{done.stdout}{done.stderr}"
    return done


@pytest.fixture
def build_text(tmp_path: Path) -> Built:
    """build_text(text) is the program of one source."""

    def _build(text: str, options: HostOptions | None = None) -> Path:
        (tmp_path / "program.asc").write_text(text)
        return build(tmp_path, [tmp_path / "program.asc"], options or HostOptions())

    return _build
