# SPDX-License-Identifier: Apache-2.0
"""What each rule says, word for word: messages/<ID>.out is reviewed like code. `python tests/findings/test_messages.py` writes it anew."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import Any

import fakes
import pytest
from fakes import IN, OUT, Raw, Sync, named, race

from aclimb.check.collect import collect
from aclimb.check.formats.text import finding_text
from aclimb.check.rules import RULES

HERE = Path(__file__).parent / "messages"
AIC = {"core_type": named("AIC"), "op": "Mmad"}
GM = {"memory": "GM", "parameter": "gz", "begin": 0x7F0000001000, "end": 0x7F0000002000, "offset": 0x800}
THERE = {**GM, "unit": 1, "block": 1, "core_idx": 1}
COMMON = {"begin": 0x7F0000001000, "end": 0x7F0000002000}
OUT_OF = {"where": ("AIV", OUT), "agent": "MTE3", "op": "DataCopy", "operand": 0}
INTO = {"where": ("AIV", 12), "agent": "MTE2", "op": "DataCopy", "operand": 1, "role": "r"}
SCALAR = {"where": ("AIV", 17), "agent": "S", "op": "SetValue", **GM}
HOST = {"agent": "host", "op": "free", "role": "", "block": -1, "where": ("", 0), "place": ("/home/me/program.py", 9), **GM, "kernel": ""}
TASK = {**HOST, "agent": "task", "op": "launch", "place": ("/home/me/program.py", 8), "kernel": "add_custom"}
SET_ON_V = [
    Sync(("AIV", 10), "CrossCoreSetFlag mode 0 V id 3", "behind_first"),
    Sync(("AIV", 11), "CrossCoreWaitFlag id 3", "before_second"),
]
LATE = [Sync(("AIV", 16), "WaitPreTaskEnd", "behind_second")]
SETS = {"op": "CrossCoreSetFlag", "role": ""}
OTHER_TASK = {**TASK, "kernel": "mul_custom", "task": 2, "place": ("/home/me/program.py", 9)}
A, B = {"sub": 0, "sub_name": "scale"}, {"sub": 1, "sub_name": "add", "unit": 0}


def two(kind: str, first: dict[str, Any], second: dict[str, Any], **more: Any) -> Raw:
    return race(kind, first=first, second=second, **more)


def one(kind: str, side: dict[str, Any], **more: Any) -> Raw:
    return Raw(**{"kind": named(kind), "first": fakes.Side(**side), **more})


CASES: dict[str, Raw] = {
    "O1": race(blocks=48, numbers={"num_blocks": 48}, count=96),
    "O2": two("race", {"where": ("AIV", IN), "agent": "MTE2", "op": "DataCopy"},
              {"where": ("AIV", 12), "agent": "MTE2", "role": "w", "op": "DataCopy", "operand": 0}, begin=0x2800),
    "O3": two("race", {}, {"where": ("AIV", 13), "agent": "S", "op": "GetValue", "operand": 0}, begin=0x2000, end=0x2004),
    "O4": two("race_cores", {**OUT_OF, **GM}, {**INTO, **THERE}, **COMMON, sync=SET_ON_V),
    "O5": two("race_cores", {**OUT_OF, **GM}, {**OUT_OF, "role": "w", **THERE}, **COMMON, blocks=8, numbers={"num_blocks": 8}, count=7),
    "O6": two("race_equal", {**OUT_OF, **GM}, {**OUT_OF, "role": "w", **THERE}, **COMMON),
    "O7": two("atomic_mix", {**OUT_OF, **GM}, {**OUT_OF, "role": "a", **THERE}, **COMMON),
    "O8": two("race", {**AIC, "agent": "M", "memory": "L0C"},
              {**AIC, "agent": "FIX", "memory": "L0C", "op": "Fixpipe", "where": ("AIC", OUT)}, begin=0x2000),
    "O9": two("compiler_edge", {}, {"where": ("AIV", 13), "agent": "S", "op": "GetValue", "operand": 0}, end=0x2004),
    "N1": two("atomic_float", {**OUT_OF, **GM, "role": "a"}, {**OUT_OF, "role": "a", **THERE}, **COMMON, blocks=8),
    "C1": two("not_written_back", SCALAR, {**INTO, **THERE}, **COMMON),
    "C2": two("stale", {**OUT_OF, **GM}, {**SCALAR, **THERE, "where": ("AIV", 13), "op": "GetValue", "role": "r"}, **COMMON),
    "C3": two("shared_line", SCALAR, {**SCALAR, **THERE, "role": "w", "offset": 0x804}, **COMMON),
    "C4": one("partial_clean", {**SCALAR, "op": "DataCacheCleanAndInvalid", "role": "w", "offset": 0x820}, **COMMON),
    "I1": two("unwritten", {"role": "r", "operand": 1}, {**OUT_OF, **GM}),
    "I2": one("unwritten_gm", {**INTO, **GM}, **COMMON),
    "I3": two("other_member", A, {**B, "role": "r", "where": ("AIV", OUT), "agent": "MTE3", "op": "DataCopy", "operand": 1}),
    "L1": one("freed", {**INTO, **GM}, **COMMON, numbers={"freed_bytes": 4096}),
    "L2": one("reused", {**INTO, **GM}, **COMMON),
    "L3": two("freed_too_early", TASK, HOST, **COMMON),
    "B4": one("overlap", {"role": "r", "operand": 1}, begin=0x2000),
    "B6": one("compare_tail", {"op": "Compare", "role": "r"}, numbers={"left": 56}),
    "B7": one("over_itself", {"op": "Cast", "role": "w"}),
    "B8": two("sync_words", {**OUT_OF, **GM}, {**THERE, "op": "SyncAll", "where": ("AIV", 12), "agent": "S"}, **COMMON),
    "F4": one("reserved_id", {"op": "SetFlag", "role": ""}, numbers={"id": 7}),
    "F7": two("mixed_groups", {**SETS, "where": ("AIV", 10)}, {**SETS, "unit": 1, "block": 1, "core_idx": 1}, numbers={"id": 3}),
    "X1": two("early_set", {**A, **OUT_OF, **GM}, {**INTO, **THERE, **B, "unit": 1}, **COMMON,
              sync=[Sync(("AIV", 15), "SetNextTaskStart V", "behind_first")]),
    "X2": two("early_write", {**A, **INTO, **GM}, {**OUT_OF, "role": "w", **THERE, **B, "unit": 1}, **COMMON, sync=LATE),
    "X3": two("early_read", {**A, **OUT_OF, **GM}, {**INTO, **GM, **B}, **COMMON, sync=LATE),
    "X4": two("early_local", {**A, **OUT_OF, "role": "r", "operand": 1}, {**B, **INTO, "operand": 0, "role": "w"},
              sync=[Sync(("AIV", 7), "SetNextTaskStart MTE3", "before_first")]),
    "X5": two("early_workspace", {**A, **OUT_OF, **GM}, {**INTO, **THERE, **B, "unit": 1}, **COMMON),
    "X6": two("two_pipes_alias", {**OUT_OF, "role": "r", "operand": 1}, {**INTO, "operand": 0, "role": "w"}),
    "H1": two("streams", {**TASK, "role": "w"}, {**OTHER_TASK, "role": "w"}, **COMMON),
    "H2": two("host_access", TASK, {**HOST, "op": "copy"}, **COMMON),
    "A1": one("bank_conflict", {}, numbers={"cycles": 64}, count=12),
    "A2": one("short_copy", {**INTO, **GM}, **COMMON, numbers={"size": 128, "num_blocks": 8}, count=256, blocks=8),
    "A3": one("misaligned_copy", {**INTO, **GM, "offset": 0x810}, **COMMON),
    "A4": one("needless_sync", {"op": "PipeBarrier", "role": "", "where": ("AIV", 14), "memory": ""},
              sync=[Sync(("AIV", 14), "PipeBarrier V")]),
}  # fmt: skip
FAULTS = {
    "B1",
    "B2",
    "B3",
    "B5",
    "F1",
    "F2",
    "F3",
    "F5",
    "F6",
    "F8",
    "Q1",
    "Q2",
    "Q3",
    "Q4",
    "Q5",
    "Q6",
    "Q7",
    "Q8",
}  # test_faults_as_findings
OTHERS = {"L4", "S1", "X7"}  # Python's own


def said(rule: str, source: Path) -> str:
    (finding,) = collect([CASES[rule]], advice=True, look_up=lambda images: fakes.Places(source))
    assert finding.rule == rule
    return finding_text(finding) + "\n"


@pytest.mark.parametrize("rule", CASES)
def test_a_rule_says_exactly_this(rule: str, source: Path) -> None:
    assert said(rule, source) == (HERE / f"{rule}.out").read_text()


@pytest.mark.parametrize("rule", CASES)
def test_a_message_has_a_place_and_one_change(rule: str, source: Path) -> None:
    text = said(rule, source)
    assert re.search(r"add\.cpp:\d+ +\S|program\.py:\d+\n", text)
    if rule.startswith("A"):
        assert text.count("    try: ") == 1
    else:
        assert text.count("    smallest change: ") == text.count("    missing: ") == 1
    assert text.splitlines()[0].startswith(f"{RULES[rule].title}: ")
    assert text.splitlines()[0].endswith(f"   [{rule}]")
    assert "0x7f0000" not in text, "an address of the host, which differs from run to run"


def test_every_rule_is_shown_somewhere() -> None:
    assert set(CASES) | FAULTS | OTHERS == set(RULES)
    assert sorted(path.stem for path in HERE.glob("*.out")) == sorted(CASES)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "add.cpp"
        made.write_text(fakes.SOURCE)
        for each in CASES:
            (HERE / f"{each}.out").write_text(said(each, made))
