# SPDX-License-Identifier: Apache-2.0
"""What the checker says of a run, and what the search says that does not know the checker. Whoever changes how a check is made changes this
file."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "order"))

from reachability import Hang, some_races
from tape import program_of, tapes
from validity import unwritten_that_matter

import aclimb
from aclimb.errors import AclimbError, CompileError

ENDINGS = (AclimbError, RuntimeError)  # a program through acl raises its own when a status is not 0


@dataclass(frozen=True)
class Found:
    """One finding, as far as a score asks for it."""

    rule: str
    key: str  # the same for the same finding of the kernel without the mistake
    fix: str
    lines: tuple[tuple[str, int, int], ...]  # file, from, to: where the change belongs, and the accesses

    def names(self, lines: tuple[int, ...], words: tuple[str, ...], file: str) -> bool:
        """It points to one of these lines or its neighbour, or calls the thing by its name."""
        near = any(Path(where).name == file and first - 2 <= line <= last + 2 for where, first, last in self.lines for line in lines)
        return near or any(word in self.fix for word in words)


def findings_of(run: Callable[[], Any], auto_sync: str) -> tuple[list[Found], str]:
    """What a check finds, without notes; and the error that ended the run, or ""."""
    fault = ""
    with aclimb.check(auto_sync=auto_sync) as check:
        try:
            run()
        except CompileError:  # an example builds when it runs
            raise
        except ENDINGS as error:
            fault = f"{type(error).__name__}: {error}".splitlines()[0]
    return [_found(each) for each in check.findings if each.severity != "note"], fault


def _found(finding: Any) -> Found:
    lines = [(file, line, line) for file, line in finding.places]
    if finding.fix_lines:
        first, last = finding.fix_lines.after_line, finding.fix_lines.before_line
        lines.append((finding.fix_lines.file, first or last, last or first))
    return Found(finding.rule, finding.fingerprint, f"{finding.fix} {finding.missing} {finding.existing} {finding.headline}", tuple(lines))


@dataclass(frozen=True)
class Disorder:
    pairs: int  # in no order
    unwritten: int  # instructions that hand on a byte that nobody wrote


def disorder_of(run: Callable[[], Any], auto_sync: str, *, values: bool) -> Disorder | None:
    """What the search finds; None: the run hangs or fails. Looking for values takes long."""
    with tapes() as launches:
        try:
            run()
        except ENDINGS:
            return None
    try:
        programs = [program_of(launch, auto_sync)[0] for launch in launches]
        unwritten = sum(map(unwritten_that_matter, programs)) if values else 0
        return Disorder(sum(len(some_races(each)) for each in programs), unwritten)
    except Hang:
        return None
