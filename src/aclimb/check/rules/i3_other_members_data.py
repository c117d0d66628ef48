# SPDX-License-Identifier: Apache-2.0
"""I3: what another member left in local memory."""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.rules.rule import Rule, Words
from aclimb.check.words import tail, what


def _words(case: Case) -> Words:
    reader = case.second or case.first
    return Words(
        f"{reader.call or 'the kernel'} reads {what(case)}, which this sub-kernel did not write: another one left it there{tail(case)}",
        missing="a write by the sub-kernel itself",
        fix="load or compute it in the sub-kernel that reads it; launched by itself it would find undefined bytes",
    )


RULE = Rule(
    id="I3",
    name="other-members-data",
    title="Left by another",
    severity="warning",
    meaning="A sub-kernel of a SuperKernel reads local memory that an earlier sub-kernel wrote and that it did not write itself.",
    grade="inferred",
    basis="sub-kernels share the core's memories; nothing promises what is in them",
    kinds=("other_member",),
    words=_words,
    setting="init",
)
