# SPDX-License-Identifier: Apache-2.0
"""Objects -> a program or a shared library.

An executable is a shared object that the system can start: libascendcl, which it is linked to, replaces the process by Python before the
program's own code runs, and Python loads the same file (host/src/start.c).
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from aclimb.binary.container import replace_file
from aclimb.compile import diagnostics, open_cache, toolchain
from aclimb.compile.toolchain import Toolchain
from aclimb.errors import CompileError, Diagnostic
from aclimb.host.prefix import prefix

Kind = Literal["executable", "shared"]
_MISSING = re.compile(r"undefined (?:reference to|symbol:?) [`']?([^'`\n]+?)'?$", re.MULTILINE)
# Also where the program calls nothing of it, because it starts Python.
_LIBRARY = ["-Wl,--no-as-needed", "-lascendcl"]
_OF_PYTHON = re.compile(r"_?Py[A-Z_]")
_FIXED = re.compile(r"(\S+?\.o)\)?:.*relocation \S+ .*-fPIC")
_IN_SOURCE = r"^(?:\S*ld: )?(?:\S+: )?(\S+?):(\d+): undefined reference to [`']{}'"


def executable_flags(folder: Path) -> list[str]:
    """Behind the objects, for the compiler that links. The folder has libascendcl.so and aclimb_start.o.

    The program's own functions come before those of the same name in Python (-Bsymbolic), and one that is missing is an error of the
    link, not of the run (-z defs).
    """
    return [str(folder / "aclimb_start.o"), "-Wl,-e,aclimb_start", *library_flags(folder)]


def library_flags(folder: Path) -> list[str]:
    return ["-shared", "-fPIC", "-Wl,-Bsymbolic", "-Wl,-z,defs", f"-L{folder}", f"-Wl,-rpath,{folder}", "-pthread"]


def link_program(objects: Sequence[str | Path], output: Path, kind: Kind, flags: Sequence[str] = ()) -> None:
    """Writes `output`. Raises CompileError; a name that nobody defines is one. `flags`: -L, -l and -Wl, as they were given."""
    tools, folder = toolchain.find(), prefix() / "lib64"
    own = executable_flags(folder) if kind == "executable" else library_flags(folder)
    # Objects first, then libraries, whatever the order of the command: --as-needed would lose what stands before its user.
    command = [*tools.compiler(), *tools.host_flags(), *map(str, objects), *own, *flags, *_LIBRARY]
    output.parent.mkdir(parents=True, exist_ok=True)
    cache, key = open_cache(), _key(tools, command, objects, flags)
    found = cache.find(key) if key else None
    if found is None:
        found = _link(command, tools, output, kind == "shared")
        if key:
            cache.keep(key, [], found)
    replace_file(output, found)
    output.chmod(0o755)


def _link(command: list[str], tools: Toolchain, output: Path, is_library: bool) -> bytes:
    with tempfile.TemporaryDirectory(prefix="aclimb-link-") as working:
        made = Path(working) / output.name
        environment = tools.environment(None)
        answer = _call([*command, "-o", str(made)], environment)
        if answer.returncode != 0 and is_library and not _missing(answer.stderr, is_library) and _MISSING.search(answer.stderr):
            answer = _call([*command, "-Wl,-z,undefs", "-o", str(made)], environment)
        if answer.returncode != 0:
            raise _error(answer.stderr, output, is_library)
        return made.read_bytes()


def _call(command: list[str], environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, errors="replace", env=environment)


def _missing(output: str, is_library: bool) -> list[str]:
    """What a library misses of Python is no matter: it is a module, and the interpreter that loads it has that."""
    return [name for name in dict.fromkeys(_MISSING.findall(output)) if not (is_library and _OF_PYTHON.match(name))]


def _key(tools: Toolchain, command: list[str], objects: Sequence[str | Path], flags: Sequence[str]) -> str:
    """None for what depends on libraries, which may change under the same name."""
    if flags or any(Path(each).suffix != ".o" for each in objects):
        return ""
    contents = [hashlib.sha256(Path(each).read_bytes()).hexdigest() for each in objects]
    words = [word for word in command if word not in map(str, objects)]
    return hashlib.sha256("\0".join(["link", tools.identity, *words, *contents]).encode()).hexdigest()[:40]


def _error(output: str, program: Path, is_library: bool) -> CompileError:
    fixed = _FIXED.search(output)
    if fixed:
        return CompileError(
            f"{program.name} does not link: {fixed[1]} was compiled without -fPIC, and Python loads a program as it loads a library;"
            " compile it with -fPIC, or with the command that links"
        )
    missing = _missing(output, is_library)
    if not missing:
        return CompileError(f"{program.name} does not link: {output.strip()[-1500:]}")
    if missing == ["main"]:
        return CompileError(f"{program.name} does not link: it has no main function; give a source that has one, or make a library")
    found = []
    for name in missing:
        places = re.findall(_IN_SOURCE.format(re.escape(name)), output, re.MULTILINE) or [("", "0")]
        text = f"{name} is used and nobody defines it; give the source or the library that does"
        found += [Diagnostic(file, int(line), 0, "error", text) for file, line in dict.fromkeys(places)]
    shown = "\n".join(diagnostics.render(each) if each.file else f"error: {each.text}" for each in found[: diagnostics.MOST_ERRORS])
    return CompileError(f"{program.name} does not link\n{shown}", found)
