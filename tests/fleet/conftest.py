# SPDX-License-Identifier: Apache-2.0
"""Workers that find the tests' tasks."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from aclimb.fleet import Fleet, open_fleet

HERE = Path(__file__).parent


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.path.name == "test_fleet_ray.py" and find_spec("ray") is None:
        pytest.skip("Ray is not installed; `make test-ray` has it")


@pytest.fixture(autouse=True)
def _tasks_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(HERE), os.environ.get("PYTHONPATH")])))


@pytest.fixture
def fleet() -> Iterator[Fleet]:
    with open_fleet(jobs=2) as made:
        yield made
