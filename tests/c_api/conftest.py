# SPDX-License-Identifier: Apache-2.0
"""What tests of the C API share: the door is open, a device is set, kernels are built once."""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from native import library, stub
from numpy.typing import NDArray

import aclimb
from aclimb.capi import settings
from aclimb.op import options
from aclimb.report import switched

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file with the kernels of kernels.cpp."""
    return aclimb.Program(HERE / "kernels.cpp").compile().save(tmp_path_factory.mktemp("kernels"))


@pytest.fixture(scope="session")
def native_code(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], ctypes.CDLL]:
    """native_code("threads.cpp") is that file of this folder as a library, loaded."""
    folder, made = tmp_path_factory.mktemp("native"), {}

    def load(name: str) -> ctypes.CDLL:
        if name not in made:
            made[name] = library(folder, HERE / name)
        return made[name]

    return load


@pytest.fixture(scope="session", autouse=True)
def profiles_elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Launches with ENABLE_PROFILING leave their files in a folder of the tests."""
    switched._Switched.folder = tmp_path_factory.mktemp("profile")
    yield
    switched._Switched.profile = None


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    """A test that leaves something alive fails. What it sets for the process is put back."""
    gc.collect()  # of tests before this one
    before, kept, deterministic = dict(aclimb.live()), dict(settings._process), options.get_deterministic()
    yield
    settings._process.clear()
    settings._process.update(kept)
    options.set_deterministic(*deterministic)
    if dict(aclimb.live()) != before:
        gc.collect()
    assert dict(aclimb.live()) == before, "the test left something behind"


@pytest.fixture
def device() -> Iterator[None]:
    """Set from C, and given back there."""
    assert stub("aclrtSetDevice")(0) == 0
    stub("aclGetRecentErrMsg")()
    yield
    assert stub("aclrtResetDevice")(0) == 0


@pytest.fixture
def function(device: None, kernels: Path) -> Iterator[Callable[[str], int]]:
    """function("fill") is the handle of that kernel."""
    binary = ctypes.c_void_p()
    assert stub("aclrtBinaryLoadFromFile")(str(kernels).encode(), None, ctypes.addressof(binary)) == 0

    def find(name: str) -> int:
        found = ctypes.c_void_p()
        assert stub("aclrtBinaryGetFunction")(binary.value, name.encode(), ctypes.addressof(found)) == 0
        return found.value or 0

    yield find
    assert stub("aclrtBinaryUnLoad")(binary.value) == 0


@pytest.fixture
def memory(device: None) -> Iterator[Callable[[int], int]]:
    """memory(64) is device memory, given back at the end."""
    made: list[int] = []

    def allocate(size: int) -> int:
        address = ctypes.c_void_p()
        assert stub("aclrtMalloc")(ctypes.addressof(address), size, 0) == 0
        made.append(address.value or 0)
        return made[-1]

    yield allocate
    for each in made:
        assert stub("aclrtFree")(each) == 0


def read(address: int, count: int) -> NDArray[np.int32]:
    """Of device memory, after everything queued is done."""
    host = np.zeros(count, np.int32)
    assert stub("aclrtSynchronizeDevice")() == 0
    assert stub("aclrtMemcpy")(host.ctypes.data, host.nbytes, address, host.nbytes, 2) == 0
    return host


@pytest.fixture(name="read")
def _read() -> Callable[[int, int], NDArray[np.int32]]:
    return read
