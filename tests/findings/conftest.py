# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import fakes
import pytest

from aclimb.check.finding import Finding
from aclimb.check.settings import Settings

Find = Callable[..., list[Finding]]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """add.cpp, whose lines the fakes point to."""
    file = tmp_path / "add.cpp"
    file.write_text(fakes.SOURCE)
    return file


@pytest.fixture
def find(source: Path, monkeypatch: pytest.MonkeyPatch) -> Find:
    """find(race(), ...) gives the findings for what the engine would hand over."""
    fakes.point_to(source, monkeypatch.setattr)
    return lambda *found, **settings: fakes.collected(*found, settings=Settings(**{"advice": True, "auto_sync": "warn", **settings}))
