# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy over the engine, its bindings and tests, and the host's libraries, with the checks of .clang-tidy.

python tools/lint_native.py [files that changed]

The files of a folder are read as one, as the build compiles them: most of the time goes into headers that they share. Files that are
compiled by themselves are read by themselves. With arguments, only the folders of those files.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nanobind

ROOT = Path(__file__).resolve().parent.parent
TIDY = Path(sys.executable).parent / "clang-tidy"
INCLUDED = ("engine", "device/include", "host/include")
ALONE = ("engine/tests", "host/src")  # each file of these is a program or library, or a part of one
FLAGS = ("-std=gnu++20", "-Wno-unknown-pragmas")
LEVEL = ("-DACLIMB_LEVEL=scalar", "-DACLIMB_LEVEL_scalar=1")  # of *.level.cpp


def generated() -> Path:
    """What the last build of the module wrote for the compiler."""
    return max((ROOT / "build").glob("cp*/generated"), key=lambda path: path.stat().st_mtime)


def units(folders: set[Path]) -> Iterator[list[Path]]:
    """The files that one run of clang-tidy reads."""
    for folder in sorted(folders):
        together = []
        for path in sorted((ROOT / folder).glob("*.cpp")):
            if path.name.endswith(".level.cpp") or str(folder) in ALONE:
                yield [path]
            else:
                together.append(path)
        if together:
            yield together


def lint(files: list[Path]) -> str:
    """What clang-tidy says, without the lines that say how much it left out."""
    systems = (nanobind.include_dir(), sysconfig.get_path("include"))
    flags = [*FLAGS, *(LEVEL if files[0].name.endswith(".level.cpp") else ())]
    flags += [*(f"-I{ROOT / name}" for name in INCLUDED), f"-I{generated()}", *(word for name in systems for word in ("-isystem", name))]
    with tempfile.NamedTemporaryFile("w", suffix=".cpp", dir=ROOT / "build") as unit:
        unit.write("".join(f'#include "{file}"\n' for file in files))
        unit.flush()
        command = [TIDY, "--quiet", f"--config-file={ROOT / '.clang-tidy'}", unit.name, "--", *flags]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        return re.sub(rf"^{re.escape(str(ROOT))}/", "", done.stdout or done.stderr, flags=re.MULTILINE)
    return ""


def main() -> int:
    sources = {path.relative_to(ROOT) for folder in ("engine", "host/src") for path in (ROOT / folder).rglob("*.cpp")}
    folders = {Path(name).parent for name in sys.argv[1:]} or {source.parent for source in sources}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = [text for text in pool.map(lint, units(folders)) if text]
    for text in found:
        print(text)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
