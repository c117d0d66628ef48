# SPDX-License-Identifier: Apache-2.0
"""Mistakes in kernels, in pairs: bad.cpp ends with exactly the words of bad.out, good.cpp is the same kernel put right.

bad.out is reviewed like code. `python tests/check/test_pairs.py [name ...]` writes it anew.
"""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from aclimb import Buffer, Device, Kernel, LaunchConfig, Program, Stream, _engine, launch
from aclimb.errors import AclimbError, BuildWarning, KernelFault

HERE = Path(__file__).parent
LENGTH = 1024


@dataclass(frozen=True)
class Pair:
    """How a pair is launched. z = x + x is what every good kernel computes."""

    name: str
    blocks: int = 1
    sync_words: int = 0  # zeroed words of global memory, for a third parameter
    without_optional: bool = False  # the third parameter is None
    time_limit: float = 0


PAIRS = [
    Pair("array_overrun"),
    Pair("assertion"),
    Pair("block_count_range"),
    Pair("buffers_too_large"),
    Pair("copy_for_other_core"),
    Pair("cross_core_overflow"),
    Pair("cross_core_wait"),
    Pair("cross_flag_left"),
    Pair("cube_call_on_aiv"),
    Pair("division_by_zero"),
    Pair("double_free"),
    Pair("endless_loop", time_limit=0.2),
    Pair("endless_polling", time_limit=0.2),
    Pair("event_id_range"),
    Pair("event_ids_used_up"),
    Pair("flag_left"),
    Pair("flag_set_twice"),
    Pair("foreign_tensor"),
    Pair("gm_before"),
    Pair("gm_behind", blocks=4),
    Pair("gm_beyond"),
    Pair("gm_declared"),
    Pair("gm_offset"),
    Pair("gm_pad"),
    Pair("ib_wait", blocks=2, sync_words=64),
    Pair("misaligned_operand"),
    Pair("no_free_buffer"),
    Pair("not_initialised"),
    Pair("null_pointer", without_optional=True),
    Pair("queue_after_destroy"),
    Pair("queue_empty"),
    Pair("queue_over_depth"),
    Pair("repeat_range"),
    Pair("scalar_index"),
    Pair("soft_sync_all_missed", blocks=4, sync_words=32),
    Pair("stack_overflow"),
    Pair("sync_all_missed", blocks=4),
    Pair("sync_all_not_armed", blocks=4),
    Pair("too_many_buffers"),
    Pair("trap_call"),
    Pair("two_pipes"),
    Pair("ub_count"),
    Pair("ub_offset"),
    Pair("ub_repeat"),
    Pair("use_after_free"),
    Pair("vector_call_on_aic"),
    Pair("wait_without_set"),
    Pair("wait_wrong_id"),
    Pair("wait_wrong_order"),
]


def run(pair: Pair, which: str, opt_level: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """x and z after the kernel; raises what the kernel does wrong."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore" if which == "bad" else "error", BuildWarning)
        kernel = Kernel(Program(HERE / pair.name / f"{which}.cpp", opt_level=opt_level).compile())
    x = np.arange(LENGTH, dtype=np.float32)
    source, target = Buffer.from_array(x), Buffer.from_array(np.zeros_like(x))
    third = [Buffer.from_array(np.zeros(pair.sync_words, np.int32))] if pair.sync_words else [None] if pair.without_optional else []
    stream = Stream()
    launch(stream, LaunchConfig(num_blocks=pair.blocks), kernel, source, target, *third)
    stream.synchronize()
    return x, target.to_numpy()


def words(error: AclimbError) -> str:
    """The message, with what differs from run to run taken out."""
    return re.sub(r"0x[0-9a-f]{9,}", "<address>", f"{type(error).__name__}: {error}\n")


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_the_bad_kernel_is_told_what_is_wrong(pair: Pair, time_limit: Callable[[float], None]) -> None:
    if pair.time_limit:
        time_limit(pair.time_limit)
    with pytest.raises(AclimbError) as caught:
        run(pair, "bad")
    assert words(caught.value) == (HERE / pair.name / "bad.out").read_text()


@pytest.mark.parametrize("name", ["buffers_too_large", "not_initialised", "queue_over_depth", "two_pipes"])
def test_the_words_are_the_same_in_a_kernel_that_was_optimised_more(name: str) -> None:
    """The headers keep some functions out of the kernel's code; a call of one that became a jump would lose the user's line."""
    with pytest.raises(AclimbError) as caught:
        run(Pair(name), "bad", opt_level=3)
    assert words(caught.value) == (HERE / name / "bad.out").read_text()


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_the_good_kernel_computes_what_numpy_does(pair: Pair) -> None:
    x, z = run(pair, "good")
    np.testing.assert_array_equal(z, x + x)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_the_words_name_a_line_of_the_kernel(pair: Pair) -> None:
    text = (HERE / pair.name / "bad.out").read_text()
    source = (HERE / pair.name / "bad.cpp").read_text().splitlines()
    places = re.findall(r"bad\.cpp:(\d+)   (.+)", text)
    assert places, "no line of the user's kernel"
    for line, shown in places:
        assert source[int(line) - 1].strip() == shown


def test_every_folder_is_in_the_list() -> None:
    assert sorted(path.parent.name for path in HERE.glob("*/bad.cpp")) == [pair.name for pair in PAIRS]


def test_a_fault_carries_kernel_block_core_file_and_line() -> None:
    with pytest.raises(KernelFault) as caught:
        run(next(pair for pair in PAIRS if pair.name == "gm_behind"), "bad")
    fault = caught.value
    source = HERE / "gm_behind" / "bad.cpp"
    line = 1 + source.read_text().splitlines().index("    DataCopy(local, xGm, kShare);")
    found = (fault.kernel, fault.block, fault.core, fault.file, fault.line, fault.kind)
    assert found == ("gm_behind", 3, "AIV 3", str(source), line, "out-of-bounds")


def rewrite(pair: Pair) -> None:
    if pair.time_limit:
        _engine.set_time_limit(pair.time_limit)
    try:
        run(pair, "bad")
    except AclimbError as error:
        (HERE / pair.name / "bad.out").write_text(words(error))
    else:
        print(f"{pair.name}: bad.cpp runs without an error")
    _engine.set_time_limit(120)


if __name__ == "__main__":
    Device()  # its first use sets the time limit from the environment
    for each in PAIRS:
        if each.name in sys.argv[1:] or not sys.argv[1:]:
            rewrite(each)
