# SPDX-License-Identifier: Apache-2.0
"""The lines of all TABLEs."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from aclimb.errors import Unsupported
from aclimb.op.builtin import arithmetic, comparison, creation, functions, indexing, products, rand, reduction

_GROUPS = (creation, arithmetic, functions, comparison, reduction, products, indexing, rand)
LIKENESS = 0.75  # of a name that is worth mentioning


@dataclass(frozen=True, slots=True)
class Row:
    """One function."""

    name: str
    parameters: tuple[tuple[str, str], ...]  # (letter, name); "t?" may be NULL
    compute: Callable[..., Any]
    group: str  # what its file is about


def _rows_of(group: ModuleType) -> list[Row]:
    rows = []
    for line in group.TABLE.strip().splitlines():
        name, rest = line.split(maxsplit=1)
        parameters, function = rest.rsplit(maxsplit=1)
        taken = [tuple(each.split()) for each in parameters.split(",")]
        compute = vars(group)[function.removesuffix("!")]
        if function.endswith("!"):
            compute = _in_place(compute)
        about = (group.__doc__ or "").splitlines()[0]
        rows.append(Row(name, tuple((letter, each) for letter, each in taken), compute, about))
    return rows


def _in_place(compute: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, *others: compute(self, *others, self)


ROWS = {row.name: row for group in _GROUPS for row in _rows_of(group)}
NAMES = tuple(sorted(ROWS))


def row_of(name: str) -> Row:
    if name not in ROWS:
        near = difflib.get_close_matches(name, NAMES, n=3, cutoff=LIKENESS)
        alike = f"; it has {', '.join(near)}" if near else ""
        raise Unsupported(
            f"aclimb's operator library has no {name}{alike}; move the tensors to the CPU (.cpu()), or run a kernel of your own"
        )
    return ROWS[name]
