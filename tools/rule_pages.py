# SPDX-License-Identifier: Apache-2.0
"""docs/check: the pages of the checker's rules are written by hand, the programs on them are not.

A fence that says `of=PATH` has the text of that file: `cpp of=tests/check_rules/O1/bad.cpp` the faulty kernel, `diff of=...` of the same
file what the mended one beside it changes. Where a report lies beside the faulty program, bad.out, it follows it. The table of README.md
comes from the first lines of the pages.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CHECK = ROOT / "docs" / "check"
FAMILIES = {
    "O": "Two accesses in no order",
    "N": "Numbers that depend on the order",
    "C": "The scalar unit's data cache",
    "I": "Bytes nobody wrote",
    "L": "Lifetimes of device memory",
    "B": "Bounds, fields and overlap",
    "F": "Flags",
    "Q": "Queues",
    "X": "Early start",
    "H": "Streams and the host",
    "S": "Other schedules",
    "A": "Advice",
}
_PROGRAM = re.compile(r"^```(\w+) of=(\S+)\n.*?^```$(?:\n\nWhat is said:\n\n```text of=\S+\n.*?^```$)?", re.MULTILINE | re.DOTALL)
_TITLE = re.compile(r"# ([A-Z]\d) ([a-z-]+)\n\n\*\*(\w+)\.?\*\* (.*?)(?=\n\n)", re.DOTALL)


def rule_pages() -> dict[Path, str]:
    """Each page as it should be."""
    pages = {path: filled(path.read_text()) for path in sorted(CHECK.glob("[A-Z][0-9].md"))}
    index = CHECK / "README.md"
    pages[index] = re.sub(
        r"(?<=^## The rules\n).*", "\n" + "\n".join(table(pages)) + "\n", index.read_text(), flags=re.DOTALL | re.MULTILINE
    )
    return pages


def filled(page: str) -> str:
    """The page with every `of=` fence as its file has it."""
    return _PROGRAM.sub(lambda match: _fences(match[1], ROOT / match[2]), page)


def _fences(language: str, source: Path) -> str:
    name = source.relative_to(ROOT)
    if language == "diff":
        return f"```diff of={name}\n{change(source)}```"
    text, report = f"```{language} of={name}\n{program(source)}```", source.with_name("bad.out")
    if report.exists():
        text += f"\n\nWhat is said:\n\n```text of={report.relative_to(ROOT)}\n{report.read_text()}```"
    return text


def program(source: Path) -> str:
    """The file without its licence line."""
    return source.read_text().partition("\n")[2]


def change(bad: Path) -> str:
    """What the mended program does otherwise; what the two say of themselves is left out."""
    good = bad.with_name(f"good{bad.suffix}")
    before, after = (_body(each).splitlines(keepends=True) for each in (bad, good))
    rows = list(difflib.unified_diff(before, after, n=1))[2:]
    return "".join("...\n" if row.startswith("@@") else row for row in rows).removeprefix("...\n")


def _body(source: Path) -> str:
    """From the first line that is no comment."""
    return re.sub(r'\A(?://.*\n|#.*\n(?!include)|""".*"""\n)+', "", source.read_text())


def table(pages: dict[Path, str]) -> Iterator[str]:
    """The rules by family, each with its first sentence."""
    rows = {match[1]: match for text in pages.values() if (match := _TITLE.match(text))}
    for letter, title in FAMILIES.items():
        yield f"\n### {title}\n"
        yield "| rule | name | how grave | what |"
        yield "|---|---|---|---|"
        for name in sorted(each for each in rows if each[0] == letter):
            _, slug, severity, meaning = rows[name].groups()
            yield f"| [{name}]({name}.md) | {slug} | {severity.lower()} | {first_sentence(meaning)} |"


def first_sentence(text: str) -> str:
    return re.split(r"(?<=[.)])\s+(?=[A-Z`])", " ".join(text.split()))[0]
