# SPDX-License-Identifier: Apache-2.0
"""What each rule says, word for word: messages/<ID>.out is reviewed like code. `python tests/findings/test_messages.py` writes it anew."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import fakes
import pytest
from fakes import IN, OUT, Conflict, Found, Launch, Standing, Task, named, one, race, two

from aclimb.check.faults import RULE_OF
from aclimb.check.formats.text import finding_text
from aclimb.check.rules import RULES
from aclimb.check.settings import Settings

HERE = Path(__file__).parent / "messages"
AIC = {"core_type": named("AIC"), "instruction": "Mmad"}
GM = {"memory": "GM", "parameter": "gz", "begin": 0x7F0000001000, "end": 0x7F0000002000, "offset": 0x800}
THERE = {"unit": 1, "block": 1, "core_idx": 1}
OUT_OF = {"where": ("AIV", OUT), "agent": "MTE3", "instruction": "DataCopy", "operand": 0}
INTO = {"where": ("AIV", 12), "agent": "MTE2", "instruction": "DataCopy", "operand": 1, "way": "reads"}
TO_MTE3 = {**OUT_OF, "way": "reads", "operand": 1}
SCALAR = {"where": ("AIV", 17), "agent": "S", "instruction": "SetValue"}
VALUE = {"where": ("AIV", 13), "agent": "S", "instruction": "GetValue", "operand": 0}
LAUNCHES = [Launch(kernel=kernel, parameter="gz", offset=0x800) for kernel in ("add_custom", "mul_custom")]
TASK, OTHER_TASK = (Task("launch", number, place=("/home/me/program.py", 8 + number)) for number in range(2))
SET_ON_V = [
    Standing("cross_set", ("AIV", 10), "V", "V", 3, at="behind_first"),
    Standing("cross_wait", ("AIV", 11), id=3, at="before_second"),
]
LATE = [Standing("other", ("AIV", 16), "ALL", "ALL", at="behind_second", instruction="WaitPreTaskEnd")]
SETS = {"instruction": "CrossCoreSetFlag"}
A, B = {"sub": 0, "member": "scale"}, {"sub": 1, "member": "add"}


def set_next(line: int, pipe: str, at: str) -> list[Standing]:
    return [Standing("other", ("AIV", line), pipe, pipe, at=at, instruction="SetNextTaskStart")]


def by_host(kind: str, what: str) -> Conflict:
    return Conflict(named(kind), TASK, Task(what, by_host=True, place=("/home/me/program.py", 9)), LAUNCHES)


CASES: dict[str, Found] = {
    "O1": race(blocks=48, num_blocks=48, met=96),
    "O2": two("race", {"where": ("AIV", IN), "agent": "MTE2", "instruction": "DataCopy"},
              {"where": ("AIV", 12), "agent": "MTE2", "way": "writes", "operand": 0}, begin=0x2800),
    "O3": two("race", {}, VALUE, end=0x2004),
    "O4": two("race_cores", OUT_OF, {**INTO, **THERE}, **GM, order=SET_ON_V),
    "O5": two("race_cores", OUT_OF, {**OUT_OF, "way": "writes", **THERE}, **GM, blocks=8, num_blocks=8, met=7),
    "O6": two("race_equal", OUT_OF, {**OUT_OF, "way": "writes", **THERE}, **GM),
    "O7": two("atomic_mix", OUT_OF, {**OUT_OF, "way": "atomic", **THERE}, **GM),
    "O8": two("race", {**AIC, "agent": "M"}, {**AIC, "agent": "FIX", "instruction": "Fixpipe", "where": ("AIC", OUT)}, memory="L0C"),
    "O9": two("compiler_edge", {}, VALUE, end=0x2004),
    "N1": two("atomic_float", {**OUT_OF, "way": "atomic"}, {**OUT_OF, "way": "atomic", **THERE}, **GM, blocks=8),
    "C1": two("not_written_back", SCALAR, {**INTO, **THERE}, **GM),
    "C2": two("stale", OUT_OF, {**VALUE, **THERE, "operand": 1}, **GM),
    "C3": two("shared_line", SCALAR, {**SCALAR, **THERE, "way": "writes"}, **GM),
    "C4": one("partial_clean", {**SCALAR, "instruction": "DataCacheCleanAndInvalid"}, **{**GM, "offset": 0x820}),
    "I1": two("unwritten", {"way": "reads", "operand": 1}, OUT_OF),
    "I2": one("unwritten_gm", INTO, **GM),
    "I3": two("other_member", A, {**B, **TO_MTE3}),
    "L2": one("reused", INTO, **GM),
    "L3": by_host("freed_too_early", "free"),
    "B4": one("overlap", {"way": "reads", "operand": 1}),
    "B6": one("compare_tail", {"instruction": "Compare", "way": "reads"}, number=56),
    "B7": one("over_itself", {"instruction": "Cast"}),
    "B8": two("sync_words", OUT_OF, {**THERE, "instruction": "SyncAll", "where": ("AIV", 12), "agent": "S"}, **GM),
    "F4": one("reserved_id", {"instruction": "SetFlag"}, number=7),
    "F7": two("mixed_groups", {**SETS, "where": ("AIV", 10)}, {**SETS, **THERE, "agent": "MTE3"}, number=3),
    "X1": two("early_set", {**A, **OUT_OF}, {**INTO, **THERE, **B}, **GM, order=set_next(15, "V", "behind_first")),
    "X2": two("early_write", {**A, **INTO}, {**OUT_OF, "way": "writes", **THERE, **B}, **GM, order=LATE),
    "X3": two("early_read", {**A, **OUT_OF}, {**INTO, **B}, **GM, order=LATE),
    "X4": two("early_local", {**A, **TO_MTE3}, {**B, **INTO, "operand": 0, "way": "writes"}, order=set_next(7, "MTE3", "before_first")),
    "X5": two("early_set", {**A, **OUT_OF}, {**INTO, **THERE, **B}, **GM, workspace=True),
    "X6": two("two_pipes_alias", TO_MTE3, {**INTO, "operand": 0, "way": "writes"}),
    "H1": Conflict(named("streams"), TASK, OTHER_TASK, LAUNCHES, both_write=True),
    "H2": by_host("host_access", "copy"),
    "A1": one("bank_conflict", {}, number=64, met=12),
    "A2": one("short_copy", INTO, **GM, number=128, num_blocks=8, met=256, blocks=8),
    "A3": one("misaligned_copy", INTO, **{**GM, "offset": 0x810}),
    "A4": one("needless_sync", {"instruction": "PipeBarrier", "where": ("AIV", 14)}, order=[Standing("barrier", ("AIV", 14), "V", "V")]),
}  # fmt: skip
PAIRS = {path.parent.name for path in (HERE.parents[1] / "check_rules").glob("*/bad.out")}  # with the engine itself


def said(rule: str) -> str:
    (finding,) = fakes.collected(CASES[rule], settings=Settings(advice=True, auto_sync="warn"))
    assert finding.rule == rule
    return finding_text(finding) + "\n"


@pytest.fixture(autouse=True)
def _lines(find: object) -> None:
    """Places are those of the source that the fakes point to."""


@pytest.mark.parametrize("rule", CASES)
def test_a_rule_says_exactly_this(rule: str) -> None:
    assert said(rule) == (HERE / f"{rule}.out").read_text()


@pytest.mark.parametrize("rule", CASES)
def test_a_message_has_a_place_and_one_change(rule: str) -> None:
    text = said(rule)
    assert re.search(r"add\.cpp:\d+ +\S|program\.py:\d+\n", text)
    if rule.startswith("A"):
        assert text.count("    try: ") == 1
    else:
        assert text.count("    smallest change: ") == text.count("    missing: ") == 1
    assert text.splitlines()[0].startswith(f"{RULES[rule].title}: ")
    assert text.splitlines()[0].endswith(f"   [{rule}]")
    assert "0x7f0000" not in text, "an address of the host, which differs from run to run"


def test_every_rule_is_shown_somewhere() -> None:
    assert set(CASES) | set(RULE_OF.values()) | PAIRS | {"X7"} == set(RULES)  # X7 is what the advisor says
    assert sorted(path.stem for path in HERE.glob("*.out")) == sorted(CASES)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "add.cpp"
        made.write_text(fakes.SOURCE)
        fakes.point_to(made)
        for each in CASES:
            (HERE / f"{each}.out").write_text(said(each))
