# SPDX-License-Identifier: Apache-2.0
"""`// aclimb: ignore[O1, O2] reason`: findings that somebody has looked at and means to keep.

Behind a statement it is for that statement, on a line of its own for the statement below. In Python the comment begins with #.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from aclimb.binary.source_lines import source_lines
from aclimb.check.finding import Finding
from aclimb.check.rules import by_name
from aclimb.compile.tokens import TOKEN
from aclimb.errors import InvalidArgument

_COMMENT = re.compile(r"aclimb:\s*ignore\b\s*(?:\[(?P<rules>[^\]]*)\])?\s*(?P<reason>.*)")
_REACH = 12  # lines of one statement


@dataclass(frozen=True, slots=True)
class Suppression:
    file: str
    line: int  # of the comment
    rules: tuple[str, ...]
    reason: str
    first: int  # the lines that it is for
    last: int

    @property
    def short(self) -> str:
        return f"{Path(self.file).name}:{self.line}"

    def covers(self, file: str, line: int) -> bool:
        return self.file == file and self.first <= line <= self.last


@dataclass(frozen=True, slots=True)
class Read:
    """The comments of a file, and what is wrong with some of them."""

    suppressions: tuple[Suppression, ...] = ()
    remarks: tuple[str, ...] = ()


# --- reading


def read(file: str) -> Read:
    return parse(file, "\n".join(source_lines(file, trusted=True)))  # of which reports say no more than what such comments say


def parse(file: str, text: str) -> Read:
    source = _Source(file, text)
    made: list[Suppression] = []
    remarks: list[str] = []
    for line, own, words in source.comments:
        match = _COMMENT.match(words)
        if match is None:
            continue
        rules, wrong = _rules(match["rules"])
        where = f"{Path(file).name}:{line}"
        remarks += [f"{where}: {each}" for each in wrong]
        reason = match["reason"].strip()
        if rules and not reason:
            remarks.append(f"{where}: ignore[{', '.join(rules)}] gives no reason; say why behind the bracket")
        if rules:
            made.append(Suppression(file, line, rules, reason, *source.statement(line, own)))
    return Read(tuple(made), tuple(remarks))


def _rules(written: str | None) -> tuple[tuple[str, ...], list[str]]:
    words = [word.strip() for word in (written or "").split(",") if word.strip()]
    if not words:
        return (), ["ignore names no rule; write // aclimb: ignore[O1] and the reason"]
    found, wrong = [], []
    for word in words:
        try:
            found.append(by_name(word).id)
        except InvalidArgument as error:
            wrong.append(f"ignore[{word}]: {error}")
    return tuple(dict.fromkeys(found)), wrong


class _Source:
    """A file's comments, and where its statements begin and end."""

    def __init__(self, file: str, text: str) -> None:
        self.text, self.is_python = text, file.endswith(".py")
        self.lines = text.split("\n")

    @cached_property
    def comments(self) -> list[tuple[int, bool, str]]:
        """(line, whether nothing else stands there, the words) of each comment that may be ours."""
        if "aclimb:" not in self.text:  # nearly every file
            return []
        found = self._python() if self.is_python else self._cpp()
        return [(line, own, words) for line, own, words in found if "aclimb:" in words]

    def _cpp(self) -> Iterator[tuple[int, bool, str]]:
        line, seen = 1, 0
        for match in TOKEN.finditer(self.text):
            if match.lastgroup != "comment":
                continue
            line += self.text.count("\n", seen, match.start())
            seen = match.start()
            words = match[0].split("\n")[0].removeprefix("//").removeprefix("/*").removesuffix("*/").strip()
            yield line, self._stands_alone(match.start()), words

    def _python(self) -> Iterator[tuple[int, bool, str]]:
        try:
            for token in tokenize.generate_tokens(io.StringIO(self.text).readline):
                if token.type == tokenize.COMMENT:
                    yield token.start[0], not token.line[: token.start[1]].strip(), token.string.lstrip("#").strip()
        except (tokenize.TokenError, SyntaxError):  # not our business: Python itself complains
            return

    def _stands_alone(self, at: int) -> bool:
        return not self.text[self.text.rfind("\n", 0, at) + 1 : at].strip()

    def statement(self, line: int, own: bool) -> tuple[int, int]:
        """First and last line of what a comment is for: debug information names either of them."""
        if own:
            line += 1
            while line <= len(self.lines) and self._is_comment(line):
                line += 1
        if self.is_python:
            return line, line
        first = last = line
        while first > 1 and line - first < _REACH and not own and not self._ends(first - 1):
            first -= 1
        while last < len(self.lines) and last - line < _REACH and not self._ends(last):
            last += 1
        return first, last

    def _is_comment(self, line: int) -> bool:
        return self.lines[line - 1].lstrip().startswith("#" if self.is_python else ("//", "/*"))

    def _ends(self, line: int) -> bool:
        """Whether a statement ends with this line; so do blank lines, and those of the preprocessor."""
        code = re.sub(r"//.*|/\*.*?\*/", "", self.lines[line - 1]).strip()
        return not code or code[-1] in ";{}:" or code.startswith("#")


# --- applying


@dataclass(frozen=True, slots=True)
class Applied:
    kept: tuple[Finding, ...]
    suppressed: tuple[tuple[Finding, Suppression], ...] = ()
    unused: tuple[tuple[Suppression, str], ...] = ()  # with the rule that was not needed
    remarks: tuple[str, ...] = ()


def apply(findings: Iterable[Finding], files: Iterable[str], active: Collection[str]) -> Applied:
    """`files` are the sources of what ran, `active` the rules that were looked for: others cannot be unused."""
    findings = list(findings)
    read_all = [read(file) for file in sorted({*files, *(file for each in findings for file, _ in each.places)})]
    known = [each for one in read_all for each in one.suppressions]
    kept: list[Finding] = []
    suppressed: list[tuple[Finding, Suppression]] = []
    for finding in findings:
        by = _suppression_of(finding, known)
        if by is None:
            kept.append(finding)
        else:
            suppressed.append((finding, by))
    used = {(by, finding.rule) for finding, by in suppressed}
    unused = [(each, rule) for each in known for rule in each.rules if rule in active and (each, rule) not in used]
    return Applied(tuple(kept), tuple(suppressed), tuple(unused), tuple(word for one in read_all for word in one.remarks))


def _suppression_of(finding: Finding, known: Sequence[Suppression]) -> Suppression | None:
    """At either of the two places."""
    for file, line in finding.places:
        for each in known:
            if finding.rule in each.rules and each.covers(file, line):
                return each
    return None
