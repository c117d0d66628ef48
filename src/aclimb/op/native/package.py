# SPDX-License-Identifier: Apache-2.0
"""A package of operators: what a project is built into, and where programs find operators.

Where its parts lie: layout.py.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from aclimb import knobs
from aclimb.errors import AclimbError
from aclimb.op.declare.kernel import kernel_name
from aclimb.op.declare.space import FINDERS
from aclimb.op.native.layout import host_library, is_package, kernel_folder
from aclimb.op.native.library import Library, load
from aclimb.op.native.prototype import LoadedOperator

_log = logging.getLogger("aclimb")
_told: set[str] = set()  # why packages were left out
_VENDORS, _CONFIG = "vendors", "config.ini"


@dataclass(frozen=True)
class Package:
    """The folder of a package."""

    root: Path

    @property
    def library(self) -> Path:
        return host_library(self.root)

    @property
    def kernels(self) -> Path:
        return kernel_folder(self.root)

    @property
    def include(self) -> Path:
        return self.root / "op_api" / "include"

    @property
    def api(self) -> Path:
        """What programs link to."""
        return self.root / "op_api" / "lib" / "libcust_opapi.so"

    def binaries(self, operator: LoadedOperator) -> list[Path]:
        """The kernels of an operator, for the first chip that there are some for."""
        name = kernel_name(operator.type)
        for unit in sorted(each for each in self.kernels.glob("*") if each.is_dir()):
            found = [*unit.glob(f"{name}.o"), *sorted((unit / name).glob("*.o"))]
            if found:
                return found
        return []

    def load(self) -> Library:
        return load(self.root)


def package_of(api: Path) -> Package | None:
    """The package that a libcust_opapi.so lies in, wherever that was moved to."""
    root = api.resolve().parent.parent.parent
    return Package(root) if is_package(root) else None


def packages() -> Iterator[Package]:
    """Those that the environment names, the first one before all others: custom ones, then the vendors of the operator folder."""
    folders = [Path(each) for each in knobs.custom_opp_path().split(":") if each]
    if knobs.opp_path():
        vendors = Path(knobs.opp_path()) / _VENDORS
        folders += [vendors / each for each in _priority(vendors)]
    yield from (Package(each) for each in folders if is_package(each))


def _priority(vendors: Path) -> list[str]:
    """load_priority of config.ini: names with commas between them; those that it does not name come behind."""
    try:
        lines = (vendors / _CONFIG).read_text(errors="replace").splitlines()
    except OSError:
        lines = []
    said = next((value for key, _, value in (line.partition("=") for line in lines) if key.strip() == "load_priority"), "")
    there = sorted(each.name for each in vendors.iterdir() if each.is_dir()) if vendors.is_dir() else []
    named = [name for each in said.split(",") if (name := each.strip()) in there]
    return list(dict.fromkeys([*named, *there]))


def find_operator(op_type: str) -> LoadedOperator | None:
    """Of the first package of the environment that has it; it is loaded, and those before it, too. One that cannot be is left out."""
    for each in packages():
        library = _loaded(each)
        if library is not None and op_type in library.operators:
            return library[op_type]
    return None


def _loaded(package: Package) -> Library | None:
    try:
        return package.load()
    except AclimbError as error:
        if str(error) not in _told:
            _told.add(str(error))
            _log.warning("the package %s is left out: %s", package.root, error)
        return None


FINDERS.append(find_operator)
