# SPDX-License-Identifier: Apache-2.0
"""Compile errors because of a name that the device headers do not have: one sentence about the name, instead of what follows from it.

A struct that does not exist takes with it every variable of it and every line that names one. Of all that, the user needs to know which
name of Ascend C is missing, where it stands, and what there is instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from aclimb.compile.api_names import Missing
from aclimb.errors import Diagnostic

_QUOTED = re.compile(r"'([^'\n]*)'")
_WORD = re.compile(r"[A-Za-z_]\w*")


class Refusals:
    """The names that are missing and that the user's own files do not define."""

    def __init__(self, missing: dict[str, Missing], files: Iterable[Path]) -> None:
        self.missing = missing
        self.texts = [path.read_text(errors="replace") for path in files if path.is_file()]
        self.own: dict[str, bool] = {}

    def told(self, errors: list[Diagnostic], is_sentence: Iterable[bool]) -> tuple[list[Diagnostic], int]:
        """The errors to show, and how many were left out because they follow, or may follow, from these.

        `is_sentence`: errors that the headers worded themselves.
        """
        shown: list[Diagnostic] = []
        told: set[str] = set()
        left_out = 0
        for error, ours in zip(errors, is_sentence, strict=True):
            name = None if ours else self._name_in(error)
            if ours:
                shown.append(error)
            elif name is None:
                left_out += 1
            elif name not in told:
                told.add(name)
                shown.append(_about(self.missing[name], error))
        return (shown, left_out) if told or (shown and self._all_missing(shown)) else (errors, 0)

    def _name_in(self, error: Diagnostic) -> str | None:
        """By the error's own words, else by its line."""
        quoted: list[str] = [word for text in _QUOTED.findall(error.text) for word in _WORD.findall(text) if self._is_refused(word)]
        line: list[str] = [word for word in _WORD.findall(_without_texts(_line(error))) if self._is_refused(word)]
        if not quoted:
            return line[0] if line else None
        part = self.missing[quoted[0]].part
        return next((word for word in line if self.missing[word].part == part), quoted[0])

    def _is_refused(self, word: str) -> bool:
        found = self.missing.get(word)
        return found is not None and not found.is_method and not self._is_own(word)

    def _is_own(self, name: str) -> bool:
        if name not in self.own:
            kinds = rf"\b(?:class|struct|union|enum(?:\s+class)?|using|typename|define)\s+{name}\b"
            function = rf"[\w>&*\]]\s+{name}\s*\([^;{{}}]*\)\s*(?:const\s*)?\{{"
            self.own[name] = any(re.search(f"{kinds}|{function}", text) for text in self.texts)
        return self.own[name]

    def _all_missing(self, shown: list[Diagnostic]) -> bool:
        """Whether the headers' own sentences are about missing names: what else there is may come from these."""
        return all(
            "is not supported yet; nearest: " in each.text or "does not exist on Atlas A2 and A3; nearest: " in each.text for each in shown
        )


def _about(missing: Missing, error: Diagnostic) -> Diagnostic:
    column = _line(error).find(missing.name) + 1 or error.column
    return Diagnostic(error.file, error.line, column, "error", missing.sentence)


def _line(error: Diagnostic) -> str:
    try:
        return Path(error.file).read_text(errors="replace").splitlines()[error.line - 1] if error.line > 0 else ""
    except (OSError, IndexError):
        return ""


def _without_texts(line: str) -> str:
    return re.sub(r'"(?:[^"\\]|\\.)*"|//.*', " ", line)
