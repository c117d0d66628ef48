# SPDX-License-Identifier: Apache-2.0
"""printf and DumpTensor reach sys.stdout when the stream is waited for, in the order of the blocks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from aclimb import Buffer, Kernel, LaunchConfig, Stream, launch
from aclimb.errors import KernelTrap

KERNELS = Path(__file__).parents[1] / "runtime" / "kernels.cpp"
FAULTS = Path(__file__).parents[1] / "runtime" / "faults.cpp"
PRINTS = Path(__file__).with_name("prints.cpp")
Load = Callable[..., Kernel]


def spoken(blocks: int) -> str:
    lines = []
    for block in range(blocks):
        lines += [f"block {block} of {blocks}", f"  {'odd' if block % 2 else 'even'} {1.5 * block:5.2f} abc 100%"]
    return "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize("blocks", [1, 12])
def test_printf_comes_in_block_order(stream: Stream, load: Load, capsys: pytest.CaptureFixture[str], blocks: int) -> None:
    launch(stream, LaunchConfig(blocks), load(KERNELS, "speaks"), None)
    stream.synchronize()
    assert capsys.readouterr().out == spoken(blocks)


def test_nothing_is_shown_before_the_stream_is_waited_for(stream: Stream, load: Load, capsys: pytest.CaptureFixture[str]) -> None:
    launch(stream, LaunchConfig(2), load(KERNELS, "speaks"), None)
    while not stream.idle:
        pass
    assert capsys.readouterr().out == ""
    stream.synchronize()
    assert capsys.readouterr().out == spoken(2)
    stream.synchronize()
    assert capsys.readouterr().out == ""


def test_two_launches_speak_one_after_the_other(stream: Stream, load: Load, capsys: pytest.CaptureFixture[str]) -> None:
    for blocks in (3, 2):
        launch(stream, LaunchConfig(blocks), load(KERNELS, "speaks"), None)
    stream.synchronize()
    assert capsys.readouterr().out == spoken(3) + spoken(2)


def test_to_numpy_shows_what_kernels_printed(stream: Stream, load: Load, capsys: pytest.CaptureFixture[str]) -> None:
    z = Buffer(1)
    launch(stream, LaunchConfig(1), load(KERNELS, "speaks"), z)
    z.to_numpy()
    assert capsys.readouterr().out == spoken(1)


def test_dump_tensor_shows_a_head_and_the_values_of_each_block(stream: Stream, load: Load, capsys: pytest.CaptureFixture[str]) -> None:
    x = Buffer.from_array(np.arange(16, dtype=np.float32) / 4)
    launch(stream, LaunchConfig(2), load(KERNELS, "dumps"), x)
    stream.synchronize()
    expected = ""
    for block, values in enumerate(["0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75", "2, 2.25, 2.5, 2.75, 3, 3.25, 3.5, 3.75"]):
        addr = x.address + 32 * block
        expected += f"DumpTensor: desc=7, addr=0x{addr:x}, data_type=float32, position=GM, dump_size=8\n[{values}]\n"
    assert capsys.readouterr().out == expected


def test_a_checkpoint_is_a_dump_from_an_element_on(stream: Stream, load: Load, capsys: pytest.CaptureFixture[str]) -> None:
    x = Buffer.from_array(np.arange(16, dtype=np.float32))
    launch(stream, LaunchConfig(1), load(PRINTS, "checkpoint"), x)
    stream.synchronize()
    head = f"DumpTensor: desc=5, addr=0x{x.address + 8:x}, data_type=float32, position=GM, dump_size=8"
    assert capsys.readouterr().out == f"{head}\n[2, 3, 4, 5, 6, 7, 8, 9]\n"


def test_what_was_printed_before_a_fault_is_shown_with_it(stream: Stream, load: Load, capsys: pytest.CaptureFixture[str]) -> None:
    launch(stream, LaunchConfig(2), load(KERNELS, "speaks"), None)
    launch(stream, LaunchConfig(4), load(FAULTS, "faulty"), Buffer(256), 1, 1)
    with pytest.raises(KernelTrap):
        stream.synchronize()
    assert capsys.readouterr().out == spoken(2)


def test_a_width_of_two_billion_is_cut_to_what_a_line_can_hold(
    stream: Stream, load: Load, capsys: pytest.CaptureFixture[str], time_limit: Callable[[float], None]
) -> None:
    time_limit(5)
    launch(stream, LaunchConfig(1), load(PRINTS, "wide"), None)
    stream.synchronize()
    number, fraction, left, usual = capsys.readouterr().out.removeprefix("[").removesuffix("]").split("][")
    assert number == "7".rjust(511)
    assert fraction == ("0.5" + "0" * 511)[:511]
    assert left == "left".ljust(511)
    assert usual == " 1.50|7     |000042|+3"


def test_a_long_format_is_printed_to_its_end(stream: Stream, load: Load, capsys: pytest.CaptureFixture[str]) -> None:
    launch(stream, LaunchConfig(1), load(PRINTS, "long_format"), None)
    stream.synchronize()
    assert capsys.readouterr().out == "0123456789" * 70 + "1\n"


def test_a_dump_of_four_billion_elements_ends_where_the_output_is_cut_off(
    stream: Stream, load: Load, capsys: pytest.CaptureFixture[str], time_limit: Callable[[float], None]
) -> None:
    time_limit(5)
    launch(stream, LaunchConfig(1), load(PRINTS, "large_shape"), Buffer.from_array(np.arange(8, dtype=np.float32)))
    stream.synchronize()
    shown = capsys.readouterr().out
    assert shown.splitlines()[1].startswith("[0, 1, 2, 3, 4, 5, 6, 7, -, -, -")
    assert shown.endswith("[output of this core is cut off here: over 1 MiB]\n")
    assert len(shown) < (1 << 20) + 1000
