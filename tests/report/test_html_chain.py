# SPDX-License-Identifier: Apache-2.0
"""timelines.html: one chain in three ways, over one time axis. The separate launches become one row of pipes a core."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import synthetic
from browser import Browser
from person import Person

from aclimb.report import html

AXIS = 24


def way(mode: str, profile: dict[str, Any], us: float) -> dict[str, Any]:
    first = profile["launches"][0]["start_us"]
    spans = [(each["kernel"], each["start_us"] - first, each["start_us"] + each["task_us"] - first) for each in profile["launches"]]
    return {"mode": mode, "us": us, "formula_us": us * 0.9, "spans": spans, "profile": profile}


@pytest.fixture(scope="module")
def chain() -> dict[str, Any]:
    separate, fused, early = synthetic.profile(600, 4), synthetic.profile(400, 4, matmul=False), synthetic.profile(300, 4, matmul=False)
    boundary = {"before": "add_custom", "after": "matmul_custom", "dispatch_saved": 0.75, "head_hidden": 0.01, "skew": 0.2, "latency": 0.3}
    modes = [way("separate", separate, 90.0), way("fused", fused, 60.0), way("early start", early, 45.0)]
    return {"names": ["add_custom", "matmul_custom"], "modes": modes, "boundaries": [boundary], "notes": ["a note"]}


@pytest.fixture(scope="module")
def page(chain: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return html.write_timelines(chain, tmp_path_factory.mktemp("chain") / "timelines.html")


@pytest.mark.parametrize("width", [1280, 600])
def test_the_page_shows_the_times_of_all_ways(chromium: Browser, page: Path, width: int) -> None:
    chromium.open(page, width)
    assert chromium.console == []
    assert chromium.run("document.documentElement.scrollWidth") == width
    numbers = chromium.run("aclimb.numbers()")
    assert [numbers[f"{mode}.us"] for mode in ("separate", "fused", "early start")] == [90, 60, 45]
    assert numbers["early start.factor"] == 0.5
    person = Person(chromium)
    assert "early start takes 45.00 µs, separate launches take 90.00 µs" in person.see("#subtitle")
    assert "0.75 µs" in person.see("#boundaries")
    assert person.see("#notes") == "a note"
    assert chromium.run("document.querySelectorAll('#spans rect').length") == 4


def test_separate_launches_become_one_row_of_pipes_a_core(chromium: Browser, page: Path, chain: dict[str, Any]) -> None:
    chromium.open(page)
    rows = chromium.run("aclimb.timelines[0].rows.map(r => [r.core, r.pipe, r.series.count])")
    lanes = chain["modes"][0]["profile"]["lanes"]
    counts = [chain["modes"][0]["profile"]["slices"]["lane"].count(number) for number in range(len(lanes))]
    kernels = [[core, "SK", 1] for core in ("AIV 0", "AIC 0")]
    expected = [[lane["core"], lane["pipe"], count] for lane, count in zip(lanes, counts, strict=True) if count]
    assert [row for row in rows if row[1] != "SK" and row[2]] == sorted(expected, key=rows.index)
    assert all(row in rows for row in kernels), "a lane above the pipes says which kernel runs"
    flows = chromium.run("aclimb.timelines[0].model.flowFrom.length")
    assert flows == len(chain["modes"][0]["profile"]["flows"])
    names = (
        "(m => [...m.flowFrom].every((f, i) => m.starts[f] + m.durations[f] <= m.starts[m.flowTo[i]] + 1e-6))(aclimb.timelines[0].model)"
    )
    assert chromium.run(names), "flags still lead from what sets to what waits"


def test_the_timelines_move_together(chromium: Browser, page: Path) -> None:
    chromium.open(page)
    person = Person(chromium)
    left, top, width, _ = person.place("#timeline-1 canvas")
    chromium.run("aclimb.timelines[1].zoomAt(0.5)")
    person.drag((left + width / 2, top + 100), (left + width / 2 - 80, top + 100))
    windows = chromium.run("aclimb.timelines.map(t => [t.t0 - t.origin, t.t1 - t.origin])")
    assert windows[1] == pytest.approx(windows[0])
    assert windows[1] == pytest.approx(windows[2])
    height = chromium.run("aclimb.timelines[1].contentHeight")
    person.click(left + 40, top + AXIS + 6)
    assert chromium.run("aclimb.timelines[1].contentHeight") > height, "a core expands"
