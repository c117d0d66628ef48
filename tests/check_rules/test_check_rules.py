# SPDX-License-Identifier: Apache-2.0
"""Each rule of the checker, in a pair: the faulty program gives exactly that rule and names its lines, the mended one gives nothing.

rule_table.py says how a pair is run. `python tests/check_rules/test_check_rules.py [id ...]` writes bad.out, the report of the faulty
program, which is reviewed like code and shown on the page of the rule.
"""

from __future__ import annotations

import difflib
import sys
from pathlib import Path

import numpy as np
import pytest
import rule_pairs
from rule_pairs import Told
from rule_table import FAULTS, HERE, RULES, Rule

import aclimb

KERNELS = [rule for rule in RULES if not rule.pair.faults and not rule.on_host]
HOSTS = [rule for rule in RULES if not rule.pair.faults and rule.on_host]
OWN = [*KERNELS, *HOSTS]
# X7 is what `aclimb.check.advise` answers (tests/early_start), S1 what `aclimb check --schedules` finds (test_check_schedules.py).
NOT_BY_CHECK = ("X7", "S1")
TOLD = [rule for rule in OWN if rule.id not in NOT_BY_CHECK]
KNOWN = [(rule, name) for rule in RULES for name in rule.pair.faults.split()]
ENDS = {"B5": "no multiple of 32", "Q4": "does not belong to queue"}  # what the faulty kernel is told without the checker
SHOWN = ("O1", "O4", "O5", "O7", "O8", "I3", "X1", "X2", "X3", "X4", "X5", "X6", "S1")  # schedules show it; the rest needs the checker


# --- what holds without the checker


@pytest.mark.parametrize("rule", KERNELS, ids=lambda rule: rule.id)
def test_the_mended_kernel_computes_what_numpy_does(rule: Rule) -> None:
    z, expected = rule_pairs.run(rule, "good"), rule.expected(rule.x)
    assert expected.size
    np.testing.assert_array_equal(z[: expected.size], expected)


@pytest.mark.parametrize("rule", KERNELS, ids=lambda rule: rule.id)
def test_the_faulty_kernel_runs_to_its_end_or_is_a_known_fault(rule: Rule) -> None:
    if rule.id in ENDS:
        with pytest.raises(aclimb.errors.Misuse, match=ENDS[rule.id]):
            rule_pairs.run(rule, "bad")
    else:
        rule_pairs.run(rule, "bad")


@pytest.mark.parametrize("rule", [rule for rule in KERNELS if rule.id in SHOWN], ids=lambda rule: rule.id)
def test_other_schedules_break_the_faulty_kernel_and_never_the_mended_one(rule: Rule) -> None:
    """The pair is what it says it is, whoever looks for it."""
    assert rule_pairs.stressed(rule, "bad", range(12)) > 0
    assert rule_pairs.stressed(rule, "good", range(12)) == 0


@pytest.mark.parametrize("rule", HOSTS, ids=lambda rule: rule.id)
def test_the_mended_program_runs(rule: Rule) -> None:
    rule_pairs.run_host(rule, "good")


@pytest.mark.parametrize("rule", HOSTS, ids=lambda rule: rule.id)
def test_the_faulty_program_runs_or_uses_freed_memory(rule: Rule) -> None:
    if rule.id == "L1":
        with pytest.raises(aclimb.errors.AclimbError, match="in device memory that was freed"):
            rule_pairs.run_host(rule, "bad")
    else:
        rule_pairs.run_host(rule, "bad")


@pytest.mark.parametrize("rule", OWN, ids=lambda rule: rule.id)
def test_the_mended_program_is_the_faulty_one_with_a_small_change(rule: Rule) -> None:
    bad, good = (rule.source(which).read_text().splitlines() for which in ("bad", "good"))
    changed = [line for line in difflib.ndiff(bad, good) if line[0] in "+-" and "//" not in line[:4] and '"""' not in line]
    assert 1 <= len(changed) <= 4, "\n".join(changed)


@pytest.mark.parametrize("rule", OWN, ids=lambda rule: rule.id)
def test_the_lines_that_a_finding_names_are_lines_of_the_programs(rule: Rule) -> None:
    sources = [rule.source("bad"), *HERE.glob("*.cpp")]
    lines = [line for source in sources for line in source.read_text().splitlines()]
    assert rule.pair.lines
    assert [piece for piece in rule.pair.lines if not any(piece in line for line in lines)] == []


def test_every_folder_is_in_the_table() -> None:
    assert sorted(path.name for path in HERE.iterdir() if path.is_dir() and path.name[0] != "_") == sorted(rule.id for rule in OWN)
    assert [name for _, name in KNOWN if not (FAULTS / name / "bad.cpp").exists()] == []


# --- what the checker says


def severe(tellings: list[Told]) -> set[str]:
    return {each.rule for each in tellings if each.severity == "error"}


def names_them(lines: tuple[str, ...], pieces: tuple[str, ...]) -> bool:
    """Whether each piece is found in a line. Which of two cores comes first is no matter of the program's order."""
    return all(any(piece in line for line in lines) for piece in pieces)


@pytest.mark.parametrize("rule", TOLD, ids=lambda rule: rule.id)
@pytest.mark.requirement("ord-19", "ord-29", "ord-33", "ord-34", "sk-36", "sk-57", "sk-58", "sk-59", "sk-60", "sk-61", "sk-66", "sk-69")
def test_the_faulty_program_gives_this_rule_and_no_other_error(rule: Rule) -> None:
    tellings = rule_pairs.found(rule, "bad")
    assert rule.id in {each.rule for each in tellings}
    assert {each.severity for each in tellings if each.rule == rule.id} == {rule.severity}
    assert severe(tellings) <= {rule.id}


@pytest.mark.parametrize("rule", TOLD, ids=lambda rule: rule.id)
def test_a_finding_names_the_lines_at_fault_and_no_files_of_ours(rule: Rule) -> None:
    tellings = [each for each in rule_pairs.found(rule, "bad") if each.rule == rule.id]
    assert any(names_them(each.lines, rule.pair.lines) for each in tellings), [each.lines for each in tellings]
    assert {Path(file).suffix for each in tellings for file in each.files} <= {".cpp", ".py"}
    assert [file for each in tellings for file in each.files if "check_rules" not in file] == []


@pytest.mark.parametrize("rule", OWN, ids=lambda rule: rule.id)
@pytest.mark.requirement("ord-34", "ord-48")
def test_the_mended_program_gives_nothing(rule: Rule) -> None:
    assert rule_pairs.found(rule, "good") == []


@pytest.mark.parametrize(("rule", "name"), KNOWN, ids=lambda each: each if isinstance(each, str) else each.id)
@pytest.mark.requirement("ord-26", "ord-34")
def test_a_fault_that_ends_a_kernel_is_a_finding_of_its_rule(rule: Rule, name: str) -> None:
    found = severe(rule_pairs.found(rule, "bad", name))
    # A null pointer is the first byte of UB too, and the scalar unit reads it behind no flag.
    assert found - ({"O3"} if name == "null_pointer" else set()) == {rule.id}
    # Some of these kernels have every block write the same bytes: that is another rule's.
    assert rule.id not in severe(rule_pairs.found(rule, "good", name))


@pytest.mark.parametrize("rule", TOLD, ids=lambda rule: rule.id)
@pytest.mark.requirement("ord-48")
def test_the_report_of_the_faulty_program_is_the_one_in_its_folder(rule: Rule) -> None:
    [report, *_] = [each.report for each in rule_pairs.found(rule, "bad")]
    assert rule_pairs.same_words(report) == (rule.folder / "bad.out").read_text()


if __name__ == "__main__":
    for each in OWN:
        if each.id in sys.argv[1:] or not sys.argv[1:]:
            answers = rule_pairs.found(each, "bad")
            if answers:
                (each.folder / "bad.out").write_text(rule_pairs.same_words(answers[0].report))
            else:
                print(f"{each.id}: nothing is found in {each.source('bad').name}")
