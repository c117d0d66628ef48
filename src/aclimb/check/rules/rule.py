# SPDX-License-Identifier: Apache-2.0
"""What a rule is: its id and name, how grave it is, what it means and who says so, and the words of its findings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

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
class Pair:
    """How the faulty program of a rule and the mended one are launched: tests/check_rules/<id>/bad.cpp and good.cpp, or .py for a host's.

    A kernel is given x, which it reads, and z, which it leaves twice of x in.
    """

    lines: tuple[str, ...] = ()  # pieces of those that a finding names
    blocks: int = 1
    words: int = 0  # int32 words of a third argument, zeros
    fused: bool = False  # `first` and `second`, as a chain
    check: Mapping[str, Any] = field(default_factory=dict)  # arguments of aclimb.check, beside the rule's own setting
    environment: Mapping[str, str] = field(default_factory=dict)  # of a host's program
    faults: str = ""  # instead of a pair here: names of pairs in tests/check, which end the kernel; the page shows the first


@dataclass(frozen=True, slots=True)
class Rule:
    """A file in this folder: RULE, and a docstring that is the page behind its first line, but for the programs and what is said here."""

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
    is_place: bool = False  # its findings touch no bytes themselves
    faults: str = ""  # kinds of faults that are its findings
    pair: Pair = field(default_factory=Pair)

    @property
    def page(self) -> str:
        """In the repository."""
        return f"docs/check/{self.id}.md"
