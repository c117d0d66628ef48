# SPDX-License-Identifier: Apache-2.0
"""The C side of an operator package: aclnn_<op>.h for each operator, and libcust_opapi.so with their functions."""

from __future__ import annotations

import logging
import re
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from aclimb.binary.container import replace_file
from aclimb.compile.options import Options
from aclimb.errors import InvalidArgument
from aclimb.host import driver
from aclimb.host.command_line import parse
from aclimb.host.jobs import host_options
from aclimb.op.aclnn.generate import ApiFiles, generate
from aclimb.op.execute.operator import Operator
from aclimb.op.project import cmake
from aclimb.op.project.build import Project, build
from aclimb.op.project.kernels import KernelChoices
from aclimb.op.project.sources import Headers, checkout_of

_log = logging.getLogger("aclimb")
_DEFINITION = re.compile(r"\baclnnStatus\s+(aclnn\w+)GetWorkspaceSize\s*\([^;{]*\)\s*\{")
# Of the vendor's kernel compiler: what is kept or printed there, and changes no result.
_WITHOUT_EFFECT = ("--save-temp-files", "--op_debug_config", "--tiling_key", "--kernel-template-input", "-Werror", "-Wall", "-g")


def build_project(folder: str | Path, out: str | Path | None = None, words: Sequence[str] = (), around: Path | None = None) -> Project:
    """Host library, kernels, headers and the library for programs. `words`: -I and -D, for host code and kernels. `around`: where headers
    are looked for that the project does not have; by default the repository that it lies in."""
    project = Project.at(folder, out)
    said = cmake.read(project.folder)

    def options(op_type: str, unit: str) -> Options:
        return kernel_options([*said.of(op_type, unit), *words])

    outer = around or checkout_of(project.folder)
    roots = (project.kernels, project.folder, *((outer.resolve(),) if outer is not None else ()))
    build(project.folder, project.out, words, KernelChoices(files=said.files, options=options, headers=Headers(roots)))
    build_api(project, words)
    return project


def kernel_options(words: Sequence[str]) -> Options:
    """Options for kernels, as an operator project writes them for the vendor's compiler."""
    return host_options(parse([each for each in words if not each.startswith(_WITHOUT_EFFECT)])).for_device()


def build_api(project: Project, words: Sequence[str] = ()) -> None:
    """Writes the headers and the library of the operators that the package's host library declares: generated functions, but for those
    that the project has in its own sources."""
    package, folders, own = project.package, project.api_folders(), project.api_sources()
    written = {name for each in own for name in _DEFINITION.findall(each.read_text(errors="replace"))}
    with package.load() as library:
        files = generate_all(each for each in library if f"aclnn{each.type}" not in written)
    package.include.mkdir(parents=True, exist_ok=True)
    package.api.parent.mkdir(parents=True, exist_ok=True)
    for each in files:
        replace_file(package.include / f"{each.name}.h", each.header.encode())
    for header in (each for folder in folders for each in folder.rglob("aclnn*.h")):
        replace_file(package.include / header.name, header.read_bytes())
    if not files and not own:
        return
    include = [f"-I{each}" for each in (package.include, *folders, project.folder / "op_host", project.folder)]
    with tempfile.TemporaryDirectory(prefix="aclimb-opapi-") as working:
        sources = [*map(str, own), *(str(write(Path(working), each)) for each in files)]
        driver.run(["-shared", "-O2", "-fPIC", *words, *include, *sources, f"-Wl,-soname,{package.api.name}", "-o", str(package.api)])


def generate_all(operators: Iterable[Operator]) -> list[ApiFiles]:
    """An operator that aclnn has no types for is left out, with a line in the log."""
    made = []
    for each in operators:
        try:
            made.append(generate(each))
        except InvalidArgument as error:
            _log.warning("%s has no aclnn functions: %s", each.type, error)
    return made


def write(folder: Path, files: ApiFiles) -> Path:
    """The source, which is what is compiled."""
    source = folder / f"{files.name}.cpp"
    replace_file(source, files.source.encode())
    return source
