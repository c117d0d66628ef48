# SPDX-License-Identifier: Apache-2.0
"""What there is to try in a folder: programs, CMake projects, operator projects, and kernels that nobody launches.

Read, never written. The innermost project wins: a CMakeLists.txt with project() in it stands for the sources below it, except for
those of projects further down.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from pathlib import Path

from aclimb.errors import InvalidArgument, SourceNotFound
from aclimb.host.programs import SOURCES, has_main
from aclimb.trial.torch_paths import is_extension

LEFT_OUT = ("build", "build_out", "out", "node_modules", "__pycache__")  # what others made; hidden folders as well
_CMAKE = "CMakeLists.txt"
_SIDES = ("op_host", "op_kernel")
_ASCEND_CMAKE = re.compile(r"find_package\(\s*ASC\b|ascendc|ASCEND_|acl_rt|npu_op_", re.IGNORECASE)
_PROJECT = re.compile(r"^\s*project\s*\(", re.MULTILINE | re.IGNORECASE)
_MAKES = re.compile(r"^\s*(?:add_executable|add_library|ascendc_\w*library)\s*\(", re.MULTILINE | re.IGNORECASE)
_ASCEND = re.compile(r'<<<|#\s*include\s*["<](?:acl/|aclnn|kernel_operator|tikicpulib)|\baclrt\w+\(|\b__global__\b')
_OF_NPU = re.compile(rf"{_ASCEND.pattern}|torch_npu|c10_npu")  # of the sources that include torch
_KERNEL = re.compile(r"\b__global__\b")
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"\n]+)"', re.MULTILINE)


class Kind(StrEnum):
    program = "program"
    cmake = "CMake project"
    operator = "operator project"
    extension = "torch extension"
    kernel = "kernel"


@dataclass(frozen=True, slots=True)
class Unit:  # a folder of samples -> one row
    """Something that is built, and run where it can be. Paths are relative to the folder that was looked through."""

    name: str
    kind: Kind
    folder: Path
    sources: tuple[Path, ...]


def find(root: Path, only: Iterable[str] = ()) -> list[Unit]:
    """By name. `only`: patterns with * and ?, or parts of names; one has to fit."""
    if not root.is_dir():
        raise SourceNotFound(f"{root} is not a folder; give one with programs, kernels or operator projects in it")
    found = sorted(_units(root), key=lambda unit: (unit.name, unit.kind))
    if not found:
        raise InvalidArgument(
            f"{root} has nothing to try; looked for programs and kernels ({', '.join(SOURCES)}), CMake projects, op_host and op_kernel"
        )
    patterns = list(only)
    chosen = [unit for unit in found if not patterns or any(_fits(unit.name, each) for each in patterns)]
    if not chosen:
        raise InvalidArgument(f"--only {' '.join(patterns)} fits none of the {len(found)} in {root}, such as {found[0].name}")
    return chosen


def _fits(name: str, pattern: str) -> bool:
    return fnmatchcase(name, pattern) if re.search(r"[*?\[]", pattern) else pattern in name


def _units(root: Path) -> Iterator[Unit]:
    folders = dict(_folders(root))
    operators = {folder for folder in folders if all((root / folder / side).is_dir() for side in _SIDES)}
    projects = {folder for folder in folders if folder not in operators and _is_project(root / folder)}
    outer = {folder for folder in projects for other in projects if folder in other.parents}
    projects -= {folder for folder in outer if not _MAKES.search(_cmake_text(root / folder))}  # they only name the projects below
    owned: dict[Path | None, list[Path]] = {}
    for folder, sources in folders.items():
        owned.setdefault(_owner(folder, operators, projects), []).extend(folder / name for name in sources)
    for folder in operators:
        yield Unit(_named(root, folder), Kind.operator, folder, tuple(owned.get(folder, ())))
    for folder in projects:
        yield Unit(_named(root, folder), Kind.cmake, folder, tuple(owned.get(folder, ())))
    loose: dict[Path, list[Path]] = {}
    for path in owned.get(None, ()):
        loose.setdefault(path.parent, []).append(path)
    for folder, paths in loose.items():
        yield from _of_one_folder(root, folder, paths)


def _named(root: Path, folder: Path) -> str:
    return folder.as_posix() if folder.parts else root.resolve().name


def _folders(root: Path) -> Iterator[tuple[Path, list[str]]]:
    for path, inside, files in os.walk(root):
        inside[:] = sorted(each for each in inside if each not in LEFT_OUT and not each.startswith("."))
        yield Path(path).relative_to(root), sorted(each for each in files if Path(each).suffix in SOURCES)


def _owner(folder: Path, operators: set[Path], projects: set[Path]) -> Path | None:
    """The project that a folder's sources belong to. Of an operator project these are its two sides; the rest stands for itself."""
    for each in (folder, *folder.parents):
        if each in projects:
            return each
        if each.name in _SIDES and each.parent in operators:
            return each.parent
    return None


def _is_project(folder: Path) -> bool:
    text = _cmake_text(folder)
    more = "".join(each.read_text(errors="replace") for each in sorted((folder / "cmake").glob("*.cmake")))
    return bool(_PROJECT.search(text)) and bool(_ASCEND_CMAKE.search(text + more))


def _cmake_text(folder: Path) -> str:
    """Without its comments."""
    path = folder / _CMAKE
    return re.sub(r"#[^\n]*", "", path.read_text(errors="replace")) if path.is_file() else ""


def _of_one_folder(root: Path, folder: Path, sources: list[Path]) -> Iterator[Unit]:
    """A main with a kernel beside it in the file is a program of its own; one without takes the folder's other sources along."""
    texts = {path: (root / path).read_text(errors="replace") for path in sources}
    included = {Path(name).name for text in texts.values() for name in _INCLUDE.findall(text)}
    mains = [path for path in sources if _ASCEND.search(texts[path]) and has_main(root / path)]
    others = [path for path in sources if path.name not in included and not has_main(root / path)]
    taken: set[Path] = set()
    for path in mains:
        more = () if _KERNEL.search(texts[path]) or _includes_a_kernel(path, texts) else tuple(others)
        taken.update(more)
        yield Unit(path.as_posix(), Kind.program, folder, (path, *more))
    for path in others:
        if path not in taken and is_extension(texts[path]) and _OF_NPU.search(texts[path]):
            yield Unit(path.as_posix(), Kind.extension, folder, (path,))
        elif path not in taken and _KERNEL.search(texts[path]):
            yield Unit(path.as_posix(), Kind.kernel, folder, (path,))


def _includes_a_kernel(path: Path, texts: dict[Path, str]) -> bool:
    names = {Path(name).name for name in _INCLUDE.findall(texts[path])}
    return any(_KERNEL.search(text) for other, text in texts.items() if other.name in names)
