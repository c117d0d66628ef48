# SPDX-License-Identifier: Apache-2.0
"""The one place that knows how an executable is linked, and a plain source built into one."""

from __future__ import annotations

import hashlib
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from aclimb import knobs
from aclimb.compile import toolchain
from aclimb.errors import CompileError
from aclimb.host import places
from aclimb.host.python_file import ensure_python_file

# A shared object that can be started, so that Python can load what the user starts. Its own functions come before those of the same
# name in Python (-Bsymbolic), and one that is missing is an error of the link, not of the run (-z defs).
_EXECUTABLE = ["-shared", "-Wl,-e,aclimb_start", "-Wl,-Bsymbolic", "-Wl,-z,defs"]
# zig's own defaults: the host's newest instructions, and traps for undefined behaviour.
_OF_ZIG = ["-mcpu=baseline", "-fno-sanitize=all"]


def compile_flags() -> list[str]:
    """What every object of an executable needs."""
    return ["-fPIC", f"-I{places.host_dir() / 'include'}"]


def executable_flags(library_folder: Path | None = None) -> list[str]:
    """For the compiler that links, behind its objects. The folder has libascendcl.so and aclimb_start.o; without one, the package's."""
    folder = library_folder or places.library().parent
    ensure_python_file(folder)
    return [*_EXECUTABLE, str(folder / "aclimb_start.o"), f"-L{folder}", f"-Wl,-rpath,{folder}", "-lascendcl"]


def build_executable(source: Path, options: Sequence[str] = ()) -> Path:
    """Compiles and links one source; the executable lies in the cache. THE CALL SITE of `aclimb run program.cpp`: sources with kernels
    are split before."""
    found = toolchain.find()
    key = hashlib.sha256("\0".join([str(source.resolve()), found.identity, *options]).encode()).hexdigest()[:16]
    target = knobs.cache_dir() / "programs" / key / source.stem
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f"{target.name}.{os.getpid()}")  # the one that is there may be running
    command = [*_compiler(found, source), *compile_flags(), *options, str(source), "-x", "none", *executable_flags(), "-o", str(temporary)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise CompileError(f"{source} cannot be built:\n{done.stderr.strip()}")
    return temporary.replace(target)


def _compiler(found: toolchain.Toolchain, source: Path) -> list[str]:
    """For C, zig's other command: it would bring along its C++ library."""
    is_c = source.suffix == ".c"
    command = [found.path, "cc"] if found.kind == "zig" and is_c else found.compiler()
    return [*command, *(_OF_ZIG if found.kind == "zig" else []), "-x", "c" if is_c else "c++"]
