# SPDX-License-Identifier: Apache-2.0
"""Drawings of a sweep and its page: a title, named axes, one cell a pair, nothing outside the drawing."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from browser import Browser

from aclimb.report.sweep.objective import objective
from aclimb.report.sweep.page import write_page
from aclimb.report.sweep.plots import bar_chart, effect_chart, heat_map
from aclimb.report.sweep.points import axes_of, combinations
from aclimb.report.sweep.result import SweepOutcome
from aclimb.report.sweep.runs import Swept

SVG = "{http://www.w3.org/2000/svg}"


def texts(drawing: str) -> list[str]:
    return [str(each.text) for each in ET.fromstring(drawing).iter(f"{SVG}text")]


def test_bars_have_a_title_and_an_axis() -> None:
    drawing = bar_chart([("A=1", 2.0), ("A=2", 7.5), ("A=3", None)], title="Task time of p.py", unit="us")
    assert texts(drawing)[:6] == ["Task time of p.py", "0", "2", "4", "6", "us, modelled"]
    bars = [each for each in ET.fromstring(drawing).iter(f"{SVG}rect") if each.find(f"{SVG}title") is not None]
    assert [float(bar.attrib["width"]) for bar in bars] == [pytest.approx(480 * 2 / 7.5), 480]
    assert "failed" in texts(drawing)


def test_names_with_angle_brackets_and_long_names_stay_inside_the_drawing() -> None:
    drawing = ET.fromstring(bar_chart([("T=a<b>", 1.0), ("x" * 90, 2.0), ("none", None)], title="t", unit="us"))
    width = float(drawing.attrib["width"])
    found = {each.text: each for each in drawing.iter(f"{SVG}text")}
    assert float(found["x" * 90].attrib["x"]) - 90 * 6 > 0  # drawn towards the left, at about six units a letter
    assert float(found["T=a<b>"].attrib["x"]) < width


def test_a_heat_map_names_both_axes_and_has_a_cell_for_each_pair_that_was_run() -> None:
    cells = {("1", "8"): 4.0, ("2", "8"): 2.0, ("1", "16"): None}
    drawing = heat_map(("BUFFERS", ["1", "2"]), ("TILE", ["8", "16"]), cells, title="Time", unit="us")
    assert texts(drawing) == [
        "Time",
        "1",
        "4.00",
        "failed",
        "2",
        "2.00",
        "8",
        "16",
        "BUFFERS",
        "TILE",
        "us, modelled; best 2.00, worst 4.00",
    ]
    strength = [float(each.attrib["fill-opacity"]) for each in ET.fromstring(drawing).iter(f"{SVG}rect") if "fill-opacity" in each.attrib]
    assert sorted(strength) == [pytest.approx(0.08), pytest.approx(0.95)], "the best is the strongest"


def test_an_effect_of_numbers_is_a_line_and_of_names_is_not() -> None:
    assert "<polyline" in effect_chart("TILE", [("8", 2.0), ("16", 1.0)], title="t", unit="us")
    names = effect_chart("MODE", [("a", 2.0), ("b", 1.0)], title="t", unit="us")
    assert "<polyline" not in names
    assert {"MODE", "a", "b", "us, modelled"} <= set(texts(names))


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    points = combinations(axes_of(["TILE=1024..8192*2", "MODE=a<b,c"], "8,16,48", None, []))
    outcomes = [SweepOutcome(point, 2.0 + n % 7, 1.0 + n % 7, "MTE2: HBM", 1) for n, point in enumerate(points)]
    outcomes[3] = SweepOutcome(outcomes[3].point, None, error="it does <not> fit")
    return write_page(Swept(outcomes, 24), objective("task"), "program.py", tmp_path_factory.mktemp("sweep") / "sweep.html")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 600])
def test_the_page_opens_offline_and_shows_a_heat_map_for_each_pair(chromium: Browser, page: Path, width: int, scheme: str) -> None:
    chromium.open(page, width, scheme=scheme, ready="true")
    assert chromium.console == []
    assert chromium.run("document.documentElement.scrollWidth") == width
    labels = chromium.run("[...document.querySelectorAll('section[aria-labelledby=heat-maps] svg')].map(e => e.getAttribute('aria-label'))")
    assert {label.split(",")[0] for label in labels} == {
        "Task time by TILE and MODE",
        "Task time by TILE and blocks",
        "Task time by MODE and blocks",
    }
    assert chromium.run("document.querySelectorAll('table tbody tr').length") == 24
    assert "it does <not> fit" in chromium.run("document.body.innerText")
    assert "Runner-up" in chromium.run("document.body.innerText")


def test_no_text_of_a_drawing_leaves_it(chromium: Browser, page: Path) -> None:
    chromium.open(page, 1280, ready="true")
    outside = chromium.run(
        """[...document.querySelectorAll('svg')].flatMap(svg => [...svg.querySelectorAll('text')].filter(text => {
          const a = svg.getBoundingClientRect(), b = text.getBoundingClientRect();
          return b.left < a.left - 1 || b.right > a.right + 1 || b.top < a.top - 1 || b.bottom > a.bottom + 1;
        }).map(text => text.textContent))"""
    )
    assert outside == []
