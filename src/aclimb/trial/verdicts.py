# SPDX-License-Identifier: Apache-2.0
"""What a row of a trial says: one word, one short sentence, and the call that is missing where one is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

_WIDTH = 160


class Result(StrEnum):
    passes = "passes"
    builds = "builds"  # there is nothing to run, or nothing to compare with
    wrong = "wrong"
    fails = "fails"
    unsupported = "unsupported"
    needs = "needs"


@dataclass(frozen=True, slots=True)
class Verdict:
    result: Result
    reason: str = ""
    call: str = ""  # what is not supported, as the source names it


def short(text: str) -> str:
    """One line of it, that fits a table."""
    line = " ".join(text.split())
    return line if len(line) <= _WIDTH else line[: _WIDTH - 3].rstrip() + "..."
