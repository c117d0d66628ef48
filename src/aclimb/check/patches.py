# SPDX-License-Identifier: Apache-2.0
"""A call moved to another line of its file, as a patch."""

from __future__ import annotations

import difflib
from pathlib import Path

from aclimb.binary.source_lines import source_lines
from aclimb.report.places import SourcePlace


def moved_line(call: SourcePlace, to: SourcePlace, *, behind: bool) -> str:
    """A unified diff that takes the line of `call` away and puts it behind or before that of `to`; "" where that would not be C++.

    The line has to hold the call and nothing else, and both have to be whole statements of one file.
    """
    file, before = Path(call.file), [f"{line}\n" for line in source_lines(call.file)]
    if call.file != to.file:
        return ""
    if not (_is_statement(before, call.line) and _is_statement(before, to.line)):
        return ""
    moved = _indent(before[to.line - 1]) + before[call.line - 1].lstrip()
    after = [line for number, line in enumerate(before, 1) if number != call.line]
    at = to.line - (1 if call.line < to.line else 0) - (0 if behind else 1)
    after.insert(at, moved)
    return "".join(difflib.unified_diff(before, after, f"a/{file.name}", f"b/{file.name}", n=2))


def _is_statement(lines: list[str], number: int) -> bool:
    text = lines[number - 1].strip() if 0 < number <= len(lines) else ""
    return text.endswith(";") and text.count("(") == text.count(")") and not text.startswith(("if", "for", "while", "}"))


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]
