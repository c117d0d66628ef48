# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import fakes
import pytest

from aclimb.check.collect import collect
from aclimb.check.finding import Finding

Find = Callable[..., list[Finding]]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """add.cpp, whose lines the fakes point to."""
    file = tmp_path / "add.cpp"
    file.write_text(fakes.SOURCE)
    return file


@pytest.fixture
def find(source: Path) -> Find:
    """find(raw, ...) gives the findings for what the engine would hand over."""

    def _find(*raws: fakes.Raw, **settings: Any) -> list[Finding]:
        return collect(raws, look_up=lambda images: fakes.Places(source), **{"advice": True, **settings})

    return _find
