# SPDX-License-Identifier: Apache-2.0
"""The page of a check: one file that opens offline. The timeline is that of profiles; what is beside it lies in findings*.js."""

from __future__ import annotations

import re
from typing import Any

from aclimb.report.html import TIMELINE, _json, _own, script

SCRIPTS = (*TIMELINE, "source.js", "findings_source.js", "findings_timeline.js", "findings.js")


def page(report: dict[str, Any], sources: dict[str, str], profile: dict[str, Any] | None) -> str:
    """`report` is the JSON of a check, `sources` are texts by file, `profile` the JSON of a profile of the same run."""
    parts = {
        "/*style*/": _own("style.css") + _own("findings.css"),
        "/*data*/": _json({"report": report, "sources": sources, "profile": profile}),
        "/*script*/": script(SCRIPTS),
    }
    return re.sub(r"/\*(?:style|data|script)\*/", lambda mark: parts[mark[0]], _own("findings.html"))
