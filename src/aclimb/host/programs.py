# SPDX-License-Identifier: Apache-2.0
"""Whole programs from sources: what `aclimb build` and `aclimb run` do with them."""

from __future__ import annotations

import re
from pathlib import Path

from aclimb.compile.tokens import TOKEN
from aclimb.host import driver

_MAIN = re.compile(r"\bmain\s*\(")


def is_program(sources: list[Path], output: Path | None) -> bool:
    """An operator binary is asked for by its suffix, or because there is nothing to run."""
    if output is not None and output.suffix == ".o":
        return False
    if output is not None and output.suffix == ".so":
        return True
    return sum(path.is_file() for path in sources) > 1 or any(has_main(path) for path in sources if path.is_file())


def has_main(source: Path) -> bool:
    """Whether the text, without its comments and strings, defines main: `int main(`."""
    if source.suffix in (".o", ".a", ".so"):
        return False
    text = source.read_text(errors="replace")
    if not _MAIN.search(text):
        return False
    words = [match[0] for match in TOKEN.finditer(text) if match.lastgroup in ("name", "mark")]
    return any(words[at - 1] in ("int", "auto") and words[at + 1] == "(" for at, word in enumerate(words[:-1]) if word == "main" and at)


def build(words: list[str], output: Path) -> Path:
    """As the compiler would with these words. Raises what went wrong."""
    driver.run([*words, "-o", str(output)])
    return output
