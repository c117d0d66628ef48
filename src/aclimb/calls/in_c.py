# SPDX-License-Identifier: Apache-2.0
"""The calls of acl as C has them: under their C names, with None for NULL."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import replace
from functools import wraps
from types import ModuleType
from typing import Any

from aclimb.calls.table import Row, bind, rows_of, unsupported
from aclimb.errors import Refused

NULL = 100000
_LETTERS = {"k": "p", "s": "z", "s?": "z", "l": "n", "o?": "o"}  # every parameter is there, and pointers may be NULL
_OTHER_PARAMETERS = {"aclAppLog"}  # C's also takes function, file and line


def in_c(prefix: str, group: ModuleType, but: Container[str]) -> dict[str, Callable[..., Any]]:
    """The calls of one file of acl, except those that are written elsewhere."""
    rows = rows_of(group.TABLE + getattr(group, "WITHOUT_EFFECT", ""))
    wanted = [row for row in rows if row.c_name not in _OTHER_PARAMETERS and row.c_name not in but]
    functions = {row.c_name: _refusing_null(row, vars(group)[row.name]) for row in wanted}
    made = bind(prefix, {row.c_name: _renamed(row) for row in wanted}, functions)
    for sentence, table in getattr(group, "UNSUPPORTED", {}).items():
        made |= unsupported(prefix, [_renamed(row) for row in rows_of(table)], sentence)
    return made


def _renamed(row: Row) -> Row:
    return replace(row, name=row.c_name, parameters=tuple((_LETTERS.get(letter, letter), name) for letter, name in row.parameters))


def _refusing_null(row: Row, function: Callable[..., Any]) -> Callable[..., Any]:
    """A text may be NULL in C. acl's functions never see None, because a caller of acl cannot give it."""
    texts = [(position, name) for position, (letter, name) in enumerate(row.parameters) if letter == "s"]
    if not texts:
        return function

    @wraps(function)
    def checked(*values: Any) -> Any:
        for position, name in texts:
            if values[position] is None:
                raise Refused(NULL, f"{name} is None (NULL)")
        return function(*values)

    return checked
