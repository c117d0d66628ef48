# SPDX-License-Identifier: Apache-2.0
"""Runs the code blocks of a page, in order, in one folder and one Python namespace. What a block is stands behind its fence:

LANG file=NAME    written to NAME
python            executed
text output       what the Python block before it printed; "..." stands for anything
console           lines with "$ " are run by the shell, what follows is their output; "..." stands for anything
console needs=PACKAGE   the same, where that package is installed
text, sh          shown, not run: drawings, and commands that change the machine
LANG of=PATH      the text of that file, or of the change it needs; `make docs` fills it in
diff PATH, LANG new=PATH, python check   a recipe: tests/recipes applies and runs it
"""

from __future__ import annotations

import contextlib
import doctest
import io
import re
import subprocess
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

_FENCE = re.compile(r"^```([^\n`]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_KNOWN = re.compile(r"\w+ file=[\w.]+|python|text output|console(?: needs=\w+)?|text|sh|diff [\w./]+|\w+ (?:new|of)=[\w./]+|python check")
_FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass(frozen=True)
class Block:
    kind: str
    text: str
    line: int


def blocks(page: Path) -> list[Block]:
    text = page.read_text()
    return [Block(m[1].strip(), m[2], text.count("\n", 0, m.start()) + 1) for m in _FENCE.finditer(text)]


def unknown(page: Path) -> list[str]:
    """Fences that say nothing this file understands."""
    return [f"{page.name}:{b.line}: {b.kind!r}" for b in blocks(page) if not _KNOWN.fullmatch(b.kind)]


def run(page: Path, console: bool = True, limit: float = 120) -> int:
    """Runs every block, or all but those of the shell, in the current folder; the number of those that ran or were compared."""
    names: dict[str, Any] = {"__name__": "__page__"}
    printed, count = "", 0
    for block in blocks(page):
        where = f"{page.name}:{block.line}"
        kind, _, named = block.kind.partition("=")
        if kind.endswith(" file"):
            Path(named).write_text(block.text)
        elif block.kind == "python":
            printed = _execute(block.text, where, names)
        elif block.kind == "text output":
            _compare(block.text, printed, where)
        elif (kind == "console" and console) or (kind == "console needs" and console and find_spec(named)):
            _shell(block.text, where, limit)
        else:
            continue
        count += 1
    return count


def _execute(text: str, where: str, names: dict[str, Any]) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(text, where, "exec"), names)
    return out.getvalue()


def _shell(text: str, where: str, limit: float) -> None:
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
        line = f"export PATH={path} COLUMNS=80; {command}"
        done = subprocess.run(line, shell=True, capture_output=True, text=True, check=False, timeout=limit)
        assert done.returncode == 0, f"{where}: {command}\n{done.stdout}{done.stderr}"
        _compare(expected, done.stdout, f"{where}: {command}")


def _compare(expected: str, got: str, where: str) -> None:
    if not doctest.OutputChecker().check_output(expected, got, _FLAGS):
        raise AssertionError(f"{where}: the page says\n{expected}\nand what came is\n{got}")
