# SPDX-License-Identifier: Apache-2.0
"""The calls of acl as C has them: under their C names, with None for NULL."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import wraps
from types import ModuleType
from typing import Any

from aclimb.calls.table import Row, rows_of
from aclimb.errors import Refused

NULL = 100000
_LETTERS = {"k": "p", "s": "z", "s?": "z", "l": "n", "o?": "o"}  # every parameter is there, and pointers may be NULL


@dataclass
class Group:
    """The calls of one file, as they are bound later."""

    rows: dict[str, Row] = field(default_factory=dict)
    functions: dict[str, Callable[..., Any]] = field(default_factory=dict)
    without_effect: set[str] = field(default_factory=set)
    unsupported: dict[str, str] = field(default_factory=dict)  # name: sentence

    def add(self, other: Group) -> None:
        """Its calls take the place of those of the same name."""
        for name in other.rows:
            self.unsupported.pop(name, None)
            self.without_effect.discard(name)
        self.rows |= other.rows
        self.functions |= other.functions
        self.without_effect |= other.without_effect
        self.unsupported |= other.unsupported


def in_c(group: ModuleType) -> Group:
    """Of a file of acl, whose rows have a C name at the end."""
    made = Group()
    for row in rows_of(group.TABLE + getattr(group, "WITHOUT_EFFECT", "")):
        made.rows[row.c_name] = _renamed(row)
        made.functions[row.c_name] = _refusing_null(row, vars(group)[row.name])
    made.without_effect = {row.c_name for row in rows_of(getattr(group, "WITHOUT_EFFECT", ""))}
    for sentence, table in getattr(group, "UNSUPPORTED", {}).items():
        found = {row.c_name: _renamed(row) for row in rows_of(table)}
        made.rows |= found
        made.unsupported |= dict.fromkeys(found, sentence)
    return made


def group_of(module: ModuleType) -> Group:
    """Of a file whose rows have C's names and C's parameters already."""
    made = Group()
    for row in rows_of(getattr(module, "TABLE", "") + getattr(module, "WITHOUT_EFFECT", "")):
        made.rows[row.name], made.functions[row.name] = row, vars(module)[row.name]
    made.without_effect = {row.name for row in rows_of(getattr(module, "WITHOUT_EFFECT", ""))}
    for sentence, table in getattr(module, "UNSUPPORTED", {}).items():
        found = {row.name: row for row in rows_of(table)}
        made.rows |= found
        made.unsupported |= dict.fromkeys(found, sentence)
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
