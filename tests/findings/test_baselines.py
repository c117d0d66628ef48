# SPDX-License-Identifier: Apache-2.0
"""Baselines: known findings stay quiet, new ones do not, stale entries are listed, and a damaged file is refused by sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fakes import ADD, SOURCE, race
from hypothesis import given
from hypothesis import strategies as st

from aclimb.check import baseline
from aclimb.check.finding import Finding
from aclimb.errors import InvalidArgument

Find = Callable[..., list[Finding]]


def compared(findings: list[Finding], known: list[Finding]) -> baseline.Compared:
    return baseline.compare(findings, baseline.parse(baseline.dump(known), "b.json"))


def test_what_is_known_is_not_new(find: Find) -> None:
    found = find(race(), race("race_equal"))
    result = compared(found, found[:1])
    assert (result.new, result.known, result.stale) == ((found[1],), (found[0],), ())


def test_code_above_may_grow(find: Find, source: Path) -> None:
    known = find(race())
    source.write_text("// a new line\n" + SOURCE)
    moved = find(race(first={"where": ("AIV", ADD + 1)}, second={"where": ("AIV", ADD + 2)}))
    assert moved[0].accesses[0].line != known[0].accesses[0].line
    assert compared(moved, known).new == ()


def test_a_changed_line_is_new_and_the_old_entry_stale(find: Find, source: Path) -> None:
    known = find(race())
    source.write_text(SOURCE.replace("Add(z, x, y, 2048)", "Add(z, x, y, 1024)"))
    result = compared(find(race()), known)
    assert len(result.new) == 1
    assert [(each.rule, each.where) for each in result.stale] == [("O1", f"add.cpp:{ADD}, add.cpp:{ADD + 1}")]


def test_two_places_that_look_alike_are_counted(find: Find) -> None:
    (one,) = find(race())
    alike = replace(one, headline="another place that looks the same")
    assert compared([one, alike], [one]).new == (alike,)
    assert compared([one], [one, alike]).stale[0].count == 1
    assert compared([one, alike], [one, alike]).stale == ()


def test_the_file_is_sorted_and_says_where(find: Find) -> None:
    found = find(race(), race("race_equal"))
    data = json.loads(baseline.dump(found))
    assert (data["format"], data["version"]) == ("aclimb check baseline", 1)
    assert [each["fingerprint"] for each in data["findings"]] == sorted(each.fingerprint for each in found)
    assert baseline.dump(found) == baseline.dump(found[::-1])
    assert data["findings"][0]["headline"].startswith("Race: V writes and MTE3 reads z ")


def test_a_file_written_is_the_file_read(find: Find, tmp_path: Path) -> None:
    path = baseline.write(tmp_path / "known.json", find(race()))
    assert [each.rule for each in baseline.load(path)] == ["O1"]


def damaged(**changes: Any) -> str:
    return json.dumps({"format": "aclimb check baseline", "version": 1, "findings": [], **changes})


HOW = "`aclimb check --write-baseline FILE` writes one"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", f"the baseline b.json is no JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1); {HOW}"),
        ("[]", f"b.json is not a baseline; {HOW}"),
        ('{"format": "aclimb profile"}', f"b.json is not a baseline; {HOW}"),
        (damaged(version=2), "the baseline b.json has version 2; this aclimb reads version 1: write it anew"),
        (damaged(findings={}), "the baseline b.json is damaged: it has no list of findings; write it anew"),
        (damaged(findings=[{}]), "the baseline b.json is damaged: finding 0 has no fingerprint, or a count below 1; write it anew"),
        (damaged(findings=[{"fingerprint": "O1:a", "count": 0}]),
         "the baseline b.json is damaged: finding 0 has no fingerprint, or a count below 1; write it anew"),
    ],
)  # fmt: skip
def test_a_damaged_file_is_refused_by_sentence(text: str, message: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        baseline.parse(text, "b.json")
    assert str(caught.value) == message


def test_a_file_that_is_not_there_or_cannot_be_read_or_written(tmp_path: Path) -> None:
    gone, folder, binary = tmp_path / "gone.json", tmp_path, tmp_path / "binary.json"
    binary.write_bytes(b"\xff\xfe\x00")
    for path, message in [
        (gone, f"the baseline {gone} does not exist; {HOW}"),
        (folder, f"the baseline {folder} cannot be read: Is a directory"),
        (binary, f"the baseline {binary} is not text; {HOW}"),
    ]:
        with pytest.raises(InvalidArgument) as caught:
            baseline.load(path)
        assert str(caught.value) == message
    with pytest.raises(InvalidArgument) as caught:
        baseline.write(tmp_path / "no" / "such.json", [])
    assert str(caught.value) == f"the baseline {tmp_path}/no/such.json cannot be written: No such file or directory; choose another place"


# --- any text at all

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["fingerprint", "count", "rule", "where", "x"]), inner, max_size=4)
    ),
    max_leaves=8,
)


@given(JSON, JSON)
def test_any_content_is_read_or_refused_by_sentence(version: Any, findings: Any) -> None:
    for text in (damaged(findings=findings), damaged(version=version), json.dumps(findings)):
        refusal, entries = "", []
        try:
            entries = baseline.parse(text, "b.json")
        except InvalidArgument as error:
            refusal = str(error)
        assert refusal == "" or "b.json" in refusal
        assert all(isinstance(each.fingerprint, str) and each.count >= 1 for each in entries)


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused_by_sentence(text: str) -> None:
    with pytest.raises(InvalidArgument, match="baseline"):
        baseline.parse(text, "b.json")


@given(st.lists(st.sampled_from(["O1:a", "O1:b", "O2:c"]), max_size=8), st.lists(st.sampled_from(["O1:a", "O1:b", "O2:c"]), max_size=8))
def test_new_known_and_stale_add_up(found: list[str], known: list[str]) -> None:
    made = [Finding("O1", "error", mark, fingerprint=mark) for mark in found]
    result = compared(made, [Finding("O1", "error", mark, fingerprint=mark) for mark in known])
    assert len(result.new) + len(result.known) == len(found)
    assert len(result.known) + sum(each.count for each in result.stale) == len(known)
    for mark in set(found) | set(known):
        new = sum(each.fingerprint == mark for each in result.new)
        assert new == max(0, found.count(mark) - known.count(mark))
