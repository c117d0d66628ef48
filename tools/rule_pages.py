# SPDX-License-Identifier: Apache-2.0
"""docs/check: a page for each rule of the checker. Its words are the docstring of the rule's file, behind the first line; name, severity
and how sure it is are those of RULE, and the programs come from its pair: the faulty one, the report beside it where there is one, and what
the mended one changes. The table of README.md has the first sentence of each.
"""

from __future__ import annotations

import difflib
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from aclimb.check.finding import FAMILIES
from aclimb.check.rules import RULES, Grade, Rule

ROOT = Path(__file__).resolve().parent.parent
CHECK = ROOT / "docs" / "check"
SURE: dict[Grade, str] = {
    "documented": "Documented.",
    "library": "The library is built on it.",
    "inferred": "Inferred.",
    "assumed": "Assumed, to be confirmed on hardware.",
}


def rule_pages() -> dict[Path, str]:
    """Each page as it should be."""
    pages = {CHECK / f"{rule.id}.md": page(rule) for rule in RULES.values()}
    index = CHECK / "README.md"
    pages[index] = re.sub(r"(?<=^## The rules\n).*", "\n" + "\n".join(table()) + "\n", index.read_text(), flags=re.DOTALL | re.MULTILINE)
    return pages


def page(rule: Rule) -> str:
    bad, (about, *sections) = faulty(rule), re.split(r"^## ", words(rule), flags=re.MULTILINE)
    program_of = "program" if bad.suffix == ".py" else "kernels" if rule.pair.fused else "kernel"
    rows = [f"# {rule.id} {rule.name}", f"**{rule.severity.capitalize()}.** {about.strip()}", f"## The {program_of}", shown(bad)]
    for each in sections:
        heading, _, text = each.strip().partition("\n\n")
        text = f"{SURE[rule.grade]} {text}".strip() if heading == "How sure" else text
        rows += [f"## {heading}", text]
        if heading == "The smallest change":
            rows.append(f"```diff of={bad.relative_to(ROOT)}\n{change(bad)}```")
    return "\n\n".join(rows) + "\n"


def words(rule: Rule) -> str:
    """What the docstring says behind its first line."""
    module = f"aclimb.check.rules.{rule.id.lower()}_{rule.name.replace('-', '_')}"
    return (sys.modules[module].__doc__ or "").partition("\n\n")[2]


def faulty(rule: Rule) -> Path:
    folder = ROOT / "tests" / "check" / rule.pair.faults.split()[0] if rule.pair.faults else ROOT / "tests" / "check_rules" / rule.id
    return next(folder.glob("bad.[cp][py]*"))


def shown(source: Path) -> str:
    """The faulty program, and what is said of it."""
    language = "python" if source.suffix == ".py" else "cpp"
    text, report = f"```{language} of={source.relative_to(ROOT)}\n{program(source)}```", source.with_name("bad.out")
    return text + (f"\n\nWhat is said:\n\n```text of={report.relative_to(ROOT)}\n{report.read_text()}```" if report.exists() else "")


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


def table() -> Iterator[str]:
    """The rules by family, each with its first sentence."""
    for letter, title in FAMILIES.items():
        yield f"\n### {title}\n"
        yield "| rule | name | how grave | what |"
        yield "|---|---|---|---|"
        for rule in (each for each in RULES.values() if each.id[0] == letter):
            yield f"| [{rule.id}]({rule.id}.md) | {rule.name} | {rule.severity} | {first_sentence(words(rule).partition('## ')[0])} |"


def first_sentence(text: str) -> str:
    return re.split(r"(?<=[.)])\s+(?=[A-Z`])", " ".join(text.split()))[0]
