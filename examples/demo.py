# SPDX-License-Identifier: Apache-2.0
"""`make demo`: the vector add, compared with NumPy and timed by the model; then a kernel that is wrong on purpose, and its error."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.markup import escape

import aclimb
from aclimb import Buffer, Device, Kernel, LaunchConfig, Program, Stream, launch
from aclimb.errors import AclimbError, Hang

HERE = Path(__file__).parent
BLOCKS, LENGTH = 8, 16384
console = Console(highlight=False, soft_wrap=True)


def row(mark: str, name: str, text: str) -> None:
    console.print(f"  [bold {mark}]{name:<12}[/] {text}")


def build(source: Path) -> Kernel:
    started = time.perf_counter()
    kernel = Kernel(Program(source).compile())
    build_ms = 1e3 * (time.perf_counter() - started)
    row("cyan", kernel.name, f"built from {source.relative_to(HERE.parent)} in {build_ms:.0f} ms")
    return kernel


def show_add() -> bool:
    """The vector add; True when every element is NumPy's."""
    add_custom = build(HERE / "add" / "add.cpp")
    random = np.random.default_rng(0)
    x, y = (random.standard_normal(LENGTH).astype(np.float16) for _ in range(2))
    x_dev, y_dev, z_dev = Buffer.from_array(x), Buffer.from_array(y), Buffer(LENGTH, np.float16)
    stream = Stream()
    started = time.perf_counter()
    launch(stream, LaunchConfig(num_blocks=BLOCKS), add_custom, x_dev, y_dev, z_dev, LENGTH)
    stream.synchronize()
    run_us = 1e6 * (time.perf_counter() - started)
    equal = int(np.count_nonzero(z_dev.to_numpy() == x + y))
    right = equal == LENGTH
    where = f"{stream.device.chip.name} (modelled), {BLOCKS} blocks"
    row("green" if right else "red", add_custom.name, f"{where}   {equal} of {LENGTH} equal to numpy")
    row("cyan", add_custom.name, f"launched and synchronised in {run_us:.0f} us on this host")
    with aclimb.profile() as profile:
        launch(stream, LaunchConfig(num_blocks=BLOCKS), add_custom, x_dev, y_dev, z_dev, LENGTH)
    (timing,) = profile.launches
    row("cyan", add_custom.name, f"would take {timing.task_us:.2f} us on the chip (modelled), bound by {timing.bound}")
    return right


def show_broken() -> bool:
    """A missing SetFlag; True when it is reported as the hang it would be."""
    broken_add = build(HERE / "broken" / "broken_add.cpp")
    buffers = [Buffer(1024, np.float16) for _ in range(3)]
    stream = Stream()
    launch(stream, LaunchConfig(num_blocks=1), broken_add, *buffers)
    try:
        stream.synchronize()
    except AclimbError as error:
        row("yellow", broken_add.name, "wrong on purpose, and ends with this error:")
        console.print(f"\n[bold red]{type(error).__name__}:[/] {escape(str(error))}\n")
        return isinstance(error, Hang)
    row("red", broken_add.name, "wrong on purpose, but no error came")
    return False


def main() -> int:
    try:
        console.print(f"\n  [bold]{Device().chip.name}[/], modelled on this host's CPU; no NPU is used")
        as_expected = [show_add(), show_broken()]
    except AclimbError as error:
        console.print(f"  [bold red]{type(error).__name__}:[/] {escape(str(error))}")
        return 1
    return 0 if all(as_expected) else 1


if __name__ == "__main__":
    raise SystemExit(main())
