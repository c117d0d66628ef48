# SPDX-License-Identifier: Apache-2.0
"""An operator project: `op_host` in C++, `op_kernel` in Ascend C, built for the chips that its operators name."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from aclimb import chips, knobs
from aclimb.binary import KernelBinary
from aclimb.compile import toolchain
from aclimb.compile.headers import host_include_dir
from aclimb.compile.options import Options
from aclimb.errors import CompileError, InvalidArgument
from aclimb.fleet.progress import progress
from aclimb.op.check.checker import CheckReport, check
from aclimb.op.declare.kernel import Row, differing, kernel_name
from aclimb.op.declare.kernels import write_builds
from aclimb.op.native.library import KERNELS, Library
from aclimb.op.native.package import Package
from aclimb.op.native.platform import short_name
from aclimb.op.native.prototype import LoadedOperator
from aclimb.op.node.dtypes import dtype_of
from aclimb.op.project.sources import header_folders, kernel_source

CHECKS = "check.py"
UNITS = {"ascend910b": "Ascend910B1", "ascend910_93": "Ascend910_9392"}  # one for each that is modelled
_FLAGS = ("-shared", "-fPIC", "-O2", "-std=c++17", "-fvisibility=hidden")
_HOST_SUFFIXES = (".cpp", ".cc")


@dataclass(frozen=True)
class Project:
    """A folder with op_host and op_kernel in it, and what was built of it."""

    folder: Path
    out: Path

    @classmethod
    def at(cls, folder: str | Path, out: str | Path | None = None) -> Project:
        return cls(Path(folder).resolve(), Path(out).resolve() if out is not None else Path(folder).resolve() / "build")

    @property
    def package(self) -> Package:
        return Package(self.out)

    @property
    def kernels(self) -> Path:
        return self.folder / KERNELS

    def load(self) -> Library:
        return self.package.load()

    def host_sources(self) -> list[Path]:
        return sorted(each for each in (self.folder / "op_host").rglob("*") if each.suffix in _HOST_SUFFIXES)


@dataclass(frozen=True)
class KernelChoices:
    """What a project says about its kernels; nothing of it is needed."""

    units: tuple[str, ...] = ()  # only for these, as AddConfig names them
    files: Mapping[str, Path] = field(default_factory=dict)  # by type
    options: Callable[[str, str], Options | None] = lambda op_type, unit: None  # of the compiler
    roots: tuple[Path, ...] = ()  # where headers are looked for that no folder has


def build(folder: str | Path, out: str | Path | None = None, options: Sequence[str] = (), choices: KernelChoices | None = None) -> Project:
    """Builds the host library and the kernels, into `out` or the folder `build` of the project. `options`: of the host's compiler."""
    project = Project.at(folder, out)
    sources = project.host_sources()
    if not sources:
        raise InvalidArgument(f"{folder} is no operator project: there is no .cpp file in {folder}/op_host")
    project.out.mkdir(parents=True, exist_ok=True)
    roots = choices.roots if choices is not None else ()
    folders = [project.folder / "op_host", project.kernels, project.folder]
    folders += header_folders(sources, [*folders, *(Path(each[2:]) for each in options if each.startswith("-I"))], roots)
    build_host(sources, project.package.library, [*options, *(f"-I{each}" for each in folders)], project.folder.name)
    with project.load() as library:
        build_kernels(library, project.kernels, project.package, choices)
    return project


def build_host(sources: list[Path], target: Path, options: Sequence[str], name: str) -> None:
    """The library of a project's host code. `name` is the project's, for messages."""
    compiler = toolchain.find()
    part = target.with_suffix(".part")
    command = [*compiler.compiler(), *_FLAGS, *options, f"-I{host_include_dir()}", *map(str, sources), "-o", str(part)]
    answer = subprocess.run(command, capture_output=True, text=True, env=compiler.environment(target.parent))
    if answer.returncode != 0:
        raise CompileError(f"the host code of {name} does not compile\n{answer.stderr.strip()}")
    part.replace(target)


def build_kernels(library: Library, folder: Path, package: Package, choices: KernelChoices | None = None) -> None:
    """The kernels of each operator, for every chip that it names and that is modelled, and for each set of types that its source tells
    apart. All that can be built are, before the mistakes of the others are raised."""
    said = choices or KernelChoices()
    wanted = [
        (operator, source, unit, soc)
        for operator in library
        if (source := said.files.get(operator.type) or kernel_source(folder, operator.file_stem, operator.entry)) is not None
        for unit, soc in _socs(operator)
        if not said.units or unit in said.units
    ]
    errors: dict[str, CompileError] = {}  # the same mistake shows on each chip
    with ThreadPoolExecutor(os.cpu_count()) as pool, progress("kernels", len(wanted)) as tell:
        options = (said.options(operator.type, unit) for operator, _, unit, _ in wanted)
        building = [
            pool.submit(_build_for, library, *each[:2], each[3], said.roots, given) for each, given in zip(wanted, options, strict=True)
        ]
        for (operator, _, unit, _), built in zip(wanted, building, strict=True):
            try:
                _save(package.kernels / unit / kernel_name(operator.type), built.result())
                tell(f"{operator.type} {unit}", True)
            except CompileError as error:
                errors.setdefault(str(error), error)
                tell(f"{operator.type} {unit}", False)
    if len(errors) > 1:
        raise CompileError(f"{len(errors)} kernels do not compile\n" + "\n".join(each.in_full() for each in errors.values()))
    if errors:
        raise errors.popitem()[1]


Built = list[tuple[str, tuple[Row, ...], KernelBinary]]  # a name, the types it is for, the binary


def _build_for(
    library: Library, operator: LoadedOperator, source: Path, soc: str, roots: tuple[Path, ...], options: Options | None
) -> Built:
    """The kernels of an operator for one chip."""
    own = (source.parent, *(options.include_dirs if options is not None else ()))
    more = tuple(header_folders([source], own, (source.parent, *roots)))
    rows = library.declared(operator.type, soc).combinations
    builds = library.source(operator, source, more, options).builds(rows)
    return [(name, each.rows, each.program(soc).compile()) for name, each in zip(differing(builds), builds, strict=True)]


def _save(target: Path, built: Built) -> None:
    """One binary as <kernel>.o, several as a folder of that name. What an earlier build left goes."""
    shutil.rmtree(target, ignore_errors=True)
    for old in (target.with_suffix(".o"), target.with_suffix(".json")):
        old.unlink(missing_ok=True)
    if len(built) == 1:
        target.parent.mkdir(parents=True, exist_ok=True)
        built[0][2].save(target.with_suffix(".o"))
        return
    target.mkdir(parents=True)
    for name, _, binary in built:
        binary.save(target / f"{name}.o")
    write_builds(target, {f"{name}.o": rows for name, rows, _ in built})


def _socs(operator: LoadedOperator) -> list[tuple[str, str]]:
    """Short names and chips: those that are named and modelled, or the one in use."""
    current = chips.load(knobs.soc())
    own = short_name(current).lower()
    named = [each.lower() for each in operator.socs if each.lower() in UNITS] or [own]
    return [(each, current.name if each == own else UNITS[each]) for each in named]


def lines(project: Project) -> Iterator[str]:
    """An operator a line: inputs, attributes and outputs, tiling keys, chips."""
    with project.load() as library:
        for operator in library:
            told = _told_of(project.package.binaries(operator))
            if operator._impl().launch is not None or operator._impl().op_execute_func is not None:
                told = "launches its kernels itself"
            inputs = ", ".join(_told(operator, name) for name in operator.inputs)
            attrs = "".join(f", {each.name}: {getattr(each.kind, '__name__', each.kind)}" for each in operator._declaration.attrs)
            outputs = ", ".join(_told(operator, name) for name in operator.outputs)
            yield f"{operator.type}({inputs}{attrs}) -> {outputs}   {told}   {', '.join(operator.socs) or 'any chip'}"


def _told_of(files: list[Path]) -> str:
    """What was built of an operator's kernel."""
    if not files:
        return "no kernel"
    keys = dict.fromkeys(key for file in files for kernel in KernelBinary.read(file).kernels for key in kernel.tiling_keys or (0,))
    several = f"{len(files)} kernels, " if len(files) > 1 else ""
    return f"{several}tiling keys {', '.join(map(str, keys))}"


def _told(operator: LoadedOperator, name: str) -> str:
    kinds = dict.fromkeys(row[name] for row in operator.combinations if name in row)
    return f"{name}: {'|'.join(kinds)}" if kinds else name


# --- checks


def check_project(project: Project) -> list[CheckReport]:
    """op.check of every operator that check.py of the project has a reference for: a function with the name of its kernel."""
    checks = _checks(project.folder / CHECKS)
    shapes = getattr(checks, "SHAPES", None)
    with project.load() as library:
        found = [(each, getattr(checks, kernel_name(each.type), None)) for each in library]
        if not any(reference for _, reference in found):
            wanted = ", ".join(kernel_name(each.type) for each, _ in found)
            raise InvalidArgument(f"{project.folder / CHECKS} has no reference; write a NumPy function {wanted}")
        return [check(each, _samples(each), reference=reference, shapes=shapes) for each, reference in found if reference is not None]


def _checks(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("aclimb_project_check", path) if path.is_file() else None
    if spec is None or spec.loader is None:
        raise InvalidArgument(f"{path} does not exist; it has a NumPy function for each operator, under the name of its kernel")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _samples(operator: LoadedOperator) -> Callable[[tuple[int, ...], Any], tuple[Any, ...]]:
    first = operator.inputs[0]

    def make(shape: tuple[int, ...], dtype: Any) -> tuple[Any, ...]:
        row = next((each for each in operator.combinations if first not in each or dtype_of(each[first]) == dtype), {})
        random = np.random.default_rng(1)
        return tuple((random.random(shape) * 8).astype(dtype_of(row[name]) if name in row else dtype) for name in operator.inputs)

    return make
