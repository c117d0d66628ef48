# SPDX-License-Identifier: Apache-2.0
"""Rows of `op.check` in other processes. They import the program, and find operator, samples and reference by their names."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from aclimb.errors import InvalidArgument
from aclimb.fleet import Places, Task, open_fleet
from aclimb.op.check.checker import Checker, CheckFinding, CheckRow, not_released
from aclimb.op.declare.space import find_op_impl
from aclimb.op.node.dtypes import dtype_of

MAIN, AGAIN = "__main__", "__checked_main__"  # the program, and what it is called where it is not the program


@dataclass(frozen=True, slots=True)
class Named:  # this process -> another one
    module: str
    file: str
    name: str


@dataclass(frozen=True, slots=True)
class RowAsked:  # op.check -> one process
    operator: Named
    make: Named | None  # samples of a shape and a type
    inputs: list[Any] | None  # or the samples themselves
    shape: tuple[int, ...]
    dtype: str
    reference: Named | None
    attrs: dict[str, Any]
    rtol: float
    atol: float
    path: tuple[str, ...]  # Python's, so that modules are found


RowFound = tuple[CheckRow, list[CheckFinding], int, int]  # the last: whether its params were still there, whether it ran to its end


def fan_out(
    rows: Sequence[RowAsked], jobs: int | None, on: str | None, tell: Callable[[int, int], Any]
) -> tuple[list[CheckRow], list[CheckFinding]]:
    """The same rows and findings, in the same order, as one after the other in this process."""
    done = 0

    def came(_: object) -> None:
        nonlocal done
        done += 1
        tell(done, len(rows))

    with open_fleet(on, jobs) as fleet:
        folders = fleet.carry(_folders(rows))
        found = [_found(each.value, each.reason, row) for each, row in zip(
            fleet.run((Task("aclimb.op.check.rows:run_row", row, f"{row.dtype}{list(row.shape)}", folders) for row in rows), came),
            rows, strict=True)]  # fmt: skip
    findings = [finding for _, several, _, _ in found for finding in several]
    left, ran = sum(each[2] for each in found), sum(each[3] for each in found)
    return [each[0] for each in found], [*findings, *not_released(left, ran)]


def _found(value: RowFound | None, reason: str, row: RowAsked) -> RowFound:
    if value is not None:
        return value
    finding = CheckFinding("failed", f"{row.dtype}{list(row.shape)}: {reason}")
    return CheckRow(row.shape, row.dtype, False, "process", reason), [finding], 0, 0


def _folders(rows: Sequence[RowAsked]) -> Iterable[Path]:
    names = {each for row in rows for each in (row.operator, row.make, row.reference) if each is not None}
    return sorted({_root(each) for each in names})


def _root(named: Named) -> Path:
    """The folder that the module's name begins in."""
    return Path(named.file).absolute().parents[named.module.count(".") if named.module != MAIN else 0]


def named(value: Any, what: str, names: Iterable[str] = ()) -> Named:
    """Under which name of which module it is; `names` are those of modules to look in."""
    own = [getattr(value, "__module__", "")] if callable(value) and hasattr(value, "__qualname__") else []
    for name in dict.fromkeys([*own, *names, MAIN]):
        module = sys.modules.get(name)
        file = getattr(module, "__file__", None)
        for attribute, found in vars(module).items() if module is not None and file else ():
            if found is value:
                return Named(name, str(Path(str(file)).absolute()), attribute)
    raise InvalidArgument(
        f"{what} has no name of its own in a module, under which another process could find it; put it at the top of a file, or leave "
        "jobs and on out"
    )


# --- in the other process


def run_row(asked: RowAsked, places: Places) -> RowFound:
    for each in asked.path:
        here = str(places.here(each))
        if here not in sys.path:
            sys.path.append(here)
    operator = _find(asked.operator, places)
    there = find_op_impl(operator.type)
    if there is None or there.prototype is not operator:
        operator.register()  # the program does so behind its `if __name__`
    reference = _find(asked.reference, places) if asked.reference else None
    checker = Checker(operator, reference, asked.attrs, asked.rtol, asked.atol, None)
    try:
        inputs = asked.inputs if asked.inputs is not None else list(_find(asked.make, places)(asked.shape, dtype_of(asked.dtype)))
        row = checker.row((asked.shape, asked.dtype, inputs))
    finally:
        left = checker.close()
    return row, checker.findings, left, checker.ran


def _find(named: Named | None, places: Places) -> Any:
    assert named is not None
    return getattr(_module(named, places), named.name)


def _module(named: Named, places: Places) -> ModuleType:
    if named.module != MAIN:
        return importlib.import_module(named.module)
    if AGAIN not in sys.modules:
        path = places.here(named.file)
        sys.path.insert(0, str(path.parent))  # as Python does for the program that it is given
        spec = importlib.util.spec_from_file_location(AGAIN, path)
        assert spec is not None
        assert spec.loader is not None
        sys.modules[AGAIN] = module = importlib.util.module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
        except BaseException:
            del sys.modules[AGAIN]  # half of it is nobody's program
            raise
    return sys.modules[AGAIN]
