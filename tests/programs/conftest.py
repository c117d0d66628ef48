# SPDX-License-Identifier: Apache-2.0
"""Programs are built once a session, and run by three routes: started directly, by `aclimb run`, and linked without us (embedded)."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest

from aclimb.host import link, places

SOURCES = Path(__file__).parent / "sources"
OPTIONS = ["-O1", "-g", "-Wall", "-Wextra", "-Werror", "-pthread"]
LIBRARY = places.library().parent


@dataclass(frozen=True)
class Route:
    """How a program is started: words before it."""

    program: Path
    before: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)

    def command(self, *words: str) -> list[str]:
        return [*self.before, str(self.program), *words]

    def __call__(self, *words: str, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
        whole = {**os.environ, **self.environment, **environment}
        text = {"encoding": "utf-8", "errors": "surrogateescape"}
        return subprocess.run(self.command(*words), input=stdin, capture_output=True, timeout=120, env=whole, check=False, **text)

    def start(self, *words: str) -> subprocess.Popen[str]:
        """As from a terminal: Ctrl-C is not ignored."""
        heard = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)  # noqa: E731
        environment = {**os.environ, **self.environment}
        return subprocess.Popen(self.command(*words), stdout=subprocess.PIPE, text=True, env=environment, preexec_fn=heard)


@cache
def own(name: str, compiler: str = "") -> Path:
    with pytest.MonkeyPatch.context() as patch:
        if compiler:
            patch.setenv("ACLIMB_CXX", compiler)
        return link.build_executable(SOURCES / name, OPTIONS)


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
