# SPDX-License-Identifier: Apache-2.0
"""O9: right because the compiler helps (auto_sync=warn).

The order of two accesses comes from a flag or a barrier that the vendor's compiler inserts. Listed with `auto_sync="warn"`.

## On the chip

Nothing goes wrong as long as the compiler does it. With `--cce-auto-sync=off`, on an AIC, or with a raw pointer in place of the tensor
the order is gone.

## The smallest change

Write the flag, and the kernel says what it needs.

## How sure

Which calls the compiler looks after is documented. Where exactly it puts its flags is inferred from one published log.

## What it does not see

Orders that a flag of yours supplies as well: those do not hang on the compiler.

## Sources

- asc-devkit, synchronisation inside a core: what the compiler inserts
"""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.edges import new_edge
from aclimb.check.rules.rule import Pair, Rule, Words
from aclimb.check.words import both_do, tail, what


def _words(case: Case) -> Words:
    change = new_edge(case)
    head = f"{both_do(case)} {what(case)}, and only the compiler orders the two{tail(case)}"
    return Words(head, "the compiler inserts it on AIV for tensors", change.missing, change.fix, change.lines)


RULE = Rule(
    id="O9",
    name="order-by-compiler",
    title="By the compiler",
    severity="warning",
    meaning="The order of two accesses comes from a flag or barrier that the vendor's compiler inserts; with --cce-auto-sync=off, or "
    "through a raw pointer, it would be gone. Listed with auto_sync=warn.",
    grade="documented",
    basis="the list of calls that the compiler looks after is documented; where exactly it puts the flags is inferred from one log",
    kinds=("compiler_edge",),
    words=_words,
    setting="auto_sync",
    pair=Pair(lines=("Add(out", "out.GetValue(0)"), blocks=4),
)
