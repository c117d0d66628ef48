# SPDX-License-Identifier: Apache-2.0
"""Whole programs: what `aclimb build`, `aclimb run` and `aclimb profile` do with C and C++ sources and with executables."""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from aclimb import knobs
from aclimb.compile import open_cache
from aclimb.compile.tokens import TOKEN
from aclimb.errors import InvalidArgument

SOURCES = (".asc", ".c", ".cc", ".cpp", ".cxx")
_ELF = b"\x7fELF"
_OURS = b"\0aclimb_start\0"  # among the names that it exports
_MAIN = re.compile(r"\bmain\s*\(")


# --- build


def is_program(sources: Sequence[Path], output: Path | None) -> bool:
    """An operator binary is asked for by its suffix, or because there is nothing to run."""
    if output is not None and output.suffix in (".o", ".so"):
        return output.suffix == ".so"
    files = [path for path in sources if path.is_file()]
    return any(path.suffix not in SOURCES or has_main(path) for path in files)  # an object may have a main


def has_main(source: Path) -> bool:
    """Whether the text, without its comments and strings, defines main: `int main(`."""
    if source.suffix not in SOURCES:
        return False
    text = source.read_text(errors="replace")
    if not _MAIN.search(text):
        return False
    words = [match[0] for match in TOKEN.finditer(text) if match.lastgroup in ("name", "mark")]
    return any(words[at - 1] in ("int", "auto") and words[at + 1] == "(" for at, word in enumerate(words[:-1]) if word == "main" and at)


def build(words: Sequence[str], output: Path) -> Path:
    """As the compiler would with these words. Raises what went wrong."""
    from aclimb.host import driver

    driver.run([*words, "-o", str(output)])
    return output


# --- run


def is_native(program: Path) -> bool:
    """Whether it is not Python's to run."""
    return program.suffix in SOURCES or _reads(program)[:4] == _ELF


def executable_of(program: Path, options: Sequence[str] = ()) -> Path:
    """The program itself, or what is built of a source; that lies in the cache."""
    if program.suffix not in SOURCES:
        return program
    key = hashlib.sha256("\0".join([str(program.resolve()), *options]).encode()).hexdigest()[:16]
    return build([str(program), *options], open_cache().folder / "programs" / key / program.stem)


def can_host(executable: Path) -> bool:
    """Whether it was linked with aclimb, so that its main can run in this process; another has to take its place."""
    return _OURS in _reads(executable)


def run(program: Path, arguments: list[str], at_end: Callable[[int], int] | None = None, options: Sequence[str] = ()) -> None:
    """Does not come back. `at_end(status)`, where the program is loaded here, is called when it exits."""
    executable = executable_of(program, options)
    if not can_host(executable):
        _become(executable, arguments, at_end)
    from aclimb.host import hosted

    hosted.run(executable, [str(executable), *arguments], at_end)


def _become(executable: Path, arguments: list[str], at_end: Callable[[int], int] | None) -> None:
    """It takes the place of this process, and Python comes back into it with the first call of acl."""
    if at_end is not None:
        raise InvalidArgument(f"{executable} was linked without aclimb, which cannot look into it; link it with `aclimb build`")
    from aclimb.host.prefix import prefix

    folders = [os.environ.get("LD_LIBRARY_PATH", ""), str(prefix() / "lib64")]
    environment = {**os.environ, knobs.python.variable: sys.executable, "LD_LIBRARY_PATH": ":".join(filter(None, folders))}
    sys.stdout.flush()
    os.execve(executable.absolute(), [str(executable), *arguments], environment)


def _reads(program: Path) -> bytes:
    try:
        return program.read_bytes()
    except OSError:
        return b""
