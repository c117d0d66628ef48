# SPDX-License-Identifier: Apache-2.0
"""The kernels of an operator project: for each operator, each chip that it names, and each set of types that its source tells apart."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from aclimb import chips, knobs
from aclimb.binary import KernelBinary
from aclimb.compile.options import Options
from aclimb.errors import CompileError, InvalidArgument
from aclimb.fleet.progress import progress
from aclimb.op.declare.kernel import KernelBuild, differing, kernel_name
from aclimb.op.declare.rows import SUPPORT, Row, describe, dtypes, support_info
from aclimb.op.native.library import Library
from aclimb.op.native.package import Package
from aclimb.op.native.platform import short_name
from aclimb.op.native.prototype import LoadedOperator
from aclimb.op.project.sources import Headers, kernel_source

UNITS = {"ascend910b": "Ascend910B1", "ascend910_93": "Ascend910_9392"}  # one for each that is modelled


@dataclass(frozen=True)
class KernelChoices:
    """What a project says about its kernels; nothing of it is needed."""

    units: tuple[str, ...] = ()  # only for these, as AddConfig names them
    files: Mapping[str, Path] = field(default_factory=dict)  # by type
    options: Callable[[str, str], Options | None] = lambda op_type, unit: None  # of the compiler
    headers: Headers = field(default_factory=Headers)  # that no folder has


@dataclass(frozen=True)
class OperatorKernel:
    """The source of an operator's kernel, for one chip."""

    library: Library
    operator: LoadedOperator
    source: Path
    unit: str
    soc: str
    options: Options | None = None
    headers: Headers = field(default_factory=Headers)

    def build(self, rows: Sequence[Row] | None = None) -> list[Built]:
        """For these rows, or for those that the operator declares on this chip."""
        own = (self.source.parent, *(self.options.include_dirs if self.options is not None else ()))
        folders = (*self.headers.folders([self.source], own),)
        wanted = rows or self.library.declared(self.operator.type, self.soc).combinations
        builds = self.library.source(self.operator, self.source, folders, self.options).builds(wanted)
        return [self._built(name, build, (*own, *folders)) for name, build in zip(differing(builds), builds, strict=True)]

    def _built(self, name: str, build: KernelBuild, folders: Iterable[Path]) -> Built:
        try:
            return Built(self, name, build.rows, build.program(self.soc).compile(warn=False))
        except CompileError as error:
            several = [(name, places) for name, places in self.headers.several(self.source, folders).items() if name in str(error)]
            notes = [f"{name} lies in {' and '.join(map(str, places))}: say which with -I" for name, places in several]
            return Built(self, name, build.rows if build.defines else (), error, tuple(notes))

    @property
    def declared(self) -> str:
        """The words that the kernel may use, for a message."""
        operator = self.operator
        tiling = [each.name for each in self.library.tiling_classes if each.is_of(operator.type)]
        said = f"the tiling class {', '.join(tiling)}" if tiling else f"no tiling class{self._other_classes}"
        return f"op_host declares {', '.join(dict.fromkeys((*operator.inputs, *operator.outputs)))} for {operator.type}, and {said}"

    @property
    def _other_classes(self) -> str:
        """Those that are registered under a name that no operator has: perhaps a misspelt one."""
        others = [each for each in self.library.tiling_classes if not any(each.is_of(op_type) for op_type in self.library.types)]
        shown = [f"{each.name} is registered for {each.op}, which is none" for each in others]
        return f": {'; '.join(shown)}" if shown else ": REGISTER_TILING_DATA_CLASS names one"


@dataclass(frozen=True)
class Built:
    """One kernel, or why there is none."""

    kernel: OperatorKernel
    name: str
    rows: Sequence[Row]  # none of a failed one: all of them
    made: KernelBinary | CompileError
    notes: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        rows = [", ".join(f"{name} {dtype}" for name, dtype in dtypes(row)) for row in self.rows]
        return f"{self.kernel.operator.type}{f' with {rows[0]}' if rows else ''}"


def build_kernels(library: Library, folder: Path, package: Package, choices: KernelChoices | None = None) -> None:
    """Into the package. All that can be built are, before the mistakes of the others are raised."""
    said = choices or KernelChoices()
    sources = {operator.type: _source(operator, folder, said) for operator in library}
    wanted = list(_wanted(library, sources, said))
    _forget(package, library)
    failed: list[Built] = []
    told: dict[str, None] = {}
    with ThreadPoolExecutor(os.cpu_count()) as pool, progress("kernels", len(wanted)) as tell:
        for each, building in [(each, pool.submit(each.build)) for each in wanted]:
            built = building.result()
            _save(package.kernels / each.unit / kernel_name(each.operator.type), each.operator, built)
            failed += (wrong := [one for one in built if isinstance(one.made, CompileError)])
            tell(f"{each.operator.type} {each.unit}", not wrong)
            told |= dict.fromkeys(text for one in built if isinstance(one.made, KernelBinary) for text in one.made.record.warnings)
    sys.stderr.writelines(f"{text}\n" for text in told)
    missing = [
        f"{each.type} has no kernel: {folder} has no {each.file_stem}.cpp for this product, and no file there defines {each.entry}"
        for each in library
        if sources[each.type] is None and each.needs_kernel
    ]
    if failed or missing:
        raise _error(failed, missing)


def _source(operator: LoadedOperator, folder: Path, said: KernelChoices) -> Path | None:
    found = said.files.get(operator.type) or kernel_source(folder, operator.file_stem, operator.entry)
    if found is not None and not found.is_file():
        raise InvalidArgument(f"{found}, the kernel of {operator.type} as npu_op_kernel_sources says, does not exist")
    return found


def _wanted(library: Library, sources: Mapping[str, Path | None], said: KernelChoices) -> Iterator[OperatorKernel]:
    for operator in library:
        source = sources[operator.type]
        for unit, soc in _socs(operator):
            if source is not None and (not said.units or unit in said.units):
                yield OperatorKernel(library, operator, source, unit, soc, said.options(operator.type, unit), said.headers)


def _socs(operator: LoadedOperator) -> list[tuple[str, str]]:
    """Short names and chips: those that are named and modelled, or the one in use."""
    current = chips.load(knobs.soc())
    own = short_name(current).lower()
    named = [each.lower() for each in operator.socs if each.lower() in UNITS] or [own]
    return [(each, current.name if each == own else UNITS[each]) for each in named]


def _forget(package: Package, library: Library) -> None:
    """What an earlier build left of these operators."""
    for place in (unit / kernel_name(operator.type) for unit in package.kernels.glob("*") for operator in library):
        shutil.rmtree(place, ignore_errors=True)
        for old in (place.with_suffix(".o"), place.with_suffix(".json")):
            old.unlink(missing_ok=True)


def _save(target: Path, operator: LoadedOperator, built: Sequence[Built]) -> None:
    """The only binary as <kernel>.o, several as a folder of that name, in which each says its rows."""
    target.parent.mkdir(parents=True, exist_ok=True)
    for each in built:
        if isinstance(each.made, KernelBinary) and len(built) == 1:
            each.made.save(target.with_suffix(".o"))
        elif isinstance(each.made, KernelBinary):
            saved = each.made.save(target / f"{each.name}.o")
            describe(saved, {SUPPORT: support_info(each.rows, operator.inputs, operator.outputs)})


def _error(failed: Sequence[Built], missing: Sequence[str]) -> CompileError:
    """Each mistake once, with the kernels and chips that show it."""
    mistakes: dict[str, list[Built]] = {}
    for each in failed:
        mistakes.setdefault(_mistake(each), []).append(each)
    shown = [*("\n".join([str(same[0].made), *_notes(same)]) for same in mistakes.values()), *missing]
    head = f"{len(shown)} kernels do not compile\n" if len(shown) > 1 else ""
    return CompileError(head + "\n".join(shown), [found for each in failed for found in getattr(each.made, "diagnostics", ())])


def _mistake(built: Built) -> str:
    """What another type or chip does not change: the first error, or the whole text."""
    return str(getattr(built.made, "diagnostics", ())[:1] or built.made)


def _notes(same: Sequence[Built]) -> Iterator[str]:
    by_label: dict[str, list[str]] = {}
    for each in same:
        by_label.setdefault(each.label, []).append(each.kernel.unit)
    for label, units in by_label.items():
        yield f"  built for {label}, on {' and '.join(units)}"
    yield f"  {same[0].kernel.declared}"
    yield from (f"  {note}" for note in same[0].notes)
