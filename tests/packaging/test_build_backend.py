# SPDX-License-Identifier: Apache-2.0
"""What pip is told about building: zig where the machine has no compiler, the machine's own where it has one."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from installing import ROOT, path_without_compilers, run

ASK = """
import json, os, sys
import build_backend
from scikit_build_core import build

def pretend(folder, settings, metadata):
    names = ("CC", "CXX", "ACLIMB_ZIG", "ACLIMB_ZIG_TARGET", "CMAKE_ARGS")
    return {"settings": settings, **{name: os.environ.get(name) for name in names}}

build.build_wheel = build.build_editable = pretend
build.prepare_metadata_for_build_wheel = build.prepare_metadata_for_build_editable = lambda folder, settings: settings
settings = json.loads(sys.argv[1])
print(json.dumps({
    "wheel needs": build_backend.get_requires_for_build_wheel(settings),
    "editable needs": build_backend.get_requires_for_build_editable(settings),
    "wheel": build_backend.build_wheel("dist", settings),
    "editable": build_backend.build_editable("dist", settings),
    "wheel metadata": build_backend.prepare_metadata_for_build_wheel("", settings),
    "editable metadata": build_backend.prepare_metadata_for_build_editable("", settings),
    "after": pretend("", {}, None),
}))
"""


def ask(path: str, settings: dict[str, Any] | None = None, **environment: str) -> dict[str, Any]:
    """The answers of the back end on a machine with that PATH."""
    settled = {name: value for name, value in os.environ.items() if name not in ("CC", "CXX", "CMAKE_ARGS")}
    settled |= {"PATH": path, "PYTHONPATH": str(ROOT / "tools"), **environment}
    answer: dict[str, Any] = json.loads(run(sys.executable, "-c", ASK, json.dumps(settings or {}), cwd=ROOT, env=settled))
    return answer


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> str:
    return path_without_compilers(tmp_path_factory.mktemp("bare") / "bin")


def uses_zig(answer: dict[str, Any]) -> bool:
    """Everything about a build says the same."""
    zig = [any(need.startswith("ziglang") for need in answer[f"{kind} needs"]) for kind in ("wheel", "editable")]
    zig += [answer[kind]["ACLIMB_ZIG"] is not None for kind in ("wheel", "editable")]
    assert len(set(zig)) == 1, answer
    return zig[0]


def test_without_a_compiler_pip_gets_ziglang_and_cmake_uses_it(bare: str) -> None:
    answer = ask(bare)
    assert uses_zig(answer)
    made = answer["wheel"]
    assert (Path(made["CC"]), Path(made["CXX"])) == (ROOT / "tools" / "zig" / "cc", ROOT / "tools" / "zig" / "c++")
    assert "-linux-" in made["ACLIMB_ZIG_TARGET"]
    assert made["CMAKE_ARGS"] == f"-DCMAKE_AR={ROOT}/tools/zig/ar -DCMAKE_RANLIB={ROOT}/tools/zig/ranlib"
    assert answer["after"] == {"settings": {}, **dict.fromkeys(("CC", "CXX", "ACLIMB_ZIG", "ACLIMB_ZIG_TARGET", "CMAKE_ARGS"))}


def test_a_compiler_of_the_machine_is_used(bare: str, tmp_path: Path) -> None:
    compiler = tmp_path / "g++"
    compiler.write_text("#!/bin/sh\n")
    compiler.chmod(0o755)
    assert not uses_zig(ask(f"{bare}{os.pathsep}{tmp_path}"))
    assert not uses_zig(ask(bare, CXX=f"{compiler} -fast"))


def test_zig_can_be_asked_for_and_is_no_setting_of_cmakes(bare: str, tmp_path: Path) -> None:
    (tmp_path / "g++").write_text("#!/bin/sh\n")
    (tmp_path / "g++").chmod(0o755)
    answer = ask(f"{bare}{os.pathsep}{tmp_path}", {"compiler": "zig", "build-dir": "b"}, CMAKE_ARGS="-DX=1")
    assert uses_zig(answer)
    assert answer["wheel"]["settings"] == answer["editable"]["settings"] == {"build-dir": "b"}
    assert answer["wheel metadata"] == answer["editable metadata"] == {"build-dir": "b"}
    assert answer["wheel"]["CMAKE_ARGS"].startswith("-DX=1 -DCMAKE_AR=")
    assert answer["after"]["CMAKE_ARGS"] == "-DX=1"


def test_another_compiler_cannot_be_asked_for_that_way(bare: str) -> None:
    with pytest.raises(AssertionError, match=r"aclimb: -C compiler=icc: it takes zig; for another compiler set CXX"):
        ask(bare, {"compiler": "icc"})
