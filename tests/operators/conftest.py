# SPDX-License-Identifier: Apache-2.0
"""The operators of examples/operators, registered while the tests of one file run."""

from __future__ import annotations

import gc
import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import aclimb
from aclimb import Stream, op

sys.path.append(str(Path(__file__).parents[2] / "examples" / "operators"))


@pytest.fixture(autouse=True)
def let_go(request: pytest.FixtureRequest) -> Iterator[None]:
    """pytest would hold the operator of a file's last test until later."""
    yield
    request.node.funcargs.clear()


@pytest.fixture(scope="module")
def registered() -> Iterator[Callable[[str], Any]]:
    """registered("concat") is that operator. When the file is done everything is given back, and nothing may be left."""
    made: dict[str, Any] = {}
    gc.collect()
    before, types = aclimb.live(), op.registry().types()

    def find(name: str) -> Any:
        if name not in made:
            made[name] = importlib.import_module(f"{name}.operator").make()
            made[name].register()
        return made[name]

    yield find
    while made:
        made.popitem()[1].unregister()
    op.release_workspaces()
    gc.collect()
    left = {kind: count - before[kind] for kind, count in aclimb.live().items() if count > before[kind]}
    assert left == {}, "something was left behind"  # less: garbage of a file before
    assert op.registry().types() == types, "something is still registered"


@pytest.fixture
def second_stream() -> Iterator[Stream]:
    made = Stream()
    yield made
    made.synchronize()


@pytest.fixture
def steps() -> Iterator[list[op.Step]]:
    """The stages that ran."""
    seen: list[op.Step] = []
    with op.observe(seen.append):
        yield seen
