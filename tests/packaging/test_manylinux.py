# SPDX-License-Identifier: Apache-2.0
"""`make wheel`, on a machine without a compiler: what it makes runs the demo in an environment that has none but the extra's."""

from __future__ import annotations

import os
import platform
import re
import sys
import zipfile
from pathlib import Path

import pytest
from installing import ROOT, path_without_compilers, run

import aclimb

pytestmark = pytest.mark.slow
PLATFORM = f"manylinux_2_28_{platform.machine()}"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    environment = {**os.environ, "PATH": path_without_compilers(folder / "bin"), "DIST": str(folder)}
    run(sys.executable, ROOT / "tools" / "setup_env.py", "wheel", env=environment, timeout=3000)
    return next(folder.glob("*.whl"))


def test_the_wheel_is_for_every_linux_with_that_glibc(wheel: Path) -> None:
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    assert wheel.name.startswith(f"aclimb-{aclimb.__version__}-{python}-{python}-")
    assert PLATFORM in wheel.name
    said = " ".join(run(sys.executable, "-m", "auditwheel", "show", wheel).split())
    needed = re.search(r'is consistent with the following platform tag: "manylinux_2_(\d+)_\w+"', said)
    assert needed, said
    assert int(needed[1]) <= 28


def test_the_wheel_brings_no_library_along(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names} == {"acl", "aclimb", "aclimb_pytest", f"aclimb-{aclimb.__version__}.dist-info"}
    tag = f"{sys.implementation.cache_tag}-{platform.machine()}-linux-gnu"
    modules = [f"aclimb/{name}.{tag}.so" for name in ("_door", "_engine", "_library")]
    stubs = [f"aclimb/host/lib64/{name}.so" for name in ("libascendcl", "libopapi")]
    assert sorted(name for name in names if ".so" in name) == modules + stubs


def test_the_demo_runs_in_a_bare_environment(wheel: Path) -> None:
    said = run(sys.executable, ROOT / "tools" / "setup_env.py", "try_wheel", env={**os.environ, "DIST": str(wheel.parent)}, timeout=1200)
    assert "16384 of 16384 equal to numpy" in said
    assert "Hang: hang at the end of the kernel" in said
