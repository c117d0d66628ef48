# SPDX-License-Identifier: Apache-2.0
"""What tests of `acl` share: built kernels, a device that is set, things that are given back, and a look at what was left."""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from host import ok, write

import acl
import aclimb
from aclimb.report import switched

KERNELS = Path(__file__).parent / "kernels"


@pytest.fixture(scope="session")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """kernels["add_custom"] is the .o file with that kernel; kernels of one source share a file."""
    folder = tmp_path_factory.mktemp("kernels")
    found = {}
    for source in sorted(KERNELS.glob("*.cpp")):
        binary = aclimb.Program(source).compile()
        found.update(dict.fromkeys(binary.kernel_names, binary.save(folder)))
    return found


@pytest.fixture(scope="session", autouse=True)
def profiles_elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Launches with ENABLE_PROFILING leave their files in a folder of the tests."""
    switched._Switched.folder = tmp_path_factory.mktemp("profile")
    yield
    switched._Switched.profile = None


@pytest.fixture(autouse=True)
def nothing_left(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Two devices; and a test that leaves something alive fails."""
    monkeypatch.setenv("ACLIMB_DEVICES", "2")
    monkeypatch.delenv("ASCEND_RT_VISIBLE_DEVICES", raising=False)
    gc.collect()
    acl.get_recent_err_msg()
    before = dict(aclimb.live())
    yield
    gc.collect()
    after = dict(aclimb.live())
    _put_back()
    assert after == before, "the test left something behind"


def _put_back() -> None:
    """The next test begins like the first, whatever this one did."""
    for device in range(2):
        for _ in range(8):
            if acl.rt.reset_device(device) != 0:
                break
    acl.finalize()
    acl.get_recent_err_msg()


@pytest.fixture
def device(nothing_left: None, time_limit: Callable[[float], None]) -> Iterator[int]:
    """Device 0, set in this thread."""
    time_limit(30)  # seconds: a gate that stays shut ends the test and not the whole run
    ok(acl.init())
    ok(acl.rt.set_device(0))
    yield 0
    ok(acl.rt.reset_device(0))
    ok(acl.finalize())


@pytest.fixture
def malloc(device: int) -> Iterator[Callable[[int], int]]:
    """malloc(size) is device memory full of zeros, freed after the test."""
    made: dict[int, None] = {}

    def make(size: int) -> int:
        address: int = ok(acl.rt.malloc(size, 0))
        made[address] = None
        ok(acl.rt.memset(address, size, 0, size))
        return address

    yield make
    for address in made:
        acl.rt.free(address)


@pytest.fixture
def pinned(device: int) -> Iterator[int]:
    """64 bytes of malloc_host memory, zero."""
    address = ok(acl.rt.malloc_host(64))
    ctypes.memset(address, 0, 64)
    yield address
    ok(acl.rt.free_host(address))


@pytest.fixture
def function(device: int, kernels: dict[str, Path]) -> Iterator[Callable[[str], int]]:
    """function("add_custom") is the handle of that kernel; its binary is unloaded after the test."""
    binaries: dict[Path, int] = {}

    def find(name: str) -> int:
        path = kernels[name]
        if path not in binaries:
            binaries[path] = ok(acl.rt.binary_load_from_file(str(path), []))
        handle: int = ok(acl.rt.binary_get_function(binaries[path], name))
        return handle

    yield find
    for binary in binaries.values():
        acl.rt.binary_unload(binary)


@pytest.fixture
def new_stream(malloc: Callable[[int], int], function: Callable[[str], int]) -> Iterator[Callable[[], int]]:
    """new_stream() is a stream of the current context, destroyed after the test and before memory and binaries go."""
    made: list[int] = []

    def make() -> int:
        made.append(ok(acl.rt.create_stream()))
        return made[-1]

    yield make
    for stream in made:
        acl.rt.destroy_stream(stream)


@pytest.fixture
def stream(new_stream: Callable[[], int]) -> int:
    return new_stream()


@pytest.fixture
def new_event(device: int) -> Iterator[Callable[[], int]]:
    made: list[int] = []

    def make() -> int:
        made.append(ok(acl.rt.create_event()))
        return made[-1]

    yield make
    for event in made:
        acl.rt.destroy_event(event)


@pytest.fixture
def new_context(new_stream: Callable[[], int], new_event: Callable[[], int]) -> Iterator[Callable[[int], int]]:
    """new_context(device) is current until the test ends; then it is destroyed, and the default context is current again."""
    default, made = ok(acl.rt.get_context()), []

    def make(index: int) -> int:
        made.append(ok(acl.rt.create_context(index)))
        return made[-1]

    yield make
    for context in made:
        acl.rt.destroy_context(context)
    ok(acl.rt.set_context(default))


class Gate:
    """Holds a stream up: what is queued behind `shut(stream)` waits until `open()`. No clock is involved."""

    def __init__(self, function: int, flag: int) -> None:
        self._function, self._flag = function, flag

    def shut(self, stream: int) -> None:
        write(self._flag, np.zeros(1, np.int32))
        args = np.array([self._flag], np.uint64)  # the one argument list of the thread stays the test's
        ok(acl.rt.launch_kernel_with_host_args(self._function, 1, stream, [], args.ctypes.data, 8, [], 0))

    def open(self) -> None:
        write(self._flag, np.ones(1, np.int32))


@pytest.fixture
def gate(new_stream: Callable[[], int], malloc: Callable[[int], int], function: Callable[[str], int]) -> Iterator[Gate]:
    """A Gate for any stream of the test; one at a time, each takes a thread of the engine."""
    made = Gate(function("gate"), malloc(4))
    yield made
    made.open()
