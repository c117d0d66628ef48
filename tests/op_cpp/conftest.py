# SPDX-License-Identifier: Apache-2.0
"""Libraries of operators for a test, and a look at what it left."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cpp_parts import HERE, KERNELS, MORE_FLAGS, WARNINGS, Build, built, one_at_a_time

import aclimb
from aclimb import Kernel, op
from aclimb.host import op_package
from aclimb.op.native.package import Package
from aclimb.op.project.build import build as build_host_and_kernels


@pytest.fixture(scope="session")
def build() -> Build:
    """build("values.cpp", ..., std=17) is the library of sources in the folder `sources`, or of paths."""

    def make(*sources: str | Path, flags: tuple[str, ...] = WARNINGS, std: int = 11) -> Path:
        more = os.environ.get(MORE_FLAGS, "").split()
        return built(tuple(HERE / "sources" / each for each in sources), (f"-std=c++{std}", *flags, *more))

    return make


@pytest.fixture
def load_library(build: Build) -> Iterator[Callable[..., op.Library]]:
    """As build, loaded until the test ends."""
    opened: list[op.Library] = []

    def make(*sources: str | Path, kernels: Any = None, **options: Any) -> op.Library:
        opened.append(op.load(build(*sources, **options), kernels=kernels))
        return opened[-1]

    yield make
    for each in reversed(opened):
        each.close()


@pytest.fixture(scope="session")
def package_of(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Callable[[Path], Package]:
    """package_of(folder) is that project as a package, built once for all processes of the session; under a sanitizer without the library
    for programs, which have no sanitizer."""
    base = tmp_path_factory.getbasetemp()
    # Not by the environment: a session that a test starts has its worker's, and would keep packages for sessions with other headers.
    shared = base.parent if hasattr(request.config, "workerinput") else base

    def make(project: Path) -> Package:
        folder = shared / f"package-{project.name}"
        with one_at_a_time(folder):
            if not (folder / "done").exists():
                made, more = folder / "package", os.environ.get(MORE_FLAGS, "").split()
                if more:
                    build_host_and_kernels(project, made, more)
                else:
                    op_package.build_project(project, made)
                (folder / "done").touch()
        return Package(folder / "package")

    return make


@pytest.fixture
def kernel(load: Callable[..., Kernel]) -> Callable[[str], Kernel]:
    """kernel("add_scaled") is that kernel of the operator tests."""
    return lambda name: load(KERNELS / "arithmetic.cpp", name)


@pytest.fixture(autouse=True)
def nothing_left(request: pytest.FixtureRequest) -> Iterator[None]:
    """A test that leaves device memory, or something registered, fails."""
    types = set(op.default_space_registry().types())
    gc.collect()
    before = dict(aclimb.live())
    yield
    request.node.funcargs.clear()  # pytest would hold the test's stream until later
    op.release_workspaces()
    gc.collect()
    after = dict(aclimb.live())
    assert set(op.default_space_registry().types()) - types == set(), "the test left a registration"
    left = {kind: after[kind] - before[kind] for kind in ("buffers", "bytes") if after[kind] > before[kind]}
    assert left == {}, "the test left device memory behind"
