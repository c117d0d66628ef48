# SPDX-License-Identifier: Apache-2.0
"""An operator project: `op_host` in C++, `op_kernel` in Ascend C, built for the chips that its operators name."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from aclimb.binary import KernelBinary
from aclimb.compile import toolchain
from aclimb.compile.headers import host_include_dir
from aclimb.errors import CompileError, InvalidArgument
from aclimb.op.native.layout import KERNELS
from aclimb.op.native.library import Library
from aclimb.op.native.package import Package
from aclimb.op.native.prototype import LoadedOperator
from aclimb.op.project.kernels import KernelChoices, build_kernels

_FLAGS = ("-shared", "-fPIC", "-O2", "-std=c++17", "-fvisibility=hidden")
_HOST_SUFFIXES = (".cpp", ".cc")
_API = "op_api"


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
        found = (each for each in (self.folder / "op_host").rglob("*") if each.suffix in _HOST_SUFFIXES)
        return sorted(each for each in found if _API not in each.relative_to(self.folder).parts[:-1])

    def api_folders(self) -> list[Path]:
        """Where hand-written aclnn functions lie: `op_api` beside op_host, or in it."""
        return [each for each in (self.folder / _API, *sorted((self.folder / "op_host").rglob(_API))) if each.is_dir()]

    def api_sources(self) -> list[Path]:
        return sorted(each for folder in self.api_folders() for each in folder.rglob("*") if each.suffix in _HOST_SUFFIXES)


def build(folder: str | Path, out: str | Path | None = None, options: Sequence[str] = (), choices: KernelChoices | None = None) -> Project:
    """Builds the host library and the kernels, into `out` or the folder `build` of the project. `options`: of the host's compiler."""
    project = Project.at(folder, out)
    sources = project.host_sources()
    if not sources:
        raise InvalidArgument(f"{folder} is no operator project: there is no .cpp file in {folder}/op_host")
    project.out.mkdir(parents=True, exist_ok=True)
    said = choices or KernelChoices()
    folders = [project.folder / "op_host", project.kernels, project.folder]
    folders += said.headers.folders(sources, [*folders, *(Path(each[2:]) for each in options if each.startswith("-I"))])
    build_host(sources, project.package.library, [*options, *(f"-I{each}" for each in folders)], project.folder.name)
    with project.load() as library:
        build_kernels(library, project.kernels, project.package, said)
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


def lines(project: Project) -> Iterator[str]:
    """An operator a line: inputs, attributes and outputs, tiling keys, chips."""
    with project.load() as library:
        for operator in library:
            told = _told_of(project.package.binaries(operator))
            if operator._impl().launch is not None or operator._impl().op_execute_func is not None:
                told = "launches its kernels itself"
            inputs = ", ".join(_told(operator, name) for name in operator.inputs)
            attrs = "".join(
                f", {each.name}: {each.kind if get_args(each.kind) else each.kind.__name__}" for each in operator._declaration.attrs
            )
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
