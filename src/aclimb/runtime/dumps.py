# SPDX-License-Identifier: Apache-2.0
"""Dumps of what a launch reads and writes, as NumPy files: of launches with the attribute DATA_DUMP, and of single operators when
`dump_op_switch` is on. acl.init's configuration says where they go.

    <dump_path>/device0/add_custom.1.input.0.x.npy     argument 0 of the first dumped launch, before the kernel
    <dump_path>/device0/add_custom.1.output.2.z.npy    argument 2, after it

A launch does not say which arguments are inputs, nor their shapes: both files have the bytes from the address to the end of its
allocation, with the 32 that malloc adds. A single operator's descriptors say it: its files have the tensor.
"""

from __future__ import annotations

import itertools
import logging
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aclimb.flow import Parameter
from aclimb.runtime import no_effect
from aclimb.runtime.device import Device
from aclimb.runtime.memory import bytes_behind, read_in_task
from aclimb.runtime.reports import launch_operator
from aclimb.runtime.stream import Stream

_log = logging.getLogger("aclimb")
_numbers = itertools.count(1)
MODES = {"input": (True, False), "output": (False, True), "all": (True, True)}


@dataclass(frozen=True, slots=True)
class Settings:  # acl.init -> here
    """The key `dump` of acl.init's configuration."""

    folder: Path
    mode: str = "output"  # one of MODES
    of_operators: bool = False


@dataclass(frozen=True, slots=True)
class Piece:
    """One tensor or buffer in device memory."""

    name: str  # as the file has it: 0.x
    address: int
    size: int
    dtype: Any = None  # None: bytes
    dims: tuple[int, ...] = ()
    stage: str = ""  # input or output; "": both

    def read(self) -> NDArray[Any]:
        content = np.frombuffer(read_in_task(self.address, self.size), self.dtype or np.uint8)
        return content if self.dtype is None else content.reshape(self.dims)


Pieces = Callable[[], Sequence[Piece]]  # asked when the task before the kernel runs


class _Now:
    settings: Settings | None = None


def configure(settings: Settings | None) -> None:
    """From now on; None ends it."""
    _Now.settings = settings


def settings() -> Settings | None:
    return _Now.settings


def say_left_out() -> None:
    """An operator runs that is not dumped, whatever was asked."""
    if _Now.settings is not None and _Now.settings.of_operators:
        no_effect.say("acl.init key dump.dump_op_switch")


@contextmanager
def around(name: str, pieces: Pieces, stream: Stream) -> Iterator[None]:
    """Queues what reads the pieces before and after the launch that is queued inside."""
    now = _Now.settings
    assert now is not None
    start, (before, after) = f"{name}.{next(_numbers)}", MODES[now.mode]

    def queue(stage: str) -> None:
        launch_operator(f"dump of {name}", lambda: _write(now.folder, f"{start}.{stage}", stage, pieces, stream.device), stream)

    if before:
        queue("input")
    yield
    if after:
        queue("output")


def _write(folder: Path, start: str, stage: str, pieces: Pieces, device: Device) -> None:
    """The stream goes on whatever happens to a file."""
    try:
        own = folder / f"device{device.index}"
        own.mkdir(parents=True, exist_ok=True)
        for each in pieces():
            if each.stage in ("", stage):
                np.save(own / re.sub(r"[^\w.\-]", "_", f"{start}.{each.name}.npy"), each.read())
    except Exception as error:
        _log.error("the dump %s was not written: %s", start, error)


def of_arguments(parameters: Sequence[Parameter], block: bytes, device: Device) -> list[Piece]:
    """The device memory that the pointers among these arguments lead to."""
    found = []
    for index, each in enumerate(parameters):
        address = int.from_bytes(block[each.offset : each.offset + each.size], "little") if each.kind == "pointer" else 0
        size = bytes_behind(device, address) if address else 0
        if size:
            found.append(Piece(f"{index}.{each.name}", address, size))
    return found
