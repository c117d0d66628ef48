# SPDX-License-Identifier: Apache-2.0
"""From what the engine handed over to the list a person reads: one finding for each pair of lines, counted, always in the same order."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from aclimb.check.cases import Case, case_of, case_of_tasks
from aclimb.check.faults import finding_of
from aclimb.check.finding import Access, Finding, fingerprint_of, sort_key
from aclimb.check.places import CheckedLaunch, Conflict, LaunchPlaces
from aclimb.check.rules import Rule, Words, rule_for
from aclimb.check.settings import Settings
from aclimb.flow import Fault

_log = logging.getLogger("aclimb.check")


def collect(
    launches: Sequence[CheckedLaunch],
    conflicts: Iterable[Conflict],
    faults: Iterable[Fault] = (),
    *,
    settings: Settings,
) -> list[Finding]:
    """All findings that are looked for, grouped and in order."""
    cases = [*(case for each in launches for case in _of_launch(each)), *(case_of_tasks(each, launches) for each in conflicts)]
    found = [*from_cases(cases), *from_faults(faults)]
    active = settings.active
    return sorted((each for each in found if each.rule in active), key=sort_key)


def _of_launch(launch: CheckedLaunch) -> Iterator[Case]:
    """What the process of an isolated device claims may be anything: a finding that there are no words for is left out."""
    if not (findings := launch.findings):
        return
    places = LaunchPlaces(launch)
    for each in findings:
        try:
            case = case_of(each, places)
            if launch.claimed:
                from_cases([case])
        except (AssertionError, AttributeError, LookupError, TypeError, ValueError):
            if not launch.claimed:
                raise
            _log.warning("the process of an isolated device told of a finding in %s that makes no sense; it is left out", launch.kernel)
            continue
        yield case


# --- two accesses


def from_cases(cases: Iterable[Case]) -> list[Finding]:
    groups: dict[tuple[object, ...], list[tuple[Rule, Case]]] = defaultdict(list)
    for case in cases:
        if case.kind == "needless_sync" and "PipeBarrier" not in case.first.text:
            continue  # a library's, or of a macro: not the user's to take out
        rule = rule_for(case)
        case = case.as_place() if rule.is_place else case
        groups[_key(rule, case)].append((rule, case))
    return [_finding(members[0][0], [case for _, case in members]) for members in groups.values()]


def _key(rule: Rule, case: Case) -> tuple[object, ...]:
    """The two lines in either order: what one round of a loop does to the next belongs to what it does to itself."""
    return rule.id, frozenset(map(_who, case.accesses)), case.memory, tuple(sorted({each.kernel for each in case.accesses}))


def _who(access: Access) -> tuple[object, ...]:
    line = (access.file, access.line) if access.file else (access.call, access.tensor)
    return (*line, access.pipe, access.core.partition(" ")[0], access.member)


def _finding(rule: Rule, cases: Sequence[Case]) -> Finding:
    """The example is the smallest block with the smallest byte."""
    ordered = sorted(cases, key=_smallest)
    case = replace(ordered[0], count=sum(each.count for each in cases), blocks=max(each.blocks for each in cases))
    words = rule.words(case)
    return Finding(
        rule=rule.id,
        severity=rule.severity,
        headline=f"{rule.title}: {words.headline}",
        accesses=case.accesses,
        existing=words.existing,
        missing=words.missing,
        fix=words.fix,
        fix_lines=words.lines,
        details=(*words.details, *_other_ways(rule, ordered, words)),
        count=case.count,
        blocks=case.blocks,
        launch_place=next((each.launched_at for each in case.accesses if each.launched_at), None),
        fingerprint=fingerprint_of(rule.id, case.accesses),
    )


def _smallest(case: Case) -> tuple[object, ...]:
    first, second = case.first, case.second or case.first
    return (max(first.block, 0), first.begin, first.core, second.block, first.line, second.line, first.role, second.role, first.tensor)


def _other_ways(rule: Rule, cases: Sequence[Case], words: Words) -> list[str]:
    """What else is missing between the same two lines: the way back in a loop needs a flag of its own."""
    others = {each.missing: each.fix for each in map(rule.words, cases) if each.missing != words.missing}
    return [f"also missing: {missing}; {fix}" for missing, fix in sorted(others.items())]


# --- one place


def from_faults(faults: Iterable[Fault]) -> list[Finding]:
    """A fault that several launches have, at one line, is one finding."""
    groups: dict[tuple[object, ...], list[Finding]] = defaultdict(list)
    for fault in faults:
        finding = finding_of(fault)
        if finding is not None:
            groups[finding.rule, finding.severity, finding.places, _kernel(finding)].append(finding)
    return [_merged(members) for members in groups.values()]


def _kernel(finding: Finding) -> str:
    return finding.accesses[0].kernel if finding.accesses else finding.headline


def _merged(members: Sequence[Finding]) -> Finding:
    def block(finding: Finding) -> tuple[int, str]:
        return (finding.accesses[0].block if finding.accesses else -1, finding.headline)

    blocks = {block(each)[0] for each in members}
    return replace(min(members, key=block), count=len(members), blocks=len(blocks))
