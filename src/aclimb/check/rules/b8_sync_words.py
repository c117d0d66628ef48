# SPDX-License-Identifier: Apache-2.0
"""B8: the words of soft synchronisation belong to it."""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.rules.rule import Rule, Words
from aclimb.check.words import does, tail, what_one

_SYNCS = ("SyncAll", "IBSet", "IBWait", "WaitPreBlock", "NotifyNextBlock", "InitDetermineComputeWorkspace")


def _words(case: Case) -> Words:
    user = next((each for each in case.accesses if each.call not in _SYNCS), case.first)
    syncs = [each.call for each in case.accesses if each.call in _SYNCS]
    return Words(
        f"{does(user, True)} {what_one(user)}, words of {syncs[0] if syncs else 'a soft synchronisation'}{tail(case)}",
        missing="global memory of its own",
        fix="keep the workspace of SyncAll, IBSet and WaitPreBlock apart from the kernel's data",
    )


RULE = Rule(
    id="B8",
    name="sync-words",
    title="Synchronisation words",
    severity="error",
    meaning="A kernel reads or writes the words that a soft SyncAll, IBSet and IBWait, or WaitPreBlock keep in global memory.",
    grade="library",
    basis="those calls poll their words; nobody else may touch them while cores wait",
    kinds=("sync_words",),
    words=_words,
)
