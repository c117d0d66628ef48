# SPDX-License-Identifier: Apache-2.0
"""F4: ids that belong to others."""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.rules.rule import Rule, Words
from aclimb.check.words import tail


def _words(case: Case) -> Words:
    owner = "the compiler's own flags" if case.number == 7 else "the library"
    return Words(
        f"{case.first.call or 'the call'} uses event id {case.number}, which is reserved for {owner}{tail(case)}",
        missing="an id of its own",
        fix="use EVENT_ID0 to EVENT_ID5, or ask the pipe for one: GetTPipePtr()->FetchEventID",
    )


RULE = Rule(
    id="F4",
    name="reserved-id",
    title="Reserved id",
    severity="warning",
    meaning="A kernel uses an event id or a cross-core flag by hand that the compiler, SyncAll, Matmul objects or a SuperKernel use.",
    grade="documented",
    basis="event ids 6 and 7; cross-core flags 11 to 15, and two for each Matmul object",
    kinds=("reserved_id",),
    words=_words,
)
