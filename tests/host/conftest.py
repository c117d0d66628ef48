# SPDX-License-Identifier: Apache-2.0
"""A device for libraries that are loaded into the test's own process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from driver_calls import Npu


@pytest.fixture
def npu() -> Iterator[Npu]:
    made = Npu()
    yield made
    made.close()
