# SPDX-License-Identifier: Apache-2.0
"""The report as a person uses it, with mouse and keys in a headless Chromium: search a line, measure a range, follow the path."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import synthetic
from browser import Browser
from person import Person

from aclimb.report import html

AXIS = 24


@pytest.fixture(scope="module")
def profile() -> dict[str, Any]:
    return synthetic.profile(2000, 8, matmul=False)


@pytest.fixture(scope="module")
def report(profile: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return html.write(profile, tmp_path_factory.mktemp("person") / "report.html")


@pytest.fixture
def person(chromium: Browser, report: Path) -> Person:
    chromium.open(report)
    return Person(chromium)


class Seen:
    """Where things are on the timeline, as a person sees them."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.left, self.top, *_ = person.place("#timeline canvas")

    def x(self, t: float) -> float:
        return self.left + float(self.person.browser.run(f"aclimb.timeline.x({t})"))

    def y(self, core: str, pipe: str) -> float:
        row = f"aclimb.timeline.rows.find(r => r.core === {core!r} && r.pipe === {pipe!r})"
        return self.top + AXIS + float(self.person.browser.run(f"(r => r.y + r.height / 2 - aclimb.timeline.scroll)({row})"))


def slices_of(profile: dict[str, Any], **wanted: Any) -> list[int]:
    """Numbers of the slices with that core, pipe, name and line."""
    slices, found = profile["slices"], []
    for number, (lane, name, site) in enumerate(zip(slices["lane"], slices["name"], slices["site"], strict=True)):
        line = profile["sites"][site]["line"] if site >= 0 else None
        row = {**profile["lanes"][lane], "name": profile["names"][name], "line": line}
        if all(row[key] == value for key, value in wanted.items()):
            found.append(number)
    return found


# --- search


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("add.cpp:22", {"line": 22}),
        ("line 22", {"line": 22}),
        ("22", {"line": 22}),
        ("DataCopy", {"name": "DataCopy"}),
        ("datac", {"name": "DataCopy"}),
        ("MTE2", {"pipe": "MTE2"}),
        ("v", {"pipe": "V"}),
        ("AIV 3", {"core": "AIV 3"}),
        ("core 3", {"core": "AIV 3"}),
        ("core:3 MTE3 datacopy", {"core": "AIV 3", "pipe": "MTE3"}),
        ("AIV3 :17", {"core": "AIV 3", "line": 17}),
        ("xGm", {"line": 17}),
        ('"the only arithmetic"', {"line": 22}),
        ("AIV Add", {"name": "Add"}),
    ],
)
def test_a_search_finds_what_fits_every_word(person: Person, profile: dict[str, Any], query: str, wanted: dict[str, Any]) -> None:
    person.press("#search")
    person.type(query)
    found = slices_of(profile, **wanted)
    numbers = person.browser.run("aclimb.numbers()")
    assert numbers["search.count"] == len(found)
    assert numbers["search.us"] == pytest.approx(sum(profile["slices"]["dur_us"][each] for each in found))


def test_a_line_is_searched_and_enter_goes_from_one_slice_to_the_next(person: Person, profile: dict[str, Any]) -> None:
    person.press("#timeline canvas")
    person.key("/")
    person.type("add.cpp:22")
    expected = sorted(slices_of(profile, line=22), key=lambda each: (profile["slices"]["start_us"][each], profile["slices"]["lane"][each]))
    assert person.see(".told").startswith(f"{len(expected)} slices")
    for number in range(3):
        person.key("Enter")
        assert person.see(".told").startswith(f"{number + 1} of {len(expected)} slices")
        chosen = profile["slices"]["start_us"][expected[number]]
        assert f"{chosen:,.3f} µs" in person.see("#details")
        assert "add.cpp:22" in person.see("#details")
        assert person.browser.run(f"aclimb.timeline.t0 < {chosen} && {chosen} < aclimb.timeline.t1"), "it is in view"
    person.key("Enter", shift=True)
    assert person.see(".told").startswith(f"2 of {len(expected)} slices")
    person.key("Enter", shift=True)
    person.key("Enter", shift=True)
    assert person.see(".told").startswith(f"{len(expected)} of {len(expected)} slices"), "before the first comes the last"
    person.key("Escape")
    assert person.see(".told") == ""


def test_what_is_found_stands_out_and_the_rest_fades(person: Person, profile: dict[str, Any]) -> None:
    seen = Seen(person)
    start = profile["slices"]["start_us"][slices_of(profile, core="AIV 0", pipe="MTE2")[0]]
    person.browser.run(f"aclimb.zoom({start}, {start + 3})")
    colour = "Array.from(aclimb.timeline.context.getImageData({}, {}, 1, 1).data)"
    copy = colour.format(seen.x(start + 0.2) - seen.left, seen.y("AIV 0", "MTE2") - seen.top + 6)
    before = person.browser.run(copy)
    person.press("#search")
    person.type("Add")
    faded = person.browser.run(copy)
    assert sum(faded[:3]) > sum(before[:3]) + 100, "a copy is paler while an Add is searched"
    person.key("Escape")
    assert person.browser.run(copy) == before


def test_a_search_without_a_match_says_what_it_looked_for(person: Person) -> None:
    person.press("#search")
    person.type("line 9999 MTE2")
    assert person.see(".told") == "Nothing: line 9999, pipe MTE2"
    assert person.browser.run("aclimb.timeline.emphasis") is None


def test_the_number_of_a_source_line_searches_for_it(person: Person) -> None:
    person.press("#source tr[data-line='22'] button")
    assert person.browser.run("document.getElementById('search').value") == "add.cpp:22"
    assert person.see(".told").startswith("1 of ")


# --- ranges


def test_shift_and_drag_measures_a_range(person: Person, profile: dict[str, Any]) -> None:
    copies = slices_of(profile, core="AIV 0", pipe="MTE2")
    starts, lengths, sizes = (profile["slices"][key] for key in ("start_us", "dur_us", "bytes"))
    first = starts[copies[0]]
    person.browser.run(f"aclimb.zoom({first - 0.2}, {first + 4})")
    seen = Seen(person)
    end = starts[copies[3]] + lengths[copies[3]]
    y = seen.y("AIV 0", "MTE2")
    person.drag((seen.x(first) + 3, y), (seen.x(end) - 3, y), shift=True)  # the ends catch the edges of slices
    numbers = person.browser.run("aclimb.numbers()")
    assert numbers["range.t0"] == first
    assert numbers["range.us"] == pytest.approx(end - first)
    inside = [each for each in copies if starts[each] < end]
    assert numbers["range.count"] == len(inside)
    covered, latest = 0.0, first
    for each in inside:
        stop = min(end, starts[each] + lengths[each])
        covered += max(0.0, stop - max(starts[each], latest))
        latest = max(latest, stop)
    assert numbers["range.AIV MTE2.us"] == pytest.approx(covered)
    moved = sum(sizes[each] * min(1.0, (end - starts[each]) / lengths[each]) for each in inside)
    assert numbers["range.AIV MTE2.bytes"] == pytest.approx(moved)
    assert person.see("#range").count("add.cpp:17") == 1
    assert person.see("#range").count("add.cpp:18") == 1


def test_the_instructions_of_a_range_are_listed_in_order_of_time(person: Person, profile: dict[str, Any]) -> None:
    first = profile["slices"]["start_us"][slices_of(profile, core="AIV 0", pipe="MTE2")[0]]
    person.browser.run(f"aclimb.zoom({first - 0.2}, {first + 4})")
    seen = Seen(person)
    person.drag((seen.x(first + 0.5), seen.y("AIV 0", "MTE2")), (seen.x(first + 2.5), seen.y("AIV 0", "MTE3")), shift=True)
    person.browser.run("[...document.querySelectorAll('#instructions button')].find(b => b.innerText === 'One by one').click()")
    t0, t1 = (person.browser.run(f"aclimb.timeline.range.{end}") for end in ("t0", "t1"))
    starts, lengths = profile["slices"]["start_us"], profile["slices"]["dur_us"]
    lanes = ("MTE2", "V", "MTE3")
    there = [each for pipe in lanes for each in slices_of(profile, core="AIV 0", pipe=pipe)]
    inside = [each for each in there if starts[each] < t1 and starts[each] + lengths[each] > t0]
    cells = "[...document.querySelectorAll('#instructions tbody tr')].map(r => [...r.cells].map(c => c.innerText.trim()))"
    rows = person.browser.run(cells)
    assert [row[0] for row in rows] == [f"{starts[each]:,.3f} µs" for each in sorted(inside, key=lambda each: starts[each])]
    assert {row[1] for row in rows} == {f"AIV 0 {pipe}" for pipe in lanes}
    person.press("#instructions tbody tr:nth-child(2) button")
    assert rows[1][2] in person.see("#details")


def test_a_drag_on_the_axis_measures_every_lane_and_escape_ends_it(person: Person) -> None:
    seen = Seen(person)
    person.drag((seen.left + 300, seen.top + 10), (seen.left + 500, seen.top + 10))
    assert person.browser.run("aclimb.timeline.range.lanes.size") == 8 * 4
    assert person.see("#range").startswith("Range")
    person.browser.run("aclimb.timeline.canvas.focus()")
    person.key("Escape")
    assert not person.is_there("#range")


def test_an_end_of_a_range_can_be_moved(person: Person) -> None:
    seen = Seen(person)
    person.drag((seen.left + 300, seen.top + 10), (seen.left + 500, seen.top + 10))
    before = person.browser.run("[aclimb.timeline.range.t0, aclimb.timeline.range.t1]")
    person.drag((seen.left + 500, seen.top + 150), (seen.left + 600, seen.top + 10))
    after = person.browser.run("[aclimb.timeline.range.t0, aclimb.timeline.range.t1]")
    assert after[0] == before[0]
    assert after[1] > before[1]


def test_the_button_makes_dragging_measure_and_m_measures_the_slice(person: Person, profile: dict[str, Any]) -> None:
    person.press("#timeline-controls button[aria-label^='Dragging measures']")
    seen = Seen(person)
    before = person.browser.run("aclimb.timeline.t0")
    person.drag((seen.left + 300, seen.top + 150), (seen.left + 400, seen.top + 150))
    assert person.browser.run("aclimb.timeline.t0") == before, "it does not pan"
    assert person.is_there("#range")
    slice_ = slices_of(profile, core="AIV 1", pipe="V")[2]
    person.browser.run(f"aclimb.timeline.reveal({slice_}), aclimb.timeline.canvas.focus()")
    person.key("m")
    assert person.browser.run("aclimb.numbers()['range.us']") == pytest.approx(0.055)


# --- collapse


def test_a_click_on_a_core_collapses_it_and_a_second_one_expands_it(person: Person) -> None:
    seen = Seen(person)
    height = person.browser.run("aclimb.timeline.contentHeight")
    person.click(seen.left + 40, seen.y("AIV 1", "S"))
    folded = person.browser.run("aclimb.timeline.contentHeight")
    assert folded < height
    assert person.browser.run("aclimb.timeline.rows.filter(r => r.isFolded).map(r => r.core + ' ' + r.pipe).join()") == (
        "AIV 1 S,AIV 1 MTE2,AIV 1 V,AIV 1 MTE3"
    )
    person.click(seen.left + 40, seen.y("AIV 1", "S"))
    assert person.browser.run("aclimb.timeline.contentHeight") == height


def test_all_cores_collapse_and_what_is_revealed_expands_its_own(person: Person, profile: dict[str, Any]) -> None:
    person.press("#timeline-controls button[aria-label^='Collapse']")
    assert person.browser.run("aclimb.timeline.rows.filter(r => r.pipe !== 'host').every(r => r.isFolded)")
    assert person.browser.run("aclimb.timeline.contentHeight <= aclimb.timeline.height"), "eight cores at once"
    person.press("#search")
    person.type("core 5 add")
    person.key("Enter")
    open_cores = "[...new Set(aclimb.timeline.rows.filter(r => r.pipe !== 'host' && !r.isFolded).map(r => r.core))].join()"
    assert person.browser.run(open_cores) == "AIV 5"
    assert "AIV 5, V" in person.see("#details")


def test_a_slice_of_a_collapsed_core_can_be_clicked(person: Person, profile: dict[str, Any]) -> None:
    copy = slices_of(profile, core="AIV 2", pipe="MTE2")[0]
    start = profile["slices"]["start_us"][copy]
    person.press("#timeline-controls button[aria-label^='Collapse']")
    person.browser.run(f"aclimb.zoom({start - 0.1}, {start + 1})")
    seen = Seen(person)
    person.click(seen.x(start + 0.05), seen.y("AIV 2", "MTE2"))
    assert "AIV 2, MTE2" in person.see("#details")


# --- the overview


def test_dragging_the_window_of_the_overview_pans_and_its_edge_zooms(person: Person) -> None:
    window = "[aclimb.timeline.t0, aclimb.timeline.t1]"
    low, high = person.browser.run("aclimb.timeline.aroundLaunch()")
    person.browser.run(f"aclimb.zoom({low + (high - low) * 0.4}, {low + (high - low) * 0.6})")
    left, top, width, height = person.place("#minimap canvas")
    x = [left + person.browser.run(f"aclimb.minimap.x(aclimb.timeline.{end})") for end in ("t0", "t1")]
    before = person.browser.run(window)
    middle = top + height / 2
    person.drag((sum(x) / 2, middle), (sum(x) / 2 + 100, middle))
    moved = person.browser.run(window)
    assert moved[0] > before[0]
    assert moved[1] - moved[0] == pytest.approx(before[1] - before[0])
    person.drag((x[1] + 100, middle), (x[1] + 150, middle))
    wider = person.browser.run(window)
    assert wider[0] == pytest.approx(moved[0])
    assert wider[1] > moved[1]
    person.click(left + width * 0.2, middle)
    there = person.browser.run(window)
    assert there[1] < moved[0], "a click elsewhere brings the window there"


# --- the critical path


def test_the_path_is_followed_step_by_step(person: Person, profile: dict[str, Any]) -> None:
    person.press("#path-walk button[aria-label='Next step']")
    assert person.browser.run("aclimb.timeline.path !== null"), "it lies over the timeline"
    person.browser.run("aclimb.timeline.canvas.focus()")
    steps, ends = [], []
    for _ in range(6):
        steps.append(person.browser.run("aclimb.path.path.steps[aclimb.path.at].slice"))
        ends.append(person.browser.run("aclimb.numbers()['path.step']"))
        person.key("]")
    starts = [profile["slices"]["start_us"][each] for each in steps]
    assert starts == sorted(starts)
    assert ends == sorted(set(ends))
    before = person.browser.run("aclimb.numbers()['path.step']")
    person.key("[")
    assert person.browser.run("aclimb.numbers()['path.step']") < before


def test_the_button_brings_the_path_into_view(person: Person) -> None:
    person.press("#timeline-search > button")
    rows = "[...new Set(aclimb.path.path.lanes)].map(lane => aclimb.timeline.rows[aclimb.timeline.rowOfLane.get(lane)])"
    places = person.browser.run(f"{rows}.map(row => [row.y - aclimb.timeline.scroll, row.height])")
    room = person.browser.run("aclimb.timeline.height") - AXIS
    assert all(y >= 0 and y + height <= room for y, height in places)


def test_the_path_of_a_page_without_one_is_followed_back_by_flags_and_order(person: Person, profile: dict[str, Any]) -> None:
    steps = person.browser.run("aclimb.path.path.steps.map(({start, end, us}) => [start, end, us])")
    launch = profile["launches"][0]
    assert steps[0][0] == launch["start_us"]
    assert steps[-1][1] == pytest.approx(launch["start_us"] + launch["task_us"])
    assert all(before[1] == pytest.approx(after[0]) for before, after in pairwise(steps)), "no gap is left out"
    assert sum(us for _, _, us in steps) == pytest.approx(launch["task_us"])
    lanes = person.browser.run("[...new Set(aclimb.path.path.steps.map(s => s.lane))]")
    assert "MTE2" in {profile["lanes"][lane]["pipe"] for lane in lanes if lane >= 0}
    assert "Followed back" in person.see("#path")


def test_a_path_that_the_profile_has_is_shown_as_it_is(chromium: Browser, profile: dict[str, Any], tmp_path: Path) -> None:
    copies = slices_of(profile, core="AIV 4", pipe="MTE2")[:2]
    add = slices_of(profile, core="AIV 4", pipe="V")[0]
    starts, lengths = profile["slices"]["start_us"], profile["slices"]["dur_us"]
    links = [
        ("S", "issues", starts[copies[0]] - 1, 1.0),
        ("MTE2", "works", starts[copies[0]], lengths[copies[0]] / 2),
        ("MTE2", "memory", starts[copies[0]] + lengths[copies[0]] / 2, lengths[copies[0]] / 2),
        ("MTE2", "works", starts[copies[1]], lengths[copies[1]]),
        ("V", "hands over", starts[add] - 0.02, 0.02),
        ("V", "works", starts[add], lengths[add]),
    ]
    at = {"file": "add.cpp", "line": 17}
    parts = [
        {"pipe": "MTE2", "kind": "memory", "name": "DataCopy", "us": 9.0, "share": 0.5, "count": 40, "at": at},
        {"pipe": "MTE2", "kind": "works", "name": "DataCopy", "us": 5.4, "share": 0.3, "count": 40, "at": {"file": "add.cpp", "line": 18}},
        {"pipe": "V", "kind": "hands over", "name": "", "us": 1.8, "share": 0.1, "count": 40, "at": None},
    ]
    columns = dict(zip(("pipe", "kind", "start_us", "dur_us"), map(list, zip(*links, strict=True)), strict=True))
    path = {"core": "AIV 4", "parts": parts, "links": columns}
    advice = [{"what": "double_buffer", "text": "two buffers", "gain": 1.4, "at": at}]
    launch = profile["launches"][0] | {"critical_path": path, "advice": advice}
    chromium.open(html.write(profile | {"launches": [launch]}, tmp_path / "path.html"))
    person = Person(chromium)
    assert chromium.run("aclimb.path.path.steps.map(s => s.slice)") == [-1, copies[0], copies[0], copies[1], -1, add]
    numbers = chromium.run("aclimb.numbers()")
    assert [numbers[f"path.{row}.share"] for row in range(3)] == [0.5, 0.3, 0.1]
    assert numbers["advice.0.gain"] == 1.4
    assert "about 1.40 times as fast" in person.see("#advice")
    assert "waits for memory" in person.see("#path")
    assert "a flag is handed over" in person.see("#path")
    assert "What the time of AIV 4, which ends last, is made of" in person.see("#path")
    person.press("#path tbody tr:nth-child(2) button")
    assert f"{starts[copies[1]]:,.3f} µs" in person.see("#details"), "the first of those at line 18"
    person.press("#timeline-search > button")
    assert chromium.run("aclimb.timeline.path") is None


# --- what stands where


def test_no_arrow_runs_through_a_label(person: Person, profile: dict[str, Any]) -> None:
    """Where a name stands, the picture is the same with arrows and without."""
    start = profile["slices"]["start_us"][slices_of(profile, core="AIV 0", pipe="MTE2")[0]]
    person.browser.run(f"aclimb.zoom({start}, {start + 4})")
    changed, through, labels = person.browser.run(
        """(() => {
          const t = aclimb.timeline, all = () => t.context.getImageData(0, 0, t.canvas.width, t.canvas.height).data;
          const arrows = t.arrows, boxes = t.labels.map(({left, top, tall, width}) => [left + 1, top, left + 1 + width, top + tall]);
          const one = new Uint32Array(all().buffer);
          t.hideFlows = true; t.draw();
          const other = new Uint32Array(all().buffer);
          t.hideFlows = false;
          let changed = 0, through = 0;
          for (let i = 0; i < one.length; i += 1) {
            if (one[i] === other[i]) continue;
            const x = i % t.canvas.width, y = Math.floor(i / t.canvas.width);
            changed += 1;
            through += boxes.some(([l, u, r, d]) => x >= Math.ceil(l) && x < Math.floor(r) && y >= Math.ceil(u) && y < Math.floor(d));
          }
          return [arrows && changed, through, boxes.length];
        })()"""
    )
    assert changed > 100
    assert labels > 10
    assert through == 0


def test_the_memory_flow_has_an_arrow_for_each_way(person: Person, profile: dict[str, Any]) -> None:
    numbers = person.browser.run("aclimb.numbers()")
    for way in profile["launches"][0]["memory_flow"]:
        assert numbers[f"flow.{way['from']}.{way['to']}.bytes"] == way["bytes"]
        assert numbers[f"flow.{way['from']}.{way['to']}.gbs"] == way["gbs"]
    titles = person.browser.run("[...document.querySelectorAll('#memory title')].map(e => e.textContent)")
    assert [title.split(":")[0] for title in titles] == [f"{way['from']} to {way['to']}" for way in profile["launches"][0]["memory_flow"]]
    boxes = "[...document.querySelectorAll('#memory svg text')].map(e => e.getBBox()).map(b => [b.x, b.x + b.width, b.y, b.y + b.height])"
    places = person.browser.run(boxes)
    assert all(x0 >= 0 and x1 <= 640 for x0, x1, *_ in places), "no figure is cut"
    apart = [a[1] <= b[0] or b[1] <= a[0] or a[3] <= b[2] or b[3] <= a[2] for i, a in enumerate(places) for b in places[:i]]
    assert all(apart), "no two lie over each other"


@pytest.mark.parametrize("intensity", [0.001, 0.3, 30, 5000])
def test_no_roof_rises_above_the_peak_of_arithmetic(chromium: Browser, tmp_path: Path, intensity: float) -> None:
    profile = synthetic.profile(100, 2, matmul=False)
    for level in profile["launches"][0]["roofline"]:
        level["bytes"] = max(1, int(level["ops"] / intensity))
    chromium.open(html.write(profile, tmp_path / "roof.html"))
    lines = chromium.run("[...document.querySelectorAll('#roofline polyline')].map(e => [...e.points].map(p => [p.x, p.y]))")
    assert len(lines) == 3
    for points in lines:
        xs, ys = [x for x, _ in points], [y for _, y in points]
        assert xs == sorted(xs)
        assert ys == sorted(ys, reverse=True), "it rises to the roof and stays there"
        assert ys[-1] == pytest.approx(min(ys))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [600, 390])
def test_a_narrow_screen_has_everything_and_no_more_than_its_width(chromium: Browser, report: Path, width: int, scheme: str) -> None:
    chromium.open(report, width, scheme=scheme)
    person = Person(chromium)
    person.press("#search")
    person.type("DataCopy")
    person.press("#timeline-search > button")
    seen = Seen(person)
    person.drag((seen.left + 120, seen.top + 10), (seen.left + 220, seen.top + 10))
    assert person.is_there("#range table")
    assert chromium.run("document.documentElement.scrollWidth") == width
    assert chromium.console == []


def test_findings_have_a_place_and_lead_to_the_source(chromium: Browser, profile: dict[str, Any], tmp_path: Path) -> None:
    chromium.open(html.write(profile, tmp_path / "none.html"))
    person = Person(chromium)
    assert not person.is_there("#findings-card")
    access = {"file": "/kernels/add.cpp", "line": 22, "text": "Add(zLocal, ...)", "core": "AIV 3", "pipe": "V", "role": "read"}
    finding = {
        "rule": "O1",
        "severity": "error",
        "headline": "race on xLocal",
        "accesses": [access],
        "missing": "MTE2_V",
        "fix": "wait for it",
    }
    chromium.open(html.write(profile | {"findings": [finding]}, tmp_path / "found.html"))
    assert "race on xLocal" in person.see("#findings")
    assert "missing: MTE2_V" in person.see("#findings")
    person.press("#findings li li a")
    assert chromium.run("document.querySelector('#source .found').dataset.line") == "22"
    person.press("#findings li li a:last-child")
    assert person.see(".told").startswith(f"1 of {len(slices_of(profile, line=22, core='AIV 3', pipe='V'))} slices")
    assert "AIV 3, V" in person.see("#details")
