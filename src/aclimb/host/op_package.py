# SPDX-License-Identifier: Apache-2.0
"""The C side of an operator package: aclnn_<op>.h for each operator, and libcust_opapi.so with their functions."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Iterable
from pathlib import Path

from aclimb.binary.container import replace_file
from aclimb.errors import InvalidArgument
from aclimb.host import driver
from aclimb.op.aclnn.generate import ApiFiles, generate
from aclimb.op.execute.operator import Operator
from aclimb.op.native.package import Package
from aclimb.op.project.build import Project, build

_log = logging.getLogger("aclimb")


def build_project(folder: str | Path, out: str | Path | None = None) -> Project:
    """Host library, kernels, headers and the library for programs."""
    project = build(folder, out)
    build_api(project.package)
    return project


def build_api(package: Package) -> None:
    """Writes the headers and the library of the operators that the package's host library declares."""
    with package.load() as library:
        files = generate_all(library)
    package.include.mkdir(parents=True, exist_ok=True)
    package.api.parent.mkdir(parents=True, exist_ok=True)
    for each in files:
        replace_file(package.include / f"{each.name}.h", each.header.encode())
    if not files:
        return
    with tempfile.TemporaryDirectory(prefix="aclimb-opapi-") as working:
        sources = [str(write(Path(working), each)) for each in files]
        driver.run(["-shared", "-O2", "-fPIC", f"-I{package.include}", *sources, f"-Wl,-soname,{package.api.name}", "-o", str(package.api)])


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
