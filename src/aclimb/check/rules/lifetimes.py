# SPDX-License-Identifier: Apache-2.0
"""What the rules of lifetimes have in common."""

from __future__ import annotations

from aclimb.check.cases import Case
from aclimb.check.words import many
from aclimb.runtime.addresses import place, place_of


def freed_piece(case: Case) -> tuple[str, ...]:
    """The allocation, with the lines of the program that made and freed it; nothing where the engine does not know."""
    allocated = place(", allocated at", place_of(case.number("allocated_at")))
    freed = place(", freed at", place_of(case.number("freed_at")))
    size = case.number("freed_bytes")
    return (f"{many(size, 'byte') if size else 'memory'}{allocated}{freed}",) if size or allocated or freed else ()


def new_piece(case: Case) -> tuple[str, ...]:
    made = place("what lies there now was allocated at", place_of(case.number("allocated_at")))
    return (made,) if made else ()
