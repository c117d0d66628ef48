# SPDX-License-Identifier: Apache-2.0
"""The same projects by the other doors: CMake with the files that a generated project has, and `aclimb try`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import generated_references
import pytest
from generated_calls import CALLS, HEADERS, HERE, PROJECTS, WORDS, compare_all

from aclimb.binary import KernelBinary
from aclimb.host.prefix import prefix
from aclimb.op.native.package import Package

PackageOf = Callable[..., Package]
CMAKE = HERE / "cmake_form"
CHIPS = ("Ascend910B1", "Ascend910_9392")


def call(*command: str | Path, cwd: Path, codes: tuple[int, ...] = (0,), **environment: str) -> str:
    """What it prints; the test fails with that where it ends otherwise."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, cwd=cwd, env={**os.environ, **environment},
                          timeout=1800)  # fmt: skip
    assert done.returncode in codes, done.stdout + done.stderr
    return done.stdout


def kernels(package: Package) -> dict[str, list[Any]]:
    """What the binaries of each operator hold."""
    with package.load() as library:
        found = {each.type: [KernelBinary.read(path).kernels for path in package.binaries(each)] for each in library}
    return {name: sorted([(k.name, k.tiling_keys, k.signature) for k in each] for each in made) for name, made in found.items()}


# --- CMake


def with_cmake(name: str, folder: Path) -> Package:
    project = Path(shutil.copytree(PROJECTS / name, folder / name))
    for form in (CMAKE / "common", CMAKE / name):
        if form.is_dir():
            shutil.copytree(form, project, dirs_exist_ok=True)
    call("cmake", "--preset", "default", f"-DHEADERS={HEADERS / 'three'}", cwd=project, ASCEND_HOME_PATH=str(prefix()))
    call("cmake", "--build", "build_out", "--target", "binary", cwd=project)
    return Package(project / "build_out" / "vendors" / "generated")


def compare_with_cmake(name: str, folder: Path, package_of: PackageOf, monkeypatch: pytest.MonkeyPatch) -> None:
    made = with_cmake(name, folder)
    for chip in CHIPS:
        monkeypatch.setenv("ACLIMB_SOC", chip)
        compare_all(made.root, name)
    assert kernels(made) == kernels(package_of(PROJECTS / name, WORDS.get(name, ())))


@pytest.mark.requirement("cpp-40")
@pytest.mark.parametrize("name", ["by_options", "renamed"])
def test_cmake_builds_the_same_kernels(name: str, tmp_path: Path, package_of: PackageOf, monkeypatch: pytest.MonkeyPatch) -> None:
    compare_with_cmake(name, tmp_path, package_of, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("name", [each for each in CALLS if each not in ("by_options", "renamed")])
def test_cmake_builds_the_same_kernels_of_every_project(
    name: str, tmp_path: Path, package_of: PackageOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    compare_with_cmake(name, tmp_path, package_of, monkeypatch)


# --- aclimb try


def checked(name: str, target: Path) -> None:
    """A copy with the references as its check.py."""
    shutil.copytree(PROJECTS / name, target)
    text = Path(generated_references.__file__).read_text()
    shape = (32, 32) if name == "mixed_product" else (8, 16)  # a product's sides go together; one byte is the length of a tile of Pick
    (target / "check.py").write_text(f"{text}\nSHAPES = [{shape}]\n")


def tried(folder: Path, *words: str) -> dict[str, tuple[str, str]]:
    """The result of each project, and why."""
    said = json.loads(call(sys.executable, "-m", "aclimb", "try", folder, "--json", *words, cwd=folder.parent, codes=(0, 1)))
    if said["logs"]:
        shutil.rmtree(Path(said["logs"]).parent)
    assert {row["kind"] for row in said["rows"]} == {"operator project"}
    return {row["name"]: (row["result"], row["reason"]) for row in said["rows"]}


def test_try_checks_a_project_and_says_when_it_is_wrong(tmp_path: Path) -> None:
    folder = tmp_path / "samples"
    checked("by_options", folder / "good")
    checked("by_options", folder / "bad")
    with (folder / "bad" / "check.py").open("a") as file:
        file.write("grow_plain = grow_by_option\n")
    found = tried(folder, "-j", "2")
    assert found["good"] == ("passes", "")
    assert found["bad"][0] == "wrong"
    assert "[8, 16] float32: launch output 0: 128 of 128 elements differ, the first at [0, 0]" in found["bad"][1]


@pytest.mark.slow
def test_try_passes_every_project_with_a_check_and_builds_those_without(tmp_path: Path) -> None:
    folder = tmp_path / "samples"
    for name in CALLS:
        checked(name, folder / "checked" / name)
        shutil.copytree(PROJECTS / name, folder / "plain" / name)
    wanted = {f"checked/{name}": ("passes", "") for name in CALLS}
    wanted |= {f"plain/{name}": ("builds", "there is no check.py to compare with") for name in CALLS}
    wanted["checked/from_words"] = wanted["plain/from_words"] = ("needs", "the header gain_table.h is not there")
    assert tried(folder, "-j", "2") == wanted
