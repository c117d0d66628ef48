# SPDX-License-Identifier: Apache-2.0
"""A stream of a device that is set, as a C program has it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import acl
import aclimb


@pytest.fixture
def stream() -> Iterator[int]:
    before = dict(aclimb.live())
    assert acl.init() == 0
    assert acl.rt.set_device(0) == 0
    made, ret = acl.rt.create_stream()
    assert ret == 0
    yield made
    assert acl.rt.destroy_stream(made) == 0
    assert acl.rt.reset_device(0) == 0
    assert acl.finalize() == 0
    left = {kind: count - before[kind] for kind, count in aclimb.live().items() if count > before[kind]}
    assert left == {}, "the test left something behind"
