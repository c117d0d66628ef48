# SPDX-License-Identifier: Apache-2.0
"""What tests of fusion share: a stream whose schedule is put back."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from aclimb import Stream


@pytest.fixture
def stream() -> Iterator[Stream]:
    made = Stream()
    yield made
    made.native.set_schedule(None)
    made.synchronize()
