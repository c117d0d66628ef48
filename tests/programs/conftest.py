# SPDX-License-Identifier: Apache-2.0
"""Programs are built once a session, by the functions behind `aclimb build`, and run as processes of their own.

Those that only test how a program is hosted come by three routes: started directly, by `aclimb run`, and linked without us (embedded).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.programs.route import OPTIONS, SOURCES, Route, library, own

from aclimb.compile.host_options import HostOptions
from aclimb.compile.unit import compile_unit
from aclimb.host.link import link_program


@pytest.fixture(scope="session")
def build() -> Callable[..., Path]:
    """build(folder, sources, options) is a program in that folder."""

    def _build(folder: Path, sources: Sequence[Path], options: HostOptions) -> Path:
        objects = [compile_unit(source, _in_its_language(source, options), folder / f"{source.stem}.o").object for source in sources]
        link_program(objects, folder / "program", "executable")
        return folder / "program"

    return _build


def _in_its_language(source: Path, options: HostOptions) -> HostOptions:
    return replace(options, language="c" if source.suffix == ".c" else "c++")


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
        done = subprocess.run([str(program), *arguments], capture_output=True, text=True, env=settings, timeout=600)
        assert done.returncode == code, f"it ended with {done.returncode}\n{done.stdout}{done.stderr}"
        return done

    return _run


@pytest.fixture(scope="session")
def without_us(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As a user without aclimb's commands would link it."""
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("g++ links this one")
    target = tmp_path_factory.mktemp("plain") / "scenes"
    where = [f"-I{library().parent / 'include'}", f"-L{library()}", f"-Wl,-rpath,{library()}"]
    subprocess.run([compiler, *OPTIONS, str(SOURCES / "scenes.cpp"), "-o", str(target), *where, "-lascendcl"], check=True)
    return target


@pytest.fixture
def direct() -> Route:
    return Route(own("scenes.cpp"))


@pytest.fixture
def embedded(without_us: Path) -> Route:
    return Route(without_us)


@pytest.fixture
def by_command() -> Route:
    return Route(own("scenes.cpp"), (sys.executable, "-m", "aclimb", "run", "-q"))


@pytest.fixture(params=["direct", "embedded"])
def route(request: pytest.FixtureRequest) -> Route:
    found: Route = request.getfixturevalue(request.param)
    return found


@pytest.fixture(params=["direct", "by_command", "embedded"])
def any_route(request: pytest.FixtureRequest) -> Route:
    found: Route = request.getfixturevalue(request.param)
    return found


@pytest.fixture
def with_kernel() -> Callable[[str, Sequence[str]], Route]:
    """A kernel is queued before the program is loaded; its stream is the word that the program is given last."""

    def route(kernel: str, options: Sequence[str] = ()) -> Route:
        driver = str(Path(__file__).parent / "with_kernel.py")
        return Route(own("scenes.cpp"), (sys.executable, driver, kernel, *options))

    return route
