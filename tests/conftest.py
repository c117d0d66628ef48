# SPDX-License-Identifier: Apache-2.0
"""What tests of the running system share: kernels are built once a session, and a test that changes the time limit leaves it as it was."""

from __future__ import annotations

import gc
import os
import signal
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import hypothesis
import pytest

from aclimb import Device, Kernel, KernelBinary, Program, Stream, _engine

pytest_plugins = ["accounting"]
SLOW_SECONDS = 3600  # of one test of the slow suite, which may build everything
# No deadline: how long an example takes depends on what else the machine does. `make test` tries the same examples every time;
# `make test-slow` searches anew, and says how to repeat what it finds and how to keep it as an @example.
hypothesis.settings.register_profile("same", deadline=None, derandomize=True)
hypothesis.settings.register_profile("fresh", deadline=None, print_blob=True)
_STARTED = time.monotonic()
# Of this process's children, workers of xdist too. The threads of NumPy's BLAS wait by spinning, in every program that imports it; and the
# precompiled headers of all options alone nearly fill the cache that users have, so that one test's kernels would drive out another's.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("ACLIMB_CACHE_SIZE", "4 GiB")
# A third of what Python programs took was to compile aclimb's modules again, on machines where nobody may keep them compiled.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell in the background has ignored


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("aclimb's own tests")
    group.addoption("--fresh", action="store_true", help="search at random with new seeds; without, every run tries the same examples")
    group.addoption("--backwards", action="store_true", help="the last test first: no test may depend on those before it")
    group.addoption("--within", type=float, default=None, help="seconds after which no test begins: it is skipped instead")


def pytest_configure(config: pytest.Config) -> None:
    """Before a test file is read: its settings are those of the profile at that time."""
    hypothesis.settings.load_profile("fresh" if config.getoption("--fresh") else "same")


@pytest.hookimpl(tryfirst=True)  # before -m looks at the markers
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--backwards"):
        items.reverse()
    for item in items:
        if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            item.add_marker(pytest.mark.random)
        if item.get_closest_marker("slow") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(SLOW_SECONDS))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    within = item.config.getoption("--within")
    if within is not None and time.monotonic() - _STARTED > within:
        pytest.skip("the time is up; `make test` runs it")


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
    device.synchronize()  # a stream says that its task has ended a moment before the device takes back its memory
    gc.collect()
    assert (device.memory_used, device.native.allocations) == before, "the test left device memory allocated"


def _has_ended(pid: int) -> bool:
    """A process that was killed closes its files first, and is gone a moment later."""
    until = time.monotonic() + 600
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
    """Whether that process ends."""
    return _has_ended
