# SPDX-License-Identifier: Apache-2.0
"""What a check found, as a person and a tool read it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Severity = Literal["error", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")
Place = tuple[str, int]  # file, line
ATOMIC = "atomically updates"


@dataclass(frozen=True, slots=True)
class Access:
    """One side of a finding: who does what to which bytes, and the line that says so."""

    file: str = ""  # "" where no line is known
    line: int = 0
    text: str = ""  # what stands there
    pipe: str = ""  # S, V, M, MTE1, MTE2, MTE3, FIX, D (the data cache), host, task (known by its launch only)
    core: str = ""  # AIV 3
    block: int = -1
    tensor: str = ""  # as the source has it
    role: str = ""  # reads, writes, updates, atomically updates; "" for a place, or where it is not known
    memory: str = ""  # GM, UB, L1, ...
    begin: int = 0  # bytes [begin, end); of GM from the parameter or the allocation on
    end: int = 0
    buffer: str = ""  # of GM: the parameter
    kernel: str = ""
    member: str = ""  # of a fused kernel: 1 add_custom
    call: str = ""
    launched_at: Place | None = None

    @property
    def short(self) -> str:
        """add.cpp:22, "" where no line is known."""
        return f"{Path(self.file).name}:{self.line}" if self.file else ""

    @property
    def is_host(self) -> bool:
        return self.pipe == "host"

    @property
    def is_in_kernel(self) -> bool:
        return self.pipe not in ("host", "task")


@dataclass(frozen=True, slots=True)
class FixLines:
    """Between which lines the change belongs; 0 where one of them does not matter."""

    file: str
    after_line: int = 0
    before_line: int = 0


@dataclass(frozen=True, slots=True)
class Finding:
    """One mistake: two accesses of a rule, or one place, with what is missing and the smallest change."""

    rule: str  # O1
    severity: Severity
    headline: str
    accesses: tuple[Access, ...] = ()
    existing: str = ""  # what order there is
    missing: str = ""  # what is not: MTE2_V
    fix: str = ""
    fix_lines: FixLines | None = None
    details: tuple[str, ...] = ()  # further rows, laid out
    count: int = 1  # how often
    blocks: int = 1  # in how many blocks
    launch_place: Place | None = None
    replay: str = ""  # the schedule that shows it, as a string
    fingerprint: str = ""  # the same when lines move: baselines know it by this

    def __str__(self) -> str:
        """As the report shows it."""
        from aclimb.check.formats.text import finding_text

        return finding_text(self)

    @property
    def places(self) -> tuple[Place, ...]:
        return tuple((each.file, each.line) for each in self.accesses if each.file)


def fingerprint_of(rule: str, accesses: Iterable[Access]) -> str:
    """Made of names and texts, never of line numbers or addresses: code above may grow, and a checkout may lie anywhere."""
    parts = [rule, *sorted("\t".join(_identity(each)) for each in accesses)]
    # BLAKE2 is Python's own: OpenSSL's functions are gone while a C program that Python came into ends.
    return f"{rule}:{hashlib.blake2b(chr(10).join(parts).encode(errors='replace'), digest_size=8).hexdigest()}"


def _identity(access: Access) -> tuple[str, ...]:
    text = normalised(access.text)
    name = Path(access.file).name if access.file else ""
    return (name, text) if text else (name, access.kernel, access.member, access.call, access.pipe, access.role, access.memory)


def normalised(text: str) -> str:
    """A line without its comments, its blanks made one: a new comment or another margin is no other line."""
    return " ".join(re.sub(r"//.*|/\*.*?\*/", " ", text).split())


def sort_key(finding: Finding) -> tuple[object, ...]:
    """Errors first; then by rule and by lines. Text of the host's own addresses plays no part, so every run gives one order."""
    places = [(Path(each.file).name, each.line, each.file) for each in finding.accesses]
    return (
        SEVERITIES.index(finding.severity), rule_order(finding.rule), places, [each.memory for each in finding.accesses],
        [each.core.partition(" ")[0] for each in finding.accesses], [each.pipe for each in finding.accesses], finding.headline,
    )  # fmt: skip


FAMILIES = {  # of rules, by the letter of their ids
    "O": "Two accesses in no order",
    "N": "Numbers that depend on the order",
    "C": "The scalar unit's data cache",
    "I": "Bytes nobody wrote",
    "L": "Lifetimes of device memory",
    "B": "Bounds, fields and overlap",
    "F": "Flags",
    "Q": "Queues",
    "X": "Early start of fused kernels",
    "H": "Streams and the host",
    "S": "Other schedules",
    "A": "Advice",
}


def rule_order(rule: str) -> tuple[int, int, str]:
    number = rule[1:]
    return ([*FAMILIES].index(rule[0]), int(number) if number.isdigit() else 0, rule)
