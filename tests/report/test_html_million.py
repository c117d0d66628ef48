# SPDX-License-Identifier: Apache-2.0
"""A million slices stay usable: every redraw within 50 ms, with matches, path, range and collapsed cores over them too."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import synthetic
from browser import Browser

from aclimb.report import html

HERE = Path(__file__).parent
LIMIT_MS = 50
EVERYTHING = """(() => {
  const { timeline, search, path } = aclimb;
  search.search('DataCopy');
  path.toggle(true);
  timeline.setRange({t0: timeline.limits[0], t1: timeline.limits[1], lanes: new Set(timeline.rowOfLane.keys())});
  document.querySelector("#timeline-controls button[aria-label^='Collapse']").click();
})()"""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def million(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    profile = synthetic.profile(1_002_000, 48)
    assert len(profile["slices"]["lane"]) >= 1_000_000
    chromium.open(html.write(profile, tmp_path_factory.mktemp("million") / "million.html"))
    yield chromium
    chromium.run("document.body.replaceChildren()")


def least(browser: Browser, script: str, runs: int = 6) -> list[float]:
    """The shortest time of each redraw. Another process may take the processor away for a moment; it does not do so at the same redraw
    every time."""
    each: list[float] = browser.run(script)
    for _ in range(runs - 1):
        each = [min(times) for times in zip(each, browser.run(script), strict=True)]
        if max(each) <= LIMIT_MS:
            break
    return each


@pytest.mark.parametrize(
    "before",
    ["0", "aclimb.timeline.setSize('compact')", "aclimb.timeline.setSize('tall'), aclimb.path.toggle(true)", EVERYTHING],
    ids=["plain", "compact", "path", "everything"],
)
def test_a_million_slices_redraw_within_50_ms(million: Browser, before: str) -> None:
    million.run(before)
    each = least(million, (HERE / "zoom_and_pan.js").read_text())
    assert len(each) > 300
    print(f"longest {max(each):.1f} ms, median {sorted(each)[len(each) // 2]:.1f} ms of {len(each)} redraws")
    assert max(each) <= LIMIT_MS, f"redraws of {[round(ms) for ms in each if ms > LIMIT_MS]} ms"


def test_a_million_slices_are_searched_and_stepped_through_at_once(million: Browser) -> None:
    """What a keystroke waits for: the search itself, and the way to the next match."""
    look, step = million.run(
        """(() => {
          const took = (work) => { const began = performance.now(); work(); return performance.now() - began; };
          const least = (work) => Math.min(...[1, 2, 3].map(() => took(work)));
          return [least(() => aclimb.search.search('DataCopy MTE2')), least(() => aclimb.search.step(1))];
        })()"""
    )
    print(f"search {look:.0f} ms, next match {step:.1f} ms")
    assert look <= 500
    assert step <= LIMIT_MS
