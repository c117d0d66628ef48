# SPDX-License-Identifier: Apache-2.0
"""Operators that the tests begin with, and what they say again and again."""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from aclimb import Buffer, Kernel, LaunchConfig, Stream, launch, op

Find = Callable[[str], Kernel]
Register = Callable[..., Any]
FOUR = LaunchConfig(num_blocks=4)


def floats(count: int, start: float = 1.0) -> NDArray[np.float32]:
    return np.arange(start, start + count, dtype=np.float32)


def device(array: NDArray[Any]) -> Buffer:
    return Buffer.from_array(array)


# --- y = 6 x: two stages, two kernels, a workspace between them


def six_times(
    kernel: Find,
    *,
    type: str = "SixTimes",
    prepare: Callable[[Any], Any] | None = None,
    launch: Callable[[Any], Any] | None = None,
    infer_shape: Callable[[Any], Any] | None = None,
    **options: Any,
) -> Any:
    """The operator; a function that is given takes the place of the usual one."""
    made = op.define(type, **options)
    made.input("x", dtype=["float32"])
    made.output("y", follow="x")
    made.infer_shape(infer_shape or same_shape)
    made.prepare(prepare or prepare_six)
    made.launch(launch or launch_six(kernel))
    return made


def same_shape(ctx: Any) -> None:
    ctx.output_shape[0] = ctx.input_shape[0]


def elements(ctx: Any) -> int:
    """Floats of the first input."""
    count: int = ctx.inputs[0].nbytes // 4
    return count


def prepare_six(ctx: Any) -> Any:
    return op.Prepared(elements(ctx), workspace_sizes=[4 * elements(ctx)])


def launch_six(kernel: Find) -> Callable[[Any], None]:
    scale = kernel("scale")

    def run(ctx: Any) -> None:
        launch(ctx.stream, FOUR, scale, ctx.inputs["x"], ctx.workspaces[0], ctx.params, 2.0)
        launch(ctx.stream, FOUR, scale, ctx.workspaces[0], ctx.outputs["y"], ctx.params, 3.0)

    return run


# --- z = x + alpha y: tiling, one kernel


class AddTiling(ctypes.Structure):
    _fields_ = (("count", ctypes.c_uint32), ("alpha", ctypes.c_float))


def tile_add(ctx: Any) -> None:
    ctx.num_blocks = 4
    ctx.tiling_data = AddTiling(ctx.input_shape[0].storage.size, ctx.attrs["alpha"])
    ctx.workspace_sizes = [0]


def add_scaled(
    kernel: Find,
    *,
    type: str = "AddScaled",
    name: str = "add_scaled",
    tiling: Callable[[Any], Any] | None = tile_add,
    infer_shape: Callable[[Any], Any] | None = same_shape,
    **options: Any,
) -> Any:
    made = op.define(type, **options)
    made.input("x", dtype=["float32"])
    made.input("y", follow="x")
    made.output("z", follow="x")
    made.attr("alpha", float, default=1.0)
    if infer_shape is not None:
        made.infer_shape(infer_shape)
    if tiling is not None:
        made.tiling(tiling)
    made.kernel(kernel(name))
    return made


def words_out(
    kernel: Find, name: str, tiling: Callable[[Any], Any], *, type: str = "WordsOut", inputs: tuple[str, ...] = ("x",), **options: Any
) -> Any:
    """An operator around a kernel of slots.cpp or layouts.cpp: its output is 16 words."""
    made = op.define(type, **options)
    for each in inputs:
        made.input(each, dtype=["float32"])
    made.output("z", dtype=["uint64"])
    made.infer_shape(lambda ctx: ctx.output_shape.__setitem__(0, (16,)))
    made.tiling(tiling)
    made.kernel(kernel(name))
    return made


# --- tiling data; layouts.cpp has the same structs


@dataclass
class Padded:
    byte: ctypes.c_uint8
    word: ctypes.c_uint32
    three: ctypes.c_uint16 * 3  # type: ignore[valid-type]
    wide: ctypes.c_uint64
    number: ctypes.c_float


@dataclass
class Inner:
    small: np.int8
    large: np.int64


@dataclass
class Nested:
    before: np.uint16
    inner: Inner
    after: np.uint8


@dataclass
class Part:
    count: np.uint32


@dataclass
class Whole:
    flag: np.uint8
    part: Part
    last: np.uint16


class PaddedStructure(ctypes.Structure):
    _fields_ = (
        ("byte", ctypes.c_uint8),
        ("word", ctypes.c_uint32),
        ("three", ctypes.c_uint16 * 3),
        ("wide", ctypes.c_uint64),
        ("number", ctypes.c_float),
    )


# --- what is looked at


@contextlib.contextmanager
def watched(*stages: str) -> Iterator[list[Any]]:
    """The steps of every run inside; those of some stages, or all."""
    seen: list[Any] = []

    def note(step: Any) -> None:
        if not stages or step.stage in stages:
            seen.append(step)

    with op.observe(note):
        yield seen


class Counted:
    """Parameters of an operator that count how often they were closed."""

    def __init__(self) -> None:
        self.closed = 0

    def close(self) -> None:
        self.closed += 1


def words(buffer: Buffer) -> list[int]:
    found: list[int] = buffer.to_numpy().tolist()
    return found


def ran(stream: Stream, result: Any) -> NDArray[Any]:
    """What is in an output when its stream is done."""
    stream.synchronize()
    found: NDArray[Any] = result.to_numpy()
    return found


def raised(kind: type[BaseException], call: Callable[..., Any], *args: Any) -> BaseException:
    """What the call raises; for the many small ones that would each need a `with`."""
    with pytest.raises(kind) as caught:
        call(*args)
    return caught.value
