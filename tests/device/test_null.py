# SPDX-License-Identifier: Apache-2.0
"""An access through a null pointer faults, although C++ lets a compiler assume that there is none."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from aclimb import Buffer, Kernel, KernelBinary, LaunchConfig, Program, Stream, launch
from aclimb.errors import AddressFault

SOURCE = Path(__file__).with_name("kernels") / "null.cpp"
NAMES = ["volatile_store", "loop_of_stores", "store_between", "used_read", "read_of_a_member", "checked_too_late"]
COMPILERS = [name for name in ("g++", "zig") if name == "zig" or shutil.which(name)]


@cache
def _binary(compiler: str, opt_level: int) -> KernelBinary:
    return Program(SOURCE, opt_level=opt_level).compile()


@pytest.fixture(params=[(name, level) for name in COMPILERS for level in (1, 3)], ids=lambda made: f"{made[0]}-O{made[1]}")
def binary(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> KernelBinary:
    monkeypatch.setenv("ACLIMB_CXX", request.param[0])
    return _binary(*request.param)


def run(binary: KernelBinary, name: str, *more: object) -> list[int]:
    y, stream = Buffer.from_array(np.zeros(2, np.int32)), Stream()
    arguments = (y, *more)
    try:
        launch(stream, LaunchConfig(num_blocks=1), Kernel(binary, name), *arguments)
        stream.synchronize()
    except AddressFault as fault:
        fault.add_note(str(y.to_numpy().tolist()))
        raise
    return y.to_numpy().tolist()


def line_of(name: str) -> int:
    """Where the kernel's comment says that it faults."""
    lines = SOURCE.read_text().splitlines()
    start = next(i for i, line in enumerate(lines) if f" {name}(" in line)
    return next(i for i in range(start, len(lines)) if lines[i].endswith("// fault")) + 1


@pytest.mark.parametrize("name", NAMES)
def test_the_access_is_made_and_faults_at_its_line(name: str, binary: KernelBinary) -> None:
    with pytest.raises(AddressFault, match=r"^access to address 0x[04], which is not device memory") as caught:
        run(binary, name, *([None] if name == "checked_too_late" else []))
    assert (caught.value.file, caught.value.line) == (str(SOURCE), line_of(name))
    if name == "store_between":
        assert caught.value.__notes__[-1] == "[5, 0]"


def test_a_pointer_that_is_checked_first_does_not(binary: KernelBinary) -> None:
    assert run(binary, "checked_in_time", None) == [-1, 0]
    assert run(binary, "checked_in_time", Buffer.from_array(np.full(1, 7, np.int32))) == [7, 0]
