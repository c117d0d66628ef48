# SPDX-License-Identifier: Apache-2.0
"""Which compiler builds kernels, and how it is called: g++, else clang++, else the zig of the ziglang package."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

from aclimb import knobs
from aclimb.binary.container import host_architecture
from aclimb.compile import shelf
from aclimb.errors import CompileError

# One rounding an operation, equal symbols of two kernels never meet, an access through a null pointer is made (and faults), a large
# frame cannot jump the guard page, and every instruction can be traced to its line. No exceptions, no run-time types, no guards: the
# AI Core has none of them, and the image imports nothing.
_FLAGS = [
    "-fPIC",
    "-fvisibility=hidden",
    "-ffp-contract=off",
    "-fno-strict-aliasing",
    "-fwrapv",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-fno-delete-null-pointer-checks",
    "-fstack-clash-protection",
    "-g1",
    "-gdwarf-4",
    "-fno-exceptions",
    "-fno-rtti",
    "-fno-threadsafe-statics",
    "-fno-stack-protector",
    "-fno-asynchronous-unwind-tables",
    "-ffunction-sections",
    "-fdata-sections",
    "-w",
]
# The engine does the work; most kernels are little control flow around it. -O1 without these passes halves the compile time
# of such a kernel, and an instruction costs the same. One that computes much on the scalar unit asks for -O2.
_GCC_FAST = [
    "-fno-var-tracking",
    "-fno-tree-pre",
    "-fno-gcse",
    "-fno-schedule-insns2",
    "-fno-tree-vrp",
    "-fno-tree-vectorize",
    "-fno-tree-pta",
    "-fno-dse",
]
# A record filled field by field and read by the engine as a whole would wait for its own stores; -O2 merges them by itself.
_GCC_WHOLE_STORES = "-fstore-merging"
# Records are about 100 bytes; by itself g++ clears them with `rep stos`, which takes longer than most instructions.
_SHORT_CLEARS = "-mmemset-strategy=vector_loop:512:noalign,libcall:-1:noalign"
# Two calls on two lines end alike. Merged into one, both would be traced to the same line; a call that became a jump, to none.
_GCC_LINES = ["-fno-crossjumping", "-fno-tree-tail-merge", "-fno-ipa-icf", "-fno-optimize-sibling-calls"]
_CLANG_LINES = ["-mllvm", "-enable-tail-merge=false", "-mllvm", "-simplifycfg-sink-common=false", "-fno-optimize-sibling-calls"]
# Kernels are C++17. C++20, here by the name that older compilers know too, lets g++ find ReduceSum<float>(t, ...) by the namespace of
# t, as clang does in C++17.
_GCC_FLAGS = ["-std=c++2a", "-fno-gnu-unique", "-fdiagnostics-color=never", "-fno-diagnostics-show-caret", "-fmax-errors=40"]
# g++ takes out its rubbish at 128 MiB, which a kernel with Matmul objects reaches: a tenth of its time.
_GCC_MEMORY = "--param=ggc-min-heapsize=524288"  # KiB
_CLANG_FLAGS = ["-std=c++17", "-fno-color-diagnostics", "-fno-caret-diagnostics", "-ferror-limit=40"]
_EXPORTS = "{ global: aclimb_entry_*; local: *; };\n"
# Messages look up in the image who sets a flag. GNU ld would drop the facts with the unused functions; lld keeps them.
_KEEP_FACTS = "SECTIONS { .aclimb.facts 0 : { KEEP(*(.aclimb.facts)) } } INSERT AFTER .comment;\n"
_LINK = ["-shared", "-z", "defs", "--gc-sections", "--build-id=none", "-z", "noexecstack", "-z", "noseparate-code"]


@dataclass(frozen=True, slots=True)
class Toolchain:
    """A compiler that was found, and what identifies it in the cache."""

    kind: Literal["gcc", "clang", "zig"]
    path: str
    version: str

    @property
    def identity(self) -> str:
        return f"{self.kind} {self.path} {self.version}"

    @property
    def has_precompiled_headers(self) -> bool:
        return self.kind == "gcc"

    def compiler(self) -> list[str]:
        return [self.path, "c++"] if self.kind == "zig" else [self.path]

    def flags(self, opt_level: int) -> list[str]:
        flags = [*_FLAGS, f"-O{opt_level}"]
        if self.kind == "gcc":
            flags += [*_GCC_FLAGS, _GCC_MEMORY, *_GCC_LINES, _GCC_WHOLE_STORES, *(_GCC_FAST if opt_level < 2 else [])]
        else:
            flags += _CLANG_FLAGS + _CLANG_LINES
        if host_architecture() == "x86_64":
            flags = [*flags, "-fcf-protection=none", *([_SHORT_CLEARS] if self.kind == "gcc" else [])]
        if self.kind == "zig":  # its own defaults: the host's newest instructions, and traps for undefined behaviour
            flags = [*flags, "-mcpu=baseline", "-fno-sanitize=all"]
        return flags

    def host_flags(self) -> list[str]:
        """For the host part of a program: only what our own reading of messages needs, and zig's defaults as those of others."""
        if self.kind == "gcc":
            return ["-fdiagnostics-color=never"]
        flags = ["-fno-color-diagnostics", "-Wno-unused-command-line-argument"]
        return [*flags, "-mcpu=baseline", "-fno-sanitize=all", "-UNDEBUG"] if self.kind == "zig" else flags

    def link_command(self, objects: list[Path], image: Path) -> list[str]:
        """Links in the folder of the image, where it leaves the two scripts it needs."""
        exports, keep = image.with_suffix(".map"), image.with_suffix(".ld")
        exports.write_text(_EXPORTS)
        options = [*_LINK, f"--version-script={exports}"]
        if self.kind == "zig":
            return [self.path, "ld.lld", *options, *map(str, objects), "-o", str(image)]
        keep.write_text(_KEEP_FACTS)
        through = ["-Wl," + ",".join([*options[1:], "-T", str(keep)])]
        return [self.path, "-shared", "-nostdlib", *through, *map(str, objects), "-o", str(image)]

    def environment(self, working: Path | None) -> dict[str, str]:
        """English messages; what zig keeps goes with the build's own folder, as our cache holds the result. None for a program's link: zig
        builds its C++ library then, which takes minutes and is to be kept."""
        environment = {**os.environ, "LC_ALL": "C"}
        if self.kind == "zig" and working is not None:
            environment |= {"ZIG_GLOBAL_CACHE_DIR": str(working / "zig"), "ZIG_LOCAL_CACHE_DIR": str(working / "zig")}
        return environment


def content_key(*parts: str) -> str:
    """For the cache."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:40]


def find() -> Toolchain:
    """The compiler to use now. Cheap after the first call."""
    try:
        return own()
    except CompileError:
        if os.environ.get(shelf.TOOLS):
            return Toolchain(*json.loads(os.environ[shelf.TOOLS]))
        raise


def own() -> Toolchain:
    """Of this machine."""
    wanted = knobs.cxx()
    if wanted:
        path = _zig_of_package() if wanted == "zig" and not shutil.which("zig") else shutil.which(os.path.expanduser(wanted))
        if path is None:
            raise CompileError(
                f"ACLIMB_CXX is {wanted!r}, which is not a program; give the name or path of g++, clang++ or zig,"
                " or unset it to let aclimb choose"
            )
        return _identify(path, os.stat(path).st_mtime_ns)
    for name in ("g++", "clang++"):
        path = shutil.which(name)
        if path:
            return _identify(path, os.stat(path).st_mtime_ns)
    path = _zig_of_package()
    if path:
        return _identify(path, os.stat(path).st_mtime_ns)
    raise CompileError(
        "there is no C++ compiler to build kernels with: neither g++ nor clang++ is on PATH and the"
        " ziglang package is not installed;"
        " `pip install ziglang` is enough, or install g++, or set ACLIMB_CXX"
    )


def clang() -> Toolchain | None:
    """A clang, by its own name or inside zig, for sources that g++ does not take."""
    path = shutil.which("clang++") or _zig_of_package()
    return _identify(path, os.stat(path).st_mtime_ns) if path else None


def _zig_of_package() -> str | None:
    """The executable inside the package; its Python wrapper would cost a Python start each time."""
    found = importlib.util.find_spec("ziglang")
    for folder in (found.submodule_search_locations or []) if found else []:
        executable = Path(folder) / "zig"
        if os.access(executable, os.X_OK):
            return str(executable)
    return None


@lru_cache(maxsize=16)
def _identify(path: str, _mtime: int) -> Toolchain:
    """The kind by what the program says of itself, since g++ may be clang in disguise."""
    is_zig = Path(path).name.startswith(("zig", "python-zig"))
    command = [path, "version"] if is_zig else [path, "--version"]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, timeout=60, env={**os.environ, "LC_ALL": "C"})
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CompileError(f"{path} cannot be run: {error}; set ACLIMB_CXX to a working g++, clang++ or zig") from None
    if answer.returncode != 0:
        raise CompileError(
            f"{' '.join(command)} failed: {(answer.stderr or answer.stdout).strip()[:200]}; set ACLIMB_CXX to another compiler"
        )
    if is_zig:
        return Toolchain("zig", path, f"zig {answer.stdout.strip()}")
    first = answer.stdout.splitlines()[0] if answer.stdout else ""
    digest = hashlib.sha256(answer.stdout.encode()).hexdigest()[:8]
    return Toolchain("clang" if "clang" in answer.stdout.lower() else "gcc", path, f"{first} {digest}")
