# SPDX-License-Identifier: Apache-2.0
"""From subjects to mutants, from mutants to what became of them, and the table of it.

Kernels of one file that do not share lines are changed together: one build is one mutant of each of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import zip_longest

from aclimb.errors import AclimbError, CompileError
from mutation.judge import Disorder, Found, disorder_of, findings_of
from mutation.operators import Mutant, mutants_of
from mutation.subjects import Part, Subject

ABOUT_VALUES = {"M26", "M28", "M29"}  # operators that may leave bytes unwritten
WITHOUT_THE_COMPILER = {"M11", "M13"}  # operators that it makes up for
FOUND, EQUIVALENT, MISSED, NO_BUILD, NO_BASE = "found", "equivalent", "missed", "does not build", "not clean before"


@dataclass(frozen=True)
class Outcome:
    subject: str
    part: str
    mutant: Mutant
    status: str
    rules: tuple[str, ...] = ()
    is_named: bool = False  # the fix names what was changed, or its neighbour
    remark: str = ""


@dataclass(frozen=True)
class Before:
    """The kernel as it is."""

    findings: frozenset[str]
    unwritten: int  # the search takes more bytes for unwritten than the checker does: in a wait that stands before its set, for one


class Scorer:
    """The mutants of one file."""

    def __init__(self, subject: Subject, wanted: Callable[[Mutant], bool]) -> None:
        self.subject, self.wanted = subject, wanted
        self._before: dict[tuple[str, str, bool], Before | None] = {}

    def outcomes(self) -> Iterator[Outcome]:
        alone = [part for part in self.subject.parts if self.is_shared(part)]
        together = [part for part in self.subject.parts if part not in alone and part.runs]
        for group in zip_longest(*(self.mutants(part) for part in together)):
            yield from self.build([pair for pair in group if pair])
        for part in alone:
            for pair in self.mutants(part):
                yield from self.build([pair])

    def is_shared(self, part: Part) -> bool:
        """A run that sees it sees other kernels too: members of a chain. Two mistakes at a time would be found for each other's sake."""
        if part.name.startswith("lines"):
            return len(part.runs) > 1
        others = [each for each in self.subject.parts if each is not part and not each.name.startswith("lines")]
        return any(set(part.runs) & set(each.runs) for each in others)

    def mutants(self, part: Part) -> Iterator[tuple[Part, Mutant]]:
        seen = set()
        for mutant in mutants_of(self.subject.lines[part.first : part.last]):
            moved = tuple((line + part.first, text) for line, text in mutant.changes)
            if self.wanted(mutant) and moved not in seen:
                seen.add(moved)
                yield part, Mutant(mutant.operator, mutant.what, moved, mutant.words)

    def build(self, pairs: list[tuple[Part, Mutant]]) -> Iterator[Outcome]:
        lines = list(self.subject.lines)
        for _, mutant in pairs:
            for line, text in mutant.changes:
                lines[line] = text
        text = "\n".join(lines) + "\n"
        try:
            self.subject.run(text, pairs[0][0].runs[0], "on")
        except (CompileError, AclimbError) as error:
            if len(pairs) > 1:
                for pair in pairs:
                    yield from self.build([pair])
            else:
                part, mutant = pairs[0]
                yield Outcome(self.subject.name, part.name, mutant, NO_BUILD, remark=str(error).splitlines()[0])
            return
        for part, mutant in pairs:
            try:
                yield self.judge(text, part, mutant)
            except CompileError as error:
                yield Outcome(self.subject.name, part.name, mutant, NO_BUILD, remark=str(error).splitlines()[0])

    def judge(self, text: str, part: Part, mutant: Mutant) -> Outcome:
        """Found, if one of the kernels that see the change has a finding that it had not before."""
        done, clean, values = False, True, mutant.operator in ABOUT_VALUES
        for name in part.runs:
            auto_sync = "off" if mutant.operator in WITHOUT_THE_COMPILER else self.subject.auto_sync_of(name)
            before = self.before(name, auto_sync, values=values)
            if before is None:
                continue
            done = True
            found, fault = findings_of(self.subject.run(text, name, auto_sync), auto_sync)
            new = [each for each in found if each.key not in before.findings]
            if new or fault:
                return self.outcome(part, mutant, FOUND, new, fault)
            after = self.disorder(text, name, auto_sync, values=values) if self.subject.is_searched else None
            clean = clean and after is not None and after.pairs == 0 and after.unwritten <= before.unwritten
        return self.outcome(part, mutant, NO_BASE if not done else EQUIVALENT if clean else MISSED, [], "")

    def disorder(self, text: str, name: str, auto_sync: str, *, values: bool) -> Disorder | None:
        return disorder_of(self.subject.run(text, name, auto_sync), auto_sync, values=values)

    def before(self, name: str, auto_sync: str, *, values: bool) -> Before | None:
        """What is found in the kernel as it is; None where the search finds it in no order, so that it is no subject in this mode."""
        key = name, auto_sync, values
        if key not in self._before:
            text = "\n".join(self.subject.lines) + "\n"
            found, fault = findings_of(self.subject.run(text, name, auto_sync), auto_sync)
            order: Disorder | None = Disorder(0, 0)
            if fault or self.subject.is_searched:
                order = None if fault else self.disorder(text, name, auto_sync, values=values)
            right = order is not None and order.pairs == 0
            self._before[key] = Before(frozenset(each.key for each in found), order.unwritten) if order and right else None
        return self._before[key]

    def outcome(self, part: Part, mutant: Mutant, status: str, new: list[Found], fault: str) -> Outcome:
        named = any(each.names(mutant.lines, mutant.words, self.subject.file) for each in new)
        rules = tuple(sorted({each.rule for each in new}))
        if mutant.operator == "M20" and rules == ("X4",):  # the same change, where only local memory meets
            mutant = replace(mutant, operator="M22")
        return Outcome(self.subject.name, part.name, mutant, status, rules, named, fault)


def table(outcomes: Iterable[Outcome]) -> str:
    rows: dict[str, list[Outcome]] = defaultdict(list)
    for each in outcomes:
        rows[each.mutant.operator].append(each)
    ordered = sorted(rows.items(), key=lambda row: int(row[0][1:]))
    everything = [each for _, row in ordered for each in row]
    lines = ["| operator | mutants | found | equivalent | missed | score | named |", "|---|---|---|---|---|---|---|"]
    lines += [_row(name, row) for name, row in [*ordered, ("all", everything)]]
    left_out = sum(each.status in (NO_BUILD, NO_BASE) for each in everything)
    return "\n".join([*lines, "", f"{left_out} more do not build, or their kernel is not in order without the compiler's help."])


def _row(name: str, row: list[Outcome]) -> str:
    found, same, missed = (sum(each.status == status for each in row) for status in (FOUND, EQUIVALENT, MISSED))
    killable = found + missed
    score = f"{100 * found / killable:.0f} %" if killable else "-"
    named = f"{100 * sum(each.is_named for each in row) / found:.0f} %" if found else "-"
    return f"| {name} | {found + same + missed} | {found} | {same} | {missed} | {score} | {named} |"
