# SPDX-License-Identifier: Apache-2.0
"""What `aclimb inspect` and `aclimb fuse --explain` print fits the terminal, and no word is broken for it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from command import aclimb
from hypothesis import given
from hypothesis import strategies as st

from aclimb import Program
from aclimb.fuse import Member, explain, fuse, plan_of
from aclimb.report import layout

KERNELS = Path(__file__).parents[1] / "fuse" / "kernels" / "chain.cpp"
WORDS = st.lists(st.text("abc-_:()", min_size=1, max_size=30), max_size=12)


@given(words=WORDS, indent=st.integers(0, 8), width=st.integers(20, 100))
def test_wrapped_lines_keep_every_word(words: list[str], indent: int, width: int) -> None:
    text = " " * indent + " ".join(words) if words else ""
    lines = layout.wrapped(text, width).splitlines()
    assert " ".join(lines).split() == words
    assert all(len(line) <= width or len(line.split()) == 1 for line in lines)
    assert all(line.startswith(" " * (indent + 4)) for line in lines[1:])


ROWS: list[tuple[layout.Cell, ...]] = [
    ("add", "AIV_ONLY", ["x: GM_ADDR", "length: uint32"], [], []),
    ("mul", "MIX_AIC_1_2", ["x: GM_ADDR"], ["1", "2 (AIV_ONLY)"], ["SyncAll"]),
]
TITLES = ("kernel", "type", "parameters", "tiling keys", "uses")


def test_a_table_has_columns_where_they_fit() -> None:
    assert layout.table(TITLES, ROWS, 80).splitlines() == [
        "kernel  type         parameters                  tiling keys      uses",
        "add     AIV_ONLY     x: GM_ADDR, length: uint32  -                -",
        "mul     MIX_AIC_1_2  x: GM_ADDR                  1, 2 (AIV_ONLY)  SyncAll",
    ]


def test_a_table_that_is_too_wide_becomes_paragraphs() -> None:
    assert layout.table(TITLES, ROWS, 34).splitlines() == [
        "add  AIV_ONLY",
        "    parameters   x: GM_ADDR,",
        "                 length: uint32",
        "mul  MIX_AIC_1_2",
        "    parameters   x: GM_ADDR",
        "    tiling keys  1, 2 (AIV_ONLY)",
        "    uses         SyncAll",
    ]


@pytest.mark.parametrize("columns", [80, 50])
def test_commands_break_between_words(columns: int, tmp_path: Path) -> None:
    chain = Program(KERNELS).compile()
    chain.save(tmp_path / "chain.o")
    members = [("v_set", 8), ("m2_both", 4), ("c_wait", 20)]
    made = fuse([Member(chain, blocks, name) for name, blocks in members])
    made.save(tmp_path / "sk.o")
    told = explain(plan_of(made))
    words = [f"chain.o:{name}@{blocks}" for name, blocks in members]
    explained = aclimb(tmp_path, "fuse", *words, "--explain", columns=columns).stdout
    assert explained.split() == told.split()
    assert max(map(len, told.splitlines())) > 100
    inspected = aclimb(tmp_path, "inspect", "sk.o", columns=columns).stdout
    for parameter in made.kernels[0].parameters:
        assert re.search(rf"(^|[ ]){re.escape(str(parameter))}(,|$)", inspected, re.MULTILINE), parameter
    for line in (explained + inspected).splitlines():
        assert len(line) <= columns or len(line.split()) == 1, line
