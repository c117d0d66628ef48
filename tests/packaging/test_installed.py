# SPDX-License-Identifier: Apache-2.0
"""The wheel, installed away from the checkout: it builds and runs a kernel, with the system's compiler and without one."""

from __future__ import annotations

import importlib.metadata
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from installing import ROOT, new_environment, run

import aclimb

HERE = Path(__file__).parent


def test_the_version_is_one_number_everywhere() -> None:
    assert importlib.metadata.version("aclimb") == aclimb.__version__
    assert run(sys.executable, "-m", "aclimb", "--version").split()[-1] == aclimb.__version__


def test_the_package_says_that_it_is_typed() -> None:
    assert (Path(aclimb.__file__).parent / "py.typed").is_file()


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # ninja may be the environment's
    options = ["--no-deps", "--no-build-isolation", "-C", f"build-dir={folder / 'build'}", "-w", folder]
    run(sys.executable, "-m", "pip", "wheel", "-q", *options, ROOT, env={**os.environ, "PATH": path}, timeout=1500)
    return next(folder.glob("aclimb-*.whl"))


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return new_environment(tmp_path_factory.mktemp("venv") / "v", wheel)


def use(installed: Path, tmp_path: Path, path: str) -> dict[str, Any]:
    """Runs use.py away from the checkout, with an empty cache and nothing of ours in the environment."""
    kernel, program = tmp_path / "kernel.cpp", tmp_path / "use.py"
    for each in (kernel, program):
        each.write_text((HERE / each.name).read_text())
    environment = {"PATH": path, "HOME": str(tmp_path), "ACLIMB_CACHE_DIR": str(tmp_path / "cache")}
    return dict(json.loads(run(installed / "python", program, kernel, cwd=tmp_path, env=environment)))


@pytest.mark.slow
def test_the_wheel_has_engine_headers_chips_and_types_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert any(name.startswith("aclimb/_engine.") and name.endswith(".so") for name in names)
    report = ("aclimb/report/html/page.html", "aclimb/report/html/style.css", "aclimb/report/html/main.js")
    for wanted in (
        "aclimb/py.typed",
        "aclimb/_engine.pyi",
        "aclimb/include/kernel_operator.h",
        "aclimb/chips/support.toml",
        "acl/__init__.py",
        *report,
    ):
        assert wanted in names
    assert {name.split("/")[0] for name in names} == {"acl", "aclimb", "aclimb_pytest", f"aclimb-{aclimb.__version__}.dist-info"}


@pytest.mark.slow
def test_the_wheel_builds_and_runs_a_kernel_away_from_the_checkout(installed: Path, tmp_path: Path) -> None:
    found = use(installed, tmp_path, os.environ["PATH"])
    folder = str(installed.parent)
    assert found["package"].startswith(folder)
    assert found["headers"].startswith(folder)
    assert found["right"]


@pytest.mark.slow
def test_the_installed_command_knows_its_version_and_builds(installed: Path, tmp_path: Path) -> None:
    assert run(installed / "aclimb", "--version", cwd=tmp_path).split()[-1] == aclimb.__version__
    kernel = tmp_path / "kernel.cpp"
    kernel.write_text((HERE / "kernel.cpp").read_text())
    run(installed / "aclimb", "build", kernel, cwd=tmp_path)
    assert (tmp_path / "kernel.o").is_file()
    assert (tmp_path / "kernel.json").is_file()


@pytest.mark.slow
def test_a_machine_without_a_compiler_builds_and_runs_a_kernel_with_ziglang(installed: Path, tmp_path: Path) -> None:
    got = subprocess.run([installed / "python", "-m", "pip", "install", "-q", "ziglang"], capture_output=True, timeout=600, check=False)
    has_it = subprocess.run([installed / "python", "-c", "import ziglang"], capture_output=True, check=False).returncode == 0
    if not has_it:
        pytest.skip(f"ziglang cannot be installed here: {got.stderr.decode().strip().splitlines()[-1:]}")
    bare = tmp_path / "bin"
    bare.mkdir()
    found = use(installed, tmp_path, str(bare))
    assert (found["compiler"], found["right"]) == ("zig", True)
