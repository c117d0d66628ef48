# SPDX-License-Identifier: Apache-2.0
"""Where the parts of an operator project lie: kernels by the generator's rules, and headers that its CMake files would collect."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import product
from pathlib import Path

from aclimb.compile.reach import reach

SUFFIXES = (".cpp", ".cc", ".asc")
# Folders and products, as projects name the ones they have code for: arch35 and c310 are Atlas 950, arch20 and m200 are Atlas inference.
_OURS = re.compile(r"arch(?:22|32)|[cv]220|ascend910(?:b|_93|b\d.*|_93\w\d)", re.IGNORECASE)
_A_PRODUCT = re.compile(r"arch\d\d|[cvm][123]\d0|ascend\d{3}\w*|regbase", re.IGNORECASE)
_KERNEL = re.compile(r"\b__global__\b[^;{]*?\bvoid\s+(\w+)\s*\(")
_MOST = 20_000  # files that are looked through for a header


def is_for_another_product(path: Path, root: Path) -> bool:
    """Whether a folder between the two is named after a product that is not modelled."""
    return any(_A_PRODUCT.fullmatch(part) and not _OURS.fullmatch(part) for part in path.relative_to(root).parts[:-1])


def kernel_source(folder: Path, stem: str, entry: str) -> Path | None:
    """The file of that name, the least deep first; else the one file that defines the kernel."""
    files = [each for each in sorted(folder.rglob("*")) if each.suffix in SUFFIXES and not is_for_another_product(each, folder)]
    named = [each for each in files if each.stem == stem]
    if named:
        return min(named, key=lambda each: len(each.parts))
    defining = [each for each in files if entry in _KERNEL.findall(each.read_text(errors="replace"))]
    return defining[0] if len(defining) == 1 else None


def header_folders(sources: Iterable[Path], folders: Iterable[Path], roots: Iterable[Path]) -> list[Path]:
    """For headers that `folders` do not have: where the project, or what is around it, has the only file of that name."""
    given, more = list(folders), list[Path]()
    for source, root in product(sources, roots):
        while found := _next_folder(reach(source, [*given, *more]).missing, [*given, *more], root):
            more.append(found)
    return more


def _next_folder(missing: Iterable[str], there: list[Path], root: Path) -> Path | None:
    found = (_folder_of(name, root) for name in missing)
    return next((folder for folder in found if folder is not None and folder not in there), None)


def _folder_of(name: str, root: Path) -> Path | None:
    """The folder from which an #include of that name finds a file, where there is one such folder."""
    parts = Path(name).parts
    if not parts or ".." in parts:
        return None
    found = []
    for number, path in enumerate(root.rglob(parts[-1])):
        if number > _MOST:
            return None
        if path.parts[-len(parts) :] == parts and path.is_file() and not is_for_another_product(path, root):
            found.append(Path(*path.parts[: -len(parts)]))
    return found[0] if len(found) == 1 else None


def checkout_of(folder: Path) -> Path | None:
    """The repository that a folder lies in."""
    return next((each for each in (folder, *folder.parents) if (each / ".git").exists()), None)
