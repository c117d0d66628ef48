# SPDX-License-Identifier: Apache-2.0
"""C4: a dcci that begins inside a line."""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.rules.rule import Rule, Words
from aclimb.check.words import tail, what


def _words(case: Case) -> Words:
    return Words(
        f"DataCacheCleanAndInvalid begins inside its line and leaves out {what(case)}{tail(case)}",
        missing="the first part of the line",
        fix="give it an address that is a multiple of 64, or call it a second time for the part before",
    )


RULE = Rule(
    id="C4",
    name="partial-clean",
    title="Partial clean",
    severity="warning",
    meaning="A DataCacheCleanAndInvalid of one line handles only the bytes from its address to the end of the line.",
    grade="documented",
    basis="the page on the data cache says so",
    kinds=("partial_clean",),
    words=_words,
    setting="cache",
)
