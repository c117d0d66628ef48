# SPDX-License-Identifier: Apache-2.0
"""A check that has ended: what it found, what was left out and why, and the status to end with. Every format is made from this."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from aclimb.check import baseline, suppress
from aclimb.check.baseline import Entry
from aclimb.check.finding import SEVERITIES, Finding
from aclimb.check.settings import Settings
from aclimb.check.suppress import Suppression

CLEAN, FOUND, COULD_NOT = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Report:
    findings: tuple[Finding, ...] = ()
    launches: int | None = None  # None: not counted
    suppressed: tuple[tuple[Finding, Suppression], ...] = ()
    unused: tuple[tuple[Suppression, str], ...] = ()
    known: tuple[Finding, ...] = ()  # of the baseline
    stale: tuple[Entry, ...] = ()
    remarks: tuple[str, ...] = ()  # on comments and the like
    notes: tuple[str, ...] = ()  # what was not seen
    settings: Settings = field(default_factory=Settings)
    warnings_as_errors: bool = False
    could_not: str = ""  # why the check is not complete

    @property
    def counts(self) -> dict[str, int]:
        found = Counter(each.severity for each in self.findings)
        return {severity: found[severity] for severity in SEVERITIES}

    @property
    def failed(self) -> bool:
        """Whether there is something to mend."""
        return bool(self.counts["error"] or (self.warnings_as_errors and self.counts["warning"]))

    @property
    def status(self) -> int:
        """0 clean, 1 findings, 2 could not check."""
        return FOUND if self.failed else COULD_NOT if self.could_not else CLEAN


def make(
    findings: Iterable[Finding],
    *,
    settings: Settings,
    files: Iterable[str] = (),
    entries: Sequence[Entry] = (),
    launches: int | None = None,
    notes: Iterable[str] = (),
    warnings_as_errors: bool = False,
    could_not: str = "",
) -> Report:
    """First the comments in the source, then the baseline."""
    applied = suppress.apply(findings, files, settings.active)
    compared = baseline.compare(applied.kept, entries)
    return Report(
        findings=compared.new,
        launches=launches,
        suppressed=applied.suppressed,
        unused=applied.unused,
        known=compared.known,
        stale=compared.stale,
        remarks=applied.remarks,
        notes=tuple(notes),
        settings=settings,
        warnings_as_errors=warnings_as_errors,
        could_not=could_not,
    )
