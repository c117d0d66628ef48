# SPDX-License-Identifier: Apache-2.0
"""Where the parts of an operator project lie: kernels by the generator's rules, and headers that its CMake files would collect."""

from __future__ import annotations

import logging
import os
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import product
from pathlib import Path

from aclimb.compile.reach import reach
from aclimb.errors import InvalidArgument

_log = logging.getLogger("aclimb")
SUFFIXES = (".cpp", ".cc", ".asc")
# Folders and products, as projects name the ones they have code for: arch35 and c310 are Atlas 950, arch20 and m200 are Atlas inference.
_OURS = re.compile(r"arch(?:22|32)|[cv]220|ascend910(?:b|_93|b\d.*|_93\w\d)", re.IGNORECASE)
_A_PRODUCT = re.compile(r"arch\d\d|[cvm][123]\d0|ascend\d{3}\w*|regbase", re.IGNORECASE)
_KERNEL = re.compile(r"\b__global__\b[^;{]{0,400}?\bvoid\s+(\w+)\s*\(")
_MOST = 200_000  # files of a folder that are looked through for headers


def is_for_another_product(path: Path, root: Path) -> bool:
    """Whether a folder between the two is named after a product that is not modelled."""
    return any(_A_PRODUCT.fullmatch(part) and not _OURS.fullmatch(part) for part in path.relative_to(root).parts[:-1])


def kernel_source(folder: Path, stem: str, entry: str) -> Path | None:
    """The file of that name, the least deep first; else the one file that defines the kernel. Raises where there are two."""
    files = [each for each in sorted(folder.rglob("*")) if each.suffix in SUFFIXES and not is_for_another_product(each, folder)]
    named = [each for each in files if each.stem == stem]
    least = min((len(each.parts) for each in named), default=0)
    found = [each for each in named if len(each.parts) == least]
    found = found or [each for each in files if entry in _KERNEL.findall(each.read_text(errors="replace"))]
    if len(found) > 1:
        names = " and ".join(str(each.relative_to(folder.parent)) for each in found)
        raise InvalidArgument(
            f"{names} are both the kernel {entry}; npu_op_kernel_sources(... OP_TYPE type KERNEL_FILE file) in the project's CMakeLists.txt"
            " names the one to build"
        )
    return found[0] if found else None


def checkout_of(folder: Path) -> Path | None:
    """The repository that a folder lies in."""
    return next((each for each in (folder, *folder.parents) if (each / ".git").exists()), None)


class Headers:
    """The headers of a project, and then of what is around it. Each folder is looked through once."""

    def __init__(self, roots: Iterable[Path] = ()) -> None:
        self._roots = tuple(dict.fromkeys(roots))

    def folders(self, sources: Iterable[Path], folders: Iterable[Path]) -> list[Path]:
        """For headers that `folders` do not have: where a root has the only file of that name."""
        given, more = list(folders), list[Path]()
        for source, root in product(sources, self._roots):
            while found := self._next(reach(source, [*given, *more]).missing, [*given, *more], root):
                more.append(found)
        return more

    def several(self, source: Path, folders: Iterable[Path]) -> dict[str, list[Path]]:
        """Headers that are missing because several folders have one of that name."""
        found = {name: self.places(name) for name in reach(source, folders).missing}
        return {name: places for name, places in found.items() if places}

    def places(self, name: str) -> list[Path]:
        """Return the folders from which an #include of that name finds a file."""
        return list(dict.fromkeys(each for root in self._roots for each in self._places(name, root)))

    def _next(self, missing: Iterable[str], there: list[Path], root: Path) -> Path | None:
        found = (self._places(name, root) for name in missing)
        return next((places[0] for places in found if len(places) == 1 and places[0] not in there), None)

    def _places(self, name: str, root: Path) -> list[Path]:
        parts = Path(name).parts
        if not parts or ".." in parts:
            return []
        return [Path(*each.parts[: -len(parts)]) for each in self._files[root].get(parts[-1], ()) if each.parts[-len(parts) :] == parts]

    @cached_property
    def _files(self) -> dict[Path, Mapping[str, list[Path]]]:
        return {root: _by_name(root) for root in self._roots}


def _by_name(root: Path) -> Mapping[str, list[Path]]:
    found, count = defaultdict(list), 0
    for place, folders, names in os.walk(root):
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        count += len(names)
        if count > _MOST:
            _log.warning("%s has more than %d files; headers are looked for in the first ones: give a smaller folder", root, _MOST)
            break
        for name in names:
            path = Path(place, name)
            if "." in name and not is_for_another_product(path, root):
                found[name].append(path)
    return found
