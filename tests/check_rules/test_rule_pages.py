# SPDX-License-Identifier: Apache-2.0
"""docs/check: a page for each rule, all of one form, with the programs of its pair."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from rule_table import RULES, Rule

ROOT = Path(__file__).parents[2]
CHECK = ROOT / "docs" / "check"
HEADINGS = ["On the chip", "The smallest change", "How sure", "What it does not see", "Sources"]
GRADES = {
    "documented": "Documented.",
    "library": "The library is built on it.",
    "inferred": "Inferred.",
    "assumed": "Assumed, to be confirmed on hardware.",
}
SOFTER = {"B5"}  # a warning where strictness is hardware; the pair is strict

sys.path.insert(0, str(ROOT / "tools"))
import rule_pages  # noqa: E402


def text_of(rule: Rule) -> str:
    return (CHECK / f"{rule.id}.md").read_text()


def section(rule: Rule, heading: str) -> str:
    return re.split(r"^## ", text_of(rule).partition(f"## {heading}\n")[2], flags=re.MULTILINE)[0].strip()


def test_every_rule_has_a_page_and_every_page_a_rule() -> None:
    assert sorted(path.stem for path in CHECK.glob("*.md") if path.stem != "README") == sorted(rule.id for rule in RULES)


def test_programs_changes_and_the_table_are_those_of_the_files() -> None:
    """`make docs` writes them."""
    assert [path.name for path, text in rule_pages.rule_pages().items() if path.read_text() != text] == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_the_page_has_the_form_of_all_pages(rule: Rule) -> None:
    page = text_of(rule)
    title = re.match(r"# (\w+) ([a-z-]+)\n\n\*\*(Error|Warning|Note)\.\*\* ", page)
    assert title
    assert title[1] == rule.id
    assert rule.id in SOFTER or title[3].lower() == rule.severity
    program, *others = re.findall(r"^## (.*)$", page, re.MULTILINE)
    assert program in ("The kernel", "The kernels", "The program")
    assert others == HEADINGS
    assert section(rule, "How sure").startswith(tuple(GRADES.values()))
    assert section(rule, "Sources").startswith("- ")


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_the_page_shows_the_pair_of_its_rule(rule: Rule) -> None:
    source = rule.source("bad").relative_to(ROOT)
    shown = re.findall(r"^```(\w+) of=(\S+)$", text_of(rule), re.MULTILINE)
    program, *report, change = shown
    assert program == ("python" if rule.on_host else "cpp", str(source))
    assert report == ([("text", str(source.with_name("bad.out")))] if (rule.folder / "bad.out").exists() else [])
    assert change == ("diff", str(source))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_the_change_leads_from_the_faulty_program_to_the_mended_one(rule: Rule) -> None:
    bad, good = (rule.source(which).read_text().splitlines() for which in ("bad", "good"))
    change = rule_pages.change(rule.source("bad")).splitlines()
    gone, come = ([line[1:] for line in change if line[0] == mark] for mark in "-+")
    assert gone or come
    assert [line for line in gone if line not in bad] == []
    assert [line for line in come if line not in good] == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_the_page_says_what_the_rule_says_of_itself(rule: Rule) -> None:
    from aclimb.check.rules import RULES as KNOWN

    known = KNOWN[rule.id]
    assert text_of(rule).startswith(f"# {rule.id} {known.name}\n\n**{known.severity.capitalize()}.** ")
    assert section(rule, "How sure").startswith(GRADES[known.grade])
    assert list(KNOWN) == [each.id for each in RULES]
