# SPDX-License-Identifier: Apache-2.0
"""What a rule is: its id and name, how grave it is, what it means and who says so, and the words of its findings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from aclimb.check.cases import Case
from aclimb.check.finding import FixLines, Severity

Grade = Literal["documented", "library", "inferred", "assumed"]
GRADES: dict[Grade, str] = {
    "documented": "a document of Ascend C says so",
    "library": "the public device library is built on it",
    "inferred": "it follows from what is documented",
    "assumed": "no source settles it; a chip may be more patient",
}


@dataclass(frozen=True, slots=True)
class Words:
    """What a rule says of one case. Rows of the two accesses are laid out by the report."""

    headline: str
    existing: str = ""
    missing: str = ""
    fix: str = ""
    lines: FixLines | None = None
    details: tuple[str, ...] = ()


def _always(case: Case) -> bool:
    return True


def _plain(case: Case) -> Words:
    """Of a rule whose findings come with words of their own: faults, and what Python itself found."""
    raise AssertionError(f"{case.kind} has no words here")


@dataclass(frozen=True, slots=True)
class Rule:
    id: str  # O1: holds still for good
    name: str  # the same as words: race-between-pipes
    title: str  # how its headlines begin
    severity: Severity
    meaning: str  # one sentence
    grade: Grade
    basis: str  # what the verdict rests on
    kinds: tuple[str, ...] = ()  # of the engine's findings
    applies: Callable[[Case], bool] = _always  # which of those
    words: Callable[[Case], Words] = _plain
    setting: str = ""  # of a check, without which it has no findings

    @property
    def page(self) -> str:
        """In the repository."""
        return f"docs/check/{self.id}.md"

    @property
    def is_advice(self) -> bool:
        return self.id.startswith("A")
