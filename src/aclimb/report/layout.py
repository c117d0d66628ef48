# SPDX-License-Identifier: Apache-2.0
"""Text for a terminal of some width: lines and lists are broken between words, never inside one."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Sequence

_GAP, _INDENT = "  ", "    "
_KEPT = "\0"  # stands for a blank that is no place to break

Cell = str | Sequence[str]  # a text, or a list that may be broken between its items


def terminal_width() -> int:
    """COLUMNS, else the terminal's own, else 80."""
    return shutil.get_terminal_size().columns


def wrapped(text: str, width: int) -> str:
    """Every line within the width, as far as its words allow; what follows a break stands further in."""
    return "".join(f"{line}\n" for each in text.splitlines() for line in _broken(each, width))


def _broken(line: str, width: int) -> list[str]:
    rest = " " * (len(line) - len(line.lstrip())) + _INDENT
    return textwrap.wrap(line, width, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False) or [""]


def table(titles: Sequence[str], rows: Sequence[Sequence[Cell]], width: int) -> str:
    """In columns where they fit; else one paragraph a row, the first two cells in its first line."""
    texts = [[_text(cell) for cell in row] for row in rows]
    widths = [max(len(line[column]) for line in (titles, *texts)) for column in range(len(titles))]
    if sum(widths) + len(_GAP) * (len(titles) - 1) <= width:
        lines = [_GAP.join(text.ljust(size) for text, size in zip(line, widths, strict=True)).rstrip() for line in (titles, *texts)]
        return "".join(f"{line}\n" for line in lines)
    return "".join(_paragraph(titles, row, width) for row in rows)


def _text(cell: Cell) -> str:
    return cell if isinstance(cell, str) else ", ".join(cell) or "-"


def _paragraph(titles: Sequence[str], row: Sequence[Cell], width: int) -> str:
    lines = [f"{_text(row[0])}{_GAP}{_text(row[1])}"]
    margin = max(map(len, titles[2:]))
    for title, cell in zip(titles[2:], row[2:], strict=True):
        if _text(cell) == "-":
            continue
        first = f"{_INDENT}{title.ljust(margin)}{_GAP}"
        items = [cell] if isinstance(cell, str) else [item.replace(" ", _KEPT) for item in cell]
        broken = textwrap.wrap(", ".join(items), width, initial_indent=first, subsequent_indent=" " * len(first), break_long_words=False,
                               break_on_hyphens=False)  # fmt: skip
        lines += [line.replace(_KEPT, " ") for line in broken]
    return "".join(f"{line}\n" for line in lines)
