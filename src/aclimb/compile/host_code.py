# SPDX-License-Identifier: Apache-2.0
"""Host code in a kernel source.

A function that launches with `f<<<blocks, nullptr, stream>>>(...)` is not C++ and not for the device: it is replaced by
blanks, so that everything else keeps its line and column. Launching is the host's work, in Python.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from aclimb.compile.tokens import TOKEN


@dataclass
class _Brace:
    start: int  # where its declaration begins
    is_scope: bool  # namespace or extern "C": what is inside is still at namespace level
    launches: bool = False


def blank_launches(text: str) -> str:
    """The text with every function that contains <<< blanked; the text itself when there is none."""
    if "<<<" not in text:
        return text
    for start, end in reversed(_launching_functions(text)):
        text = text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]
    return text


def _launching_functions(text: str) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    braces: list[_Brace] = []
    start: int | None = None  # of the declaration that is being read
    words: list[str] = []
    for match in TOKEN.finditer(text):
        kind, word = match.lastgroup, match[0]
        if kind in ("line", "comment"):
            continue
        function = next((brace for brace in braces if not brace.is_scope), None)
        if kind == "marker":  # a preprocessor line ends nothing inside a function
            start = start if function else None
            continue
        if word == "<<" and text.startswith("<<<", match.start()) and function:
            function.launches = True
        start = match.start() if start is None else start
        if word == "{":
            is_scope = function is None and ("namespace" in words or (words[:1] == ["extern"] and "(" not in words))
            braces.append(_Brace(start, is_scope))
        elif word == "}" and braces:
            closed = braces.pop()
            if closed.launches:
                found.append((closed.start, match.end()))
        words.append(word)
        if (function is None and word in (";", "{", "}")) or (word == "}" and not any(not brace.is_scope for brace in braces)):
            start, words = None, []
    return found
