# SPDX-License-Identifier: Apache-2.0
"""Operators that are torch's for a test; without torch none of these tests runs."""

from __future__ import annotations

import contextlib
import gc
import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from aclimb import Device, op

os.environ.setdefault("TORCH_DEVICE_BACKEND_AUTOLOAD", "0")  # torch_npu needs the toolkit's environment: tests/clients


@pytest.fixture
def registered() -> Iterator[Callable[..., Any]]:
    """registered(operator) is torch.ops.aclimb.<its name>, until the test ends."""
    import aclimb.torch

    with contextlib.ExitStack() as made:  # of an operator that torch refuses, too

        def make(operator: op.Operator, name: str | None = None) -> Any:
            operator.register()
            made.callback(operator.unregister)
            found = aclimb.torch.register(operator, name)
            made.callback(aclimb.torch.unregister, found.__name__)
            return found

        yield make


@pytest.fixture
def balanced() -> Iterator[None]:
    """What the test used of device memory is given back."""
    from aclimb.op import release_workspaces
    from aclimb.runtime.spare import SPARE

    def used() -> int:
        gc.collect()
        SPARE.clear()
        release_workspaces()
        return Device().memory_used

    before = used()
    yield
    assert used() == before
