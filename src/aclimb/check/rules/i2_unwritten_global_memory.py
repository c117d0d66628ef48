# SPDX-License-Identifier: Apache-2.0
"""I2: bytes of global memory that nobody wrote.

A kernel uses bytes of global memory that neither the host nor a kernel has written since they were allocated.

## On the chip

A fresh allocation has what its last owner left. It is often zero, until memory is used again.

## The smallest change

Clear it on the host, or in the kernel before it is added to.

## How sure

An allocation has undefined content, and so has a workspace unless somebody clears it. The same holds for the rest of an allocation's last
block of 32 bytes, which the host cannot write: a sum over whole blocks of an input that does not fill them is a finding, although the
bytes are zeros here.

## What it does not see

Memory that another process, or a device that is not modelled, writes.

## Sources

- runtime, memory allocation: acl.rt.malloc
- asc-devkit, workspace
"""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.rules.rule import Pair, Rule, Words
from aclimb.check.rules.unwritten import reached
from aclimb.check.words import tail, what

_UNKNOWN = "bytes of global memory where nothing was written since they were allocated"


def _words(case: Case) -> Words:
    brings = f"{case.first.call or 'the kernel'} brings in"
    which = f"{what(case)}, where nothing was written since it was allocated" if case.memory == "GM" else _UNKNOWN
    return Words(
        f"{brings} {which}{', and it reaches ' + reached(case.second) if case.second else ''}{tail(case)}",
        missing="a write of those bytes",
        fix="copy the input there, or clear a workspace (acl.rt.memset, Buffer.from_array) before the launch",
    )


RULE = Rule(
    id="I2",
    name="unwritten-global-memory",
    title="Never written",
    severity="error",
    meaning="A kernel uses bytes of global memory that neither the host nor a kernel wrote since they were allocated.",
    grade="documented",
    basis="an allocation has undefined content, and so has a workspace unless somebody clears it",
    kinds=("unwritten_gm",),
    words=_words,
    setting="init",
    pair=Pair(lines=("DataCopy(out, to",)),
)
