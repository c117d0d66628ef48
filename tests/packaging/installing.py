# SPDX-License-Identifier: Apache-2.0
"""What the tests of the package do again and again: a command, a new environment, a PATH without a compiler."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
_COMPILER = re.compile(r"(^|-)(cc|c\+\+|gcc|g\+\+|clang|clang\+\+)(-\d+)?$")


def run(*command: object, cwd: Path | None = None, env: dict[str, str] | None = None, timeout: int = 300) -> str:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, cwd=cwd, env=env, timeout=timeout, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def new_environment(folder: Path, wheel: Path) -> Path:
    """The bin folder of a new environment with the wheel in it. Its dependencies are those of this interpreter."""
    run(sys.executable, "-m", "venv", folder)
    site = Path(run(folder / "bin" / "python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    here = [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]
    (site / "dependencies.pth").write_text("\n".join(here) + "\n")
    run(folder / "bin" / "python", "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--ignore-installed", wheel)
    return folder / "bin"


def path_without_compilers(folder: Path) -> str:
    """A PATH with what this machine's has, but for what compiles C and C++."""
    folder.mkdir()
    for place in [Path(sys.executable).parent, *map(Path, os.environ["PATH"].split(os.pathsep))]:
        for program in sorted(place.iterdir()) if place.is_dir() else []:
            link = folder / program.name
            if not _COMPILER.search(program.name) and not link.is_symlink():
                link.symlink_to(program)
    return str(folder)
