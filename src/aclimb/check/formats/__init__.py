# SPDX-License-Identifier: Apache-2.0
"""A report in the format that is asked for: by its name, or by the suffix of the file."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from aclimb.check.report import Report
from aclimb.errors import InvalidArgument

FORMATS = {"text": ".txt", "json": ".json", "sarif": ".sarif", "junit": ".xml", "html": ".html"}
_MODULES = {"text": "text", "json": "document", "sarif": "sarif", "junit": "junit", "html": "page"}


def known(name: str) -> str:
    if name not in FORMATS:
        raise InvalidArgument(f"the format is {name!r}; it takes {', '.join(FORMATS)}")
    return name


def of_suffix(path: Path) -> str:
    """x.sarif.json is SARIF, as others name it."""
    if path.name.endswith(".sarif.json"):
        return "sarif"
    for name, suffix in FORMATS.items():
        if path.suffix == suffix:
            return name
    raise InvalidArgument(f"{path}: its suffix names no format; it takes {', '.join(FORMATS.values())}, or give the format")


def render(report: Report, format: str, timeline: dict[str, Any] | None = None) -> str:
    """`timeline` is the document of a profile of the same run, for the page."""
    module = import_module(f"{__name__}.{_MODULES[known(format)]}")
    text: Callable[..., str] = module.text
    return text(report, timeline) if format == "html" else text(report)


def write(report: Report, path: Path, format: str | None = None, timeline: dict[str, Any] | None = None) -> Path:
    text = render(report, format or of_suffix(path), timeline)
    try:
        path.write_text(text, encoding="utf-8", errors="backslashreplace")  # names of files may be no text
    except OSError as error:
        raise InvalidArgument(f"{path} cannot be written: {error.strerror}; choose another place") from None
    return path
