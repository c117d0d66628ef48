# SPDX-License-Identifier: Apache-2.0
"""Puts a module together: every row of its groups' tables becomes a function.

A group is a file with TABLE and functions of the same names. Rows of WITHOUT_EFFECT are accepted and do nothing; rows of
UNSUPPORTED refuse, with the sentence that stands before them.
"""

from __future__ import annotations

import difflib
from types import ModuleType
from typing import Any, NamedTuple

from aclimb import calls

STATUSES = SUPPORTED, WITHOUT_EFFECT, UNSUPPORTED = "supported", "accepted without effect", "unsupported"


class Support(NamedTuple):
    """One line of the support table."""

    path: str
    c_name: str
    status: str  # one of STATUSES
    note: str


SUPPORT: list[Support] = []
ROWS: dict[str, calls.Row] = {}  # by path


def fill(space: dict[str, Any], prefix: str, *groups: ModuleType) -> None:
    """Adds the functions of these groups to the namespace of the module `prefix`."""
    for group in groups:
        _add(space, prefix, group, getattr(group, "TABLE", ""), SUPPORTED)
        _add(space, prefix, group, getattr(group, "WITHOUT_EFFECT", ""), WITHOUT_EFFECT)
        for sentence, table in getattr(group, "UNSUPPORTED", {}).items():
            add_unsupported(space, prefix, table, sentence)
    space["__getattr__"] = missing(space, prefix)


def _add(space: dict[str, Any], prefix: str, group: ModuleType, table: str, status: str) -> None:
    rows = {row.name: row for row in calls.rows_of(table)}
    space.update(calls.bind(prefix, rows, vars(group)))
    for row in rows.values():
        note = (vars(group)[row.name].__doc__ or "").split("\n")[0]
        SUPPORT.append(Support(f"{prefix}.{row.name}", row.c_name, status, note))
        ROWS[f"{prefix}.{row.name}"] = row


def add_unsupported(space: dict[str, Any], prefix: str, table: str, sentence: str) -> None:
    rows = calls.rows_of(table)
    space.update(calls.unsupported(prefix, rows, sentence))
    for row in rows:
        SUPPORT.append(Support(f"{prefix}.{row.name}", row.c_name, UNSUPPORTED, sentence))
        ROWS[f"{prefix}.{row.name}"] = row


def missing(space: dict[str, Any], prefix: str) -> Any:
    def look(name: str) -> Any:
        near = difflib.get_close_matches(name, [each for each in space if not each.startswith("_")], 1, 0.8)
        text = f"module {prefix!r} has no attribute {name!r}" + (f"; did you mean {near[0]!r}?" if near else "")
        raise AttributeError(text, name=None, obj=None)  # with a name, Python would add a guess of its own

    return look
