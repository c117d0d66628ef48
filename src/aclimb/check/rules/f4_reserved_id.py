# SPDX-License-Identifier: Apache-2.0
"""F4: ids that belong to others."""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.rules.rule import Rule, Words
from aclimb.check.words import tail

_SYNC_ALL = "SyncAll and the order of sub-kernels"


def _words(case: Case) -> Words:
    number, call = case.number("id", -1), case.first.call or "the call"
    if case.number("cross"):
        owner = {11: _SYNC_ALL, 12: _SYNC_ALL, 13: _SYNC_ALL, 14: _SYNC_ALL, 15: "messages to the AIC"}.get(number, "Matmul objects")
        fix = "use an id of 0 to 10 that no Matmul object of the kernel has"
        return Words(f"{call} uses cross-core flag {number}, which belongs to {owner}{tail(case)}", missing="an id of its own", fix=fix)
    owner = "the compiler's own flags" if number == 7 else "the library"
    fix = "use EVENT_ID0 to EVENT_ID5, or ask the pipe for one: GetTPipePtr()->FetchEventID"
    return Words(f"{call} uses event id {number}, which is reserved for {owner}{tail(case)}", missing="an id of its own", fix=fix)


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
