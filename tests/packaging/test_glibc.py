# SPDX-License-Identifier: Apache-2.0
"""Every native target can be linked for the oldest glibc that wheels promise, whatever glibc this machine has.

A whole build by zig takes minutes and belongs to the slow suite (test_manylinux.py). What goes wrong there is nearly always a function
that only the machine's newer glibc has. So zig links the names that the objects of each target take from libc, which takes a second.
"""

from __future__ import annotations

import ctypes
import functools
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from installing import ROOT, run

sys.path.insert(0, str(ROOT / "tools"))
import compilers

sys.path.pop(0)

TARGETS = {"_door", "_engine", "_library", "aclimb_device", "aclimb_engine", "aclimb_start", "ascendcl", "opapi"}
LIBRARIES = ("libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0")
# Names that a newer glibc's headers put in place of an older function; compiled with headers of 2.28 the plain name is asked for.
RENAMED = "__isoc23_"
# What the headers of g++'s library use where the machine's glibc has it; those of zig's library look at the version first.
OF_LIBSTDCXX = {"__libc_single_threaded", "pthread_cond_clockwait"}


@functools.cache
def libraries() -> list[ctypes.CDLL]:
    return [ctypes.CDLL(name) for name in LIBRARIES]


def is_of_libc(name: str) -> bool:
    return any(hasattr(library, name) for library in libraries())


def objects() -> dict[str, list[Path]]:
    """The object files of each target of the build that .venv uses."""
    newest = max((ROOT / "build").glob("cp*/build.ninja"), key=lambda path: path.stat().st_mtime).parent
    found = defaultdict(list)
    for line in run(Path(sys.executable).with_name("ninja"), "-C", newest, "-t", "targets", "all").splitlines():
        path, _, _ = line.rpartition(":")
        if path.endswith(".o") and (newest / path).exists():
            found[Path(path).parts[1].removesuffix(".dir")].append(newest / path)
    return found


def wanted(file: Path) -> set[str]:
    """The functions and variables that an object file takes from libc."""
    with file.open("rb") as opened:
        symbols = ELFFile(opened).get_section_by_name(".symtab")
        names = {each.name for each in symbols.iter_symbols() if each.entry.st_shndx == "SHN_UNDEF" and each.name}
    return {name.removeprefix(RENAMED) for name in names - OF_LIBSTDCXX if is_of_libc(name)}


def missing(names: set[str], folder: Path) -> list[str]:
    """Those of the names that the oldest glibc has not."""
    source = folder / "names.s"
    source.write_text(".data\n" + "".join(f".8byte {name}\n" for name in sorted(names)))
    command = ["cc", "-target", compilers.target(), "-shared", "-Wl,-z,defs", "-lm", "-ldl", "-lpthread"]
    done = subprocess.run(
        [sys.executable, "-m", "ziglang", *command, source, "-o", folder / "names.so"], capture_output=True, text=True, check=False
    )
    found = [line.split()[-1] for line in done.stderr.splitlines() if "undefined symbol:" in line]
    assert found or done.returncode == 0, done.stderr
    return found


@pytest.fixture(scope="module", autouse=True)
def zig() -> None:
    pytest.importorskip("ziglang")


@pytest.mark.parametrize("target", sorted(TARGETS))
def test_a_target_needs_nothing_newer_than_the_oldest_glibc(target: str, tmp_path: Path) -> None:
    files = objects()[target]
    names = set().union(*map(wanted, files))
    assert files, target
    assert missing(names, tmp_path) == [], f"glibc {compilers.GLIBC} has none of these: no wheel would link, nor a build without a compiler"


def test_every_native_target_is_looked_at() -> None:
    levels = {name for name in objects() if name in ("aclimb_scalar", "aclimb_avx2", "aclimb_avx512", "aclimb_neon")}
    assert set(objects()) - levels - {"engine_tests", "nanobind-static"} == TARGETS


def test_what_only_a_newer_glibc_has_is_found(tmp_path: Path) -> None:
    assert missing({"memfd_create", "gettid", "posix_spawn_file_actions_addclosefrom_np"}, tmp_path) == [
        "gettid",
        "posix_spawn_file_actions_addclosefrom_np",
    ]
