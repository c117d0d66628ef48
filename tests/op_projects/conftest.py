# SPDX-License-Identifier: Apache-2.0
"""Operator projects as packages, built once for all processes of a session; and the two chips that they run on."""

from __future__ import annotations

import fcntl
import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from aclimb.host.op_package import build_project
from aclimb.op.native.package import Package

PackageOf = Callable[..., Package]


@pytest.fixture(scope="session")
def package_of(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> PackageOf:
    """package_of(folder, words) is that project as a package. `words` are those of the command line."""
    base = tmp_path_factory.getbasetemp()
    # Not by the environment: a session that a test starts has its worker's, and would keep packages for sessions with other headers.
    shared = base.parent if hasattr(request.config, "workerinput") else base

    def make(project: Path, words: Sequence[str] = ()) -> Package:
        key = hashlib.sha256(" ".join(words).encode()).hexdigest()[:8] if words else "plain"
        folder = shared / f"generated-{project.name}-{key}"
        folder.mkdir(exist_ok=True)
        with (folder / "lock").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            if not (folder / "done").exists():
                build_project(project, folder / "package", words)
                (folder / "done").touch()
        return Package(folder / "package")

    return make


@pytest.fixture(params=["Ascend910B1", "Ascend910_9392"])
def chip(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """An A2 and an A3, in use until the test ends."""
    monkeypatch.setenv("ACLIMB_SOC", request.param)
    return str(request.param)


@pytest.fixture
def an_a3(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("ACLIMB_SOC", "Ascend910_9392")
    return "Ascend910_9392"
