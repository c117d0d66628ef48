# SPDX-License-Identifier: Apache-2.0
"""Calls moved to other lines of their files, as one patch."""

from __future__ import annotations

import difflib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from aclimb.binary.source_lines import source_lines
from aclimb.report.places import SourcePlace


@dataclass(frozen=True, slots=True)
class MovedLine:
    """The line of a call that goes behind or before another line."""

    call: SourcePlace
    to: SourcePlace
    behind: bool

    @property
    def is_possible(self) -> bool:
        """The line holds the call and nothing else, and both are whole statements of one function."""
        if self.call.file != self.to.file:
            return False
        lines = source_lines(self.call.file)
        first, last = sorted((self.call.line, self.to.line))
        return (
            _is_statement(lines, self.call.line)
            and _is_statement(lines, self.to.line)
            and not any(line.startswith("}") for line in lines[first:last])
        )


def patch_of(moves: Sequence[MovedLine]) -> str:
    """A unified diff that makes all of them."""
    by_file = defaultdict[str, list[MovedLine]](list)
    for move in moves:
        by_file[move.call.file].append(move)
    return "".join(_patch_of_file(Path(file), own) for file, own in by_file.items())


def _patch_of_file(file: Path, moves: Sequence[MovedLine]) -> str:
    before, after = [f"{line}\n" for line in source_lines(str(file))], list[str]()
    for number, line in enumerate(before, 1):
        here = [(move.behind, _indent(line) + before[move.call.line - 1].lstrip()) for move in moves if move.to.line == number]
        after += [text for behind, text in here if not behind]
        after += [] if any(move.call.line == number for move in moves) else [line]
        after += [text for behind, text in here if behind]
    return "".join(difflib.unified_diff(before, after, f"a/{file.name}", f"b/{file.name}", n=2))


def _is_statement(lines: Sequence[str], number: int) -> bool:
    """A whole one, which no `if` or loop in the line before it takes along."""
    text = lines[number - 1].strip() if 0 < number <= len(lines) else ""
    if not text.endswith(";") or text.count("(") != text.count(")") or text.startswith(("if", "for", "while", "}")):
        return False
    before = next((line.strip() for line in reversed(lines[: number - 1]) if line.strip()), "")
    return before.startswith(("#", "//")) or before.split("//")[0].strip().endswith((";", "{", "}", ":"))


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]
