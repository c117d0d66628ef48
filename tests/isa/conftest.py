# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from core import LEVELS, Core

from aclimb import _engine


@pytest.fixture
def core() -> Core:
    return Core()


@pytest.fixture(params=LEVELS)
def level(request: pytest.FixtureRequest) -> Iterator[str]:
    """Every SIMD level this host has, one after the other."""
    before = _engine.simd_level()
    assert _engine.set_simd_level(request.param)
    yield request.param
    assert _engine.set_simd_level(before)


@pytest.fixture
def random(request: pytest.FixtureRequest) -> np.random.Generator:
    """Seeded by the test's name: the same numbers in every run."""
    return np.random.default_rng(abs(hash_of(request.node.name)))


def hash_of(text: str) -> int:
    return int.from_bytes(text.encode()[-8:], "little")
