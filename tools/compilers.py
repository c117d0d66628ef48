# SPDX-License-Identifier: Apache-2.0
"""What builds the engine: the machine's C++ compiler, else the zig of the ziglang wheel. For setup_env.py and build_backend.py."""

from __future__ import annotations

import contextlib
import os
import platform
import shutil
import sysconfig
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NAMES = ("g++", "clang++", "c++")
GLIBC = "2.28"  # the oldest that zig builds for: memfd_create came with 2.27, and manylinux_2_28 is the tag behind it


def has_compiler() -> bool:
    chosen = os.environ.get("CXX", "").split()
    return any(shutil.which(name) for name in (*chosen[:1], *NAMES))


def requirements() -> list[str]:
    """The `compiler` extra of the package."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return list(project["optional-dependencies"]["compiler"])


def target() -> str:
    """Named in full, so that zig takes neither the newest instructions of this machine nor its newest glibc."""
    musl = "musl" in (sysconfig.get_config_var("HOST_GNU_TYPE") or "")
    return f"{platform.machine()}-linux-{'musl' if musl else f'gnu.{GLIBC}'}"


@contextlib.contextmanager
def zig() -> Iterator[None]:
    """Inside, CMake finds zig as its compiler. The ziglang wheel has to be installed."""
    import ziglang

    wrappers, executable = ROOT / "tools" / "zig", Path(ziglang.__file__).parent / "zig"
    tools = f"-DCMAKE_AR={wrappers / 'ar'} -DCMAKE_RANLIB={wrappers / 'ranlib'}"
    wanted = {
        "CC": str(wrappers / "cc"),
        "CXX": str(wrappers / "c++"),
        "ACLIMB_ZIG": str(executable),
        "ACLIMB_ZIG_TARGET": target(),
        "CMAKE_ARGS": f"{os.environ.get('CMAKE_ARGS', '')} {tools}".strip(),
    }
    before = {name: os.environ.get(name) for name in wanted}
    os.environ.update(wanted)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})
