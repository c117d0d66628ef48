# SPDX-License-Identifier: Apache-2.0
"""The kernels that lie beside a library of operators: which file is whose, and whether it is another one now."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aclimb import chips, knobs
from aclimb.op.declare.kernel import kernel_name
from aclimb.op.declare.rows import described
from aclimb.op.native.platform import short_name
from aclimb.op.native.prototype import LoadedOperator

if TYPE_CHECKING:
    from aclimb.op.declare.kernels import Kernels as OperatorKernels
    from aclimb.op.native.library import Library

Kernels = Mapping[str, Any] | str | os.PathLike[str]  # what op.load takes
_SOURCES = (".cpp", ".asc")


def identity(kernels: Kernels | None) -> Any:
    """What is equal for the same kernels."""
    if kernels is None:
        return None
    if isinstance(kernels, Mapping):
        return frozenset((op_type, _named(each)) for op_type, each in kernels.items())
    return Path(kernels).resolve()


def _named(kernel: Any) -> Any:
    return Path(kernel).resolve() if isinstance(kernel, str | os.PathLike) else id(kernel)  # the library keeps it


@dataclass
class KernelFiles:
    """The kernel of one operator."""

    library: Library
    operator: LoadedOperator
    kernels: Kernels | None
    _content: str | None = None  # of the binaries that were given
    _given: OperatorKernels | None = None

    def give(self) -> None:
        """To the operator. A second time only what changed; a kernel that somebody else gave stays."""
        if self.kernels is None or self.operator._kernels is not self._given:
            return
        if not isinstance(self.kernels, Mapping):
            self._give_found(Path(self.kernels))
        elif self.operator.type in self.kernels:
            self._give_named(self.kernels[self.operator.type])

    def _give_named(self, kernel: Any) -> None:
        is_path = isinstance(kernel, str | os.PathLike)
        if self._is_new(Path(kernel) if is_path else None, otherwise=is_path or self._given is None):
            self._keep(kernel)

    def _give_found(self, folder: Path) -> None:
        found = self._found(folder)
        if found is None:
            self.operator._kernels = self._given = self._content = None
            self.operator.without_kernel = self._why(folder)
        elif self._is_new(found, otherwise=True):
            is_source = found.suffix in _SOURCES
            self._keep(self.library.source(self.operator, found, (folder,)) if is_source else found, self.operator.entry)

    def _is_new(self, file: Path | None, *, otherwise: bool) -> bool:
        """Whether these binaries were not given yet. A source reads other files: whether it changed is known where it is built."""
        before, self._content = self._content, _content_of(file) if file is not None else None
        return self._content != before if self._content is not None else otherwise

    def _keep(self, *kernel: Any) -> None:
        self.operator.kernel(*kernel)
        self._given = self.operator._kernels

    def _found(self, folder: Path) -> Path | None:
        """A binary, a source, or the folder of the binaries for several rows of types."""
        stems = dict.fromkeys((kernel_name(self.operator.type), self.operator.file_stem))
        for place in (each / stem for each in (folder / _unit(), folder) for stem in stems):
            if described(place):
                return place
            file = next((each for suffix in (*_SOURCES, ".o") if (each := place.with_suffix(suffix)).is_file()), None)
            if file is not None:
                return file
        return None

    def _why(self, folder: Path) -> str:
        declared = f"; it is declared for {', '.join(self.operator.socs)}" if self.operator.socs else ""
        return f"{folder} has none for {_unit()}{declared}"


def _unit() -> str:
    """Where `aclimb op build` puts the kernels of this chip."""
    return short_name(chips.load(knobs.soc())).lower()


def _content_of(file: Path) -> str | None:
    """None where there is no binary."""
    if file.suffix in _SOURCES or not file.exists():
        return None
    total = hashlib.sha256()
    for each in _binaries(file):
        total.update(f"{each.name}\0{hashlib.sha256(each.read_bytes()).hexdigest()}\n".encode())
    return total.hexdigest()


def _binaries(file: Path) -> Iterator[Path]:
    """A file, or those of a folder, with what says which rows they are for."""
    if file.is_dir():
        yield from sorted(each for each in file.iterdir() if each.suffix in (".o", ".json"))
    else:
        yield file
