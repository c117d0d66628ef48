# SPDX-License-Identifier: Apache-2.0
"""The HTML report: one file that opens offline, made from the JSON of a profile.

The page's own files lie beside this one. They are put together here and nowhere else: style, scripts in the order in which they
need each other, and the profile as JSON.
"""

from __future__ import annotations

import json
import re
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

__all__ = ["WRITERS", "write", "write_comparison", "write_plain", "write_timelines"]

TIMELINE = ("format.js", "model.js", "timeline_rows.js", "timeline.js", "timeline_density.js", "timeline_paint.js", "timeline_flows.js",
            "timeline_overlays.js", "range.js", "timeline_input.js", "details.js")  # fmt: skip
PANELS = ("svg.js", "search.js", "search_box.js", "path.js", "path_guess.js", "path_panel.js", "range_panel.js", "minimap.js",
          "memory_flow.js", "page_findings.js", "advice.js")  # fmt: skip
REPORT = (*TIMELINE, *PANELS, "summary.js", "pipes.js", "stalls.js", "source.js", "roofline.js", "main.js")
COMPARISON = (*TIMELINE, "summary.js", "pipes.js", "stalls.js", "compare.js")
CHAIN = (*TIMELINE, "svg.js", "chain_spans.js", "chain_merge.js", "chain.js")


def write(profile: dict[str, Any], path: Path) -> Path:
    """Writes the report of one profile."""
    return _assemble("page.html", REPORT, profile, Path(path))


def write_comparison(a: dict[str, Any], b: dict[str, Any], path: Path, names: tuple[str, str] = ("A", "B")) -> Path:
    """Writes the page that shows two profiles side by side; `names` are what the page calls them."""
    return _assemble("compare.html", COMPARISON, {"a": a, "b": b, "names": names}, Path(path))


def write_timelines(chain: dict[str, Any], path: Path) -> Path:
    """Writes the page of one chain of kernels run in several ways: {"names", "modes", "boundaries", "notes"}, see fuse/timelines.py."""
    return _assemble("chain.html", CHAIN, chain, Path(path))


def write_plain(title: str, content: str, footer: str, path: Path) -> Path:
    """Writes a page without a script: `content` is HTML, which stands between the page's head and its foot."""
    parts = {"/*style*/": _own("style.css"), "/*title*/": escape(title), "/*content*/": content, "/*footer*/": escape(footer)}
    Path(path).write_text(_filled("plain.html", parts), encoding="utf-8")
    return Path(path)


WRITERS = {"report": write, "timelines": write_timelines}  # what aclimb.pages knows them by


def _assemble(page: str, scripts: tuple[str, ...], data: dict[str, Any], path: Path) -> Path:
    parts = {"/*style*/": _own("style.css"), "/*data*/": _json(data), "/*script*/": script(scripts)}
    path.write_text(_filled(page, parts), encoding="utf-8")
    return path


def script(names: tuple[str, ...]) -> str:
    """Joins the files of a page's script; the first begins in line 3."""
    # Braces around each file would hide what the next one needs; one around all keeps the page's names out of window.
    return '"use strict";\n(() => {\n' + "\n".join(_own(name) for name in names) + "})();"


def _filled(page: str, parts: dict[str, str]) -> str:
    # In one pass: a kernel's source may hold the marks too.
    return re.sub(r"/\*(?:style|data|script|title|content|footer)\*/", lambda mark: parts[mark[0]], _own(page))


def _own(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _json(data: dict[str, Any]) -> str:
    """JSON that may stand in a script element: no `<` is left, so nothing in a kernel's source can end the element."""
    return json.dumps(data, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
