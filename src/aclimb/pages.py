# SPDX-License-Identifier: Apache-2.0
"""Who writes HTML pages. The report does, and it lies above what it shows; parts below it ask here, so that imports keep pointing down."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

Writer = Callable[[dict[str, Any], Path], Path]
_load: Callable[[], Mapping[str, Writer]] | None = None


def write_pages_with(load: Callable[[], Mapping[str, Writer]]) -> None:
    """`load` gives the writers by the name of their page; it is called when the first page is written."""
    global _load
    _load = load


def write(page: str, data: dict[str, Any], path: Path) -> Path:
    """Writes that page of plain data; gives back its path."""
    assert _load is not None, "aclimb itself names the writers when it is imported"
    path.parent.mkdir(parents=True, exist_ok=True)
    return _load()[page](data, path)
