# SPDX-License-Identifier: Apache-2.0
"""The catalogue holds still: ids, names, severities, and which of the engine's kinds belongs to which rule. New rules come behind."""

from __future__ import annotations

import re
from pathlib import Path

import fakes
import pytest

from aclimb.check import rules
from aclimb.check.cases import case_of
from aclimb.check.engine_side import FindingKind
from aclimb.check.faults import NO_RULE, RULE_OF
from aclimb.check.finding import FAMILIES
from aclimb.check.rules import GRADES, RULES
from aclimb.check.settings import Settings
from aclimb.errors import InvalidArgument
from aclimb.flow import FaultKind

FOLDER = Path(rules.__file__).parent
COUNTS = {"O": 9, "N": 1, "C": 4, "I": 3, "L": 4, "B": 8, "F": 8, "Q": 8, "X": 7, "H": 2, "S": 1, "A": 4}
IDS = [f"{family}{number}" for family, count in COUNTS.items() for number in range(1, count + 1)]
WARNINGS = {"O6", "O9", "C4", "I3", "L4", "B5", "B6", "F4", "X7"}
NOTES = {"N1", "A1", "A2", "A3", "A4"}
NOT_YET = {"early_workspace"}  # a kind that rules know and the engine does not tell of by this name


def test_the_rules_are_these_in_this_order() -> None:
    assert [each for each in RULES if each in IDS] == IDS
    by_family = {letter: [each for each in RULES if each[0] == letter] for letter in FAMILIES}
    assert list(RULES) == [f"{letter}{number}" for letter, ids in by_family.items() for number in range(1, len(ids) + 1)]


def test_severities_are_those_of_the_catalogue() -> None:
    expected = {each: "warning" if each in WARNINGS else "note" if each in NOTES else "error" for each in IDS}
    assert {each: RULES[each].severity for each in IDS} == expected


def test_one_file_is_one_rule_and_is_named_after_it() -> None:
    files = sorted(path.stem for path in FOLDER.glob("[a-z][0-9]_*.py"))
    assert len(files) == len(RULES)
    assert sorted(file.partition("_")[0].upper() for file in files) == sorted(RULES)
    for rule in RULES.values():
        assert (FOLDER / f"{rule.id.lower()}_{rule.name.replace('-', '_')}.py").is_file(), rule.id


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.id)
def test_a_rule_says_what_it_means_and_what_it_rests_on(rule: rules.Rule) -> None:
    assert re.fullmatch(r"[A-Z].*[^.]\.( Asked for with .*\.| Listed with .*\.)?", rule.meaning)
    assert rule.basis
    assert not rule.basis.endswith(".")
    assert rule.grade in GRADES
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", rule.name)
    assert rule.page == f"docs/check/{rule.id}.md"


def test_names_are_told_apart() -> None:
    assert len({rule.name for rule in RULES.values()}) == len(RULES)


def test_every_kind_of_the_engine_has_its_rule() -> None:
    assert {kind for rule in RULES.values() for kind in rule.kinds} == {kind.name for kind in FindingKind} | NOT_YET


@pytest.mark.parametrize("memory", ["UB", "GM", "L1", "L0A", "L0B", "L0C", "BT", "FB"])
@pytest.mark.parametrize(("first", "second"), [("V", "MTE3"), ("V", "V"), ("V", "S"), ("S", "V"), ("D", "MTE2"), ("S", "S")])
def test_a_race_belongs_to_exactly_one_rule(memory: str, first: str, second: str, source: Path) -> None:
    launch = fakes.race(first={"agent": first}, second={"agent": second}, memory=memory)
    case = case_of(launch.finding, fakes.Places(source, launch))  # type: ignore[arg-type]
    assert len([rule for rule in RULES.values() if case.kind in rule.kinds and rule.applies(case)]) == 1


def test_every_kind_of_fault_is_a_rules_or_has_a_reason() -> None:
    assert sorted(name for rule in RULES.values() for name in rule.faults.split()) == sorted(kind.name for kind in RULE_OF)
    assert set(RULE_OF) | set(NO_RULE) == set(FaultKind)
    assert not set(RULE_OF) & set(NO_RULE)
    assert set(RULE_OF.values()) <= set(RULES)
    assert all(NO_RULE.values())


# --- names that people write


@pytest.mark.parametrize("word", ["O1", "o1", " O1 ", "race-between-pipes", "Race-Between-Pipes"])
def test_a_rule_is_known_by_id_and_by_name(word: str) -> None:
    assert rules.by_name(word).id == "O1"


def test_a_rule_that_is_none_is_told_what_is_near() -> None:
    with pytest.raises(InvalidArgument) as caught:
        rules.by_name("race-between-pipe")
    assert str(caught.value) == "there is no rule 'race-between-pipe'; is it race-between-pipes? docs/reference/check.md lists them"
    with pytest.raises(InvalidArgument) as caught:
        rules.by_name("42")
    assert str(caught.value) == "there is no rule '42'; docs/reference/check.md lists them"


def test_rules_may_be_one_text_or_a_list() -> None:
    assert rules.chosen("O1, stale-copy") == rules.chosen(["o1", "C2"]) == {"O1", "C2"}
    assert rules.chosen(None) is None


# --- settings


def test_what_is_not_looked_for_is_not_active() -> None:
    assert set(IDS) - Settings().active == {"O9", "L4", "S1", "A1", "A2", "A3", "A4"}
    assert {"I1", "C1"} & Settings(init="off", cache=False).active == set()
    assert Settings(auto_sync="warn", advice=True, leaks=True).under(1).active == set(RULES)


def test_a_rule_that_is_named_is_looked_for_whatever_else_is_set() -> None:
    asked = Settings(rules=["O9", "A2", "L4"])
    assert (asked.auto_sync, asked.advice, asked.leaks, asked.active) == ("warn", True, True, {"O9", "A2", "L4"})


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"auto_sync": "maybe"}, "auto_sync is 'maybe'; it takes on, off or warn"),
        ({"init": "late"}, "init is 'late'; it takes reach, eager or off"),
    ],
)
def test_a_setting_that_is_none_is_refused(given: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        Settings(**given)  # type: ignore[arg-type]
    assert str(caught.value) == message
