# SPDX-License-Identifier: Apache-2.0
"""What tests of the running system share: kernels are built once a session, and a test that changes the time limit leaves it as it was."""

from __future__ import annotations

import gc
import signal
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import hypothesis
import pytest

from aclimb import Device, Kernel, KernelBinary, Program, Stream, _engine

SLOW_SECONDS = 3600  # of one test of the slow suite, which may build everything
hypothesis.settings.register_profile("aclimb", deadline=None)  # how long an example takes depends on what else the machine does
hypothesis.settings.load_profile("aclimb")
signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell in the background has ignored


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("slow") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(SLOW_SECONDS))


def pytest_collection_finish() -> None:
    """The tests themselves live until the end: a gc.collect() inside of one need not look at all of them again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="module", autouse=True)
def settled() -> None:
    """Nor what the files before left behind, which is most of a worker's objects and lives on."""
    gc.collect()
    gc.freeze()


@cache
def _binary(source: Path) -> KernelBinary:
    return Program(source).compile()


@pytest.fixture(scope="session")
def load() -> Callable[..., Kernel]:
    """load(source, name) is a kernel of that source file, newly mapped."""

    def _load(source: Path | str, name: str | None = None) -> Kernel:
        return Kernel(_binary(Path(source)), name)

    return _load


@pytest.fixture
def stream() -> Iterator[Stream]:
    """A stream of its own for each test. What a test leaves behind on it is that test's failure."""
    made = Stream()
    yield made
    made.synchronize()


@pytest.fixture
def time_limit() -> Iterator[Callable[[float], None]]:
    Device()  # its first use sets the limit from the environment
    before = _engine.time_limit()
    yield _engine.set_time_limit
    _engine.set_time_limit(before)


@pytest.fixture
def balanced() -> Iterator[Device]:
    """The device; fails when the test leaves more device memory in use than it found."""
    device = Device()
    gc.collect()
    before = device.memory_used, device.native.allocations
    yield device
    gc.collect()
    assert (device.memory_used, device.native.allocations) == before, "the test left device memory allocated"


def _has_ended(pid: int) -> bool:
    """A process that was killed closes its files first, and is gone a moment later."""
    until = time.monotonic() + 30
    while time.monotonic() < until:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "ZX":
                return True
        except OSError:
            return True
        time.sleep(0.01)
    return False


@pytest.fixture(scope="session")
def has_ended() -> Callable[[int], bool]:
    """Whether that process ends within half a minute."""
    return _has_ended
