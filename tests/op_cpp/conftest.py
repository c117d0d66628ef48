# SPDX-License-Identifier: Apache-2.0
"""Libraries of operators, built once for the same sources, headers and flags, and kept for the next session."""

from __future__ import annotations

import gc
import hashlib
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import aclimb
from aclimb import Kernel, op
from aclimb.compile import toolchain
from aclimb.compile.headers import headers_hash

HERE = Path(__file__).parent
HEADERS = HERE.parents[1] / "host" / "include"
KERNELS = HERE.parent / "op" / "kernels"
WARNINGS = ("-Wall", "-Wextra", "-Werror")
Build = Callable[..., Path]


@cache
def built(sources: tuple[Path, ...], flags: tuple[str, ...]) -> Path:
    """The library made of the sources. Another process that builds the same makes the same file."""
    compiler = toolchain.find()
    digest = hashlib.sha256(f"{compiler.identity} {flags} {headers_hash(HEADERS)}".encode())
    for source in sources:
        digest.update(source.name.encode() + source.read_bytes())
    folder = Path(tempfile.gettempdir()) / f"aclimb-op-cpp-{os.getuid()}"
    folder.mkdir(exist_ok=True)
    made = folder / f"{sources[0].stem}-{digest.hexdigest()[:16]}.so"
    failed = made.with_suffix(".failed")
    assert not failed.exists(), failed.read_text()  # not once more for each test
    if not made.exists():
        part = made.with_suffix(f".{os.getpid()}")
        command = [*compiler.compiler(), "-shared", "-fPIC", "-O1", "-g1", *flags, "-I", str(HEADERS), *map(str, sources), "-o", str(part)]
        answer = subprocess.run(command, capture_output=True, text=True, env=compiler.environment(folder))
        if answer.returncode:
            failed.write_text(answer.stderr)
            raise AssertionError(answer.stderr)
        part.replace(made)
    return made


@pytest.fixture(scope="session")
def build() -> Build:
    """build("values.cpp", ..., std=17) is the library of sources in the folder `sources`, or of paths."""

    def make(*sources: str | Path, flags: tuple[str, ...] = WARNINGS, std: int = 11) -> Path:
        return built(tuple(HERE / "sources" / each for each in sources), (f"-std=c++{std}", *flags))

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
