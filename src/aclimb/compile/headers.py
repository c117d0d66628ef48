# SPDX-License-Identifier: Apache-2.0
"""Where the device headers are, and a hash that changes when one of them does."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from aclimb.binary.source_lines import DEVICE_HEADERS, HOST_HEADERS


@lru_cache(maxsize=1)
def include_dir() -> Path:
    """device/include in a checkout, aclimb/include in an installed wheel."""
    package = Path(__file__).resolve().parents[1]
    for folder in (package.parents[1] / "device" / "include", package / "include"):
        if (folder / "aclimb" / "abi.h").is_file():
            return folder
    raise AssertionError(f"the device headers are missing beside {package}; install aclimb again")


@lru_cache(maxsize=1)
def host_include_dir() -> Path:
    """host/include in a checkout, aclimb/host/include in an installed wheel: what a program includes."""
    package = Path(__file__).resolve().parents[1]
    for folder in (package.parents[1] / "host" / "include", package / "host" / "include"):
        if (folder / "aclimb" / "host.h").is_file():
            return folder
    raise AssertionError(f"the host headers are missing beside {package}; install aclimb again")


def name_flags() -> list[str]:
    """Options that make an image name our headers the same on every machine."""
    return [f"-ffile-prefix-map={include_dir()}={DEVICE_HEADERS}", f"-ffile-prefix-map={host_include_dir()}={HOST_HEADERS}"]


def installed_path(file: str) -> str:
    """Where a header that an image names lies here; any other file as it is."""
    for name, folder in ((DEVICE_HEADERS, include_dir()), (HOST_HEADERS, host_include_dir())):
        if file.startswith(f"{name}/"):
            return f"{folder}{file.removeprefix(name)}"
    return file


def headers_hash(folder: Path) -> str:
    """Of names and contents. Files are read again only when their size or time changed."""
    return _hash_of(tuple(sorted(_files_below(str(folder)))), folder)


def _files_below(folder: str) -> Iterator[tuple[str, int, int]]:
    """Path, size and time. Every build asks, more than once, and `Path.rglob` takes five times as long."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                yield from _files_below(entry.path)
            elif entry.is_file():  # and no link to nothing, as editors leave
                found = entry.stat()
                yield entry.path, found.st_size, found.st_mtime_ns


@lru_cache(maxsize=8)
def _hash_of(files: tuple[tuple[str, int, int], ...], folder: Path) -> str:
    total = hashlib.sha256()
    for path, _size, _time in files:
        total.update(f"{os.path.relpath(path, folder)}\0".encode() + hashlib.sha256(Path(path).read_bytes()).digest())
    return total.hexdigest()


def abi_version(folder: Path) -> int:
    """kAbiVersion of the headers a kernel is built with."""
    match = re.search(r"kAbiVersion = (\d+);", (folder / "aclimb" / "abi.h").read_text())
    assert match, "abi.h does not say kAbiVersion"
    return int(match[1])


def without_includes(flags: Sequence[str]) -> list[str]:
    """The flags without -include and -imacros, written in one word or in two: for a text that holds what they name."""
    names = ("-include", "--include", "-imacros", "--imacros")
    kept = [flag for before, flag in zip(["", *flags], flags, strict=False) if before not in names]
    return [flag for flag in kept if not re.match(rf"(?:{'|'.join(names)})(?!-)", flag)]
