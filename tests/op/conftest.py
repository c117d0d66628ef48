# SPDX-License-Identifier: Apache-2.0
"""What tests of operators share: kernels by name, registrations that end with the test, a gate, and a look at what was left."""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from acl_parts import OP, Single

import aclimb
from aclimb import Buffer, Kernel, LaunchConfig, Stream, launch, op

KERNELS = Path(__file__).parent / "kernels"
SOURCES = {name: path for path in KERNELS.glob("*.cpp") for name in re.findall(r"__vector__ void (\w+)\(", path.read_text())}


@pytest.fixture(autouse=True)
def nothing_left(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A test that leaves something alive, or something registered, fails."""
    monkeypatch.delenv("ACLIMB_OP_DEBUG", raising=False)
    types = set(op.registry().types())
    op.release_workspaces()  # of tests elsewhere
    gc.collect()
    before = dict(aclimb.live())
    yield
    request.node.funcargs.clear()  # pytest would hold the test's stream until later
    op.release_workspaces()
    gc.collect()
    after = dict(aclimb.live())
    left = set(op.registry().types()) - types
    for name in left:
        op.registry().remove(name)
    op.set_deterministic(0)
    assert left == set(), "the test left a registration"
    assert {kind: after[kind] - before[kind] for kind in after if after[kind] > before[kind]} == {}, "the test left something behind"


@pytest.fixture(autouse=True)
def patience(nothing_left: None, time_limit: Callable[[float], None]) -> None:
    time_limit(30)  # seconds: a gate that stays shut ends the test and not the whole run


@pytest.fixture
def kernel(load: Callable[..., Kernel]) -> Callable[[str], Kernel]:
    """kernel("scale") is that kernel, newly mapped."""
    return lambda name: load(SOURCES[name], name)


@pytest.fixture
def register(nothing_left: None) -> Iterator[Callable[..., Any]]:
    """register(operator) registers it, and register(builder) commits it, until the test ends; the handle."""
    handles: list[Any] = []

    def add(thing: Any, **options: Any) -> Any:
        handles.append(thing.commit() if isinstance(thing, op.OpImplRegisterV2) else thing.register(**options))
        return handles[-1]

    yield add
    for handle in reversed(handles):
        handle.unregister()


class Gate:
    """Holds a stream up: what is queued behind `shut(stream)` waits until `open()`. No clock is involved."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel, self._flag = kernel, Buffer.from_array(np.zeros(1, np.int32))

    def shut(self, stream: Stream) -> None:
        launch(stream, LaunchConfig(1), self._kernel, self._flag)

    def open(self) -> None:
        word = np.ones(1, np.int32)
        self._flag.copy_in(word.ctypes.data, 0, 4)  # copy_from would wait for the gate


@pytest.fixture
def gate(stream: Stream, kernel: Callable[[str], Kernel]) -> Iterator[Gate]:
    """One at a time: it takes a thread of the engine."""
    made = Gate(kernel("gate"))
    yield made
    made.open()
    stream.device.synchronize()


@pytest.fixture
def single(nothing_left: None, load: Callable[..., Kernel]) -> Iterator[Single]:
    """A program with acl.op; what it makes is taken back."""
    made = Single(lambda name: load(SOURCES[name], name).binary.to_bytes())
    yield made
    made.close()


@pytest.fixture
def inline(single: Single) -> Single:
    """With the kernel that writes down its arguments: two inputs, an output, two workspaces, a struct."""
    assert single.create_kernel(OP, "k", "inline_bytes") == 0
    return single
