# SPDX-License-Identifier: Apache-2.0
"""The same report as text, JSON, SARIF and JUnit XML, and the files that hold it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import sarif as standard
from fakes import ADD, OUT, SOURCE, Conflict, Launch, Task, named, race
from hypothesis import given
from hypothesis import strategies as st

from aclimb.check import formats
from aclimb.check.baseline import Entry
from aclimb.check.finding import Access, Finding
from aclimb.check.formats import document, junit, sarif, text
from aclimb.check.report import Report, make
from aclimb.check.rules import RULES
from aclimb.check.settings import Settings
from aclimb.check.suppress import Suppression
from aclimb.errors import InvalidArgument

Find = Callable[..., list[Finding]]
FREED = Conflict(
    named("freed_too_early"),
    Task("launch", 0, place=("/gone/program.py", 8)),
    Task("free", by_host=True, place=("/gone/program.py", 9)),
    [Launch()],
)


@pytest.fixture
def report(find: Find, source: Path) -> Report:
    """Everything there can be: two errors, a warning, one that is ignored, one of the baseline, and asides."""
    lines = SOURCE.splitlines()
    lines[12] += "  // aclimb: ignore[O3] the value is not used"
    lines[4] += "  // aclimb: ignore[O2]"
    source.write_text("\n".join(lines) + "\n")
    known = find(race("stale", second={"where": ("AIV", 13)}))
    found = find(race(met=3), race("race_equal"), FREED, race(second={"agent": "S", "where": ("AIV", 13)}))
    entries = [Entry(each.fingerprint) for each in known] + [Entry("O2:gone", 2, "O2", "old.cpp:3")]
    return make(
        [*found, *known], settings=Settings(), files=[str(source)], entries=entries, launches=2, notes=["raw pointers were not seen"]
    )


# --- text


def test_the_whole_text(report: Report) -> None:
    assert text.text(report) == f"""\
Race: V writes and MTE3 reads z (UB bytes 0x2000-0x2fff) in no order, add_custom block 0 (AIV 0)   [O1]
    V    writes z   add.cpp:{ADD}   Add(z, x, y, 2048);
    MTE3 reads  z   add.cpp:{OUT}   DataCopy(gz, z, 2048);
    missing: V_MTE3; nothing stands between them
    smallest change: SetFlag and WaitFlag<HardEvent::V_MTE3> between lines {ADD} and {OUT}
    3 times

Freed too early: GM bytes 0x0000-0x0fff are freed while add_custom, which uses them, may still run   [L3]
    task launch   program.py:8
    host free     program.py:9
    missing: a synchronisation before it
    smallest change: synchronise the stream before program.py:9

Equal writes: V writes and MTE3 reads z (UB bytes 0x2000-0x2fff) in no order, with the same values, add_custom block 0 (AIV 0)   [O6]
    V    writes z   add.cpp:{ADD}   Add(z, x, y, 2048);
    MTE3 reads  z   add.cpp:{OUT}   DataCopy(gz, z, 2048);
    missing: an order of the two writes; nothing stands between them
    smallest change: let one block write it and the others wait with SyncAll(), or clear it on the host before the launch

unused: add.cpp:5   ignore[O2]
stale: the baseline has O2 old.cpp:3, 2 times
note: add.cpp:5: ignore[O2] gives no reason; say why behind the bracket
note: raw pointers were not seen

checked 2 launches: 2 errors, 1 warning (1 ignored, 1 in the baseline)
"""  # fmt: skip


@pytest.mark.parametrize(
    ("report", "last"),
    [
        (Report(launches=1), "checked 1 launch: nothing found\n"),
        (Report(), "checked: nothing found\n"),
        (Report(launches=0, could_not="no kernel was launched"), "checked 0 launches: nothing found; no kernel was launched\n"),
        (Report((Finding("O1", "error", "Race: x"),), 7), "checked 7 launches: 1 error\n"),
    ],
)
def test_the_last_line_says_how_it_ended(report: Report, last: str) -> None:
    assert text.text(report).endswith(last)


def test_fifty_are_told_one_by_one_and_the_rest_counted() -> None:
    many = Report(tuple(Finding("O1", "error", f"Race: number {n}") for n in range(53)))
    said = text.text(many)
    assert said.count("Race: number ") == 50
    assert "\nand 3 more\n" in said
    assert said.endswith("checked: 53 errors\n")
    assert "more" not in text.text(replace(many, findings=many.findings[:50]))


@pytest.mark.parametrize(("as_errors", "findings", "could_not", "status"), [
    (False, (), "", 0), (False, ("error",), "", 1), (False, ("warning",), "", 0), (True, ("warning",), "", 1), (True, ("note",), "", 0),
    (False, (), "no kernel was launched", 2), (False, ("error",), "the program ended with exit status 3", 1),
])  # fmt: skip
@pytest.mark.requirement("ord-50")
def test_the_status_is_0_clean_1_findings_2_could_not_check(
    as_errors: bool, findings: tuple[Any, ...], could_not: str, status: int
) -> None:
    made = Report(tuple(Finding("O1", each, "x: y") for each in findings), warnings_as_errors=as_errors, could_not=could_not)
    assert made.status == status


# --- JSON


def test_json_has_everything(report: Report) -> None:
    data = json.loads(document.text(report))
    assert (data["format"], data["version"], data["status"], data["launches"]) == ("aclimb check", 1, 1, 2)
    assert data["counts"] == {"error": 2, "warning": 1, "note": 0}
    first = data["findings"][0]
    assert (first["rule"], first["rule_name"], first["grade"], first["page"]) == (
        "O1",
        "race-between-pipes",
        "documented",
        "docs/check/O1.md",
    )
    assert [(each["pipe"], each["role"], each["line"], each["begin"], each["end"]) for each in first["accesses"]] == [
        ("V", "writes", ADD, 0x2000, 0x3000), ("MTE3", "reads", OUT, 0x2000, 0x3000)]  # fmt: skip
    assert first["fix_lines"] == {"file": first["accesses"][0]["file"], "after_line": ADD, "before_line": OUT}
    assert data["ignored"][0]["reason"] == "the value is not used"
    assert data["ignored"][0]["ignored_at"]["line"] == 13
    assert data["unused"][0]["rule"] == "O2"
    assert data["baseline"]["stale"] == [{"fingerprint": "O2:gone", "count": 2, "rule": "O2", "where": "old.cpp:3", "headline": ""}]
    assert len(data["baseline"]["known"]) == 1
    assert data["notes"] == ["raw pointers were not seen"]
    assert data["settings"]["auto_sync"] == "on"
    assert "O9" not in data["settings"]["rules"]


def test_the_fields_of_a_finding_hold_still(report: Report) -> None:
    (finding, *_) = document.document(report)["findings"]
    assert sorted(finding) == ["accesses", "blocks", "count", "details", "existing", "fingerprint", "fix", "fix_lines", "grade", "headline",
                               "launch_place", "missing", "page", "replay", "rule", "rule_name", "severity"]  # fmt: skip
    assert sorted(finding["accesses"][0]) == ["begin", "block", "buffer", "call", "core", "end", "file", "kernel", "launched_at", "line",
                                              "member", "memory", "pipe", "role", "tensor", "text"]  # fmt: skip


# --- SARIF


@pytest.mark.requirement("ord-50")
def test_sarif_is_what_the_standard_takes(report: Report) -> None:
    assert standard.wrong(json.loads(sarif.text(report))) == []
    assert standard.wrong(sarif.log(Report(could_not="no kernel was launched"))) == []
    assert standard.wrong(sarif.log(Report((Finding("O1", "error", "Race: without a place"),)))) == []


def test_the_table_of_the_standard_notices_mistakes(report: Report) -> None:
    whole = sarif.log(report)
    run = whole["runs"][0]
    run["results"][0]["level"] = "fatal"
    run["results"][0]["colour"] = "red"
    run["results"][1]["message"] = {}
    run["results"][2]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0
    del run["tool"]["driver"]["name"]
    assert sorted(standard.wrong(whole)) == [
        "$.runs[0].results[0].colour does not belong to a result",
        "$.runs[0].results[0].level is 'fatal', no none|note|warning|error",
        "$.runs[0].results[1].message says nothing",
        "$.runs[0].results[2].locations[0].physicalLocation.region.startLine is 0, no line",
        "$.runs[0].tool.driver has no name",
    ]


def test_sarif_has_all_rules_and_points_at_both_places(report: Report, source: Path) -> None:
    run = sarif.log(report, source.parent)["runs"][0]
    assert [each["id"] for each in run["tool"]["driver"]["rules"]] == list(RULES)
    first = run["results"][0]
    assert run["tool"]["driver"]["rules"][first["ruleIndex"]]["id"] == first["ruleId"] == "O1"
    lines = [each["physicalLocation"]["region"]["startLine"] for each in first["relatedLocations"]]
    assert (lines, first["locations"][0]["physicalLocation"]["region"]["startLine"]) == ([ADD, OUT], OUT)
    assert first["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": "add.cpp", "uriBaseId": "SRCROOT"}
    assert [each["id"] for each in first["codeFlows"][0]["threadFlows"]] == ["AIV 0 V", "AIV 0 MTE3"]
    assert first["partialFingerprints"] == {"aclimbFingerprint/v1": report.findings[0].fingerprint}


def test_sarif_says_what_is_known_and_what_is_ignored(report: Report) -> None:
    results = sarif.log(report)["runs"][0]["results"]
    assert [each["baselineState"] for each in results] == ["new", "new", "new", "unchanged", "new"]
    assert [each.get("suppressions") for each in results][-1] == [{"kind": "inSource", "justification": "the value is not used"}]
    assert sum("suppressions" in each for each in results) == 1


def test_paths_outside_of_the_folder_and_odd_names_are_uris() -> None:
    finding = Finding("O1", "error", "Race: x", (Access(file="/elsewhere/a b#1.cpp", line=3),))
    location = sarif.log(Report((finding,)), Path("/home"))["runs"][0]["results"][0]["locations"][0]
    assert location["physicalLocation"]["artifactLocation"] == {"uri": "file:///elsewhere/a%20b%231.cpp"}


# --- JUnit


def test_junit_has_a_test_for_each_finding_and_one_for_the_check(report: Report) -> None:
    root = ElementTree.fromstring(junit.text(report).partition("\n")[2])
    (suite,) = root
    assert {key: suite.get(key) for key in ("tests", "failures", "errors", "skipped")} == {
        "tests": "5", "failures": "2", "errors": "0", "skipped": "1"}  # fmt: skip
    assert [(case.get("classname"), case.get("name"), [each.tag for each in case]) for case in suite] == [
        ("add_custom", f"O1 add.cpp:{ADD}, add.cpp:{OUT}", ["failure"]),
        ("add_custom", "L3 program.py:8, program.py:9", ["failure"]),
        ("add_custom", f"O6 add.cpp:{ADD}, add.cpp:{OUT}", ["system-out"]),
        ("add_custom", f"O3 add.cpp:{ADD}, add.cpp:13", ["skipped"]),
        ("aclimb check", "the program was checked to its end", []),
    ]
    failure = suite[0][0]
    assert failure.get("message") == report.findings[0].headline
    assert failure.text == text.finding_text(report.findings[0])


def test_junit_of_a_clean_check_passes_and_of_one_that_was_cut_off_does_not() -> None:
    clean = ElementTree.fromstring(junit.text(Report(launches=1)).partition("\n")[2])
    assert (clean.get("tests"), clean.get("failures"), clean.get("errors")) == ("1", "0", "0")
    cut = ElementTree.fromstring(junit.text(Report(could_not="no kernel was launched")).partition("\n")[2])
    assert cut.get("errors") == "1"
    assert cut[0][0][0].get("message") == "no kernel was launched"


def test_warnings_fail_in_junit_where_they_are_errors(report: Report) -> None:
    root = ElementTree.fromstring(junit.text(replace(report, warnings_as_errors=True)).partition("\n")[2])
    assert root.get("failures") == "3"


# --- any text at all


@given(st.text(max_size=40), st.text(max_size=20), st.integers(-5, 10**9))
def test_any_source_text_survives_every_format(line: str, name: str, number: int) -> None:
    access = Access(file=f"/a/{name}.cpp", line=number, text=line, tensor=name, pipe="V", role="reads")
    finding = Finding("O1", "error", f"Race: {line}", (access, access), fix=line, missing=name, fingerprint="O1:1")
    made = Report((finding,), suppressed=((finding, Suppression(access.file, 1, ("O1",), line, 1, 1)),), notes=(line,))
    assert json.loads(document.text(made))["findings"][0]["headline"] == f"Race: {line}"
    assert standard.wrong(json.loads(sarif.text(made))) == []
    assert ElementTree.fromstring(junit.text(made).partition("\n")[2]).tag == "testsuites"
    assert text.text(made).endswith("checked: 1 error (1 ignored)\n")


# --- files


@pytest.mark.parametrize(("name", "format"), [("a.txt", "text"), ("a.json", "json"), ("a.sarif", "sarif"), ("a.sarif.json", "sarif"),
                                              ("a.xml", "junit"), ("a.html", "html")])  # fmt: skip
def test_the_suffix_names_the_format(name: str, format: str, tmp_path: Path, report: Report) -> None:
    assert formats.of_suffix(Path(name)) == format
    assert formats.write(report, tmp_path / name).read_text() == formats.render(report, format)


def test_a_format_may_be_named_instead(tmp_path: Path, report: Report) -> None:
    assert json.loads(formats.write(report, tmp_path / "report", "json").read_text())["format"] == "aclimb check"


def test_what_names_no_format_or_cannot_be_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument) as caught:
        formats.of_suffix(Path("report.pdf"))
    assert str(caught.value) == "report.pdf: its suffix names no format; it takes .txt, .json, .sarif, .xml, .html, or give the format"
    with pytest.raises(InvalidArgument) as caught:
        formats.render(Report(), "yaml")
    assert str(caught.value) == "the format is 'yaml'; it takes text, json, sarif, junit, html"
    with pytest.raises(InvalidArgument) as caught:
        formats.write(Report(), tmp_path / "no" / "a.json")
    assert str(caught.value) == f"{tmp_path}/no/a.json cannot be written: No such file or directory; choose another place"
