# SPDX-License-Identifier: Apache-2.0
"""How much of the engine a new instruction compiles anew, from the #include lines alone."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = (ROOT / "engine", ROOT / "device" / "include")
CHANGED = {"aclimb/instructions.def", "isa/vector_meanings.h"}  # by a new row, and by its meaning
LEVELS = 3  # scalar, avx2, avx512


@cache
def includes(path: Path) -> frozenset[str]:
    """The names that a file includes, and those that they do."""
    names = set(re.findall(r'^#include "([^"]+)"', path.read_text(), re.MULTILINE))
    found = (folder / name for name in names for folder in FOLDERS if (folder / name).exists())
    return frozenset(names).union(*(includes(each) for each in found))


def test_a_new_instruction_compiles_at_most_a_quarter_of_the_engine() -> None:
    sources = [path for path in (ROOT / "engine").rglob("*.cpp") if "tests" not in path.parts]
    objects = {path: LEVELS if path.name.endswith(".level.cpp") else 1 for path in sources}
    again = [path for path in sources if includes(path) & CHANGED]
    assert len(again) > 10, "nothing seems to depend on the table"
    told = ", ".join(sorted(str(path.relative_to(ROOT)) for path in again))
    assert sum(objects[path] for path in again) <= sum(objects.values()) / 4, f"compiled anew: {told}; do they need aclimb/op.h?"
