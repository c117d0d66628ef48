# SPDX-License-Identifier: Apache-2.0
"""HTML: findings beside their source, and on the timeline where a profile of the same run is given."""

from __future__ import annotations

from typing import Any

from aclimb.binary.source_lines import source_lines
from aclimb.check.formats.document import document
from aclimb.check.report import Report
from aclimb.report.html import findings


def text(report: Report, timeline: dict[str, Any] | None = None) -> str:
    files = sorted({file for each in report.findings for file, _ in each.places})
    host = {access.file for each in report.findings for access in each.accesses if access.pipe in ("host", "task")}
    sources = {file: "\n".join(lines) for file in files if (lines := source_lines(file, trusted=file in host))}
    return findings.page(document(report), sources, timeline)
