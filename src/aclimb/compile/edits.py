# SPDX-License-Identifier: Apache-2.0
"""Changes of a preprocessed source. They are made in the user's part of it, and no line gets another number."""

from __future__ import annotations

import bisect
import re
from pathlib import Path

from aclimb.compile.tokens import user_lines

_NOT_A_MARKER = re.compile(r"^(?!#\s*(?:line\s+)?\d)[^\n]*$", re.MULTILINE)
_NAMED_FILE = re.compile(r'^# \d+ "([^"<][^"]*)"', re.MULTILINE)


class EditedText:
    """`users` is the part to look at; places in it are what `replace` takes."""

    def __init__(self, preprocessed: str, own_folders: tuple[Path, ...]) -> None:
        self.whole = preprocessed
        self.files: list[Path] = []  # the user's, in the order they were entered
        self.users, self._places = user_lines(preprocessed, own_folders, self.files)
        self._edits: list[tuple[int, int, int, str]] = []  # start, end, order of arrival, new text

    def replace(self, start: int, end: int, new: str) -> None:
        """`new` stands on the first line of what it replaces."""
        self._edits.append((start, end, len(self._edits), new))

    def insert(self, at: int, new: str) -> None:
        self.replace(at, at, new)

    def result(self) -> str:
        parts: list[str] = []
        done = 0
        for start, end, _, new in sorted(self._edits):
            first = self._in_whole(start)
            if first < done:
                continue  # inside of something that was replaced
            behind = first if end == start else self._in_whole(end - 1) + 1
            parts += [self.whole[done:first], new, _lines_of(self.whole[first:behind])]
            done = behind
        return "".join([*parts, self.whole[done:]])

    def _in_whole(self, place: int) -> int:
        there, here = self._places[bisect.bisect_right(self._places, (place, len(self.whole))) - 1]
        return here + place - there


def all_files(preprocessed: str) -> list[Path]:
    """Every file that the text was made of, system headers too."""
    return [Path(name) for name in dict.fromkeys(_NAMED_FILE.findall(preprocessed)) if not name.endswith("/")]


def _lines_of(text: str) -> str:
    """The line breaks of a text, and its line markers."""
    first, _, rest = text.partition("\n")
    return "\n" + _NOT_A_MARKER.sub("", rest) if len(first) != len(text) else ""
