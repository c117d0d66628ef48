# SPDX-License-Identifier: Apache-2.0
"""An operator project: `op_host` in C++, `op_kernel` in Ascend C, built for the chips that its operators name."""

from __future__ import annotations

import importlib.util
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from aclimb import chips, knobs
from aclimb.compile import Program, toolchain
from aclimb.compile.headers import host_include_dir
from aclimb.errors import CompileError, InvalidArgument
from aclimb.op.check.checker import CheckReport, check
from aclimb.op.declare.kernel import kernel_name
from aclimb.op.native.library import KERNELS, Library
from aclimb.op.native.package import Package
from aclimb.op.native.platform import short_name
from aclimb.op.native.prototype import LoadedOperator
from aclimb.op.node.dtypes import dtype_of

CHECKS = "check.py"
_SUFFIXES = (".cpp", ".cc", ".asc")
UNITS = {"ascend910b": "Ascend910B1", "ascend910_93": "Ascend910_9392"}  # one for each that is modelled
_FLAGS = ("-shared", "-fPIC", "-O2", "-std=c++17", "-fvisibility=hidden")


@dataclass(frozen=True)
class Project:
    """A folder with op_host and op_kernel in it, and what was built of it."""

    folder: Path
    out: Path

    @property
    def package(self) -> Package:
        return Package(self.out)

    def load(self) -> Library:
        return self.package.load()

    def host_sources(self) -> list[Path]:
        return sorted(each for each in (self.folder / "op_host").rglob("*") if each.suffix in _SUFFIXES[:2])


def build(folder: str | Path, out: str | Path | None = None, options: Sequence[str] = ()) -> Project:
    """Builds the host library and the kernels, into `out` or the folder `build` of the project. `options`: of the host's compiler."""
    project = Project(Path(folder).resolve(), Path(out).resolve() if out is not None else Path(folder).resolve() / "build")
    sources = project.host_sources()
    if not sources:
        raise InvalidArgument(f"{folder} is no operator project: there is no .cpp file in {folder}/op_host")
    project.out.mkdir(parents=True, exist_ok=True)
    folders = [project.folder / "op_host", project.folder / KERNELS, project.folder]
    build_host(sources, project.package.library, [*options, *(f"-I{each}" for each in folders)], project.folder.name)
    with project.load() as library:
        build_kernels(library, project.folder / KERNELS, project.package)
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


@dataclass(frozen=True)
class KernelChoices:
    """What a project says about its kernels; nothing of it is needed."""

    units: tuple[str, ...] = ()  # only for these, as AddConfig names them
    files: Mapping[str, Path] = field(default_factory=dict)  # by type
    options: Callable[[str, str], list[str]] = lambda op_type, unit: []  # of the compiler


def build_kernels(operators: Iterable[LoadedOperator], folder: Path, package: Package, choices: KernelChoices | None = None) -> None:
    """The kernel of each operator, for every chip that it names and that is modelled."""
    said = choices or KernelChoices()
    for operator in operators:
        source = said.files.get(operator.type) or _kernel_source(folder, operator)
        for unit, soc in _socs(operator) if source is not None else ():
            if said.units and unit not in said.units:
                continue
            target = package.kernels / unit / f"{kernel_name(operator.type)}.o"
            target.parent.mkdir(parents=True, exist_ok=True)
            assert source is not None
            Program(source, soc=soc, extra_flags=said.options(operator.type, unit)).compile().save(target)


def _kernel_source(folder: Path, operator: LoadedOperator) -> Path | None:
    """By the name of the type, or as opFile.value of its configuration says."""
    stem = operator.settings.get("opFile.value") or kernel_name(operator.type)
    return next((each for each in sorted(folder.rglob("*")) if each.stem == stem and each.suffix in _SUFFIXES), None)


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
            kernel = operator._kernel
            keys = ", ".join(map(str, kernel.info.tiling_keys)) if kernel is not None and kernel.info.tiling_keys else "0"
            told = f"tiling keys {keys}" if kernel is not None else "no kernel"
            if operator._impl().launch is not None or operator._impl().op_execute_func is not None:
                told = "launches its kernels itself"
            inputs = ", ".join(_told(operator, name) for name in operator.inputs)
            attrs = "".join(f", {each.name}: {getattr(each.kind, '__name__', each.kind)}" for each in operator._declaration.attrs)
            outputs = ", ".join(_told(operator, name) for name in operator.outputs)
            yield f"{operator.type}({inputs}{attrs}) -> {outputs}   {told}   {', '.join(operator.socs) or 'any chip'}"


def _told(operator: LoadedOperator, name: str) -> str:
    kinds = dict.fromkeys(row[name] for row in operator.combinations if name in row)
    return f"{name}: {'|'.join(kinds)}" if kinds else name


# --- checks


def check_project(folder: str | Path, out: str | Path | None = None) -> list[CheckReport]:
    """op.check of every operator that check.py of the project has a reference for: a function with the name of its kernel."""
    project = build(folder, out)
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
