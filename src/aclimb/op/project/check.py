# SPDX-License-Identifier: Apache-2.0
"""`aclimb op test`: check.py of a project says in NumPy what its operators compute.

def scale_by(x, scale): ...                            under the name of the kernel
SHAPES = [(1,), (7, 31)]                               instead of op.check's
ATTRS = {"scale_by": {"scale": 2.0}}                   attributes; those with a default may be left out
SAMPLES = {"scale_by": lambda shape, dtype: (x,)}      inputs, where those of one shape would not do
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from aclimb.errors import InvalidArgument
from aclimb.op.check.checker import CheckReport, check
from aclimb.op.declare.declaration import REQUIRED, Declared
from aclimb.op.declare.kernel import kernel_name
from aclimb.op.native.prototype import LoadedOperator
from aclimb.op.node.dtypes import dtype_of
from aclimb.op.project.build import Project

CHECKS = "check.py"


def check_project(project: Project) -> list[CheckReport]:
    """op.check of every operator that the project's check.py has a reference for."""
    said = _read(project.folder / CHECKS)
    with project.load() as library:
        found = [(each, getattr(said, kernel_name(each.type), None)) for each in library]
        if not any(reference for _, reference in found):
            wanted = ", ".join(kernel_name(each.type) for each, _ in found)
            raise InvalidArgument(f"{project.folder / CHECKS} has no reference; write a NumPy function {wanted}")
        return [_check(each, reference, said) for each, reference in found if reference is not None]


def _read(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("aclimb_project_check", path) if path.is_file() else None
    if spec is None or spec.loader is None:
        raise InvalidArgument(f"{path} does not exist; it has a NumPy function for each operator, under the name of its kernel")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _check(operator: LoadedOperator, reference: Callable[..., Any], said: ModuleType) -> CheckReport:
    name = kernel_name(operator.type)
    attrs = getattr(said, "ATTRS", {}).get(name, {})
    for each in operator._declaration.attrs:
        if each.default is REQUIRED and not each.private and each.name not in attrs:
            raise InvalidArgument(f"{operator.type} needs the attribute {each.name}; {CHECKS} gives it: "
                                  f'ATTRS = {{"{name}": {{"{each.name}": ...}}}}')  # fmt: skip
    samples = getattr(said, "SAMPLES", {}).get(name) or _samples(operator)
    return check(operator, samples, reference=reference, shapes=getattr(said, "SHAPES", None), attrs=attrs)


def _samples(operator: LoadedOperator) -> Callable[[tuple[int, ...], Any], tuple[Any, ...]]:
    first = operator.inputs[0]

    def make(shape: tuple[int, ...], dtype: Any) -> tuple[Any, ...]:
        row = next((each for each in operator.combinations if first not in each or dtype_of(each[first]) == dtype), {})
        random = np.random.default_rng(1)

        def values(declared: Declared) -> Any:
            return (random.random(shape) * 8).astype(dtype_of(row[declared.name]) if declared.name in row else dtype)

        return tuple([values(each), values(each)] if each.dynamic else values(each) for each in operator._declaration.inputs)

    return make
