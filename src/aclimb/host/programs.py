# SPDX-License-Identifier: Apache-2.0
"""What `aclimb run` and `aclimb profile` are given: a Python program, a C or C++ source, or an executable."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

from aclimb import knobs
from aclimb.errors import InvalidArgument
from aclimb.host import places

SOURCES = (".asc", ".c", ".cc", ".cpp", ".cxx")
_ELF = b"\x7fELF"
_OURS = b"\0aclimb_start\0"  # among the names that it exports


def is_native(program: Path) -> bool:
    """Whether it is not Python's to run."""
    return program.suffix in SOURCES or _reads(program)[:4] == _ELF


def executable_of(program: Path) -> Path:
    """The program itself, or what is built of a source."""
    if program.suffix not in SOURCES:
        return program
    from aclimb.host.link import build_executable

    return build_executable(program)


def run(program: Path, arguments: list[str], at_end: Callable[[int], int] | None = None) -> None:
    """Does not come back. `at_end(status)`, where the program is loaded here, is called when it exits."""
    executable = executable_of(program)
    if _OURS not in _reads(executable):
        _become(executable, arguments, at_end)
    from aclimb.host import hosted

    hosted.run(executable, [str(executable), *arguments], at_end)


def _become(executable: Path, arguments: list[str], at_end: Callable[[int], int] | None) -> None:
    """It takes the place of this process, and Python comes back into it with the first call of acl."""
    if at_end is not None:
        raise InvalidArgument(f"{executable} was linked without aclimb, which cannot look into it; link it with `aclimb build`")
    folders = [os.environ.get("LD_LIBRARY_PATH", ""), str(places.library().parent)]
    environment = {**os.environ, knobs.python.variable: sys.executable, "LD_LIBRARY_PATH": ":".join(filter(None, folders))}
    sys.stdout.flush()
    os.execve(executable.absolute(), [str(executable), *arguments], environment)


def _reads(program: Path) -> bytes:
    try:
        return program.read_bytes()
    except OSError:
        return b""
