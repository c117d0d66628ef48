# SPDX-License-Identifier: Apache-2.0
"""One finding for each pair of lines, counted; the same order whatever order the engine found them in."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import fakes
import pytest
from fakes import ADD, IN, OUT, race
from hypothesis import given
from hypothesis import strategies as st

from aclimb.check.finding import Access, Finding, fingerprint_of, normalised, rule_order, sort_key

Find = Callable[..., list[Finding]]


def test_two_instructions_of_one_line_are_one_finding(find: Find) -> None:
    """A loop that the compiler unrolled has its line twice."""
    (finding,) = find(race(met=3, blocks=2), race(met=4, blocks=5))
    assert (finding.count, finding.blocks) == (7, 5)


@pytest.mark.requirement("ord-22")
def test_the_example_is_the_smallest_block_with_the_smallest_byte(find: Find) -> None:
    sides = [({"block": 3, "core_idx": 3}, 0x2000), ({"block": 1, "core_idx": 1}, 0x2400), ({"block": 1, "core_idx": 1}, 0x2200)]
    (finding,) = find(*(race(first=side, second=side, begin=begin) for side, begin in sides))
    assert "UB bytes 0x2200-0x2fff" in finding.headline
    assert finding.accesses[0].block == 1


def test_other_lines_pipes_memories_and_sub_kernels_are_other_findings(find: Find) -> None:
    raws = [
        race(),
        race(second={"where": ("AIV", 12)}),
        race(second={"agent": "MTE2"}),
        race(memory="GM"),
        race(first={"sub": 0}, second={"sub": 1}),
        race(kernel="other"),
    ]
    assert len(find(*raws)) == len(raws)


def test_both_ways_between_two_lines_are_one_finding_with_both_flags(find: Find) -> None:
    there = race(first={"where": ("AIV", IN), "agent": "MTE2"}, second={"where": ("AIV", ADD), "agent": "V", "way": "reads"}, begin=0x2000)
    back = race(
        first={"where": ("AIV", ADD), "agent": "V", "way": "reads"},
        second={"where": ("AIV", IN), "agent": "MTE2", "way": "writes"},
        begin=0x2100,
    )
    (finding,) = find(back, there)
    assert finding.missing == "MTE2_V"
    assert finding.details == (
        f"also missing: V_MTE2; SetFlag and WaitFlag<HardEvent::V_MTE2> behind line {ADD} and before line {IN} of the next round",
    )


def test_the_order_is_by_severity_rule_and_lines(find: Find) -> None:
    found = find(
        race("race_equal"),
        race("short_copy"),
        race(first={"where": ("AIV", OUT)}, second={"agent": "S"}),
        race(first={"where": ("AIV", OUT)}),
        race(),
    )
    assert [(each.rule, each.accesses[0].line) for each in found] == [("O1", ADD), ("O1", OUT), ("O3", OUT), ("O6", ADD), ("A2", ADD)]


def test_the_text_does_not_depend_on_the_order_of_the_engine(find: Find) -> None:
    raws = [
        race(first={"block": block, "where": ("AIV", line)}, begin=begin)
        for block in range(3)
        for line in (IN, ADD)
        for begin in (0x2000, 0x2100)
    ]
    expected = find(*raws)
    for seed in range(20):
        random.Random(seed).shuffle(raws)
        assert find(*raws) == expected


def test_only_the_rules_that_are_asked_for(find: Find) -> None:
    raws = [race(), race("race_equal"), race("short_copy")]
    assert [each.rule for each in find(*raws, rules=frozenset({"O6"}))] == ["O6"]
    assert [each.rule for each in find(*raws, advice=False)] == ["O1", "O6"]
    assert [each.rule for each in find(*raws, advice=False, rules=frozenset({"A2"}))] == ["A2"]


def test_rules_are_ordered_by_family_and_number() -> None:
    assert sorted(["A1", "O10", "O2", "B1", "N1"], key=rule_order) == ["O2", "O10", "N1", "B1", "A1"]


# --- places


def test_without_a_source_the_call_and_the_bytes_are_left(find: Find) -> None:
    (finding,) = find(race(first={"where": ("", 0)}, second={"where": ("", 0)}))
    assert finding.headline == "Race: V writes and MTE3 reads UB bytes 0x2000-0x2fff in no order, add_custom block 0 (AIV 0)"
    assert finding.fix == "SetFlag and WaitFlag<HardEvent::V_MTE3> between the two"
    assert finding.fix_lines is None


def test_global_memory_is_counted_from_the_parameter_else_from_its_allocation(find: Find) -> None:
    there = {"memory": "GM", "begin": 0x7F00_0000_1000, "end": 0x7F00_0000_1040}
    for more, shown in [
        ({"parameter": "gx", "offset": 64}, "GM bytes 0x0040-0x007f of gx"),
        ({"base": 0x7F00_0000_0000}, "GM bytes 0x1000-0x103f"),
        ({}, "GM bytes 0x0000-0x003f"),
    ]:
        (finding,) = find(race(**there, **more))
        assert shown in finding.headline
        assert "7f00" not in finding.headline


# --- fingerprints


def access(**fields: object) -> Access:
    return Access(**{"file": "/a/add.cpp", "line": 5, "text": "Add(z, x, y, 2048);", "kernel": "k", **fields})  # type: ignore[arg-type]


def test_a_fingerprint_does_not_know_lines_folders_blanks_and_comments() -> None:
    moved = access(file="/b/c/add.cpp", line=99, text="Add(z,  x, y, 2048);   // why", block=3)
    assert fingerprint_of("O1", [access(), access(text="b")]) == fingerprint_of("O1", [moved, access(text="b", line=7)])
    assert fingerprint_of("O1", [access()]).startswith("O1:")


def test_a_fingerprint_knows_rule_file_and_text() -> None:
    marks = {
        fingerprint_of("O1", [access()]),
        fingerprint_of("O2", [access()]),
        fingerprint_of("O1", [access(file="/a/mul.cpp")]),
        fingerprint_of("O1", [access(text="Add(z, x, y, 1024);")]),
        fingerprint_of("O1", [access(), access()]),
        fingerprint_of("O1", [access(text="", file="", pipe="V")]),
        fingerprint_of("O1", [access(text="", file="", pipe="S")]),
    }
    assert len(marks) == 7


def test_the_two_sides_may_change_places() -> None:
    one, two = access(), access(text="DataCopy(gz, z, 2048);", line=9)
    assert fingerprint_of("O5", [one, two]) == fingerprint_of("O5", [two, one])


@given(st.text(alphabet="ab;/* \t", max_size=30))
def test_a_normalised_line_stays_as_it_is(text: str) -> None:
    once = normalised(text)
    assert "  " not in once
    assert "//" not in once
    assert normalised(once) == once or "/" in once  # what is left of two comments may look like one


@given(st.permutations(range(6)))
def test_findings_sort_the_same_from_any_order(order: list[int]) -> None:
    base = Finding("O1", "error", "Race: x", (access(),))
    all_of_them = [
        base, replace(base, rule="O2"), replace(base, severity="note"), replace(base, accesses=(access(line=6),)),
        replace(base, accesses=(access(file="/a/b.cpp"),)), replace(base, accesses=(access(core="AIC 0"),)),
    ]  # fmt: skip
    assert sorted([all_of_them[i] for i in order], key=sort_key) == sorted(all_of_them, key=sort_key)


def test_what_an_isolated_device_claims_without_sense_is_left_out_and_said(find: Find, caplog: pytest.LogCaptureFixture) -> None:
    """A race with one side, and memory that was freed at no place: the words for them do not exist."""
    without_sense = [fakes.one("race", {}), race("reused", number=-(2**63))]
    for raw in without_sense:
        with pytest.raises((AssertionError, TypeError)):
            find(raw)
    claims = [replace(each, claimed=True) for each in (*without_sense, race())]
    (finding,) = find(*claims)
    assert finding.rule == "O1"
    assert caplog.text.count("told of a finding in add_custom that makes no sense; it is left out") == 2
