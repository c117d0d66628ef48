# SPDX-License-Identifier: Apache-2.0
"""Objects -> a program or a shared library.

An executable is a shared object that the system can start: libascendcl, which it is linked to, replaces the process by
Python before the program's own code runs, and Python loads the same file (host/src/start.c).
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from aclimb.compile import diagnostics, toolchain
from aclimb.compile.cache import open_cache
from aclimb.compile.toolchain import Toolchain
from aclimb.errors import CompileError, Diagnostic
from aclimb.host import places

Kind = Literal["executable", "shared"]
_MISSING = re.compile(r"undefined (?:reference to|symbol:?) [`']?([^'`\n]+?)'?$", re.MULTILINE)
_IN_SOURCE = r"^(?:\S*ld: )?(?:\S+: )?(\S+?):(\d+): undefined reference to [`']{}'"


@dataclass(frozen=True, slots=True)
class LinkOptions:  # driver, aclimb run -> compile/
    """What comes behind the objects: -L, -l, archives, -Wl, in their order."""

    flags: tuple[str, ...] = ()


def link_program(objects: Sequence[Path], output: Path, kind: Kind, options: LinkOptions) -> None:
    """Writes `output`. Raises CompileError; a name that nobody defines is one."""
    tools = toolchain.find()
    library = places.library()
    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="aclimb-link-") as folder:
        working = Path(folder)
        starts = [str(_start_object(tools, working))] if kind == "executable" else []
        # -Bsymbolic: Python has symbols of its own, which would take the place of the user's.
        own = ["-Wl,-Bsymbolic", "-Wl,-z,defs", f"-Wl,-rpath,{library.parent}", *(["-Wl,-e,aclimb_start"] if starts else [])]
        command = [*tools.compiler(), *tools.host_flags(), "-shared", "-fPIC", "-o", str(output), *map(str, objects), *starts]
        answer = _call([*command, *own, *options.flags, str(library), "-pthread"], tools)
    if answer.returncode != 0:
        output.unlink(missing_ok=True)
        raise _error(answer.stderr, output)


def _start_object(tools: Toolchain, working: Path) -> Path:
    """start.c, compiled once for each compiler."""
    source = places.host_dir() / "src" / "start.c"
    cache, compiled = open_cache(), working / "start.o"
    key = toolchain.content_key("start", tools.identity, source.read_text())
    found = cache.find(key)
    if found is None:
        command = [*tools.compiler(), *tools.host_flags(), "-O1", "-fPIC", "-x", "c", "-c", str(source), "-o", str(compiled)]
        answer = _call(command, tools)
        assert answer.returncode == 0, answer.stderr
        cache.keep(key, [], compiled.read_bytes())
    else:
        compiled.write_bytes(found)
    return compiled


def _call(command: list[str], tools: Toolchain) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, errors="replace", env=tools.environment(None))


def _error(output: str, program: Path) -> CompileError:
    missing = list(dict.fromkeys(_MISSING.findall(output)))
    if not missing:
        return CompileError(f"{program.name} does not link: {output.strip()[-1500:]}")
    if missing == ["main"]:
        return CompileError(f"{program.name} does not link: it has no main function; give a source that has one, or make a library")
    found = []
    for name in missing:
        places_ = re.findall(_IN_SOURCE.format(re.escape(name)), output, re.MULTILINE) or [("", "0")]
        text = f"{name} is used and nobody defines it; give the source or the library that does"
        found += [Diagnostic(file, int(line), 0, "error", text) for file, line in dict.fromkeys(places_)]
    shown = "\n".join(diagnostics.render(each) if each.file else f"error: {each.text}" for each in found[: diagnostics.MOST_ERRORS])
    return CompileError(f"{program.name} does not link\n{shown}", found)
