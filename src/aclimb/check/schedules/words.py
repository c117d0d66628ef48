# SPDX-License-Identifier: Apache-2.0
"""S1: what schedules changed, as findings: one for each kernel, line of launch and parameter, with the first schedule that shows it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from aclimb.binary.source_lines import source_text
from aclimb.check.finding import Access, Finding, fingerprint_of
from aclimb.check.rules import RULES
from aclimb.check.schedules.tried import Changed, Tried
from aclimb.check.words import span

_FIX = "something does not wait for what it uses: mend what else is found in {kernel}; if nothing is, see what comes late in the replay"
_SUMS = "{kernel} adds floats atomically, and the last bits of such sums depend on the order (N1): where only those differ, leave it"


def findings(tried: Tried) -> list[Finding]:
    groups: dict[tuple[object, ...], list[Changed]] = defaultdict(list)
    for each in tried.changed:
        groups[each.kernel, each.place, each.parameter, bool(each.error)].append(each)
    return [_finding(members, tried.schedules) for members in groups.values()]


def _finding(members: Sequence[Changed], schedules: int) -> Finding:
    first = members[0]
    access = _access(first)
    by = len({each.number for each in members})
    of = f", {by} of {schedules} schedules" if schedules > 1 else ""
    return Finding(
        rule="S1",
        severity="warning" if all(each.adds_floats and not each.error for each in members) else RULES["S1"].severity,
        headline=f"{RULES['S1'].title}: {_what(first)}{of}",
        accesses=(access,) if access.file else (),
        fix=(_SUMS if first.adds_floats and not first.error else _FIX).format(kernel=first.kernel),
        count=len({each.launch for each in members}),
        replay=first.schedule,
        fingerprint=fingerprint_of("S1", [access]),
    )


def _what(changed: Changed) -> str:
    if changed.error:
        return f"{changed.kernel} fails under {changed.words}: {changed.error}"
    whose = changed.parameter or "device memory that no parameter leads to"
    return f"{changed.kernel} leaves other {span(changed.begin, changed.end)} in {whose} under {changed.words}"


def _access(changed: Changed) -> Access:
    file, line = changed.place or ("", 0)
    return Access(file=file, line=line, text=source_text(file, line) if file else "", pipe="task", call="launch", kernel=changed.kernel,
                  memory="" if changed.error else "GM", begin=changed.begin, end=changed.end, buffer=changed.parameter)  # fmt: skip
