# SPDX-License-Identifier: Apache-2.0
"""The HTML report: one file that opens offline, made from the JSON of a profile.

The page's own files lie beside this one. They are put together here and nowhere else: style, scripts in the order in which they
need each other, and the profile as JSON.
"""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

__all__ = ["write", "write_comparison"]

TIMELINE = ("format.js", "model.js", "timeline.js", "timeline_density.js", "timeline_paint.js", "timeline_input.js")
REPORT = (*TIMELINE, "summary.js", "pipes.js", "stalls.js", "source.js", "roofline.js", "main.js")
COMPARISON = (*TIMELINE, "summary.js", "pipes.js", "stalls.js", "compare.js")


def write(profile: dict[str, Any], path: Path) -> Path:
    """Writes the report of one profile."""
    return _assemble("page.html", REPORT, profile, Path(path))


def write_comparison(a: dict[str, Any], b: dict[str, Any], path: Path, names: tuple[str, str] = ("A", "B")) -> Path:
    """Writes the page that shows two profiles side by side; `names` are what the page calls them."""
    return _assemble("compare.html", COMPARISON, {"a": a, "b": b, "names": names}, Path(path))


def _assemble(page: str, scripts: tuple[str, ...], data: dict[str, Any], path: Path) -> Path:
    # Braces around each file would hide what the next one needs; one around all keeps the page's names out of window.
    script = '"use strict";\n(() => {\n' + "\n".join(_own(name) for name in scripts) + "})();"
    parts = {"/*style*/": _own("style.css"), "/*data*/": _json(data), "/*script*/": script}
    # In one pass: a kernel's source may hold the marks too.
    path.write_text(re.sub(r"/\*(?:style|data|script)\*/", lambda mark: parts[mark[0]], _own(page)), encoding="utf-8")
    return path


def _own(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _json(data: dict[str, Any]) -> str:
    """JSON that may stand in a script element: no `<` is left, so nothing in a kernel's source can end the element."""
    return json.dumps(data, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
