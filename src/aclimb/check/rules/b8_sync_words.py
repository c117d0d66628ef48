# SPDX-License-Identifier: Apache-2.0
"""B8: the words of soft synchronisation belong to it.

A kernel reads or writes the words that a soft SyncAll, IBSet and IBWait, or WaitPreBlock keep in global memory.

## On the chip

A block that has left SyncAll writes its note, while another block still polls that word. The other one hangs, or leaves too early.

## The smallest change

A piece of the workspace of its own, behind the words.

## How sure

The library polls its words and counts on nobody else writing there. How many bytes each call needs is
documented.

## What it does not see

Words that are used again in a later launch of the same stream: that is allowed.

## Sources

- asc-devkit, SyncAll: workspace
- asc-devkit, basic_api, soft synchronisation (source)
"""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.rules.rule import Pair, Rule, Words
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
    pair=Pair(lines=("SyncAll(words", "DataCopy(notes"), blocks=4, words=64),
)
