# SPDX-License-Identifier: Apache-2.0
"""Programs are built by the functions behind `aclimb build`, and run as processes of their own."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from aclimb.compile.host_options import HostOptions
from aclimb.compile.unit import compile_unit
from aclimb.host.link import link_program


@pytest.fixture(scope="session")
def build() -> Callable[..., Path]:
    """build(folder, sources, options) is a program in that folder."""

    def _build(folder: Path, sources: Sequence[Path], options: HostOptions) -> Path:
        objects = [compile_unit(source, options, folder / f"{source.stem}.o").object for source in sources]
        link_program(objects, folder / "program", "executable")
        return folder / "program"

    return _build


@pytest.fixture
def build_text(build: Callable[..., Path], tmp_path: Path) -> Callable[..., Path]:
    """build_text(text) is the program of one source."""

    def _build_text(text: str, options: HostOptions | None = None) -> Path:
        (tmp_path / "program.asc").write_text(text)
        return build(tmp_path, [tmp_path / "program.asc"], options or HostOptions())

    return _build_text


@pytest.fixture(scope="session")
def run() -> Callable[..., subprocess.CompletedProcess[str]]:
    """run(program, code=...) is what it said; the test fails with that when it ends with another code."""

    def _run(program: Path, *arguments: str, code: int = 0, **environment: str) -> subprocess.CompletedProcess[str]:
        settings: dict[str, Any] = {**os.environ, **environment}
        done = subprocess.run([str(program), *arguments], capture_output=True, text=True, env=settings, timeout=170)
        assert done.returncode == code, f"it ended with {done.returncode}\n{done.stdout}{done.stderr}"
        return done

    return _run
