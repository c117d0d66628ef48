# SPDX-License-Identifier: Apache-2.0
"""What a source includes, found by name and without a compiler: enough to know which words a kernel can depend on."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from aclimb.compile import forwarding, headers
from aclimb.compile.product_branches import of_this_product

_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*(?:[\"<]([^\">\n]+)[\">]|(\w+))", re.MULTILINE)
_OPENING = re.compile(r'//|/\*|"')
_OF_C = ("assert.h", "float.h", "limits.h", "math.h", "stdbool.h", "stddef.h", "stdint.h", "stdio.h", "stdlib.h", "string.h")


@dataclass(frozen=True)
class Reach:
    """The text of a source and of the headers that it includes, without comments and branches for other products."""

    text: str
    missing: tuple[str, ...]  # headers that were not found, or macros that name one

    @property
    def is_complete(self) -> bool:
        return not self.missing


def reach(source: Path, folders: Iterable[Path] = ()) -> Reach:
    """Looks beside each file, beside the source and in `folders`, whatever conditions stand around. aclimb's own headers are left out."""
    folders, waiting, seen, texts = list(folders), [source], set[Path](), []
    own = (headers.include_dir(), headers.host_include_dir())
    missing: dict[str, None] = {}
    while waiting:
        path = waiting.pop().resolve()
        if path in seen:
            continue
        seen.add(path)
        text = of_this_product(without_comments(path.read_text(errors="replace")))
        texts.append(text)
        for name, macro in _INCLUDE.findall(text):
            found = [place / name for place in (path.parent, source.parent, *folders) if name and (place / name).is_file()]
            waiting += found[:1]
            if not found and (macro or not (_is_toolkits(name) or any((folder / name).is_file() for folder in own))):
                missing[name or macro] = None
    return Reach("\n".join(texts), tuple(missing))


def _is_toolkits(name: str) -> bool:
    """A header of the C or C++ library, or one that kernel_operator.h stands in for."""
    return "." not in name or name in _OF_C or forwarding.stands_in(name)


def without_comments(text: str) -> str:
    kept, at = [], 0
    while match := _OPENING.search(text, at):
        kept.append(text[at : match.start()])
        if match[0] == '"':
            at = _end_of_string(text, match.end())
            kept.append(text[match.start() : at])
        else:
            end = text.find("\n" if match[0] == "//" else "*/", match.end())
            at = len(text) if end < 0 else end + (0 if match[0] == "//" else 2)
            kept.append("" if match[0] == "//" else " ")
    return "".join(kept) + text[at:]


def _end_of_string(text: str, at: int) -> int:
    while at < len(text) and text[at] not in '"\n':
        at += 2 if text[at] == "\\" else 1
    return min(at + 1, len(text))
