# SPDX-License-Identifier: Apache-2.0
"""C++ as tokens: just enough to find declarations, and to spell them again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

TOKEN = re.compile(
    r"""(?P<raw>(?:u8|[uUL])?R"(?P<tag>[^()\\\s]{0,16})\((?s:.*?)\)(?P=tag)")
      | (?P<string>(?:u8|[uUL])?"(?:[^"\\\n]|\\.)*")
      | (?P<number>\.?\d(?:[eEpP][+-]|'(?=\w)|[\w.])*)
      | (?P<char>(?:u8|[uUL])?'(?:[^'\\\n]|\\.)+')
      | (?P<name>[A-Za-z_$]\w*)
      | (?P<comment>/\*(?s:.*?)\*/|//[^\n]*)
      | (?P<marker>^[ \t]*\#[^\n]*)
      | (?P<mark>::|->|>>|<<|&&|\|\||[^\s\w])
      | (?P<line>\n)""",
    re.VERBOSE | re.MULTILINE,
)
_LINE_MARKER = re.compile(r'\s*#\s*(?:line\s+)?(\d+)\s+"((?:[^"\\]|\\.)*)"([\d ]*)')


class Token(NamedTuple):
    kind: str
    text: str
    file: str
    line: int
    start: int  # in the text it was read from


def user_text(preprocessed: str, own_folders: tuple[Path, ...], files: list[Path]) -> str:
    """Drops what comes from system headers and from our own, before the slow part begins."""
    return user_lines(preprocessed, own_folders, files)[0]


def user_lines(preprocessed: str, own_folders: tuple[Path, ...], files: list[Path]) -> tuple[str, list[tuple[int, int]]]:
    """The user's part of the text, and for the places where it goes on behind something dropped: (place there, place here)."""
    prefixes = tuple(f"{folder}/" for folder in own_folders)
    kept: list[str] = []
    places: list[tuple[int, int]] = []
    here = there = 0
    keep = False
    system: dict[str, bool] = {}  # by file, as it was entered: a macro of a system header marks the user's own lines with a 3 too
    for line in preprocessed.split("\n"):
        was_kept, marker = keep, _LINE_MARKER.match(line) if line.startswith("#") else None
        if marker is not None:
            name, flags = marker[2].replace("\\\\", "\\").replace('\\"', '"'), marker[3].split()
            if "1" in flags or name not in system:
                system[name] = "1" in flags and "3" in flags
            keep = not (name.startswith("<") or system[name] or name.startswith(prefixes))
            if keep and Path(name) not in files and not name.endswith("/"):
                files.append(Path(name))
        if keep and (marker is not None or not line.startswith("#")):
            if not was_kept or not places or places[-1][1] + there - places[-1][0] != here:
                places.append((there, here))
            kept.append(line)
            there += len(line) + 1
        here += len(line) + 1
    return "\n".join(kept), places


def tokens_of(text: str) -> Iterator[Token]:
    file, line = "", 0
    for match in TOKEN.finditer(text):
        kind, value = match.lastgroup or "", match[0]
        if kind == "tag":
            kind = "raw"
        if kind == "marker":
            marker = _LINE_MARKER.match(value)
            if marker:
                file, line = marker[2], int(marker[1]) - 1
        elif kind == "line":
            line += 1
        elif kind == "comment":
            line += value.count("\n")
        else:
            yield Token("string" if kind == "raw" else kind, value, file, line, match.start())
            line += value.count("\n")


def closing(tokens: list[Token], at: int) -> int:
    depth = 0
    while at < len(tokens):
        depth += (tokens[at].text in ("(", "[", "{")) - (tokens[at].text in (")", "]", "}"))
        at += 1
        if depth == 0:
            break
    return at


def closing_angle(tokens: list[Token], at: int) -> int:
    depth = 0
    while at < len(tokens):
        text = tokens[at].text
        if text in ("(", "[", "{"):
            at = closing(tokens, at)
            continue
        depth += (text == "<") - (text == ">") - 2 * (text == ">>")
        at += 1
        if depth <= 0:
            break
    return at


def split(tokens: list[Token]) -> list[list[Token]]:
    """At the commas that stand outside every bracket."""
    parts: list[list[Token]] = [[]]
    at = 0
    while at < len(tokens):
        text = tokens[at].text
        if text == ",":
            parts.append([])
            at += 1
            continue
        end = closing(tokens, at) if text in ("(", "[", "{") else closing_angle(tokens, at) if text == "<" else at + 1
        parts[-1] += tokens[at:end]
        at = end
    return [part for part in parts if part]


def spell(tokens: list[Token]) -> str:
    """Tokens as a person writes them: `const A::B<int, 3>*`."""
    out = ""
    for token in tokens:
        if token.text == ",":
            out += ", "
            continue
        if out and (out[-1].isalnum() or out[-1] == "_" or out[-1] in "*&>") and (token.kind in ("name", "number")):
            out += " "
        out += token.text
    return out


def normalise(function: str) -> str:
    """One spelling for `f< float,3 >` and `f<float, 3>`."""
    return spell(list(tokens_of(function)))
