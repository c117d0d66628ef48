# SPDX-License-Identifier: Apache-2.0
"""Programs are built once a session, and run by three routes: started directly, by `aclimb run`, and linked without us (embedded)."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from route import LIBRARY, OPTIONS, SOURCES, Route, own

from aclimb.host import link, places


@pytest.fixture(scope="session")
def without_us(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As a user without aclimb's commands would link it."""
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("g++ links this one")
    target = tmp_path_factory.mktemp("plain") / "scenes"
    where = [f"-I{places.host_dir() / 'include'}", f"-L{LIBRARY}", f"-Wl,-rpath,{LIBRARY}"]
    subprocess.run([compiler, *OPTIONS, str(SOURCES / "scenes.cpp"), "-o", str(target), *where, "-lascendcl"], check=True)
    return target


@pytest.fixture
def direct() -> Route:
    return Route(own("scenes.cpp"))


@pytest.fixture
def embedded(without_us: Path) -> Route:
    link.executable_flags()  # leaves the file by which it finds Python
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
