# SPDX-License-Identifier: Apache-2.0
"""The page of a check in a headless Chromium: findings, both lines and the gap in the source, both slices and the gap on the timeline."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import synthetic
from browser import Browser

from aclimb.check.baseline import Entry
from aclimb.check.finding import Access, Finding, FixLines
from aclimb.check.formats import page as page_of
from aclimb.check.report import Report
from aclimb.check.suppress import Suppression

COPY, ADD, OUT = 17, 22, 24  # lines of synthetic.ADD
FIX = "SetFlag and WaitFlag<HardEvent::MTE2_V> between lines 17 and 22"


@pytest.fixture(scope="session")
def profile() -> dict[str, Any]:
    return synthetic.profile(2000, 8)


@pytest.fixture(scope="session")
def source(pages: Path) -> Path:
    file = pages / "add.cpp"
    file.write_text(synthetic.ADD)
    return file


def access(source: Path, line: int, pipe: str, role: str, tensor: str, core: str = "AIV 2") -> Access:
    text = synthetic.ADD.splitlines()[line - 1].strip()
    return Access(
        str(source), line, text, pipe, core, 2, tensor, role, "UB", 0, 16384, kernel="add_custom", launched_at=("/p/program.py", 7)
    )


@pytest.fixture(scope="session")
def report(source: Path) -> Report:
    copy, add = access(source, COPY, "MTE2", "writes", "xLocal"), access(source, ADD, "V", "reads", "xLocal")
    race = Finding("O1", "error", "Race: MTE2 writes and V reads xLocal in no order", (copy, add), "nothing stands between them", "MTE2_V",
                   FIX, FixLines(str(source), COPY, ADD), count=12)  # fmt: skip
    back = replace(race, headline="Race: the way back", accesses=(access(source, OUT, "MTE3", "reads", "zLocal"), add), fix_lines=None)
    host = Finding("L4", "warning", "Leak: 1 buffer </script><b>& more", (Access("/gone/program.py", 3, pipe="host", call="buffers"),))
    gone = (race, Suppression(str(source), 3, ("O1",), "known", 3, 3))
    return Report(
        (race, back, host), 2, suppressed=(gone,), stale=(Entry("O2:x", 1, "O2", "old.cpp:3"),), notes=("raw pointers were not seen",)
    )


@pytest.fixture(scope="session")
def file(report: Report, profile: dict[str, Any], pages: Path) -> Path:
    path = pages / "check.html"
    path.write_text(page_of.text(report, profile))
    return path


@pytest.fixture
def shown(chromium: Browser, file: Path) -> Browser:
    chromium.open(file)
    return chromium


def rows(shown: Browser, kind: str) -> list[int]:
    found: list[int] = shown.run(f"[...document.querySelectorAll('#source tr.{kind}')].map((row) => Number(row.dataset.line))")
    return found


def test_the_page_is_one_file_that_asks_for_nothing_else(file: Path) -> None:
    text = file.read_text()
    assert not re.search(r"""(?:src|href)\s*=\s*["'](?!#|data:,)""", text)
    assert "://" not in text.replace("http://www.w3.org/2000/svg", "")
    assert "</script><b>" not in text


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_loads_in_silence(chromium: Browser, file: Path, width: int, scheme: str) -> None:
    chromium.open(file, width, scheme=scheme)
    assert chromium.console == []
    assert chromium.run("document.documentElement.scrollWidth") == width, "the page is wider than the screen"


def test_findings_are_listed_with_their_words(shown: Browser) -> None:
    assert shown.run("document.getElementById('subtitle').textContent") == "2 launches, 2 errors, 1 warning"
    texts = shown.run("[...document.querySelectorAll('.finding')].map((each) => each.textContent)")
    assert len(texts) == 3
    for words in ("O1", "Race: MTE2 writes and V reads xLocal", "missing: MTE2_V; nothing stands between them", f"smallest change: {FIX}",
                  "12 times, launched at program.py:7", "add.cpp:17"):  # fmt: skip
        assert words in texts[0], words
    assert "Leak: 1 buffer </script><b>& more" in texts[2]


def test_both_lines_and_what_lies_between_them_are_marked(shown: Browser) -> None:
    assert rows(shown, "side") == [COPY, ADD]
    assert rows(shown, "gap") == list(range(COPY + 1, ADD))
    who = shown.run("[...document.querySelectorAll('#source tr.side .who')].map((each) => each.textContent)")
    assert who == ["AIV 2 MTE2 writes xLocal", "AIV 2 V reads xLocal"]
    behind = shown.run("document.querySelector('#source tr.change').previousElementSibling.dataset.line")
    assert int(behind) == COPY
    assert "SetFlag and WaitFlag" in shown.run("document.querySelector('#source tr.change .code').textContent")


def test_another_finding_marks_its_own_lines(shown: Browser) -> None:
    shown.run("document.querySelectorAll('.finding h3 button')[1].click()")
    assert shown.run("document.querySelector('[aria-current=true]').dataset.finding") == "1"
    assert (rows(shown, "side"), rows(shown, "gap"), rows(shown, "change")) == ([ADD, OUT], [ADD + 1], [])


def test_a_finding_without_a_source_shows_none_of_its_lines(shown: Browser) -> None:
    shown.run("aclimb.choose(2)")
    assert rows(shown, "side") == []
    assert shown.run("aclimb.marks.pair") == []


def test_the_timeline_frames_both_slices_and_the_gap(shown: Browser, profile: dict[str, Any]) -> None:
    first, second = shown.run("aclimb.marks.pair")
    lanes, slices, sites = profile["lanes"], profile["slices"], profile["sites"]
    for number, pipe, line in ((first, "MTE2", COPY), (second, "V", ADD)):
        lane = lanes[slices["lane"][number]]
        assert (lane["core"], lane["pipe"], sites[slices["site"][number]]["line"]) == ("AIV 2", pipe, line)
    end, start = slices["start_us"][first] + slices["dur_us"][first], slices["start_us"][second]
    assert shown.run("aclimb.marks.gap()") == pytest.approx([min(end, start), max(end, start)])
    t0, t1 = shown.run("[aclimb.marks.timeline.t0, aclimb.marks.timeline.t1]")
    assert t0 < slices["start_us"][first] < start < t1
    boxes = shown.run("[...document.querySelectorAll('.marks div')].map((each) => [each.className, each.offsetLeft, each.offsetWidth])")
    assert [each[0] for each in boxes] == ["side", "side", "between"]
    assert all(width >= 2 for _, _, width in boxes)


def test_the_marks_move_with_the_timeline(shown: Browser) -> None:
    place = "document.querySelector('.marks .side').getBoundingClientRect().left"
    before = shown.run(place)
    shown.run("aclimb.marks.timeline.pan(0.2); aclimb.marks.timeline.draw()")
    assert shown.run(place) < before


def test_what_was_left_out_is_told(shown: Browser) -> None:
    lines = shown.run("[...document.querySelectorAll('#asides li')].map((each) => each.textContent)")
    assert lines == [
        "ignored at add.cpp:3: O1 Race: MTE2 writes and V reads xLocal in no order; known",
        "stale: the baseline has O2 old.cpp:3",
        "raw pointers were not seen",
    ]


def test_a_page_without_a_profile_or_without_findings_is_whole(chromium: Browser, report: Report, pages: Path) -> None:
    path = pages / "plain.html"
    path.write_text(page_of.text(report))
    chromium.open(path)
    assert chromium.console == []
    assert chromium.run("document.getElementById('timeline-card').hidden") is True
    path.write_text(page_of.text(Report(launches=1, could_not="the program ended with exit status 3")))
    chromium.open(path)
    assert chromium.console == []
    assert chromium.run("document.getElementById('findings').textContent") == "Nothing found."
    assert chromium.run("document.getElementById('badges').textContent") == "the program ended with exit status 3"
