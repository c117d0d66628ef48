# SPDX-License-Identifier: Apache-2.0
"""GET_TILING_DATA gives the struct that is registered for the tiling key of the launch."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path

import numpy as np
import pytest

from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch
from aclimb.binary import KernelBinary
from aclimb.errors import KernelFault

SOURCE = Path(__file__).parent / "tiling_structs.cpp"
STRUCTS = {
    1: np.dtype([("length", "u4"), ("scale", "f4")]),
    2: np.dtype({"names": ["scale", "shift", "length"], "formats": ["f4", "f4", "u4"], "offsets": [24, 28, 32], "itemsize": 40}),
    12: np.dtype([("scale", "u1"), ("shift", "u1"), ("length", "u2")]),
}
COMPILERS = {"g++": shutil.which("g++"), "clang++": shutil.which("clang++"), "zig": importlib.util.find_spec("ziglang")}


@pytest.fixture(params=COMPILERS)
def binary(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> KernelBinary:
    if COMPILERS[request.param] is None:
        pytest.skip(f"no {request.param} on this machine")
    monkeypatch.setenv("ACLIMB_CXX", request.param)
    return Program(SOURCE).compile()


def tiling(key: int, **values: float) -> Buffer:
    data = np.zeros(1, STRUCTS[key])
    for name in STRUCTS[key].names or ():
        data[name] = values[name]
    return Buffer.from_array(np.frombuffer(data.tobytes(), np.uint8))


@pytest.mark.parametrize("name", ["read_first", "deep::read_in_branches"])
def test_each_key_reads_its_own_struct(stream: Stream, binary: KernelBinary, name: str) -> None:
    kernel = Kernel(binary, name)
    assert kernel.info.tiling_keys == (1, 2, 12)
    for key, length, scale, shift in ((1, 64, 2.5, 0.0), (2, 200, -3.25, 7.5), (12, 1000, 3.0, 250.0)):
        x = np.linspace(-4, 4, length, dtype=np.float32)
        y = Buffer(length, np.float32)
        config = LaunchConfig(num_blocks=1, tiling_key=key)
        launch(stream, config, kernel, Buffer.from_array(x), y, tiling(key, length=length, scale=scale, shift=shift))
        np.testing.assert_array_equal(y.to_numpy(), x * np.float32(scale) + np.float32(shift))


def test_a_kernel_is_found_by_its_name_with_the_key(stream: Stream, binary: KernelBinary) -> None:
    x, y = Buffer.from_array(np.ones(8, np.float32)), Buffer(8, np.float32)
    launch(stream, LaunchConfig(num_blocks=1), Kernel(binary, "read_first_2"), x, y, tiling(2, length=8, scale=4, shift=1))
    assert y.to_numpy().tolist() == [5.0] * 8


def test_a_fault_in_such_a_kernel_names_the_users_line(stream: Stream, binary: KernelBinary) -> None:
    line = next(i for i, text in enumerate(SOURCE.read_text().splitlines(), 1) if "Duplicate(" in text)
    launch(stream, LaunchConfig(num_blocks=1, tiling_key=2), Kernel(binary, "too_long"), None, None, tiling(2, length=9, scale=0, shift=1))
    with pytest.raises(KernelFault, match=rf"tiling_structs\.cpp:{line}\b"):
        stream.synchronize()
