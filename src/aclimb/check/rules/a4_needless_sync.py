# SPDX-License-Identifier: Apache-2.0
"""A4: synchronisation that orders nothing.

No two accesses of its pipe on the two sides of a barrier conflict, in all blocks of this run.

## On the chip

The pipe stands still until it is empty, for nothing.

## The smallest change

Leave it out.

## How sure

A barrier of one pipe orders what the pipe did before with what it does later; a flag that is set covers its whole pipe without one.
Any two accesses that conflict keep every barrier between them, and so does a flag to another core right behind it. Nothing is said of a
kernel in which anything else was found.

## What it does not see

Barriers of all pipes, those of the cube's pipes, and flags: they stay. Other shapes, other tiling keys, and what the barrier is there for
in a branch that did not run.

## Sources

- asc-devkit, synchronisation inside a core: overview
"""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.finding import FixLines
from aclimb.check.rules.rule import Pair, Rule, Words
from aclimb.check.words import tail


def _words(case: Case) -> Words:
    sync = case.syncs[0].written if case.syncs else case.first.call or "a synchronisation"
    place = case.first
    return Words(
        f"{sync} orders nothing: what its pipe does before and behind it has no bytes in common{tail(case)}",
        fix=f"take it out{f' of line {place.line}' if place.file else ''}; check again with the shapes that you use",
        lines=FixLines(place.file, place.line, place.line) if place.file else None,
    )


RULE = Rule(
    id="A4",
    name="needless-sync",
    title="Needless synchronisation",
    severity="note",
    meaning="No two accesses of its pipe on the two sides of a barrier conflict, in all blocks of this run.",
    grade="inferred",
    basis="the same order of events that finds races, for these arguments",
    kinds=("needless_sync",),
    words=_words,
    setting="advice",
    is_place=True,
    pair=Pair(lines=("PipeBarrier<PIPE_MTE2>()",)),
)
