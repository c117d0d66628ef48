# SPDX-License-Identifier: Apache-2.0
"""Whatever a kernel does wrong, the hundred launches after it compute what NumPy does, and so does NumPy itself."""

from __future__ import annotations

import ctypes
import platform
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from test_pairs import PAIRS, Pair, run

from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch
from aclimb.errors import (
    AclimbError,
    AddressFault,
    KernelFault,
    KernelTrap,
    Misaligned,
    OutOfBounds,
    StackOverflow,
    TimeLimit,
)
from aclimb.fuse import Member, fuse

HERE = Path(__file__).parent
BLOCKS, COUNT, LAUNCHES = 4, 64, 100
DENORMAL = np.float32(1e-40)
Load = Callable[..., Kernel]
Check = Callable[[], None]


@pytest.fixture(scope="module")
def all_is_well(load: Load) -> Check:
    """A hundred good launches, and the host's own arithmetic."""
    kernel = load(HERE / "good_after.cpp")
    x = np.random.default_rng(1).normal(size=BLOCKS * COUNT).astype(np.float32)
    x[::7] *= DENORMAL
    expected, tiny, third = x / np.float32(3), np.full(BLOCKS, DENORMAL, np.float32), np.longdouble(1) / np.longdouble(3)

    def check() -> None:
        stream = Stream()
        source, total = Buffer.from_array(x), Buffer.from_array(np.zeros(COUNT, np.int32))
        outs = [(Buffer(x.size, np.float32), Buffer.from_array(tiny)) for _ in range(LAUNCHES)]
        for out, small in outs:
            launch(stream, LaunchConfig(BLOCKS), kernel, source, out, small, total)
        stream.synchronize()
        for out, small in outs:
            np.testing.assert_array_equal(out.to_numpy(), expected)
            np.testing.assert_array_equal(small.to_numpy(), tiny * np.float32(0.5))
        np.testing.assert_array_equal(total.to_numpy(), BLOCKS * LAUNCHES)
        assert (x / np.float32(3)).tobytes() == expected.tobytes(), "the host rounds or flushes differently"
        assert np.longdouble(1) / np.longdouble(3) == third, "the x87 unit of the host is not what it was"

    check()
    return check


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_a_hundred_launches_are_right_after_the_bad_kernel(pair: Pair, all_is_well: Check, time_limit: Callable[[float], None]) -> None:
    if pair.time_limit:
        time_limit(pair.time_limit)
    with pytest.raises(AclimbError):
        run(pair, "bad")
    time_limit(60)
    all_is_well()


NOWHERE = "0x4141414141414141"
STACK = "an array on the stack of the core is written beyond its end"
ILLEGAL = "the kernel ran into an illegal instruction"
# Number in hostile.cpp, what is raised, and how its text begins.
HOSTILE: dict[str, tuple[int, type[KernelFault], str]] = {
    "overrun": (1, OutOfBounds, STACK),
    "long overrun": (2, OutOfBounds, STACK),
    "overrun of the core's context alone": (3, OutOfBounds, STACK),
    "recursion": (4, StackOverflow, "the stack of the core is used up"),
    "array larger than the stack": (5, StackOverflow, "the stack of the core is used up"),
    "recursion to the last kilobytes, then printf": (7, StackOverflow, "the stack of the core is used up"),
    "recursion to the last bytes, then printf": (8, StackOverflow, "the stack of the core is used up"),
    "call of null": (10, AddressFault, "a jump to address 0x0, where no code is"),
    "call of an unmapped address": (11, AddressFault, "a jump to address 0x414141410000, where no code is"),
    "call of a non-canonical address": (12, AddressFault, f"a jump to address {NOWHERE}, where no code is"),
    "call of data": (13, AddressFault, "a jump to address 0x[0-9a-f]+, where no code is"),
    "call of the stack": (14, AddressFault, "a jump to address 0x[0-9a-f]+, where no code is"),
    "small address": (20, AddressFault, "access to address 0x40, which is not device memory"),
    "unmapped address": (21, AddressFault, "access to address 0x414141410000, which is not device memory"),
    "address of the host's kernel": (24, AddressFault, "access to address 0xffffffffff600000, which is not device memory"),
    "own code": (25, AddressFault, "access to address 0x[0-9a-f]+, which is the kernel's own code"),
    "printf of an unmapped format": (27, AddressFault, "printf reaches address 0x414141410000, which is not device memory"),
    "trap": (31, KernelTrap, ILLEGAL),
    "endless loop": (32, TimeLimit, "the task ran longer than 0.2 s"),
}
X86: dict[str, tuple[int, type[KernelFault], str]] = {
    "overrun of a return address": (0, KernelFault, f"a jump to address {NOWHERE}, where no code is|{STACK}"),
    "alloca larger than the stack": (6, StackOverflow, "the stack of the core is used up"),
    "store to a non-canonical address": (22, AddressFault, f"access to address {NOWHERE}, which is non-canonical: no memory can have it"),
    "copy at a non-canonical address": (23, AddressFault, "access to address 0x4141414141414181, which is non-canonical"),
    "printf of a non-canonical text": (26, AddressFault, f"printf reaches address {NOWHERE}, which is non-canonical"),
    "division by zero": (30, KernelTrap, "integer division by zero"),
    "int3": (40, KernelTrap, ILLEGAL),
    "ud2": (41, KernelTrap, ILLEGAL),
    "hlt": (42, KernelTrap, ILLEGAL),
    "cli": (43, KernelTrap, ILLEGAL),
    "in": (44, KernelTrap, ILLEGAL),
    "int 0x42": (45, KernelTrap, ILLEGAL),
    "icebp": (46, KernelTrap, ILLEGAL),
    "rdmsr": (47, KernelTrap, ILLEGAL),
    "misaligned vector": (48, Misaligned, "access to address 0x[0-9a-f]+, which is not aligned as the instruction needs it"),
    "endless jump": (49, TimeLimit, "the task ran longer than 0.2 s"),
    "registers": (50, AddressFault, f"access to address {NOWHERE}, which is non-canonical"),
    "stack pointer 0": (51, AddressFault, "access to address 0xfffffffffffffff8, which is not device memory"),
    "non-canonical stack pointer": (52, AddressFault, f"access to address {NOWHERE}, which is non-canonical"),
    "stack pointer in global memory": (53, AddressFault, "a jump to address 0x[0-9a-f]+, where no code is"),
    "unmasked division of floats": (54, KernelTrap, "a floating-point exception that the kernel itself had unmasked"),
    "unmasked division of long doubles": (55, KernelTrap, "a floating-point exception that the kernel itself had unmasked"),
    "alignment check": (56, Misaligned, "access to address 0x[0-9a-f]+, which is not aligned as the instruction needs it"),
    "single step": (57, KernelTrap, ILLEGAL),
    "endless jump with flags": (58, TimeLimit, "the task ran longer than 0.2 s"),
    "endless jump with modes": (59, TimeLimit, "the task ran longer than 0.2 s"),
    "indexed store": (60, AddressFault, "access to address 0x414141414141414d, which is non-canonical"),
    "vector store": (61, AddressFault, f"access to address {NOWHERE}, which is non-canonical"),
    "string store": (62, AddressFault, f"access to address {NOWHERE}, which is non-canonical"),
    "jump by register": (63, AddressFault, f"a jump to address {NOWHERE}, where no code is"),
    "return to nowhere": (64, AddressFault, f"a jump to address {NOWHERE}, where no code is"),
}
if platform.machine() == "x86_64":
    HOSTILE |= X86


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hundred_launches_are_right_after_a_hostile_kernel(
    name: str, load: Load, all_is_well: Check, time_limit: Callable[[float], None]
) -> None:
    number, error, text = HOSTILE[name]
    stream, x = Stream(), Buffer.from_array(np.zeros(64, np.int32))
    time_limit(0.2)
    launch(stream, LaunchConfig(BLOCKS), load(HERE / "hostile.cpp"), x, number)
    with pytest.raises(error, match=f"^({text})") as caught:
        stream.synchronize()
    assert "hostile block" in str(caught.value)
    time_limit(60)
    all_is_well()


def test_an_atomic_copy_that_ends_in_the_middle_leaves_no_lock(load: Load, all_is_well: Check) -> None:
    """As when a program frees the memory while the kernel writes it; here its second page is taken away for the time of the launch."""
    page = 4096
    libc = ctypes.CDLL(None, use_errno=True)
    out, total = Buffer(BLOCKS * COUNT, np.float32), Buffer(3 * page // 4, np.int32)
    source, tiny = Buffer.from_array(np.ones(BLOCKS * COUNT, np.float32)), Buffer(BLOCKS, np.float32)
    second = ctypes.c_void_p(total.address + page)
    stream, kernel = Stream(), load(HERE / "good_after.cpp")
    for _ in range(3):
        assert libc.mprotect(second, page, 0) == 0
        try:
            launch(stream, LaunchConfig(BLOCKS), kernel, source, out, tiny, total.address + page - 128)
            with pytest.raises(AddressFault, match=f"^DataCopy reaches address {total.address + page:#x}, which is not device memory"):
                stream.synchronize()
        finally:
            libc.mprotect(second, page, 3)
        launch(stream, LaunchConfig(BLOCKS), kernel, source, out, tiny, total.address + page - 128)
        stream.synchronize()
    all_is_well()


# Numbers in hostile.cpp: rounding and flush to zero, also across a switch of cores; then flags, MMX and the x87 stack.
POLLS = 75
LEFT_BEHIND = [70, POLLS, 71, 72, 73, 74] if platform.machine() == "x86_64" else [70, POLLS]


@pytest.mark.parametrize("number", LEFT_BEHIND)
def test_modes_and_flags_that_a_kernel_leaves_are_nobody_elses(number: int, load: Load, all_is_well: Check) -> None:
    stream, x = Stream(), Buffer.from_array(np.zeros(64, np.int32))
    launch(stream, LaunchConfig(BLOCKS), load(HERE / "hostile.cpp"), x, number)
    stream.synchronize()
    if number == POLLS:
        assert x.to_numpy()[1 : BLOCKS + 1].all(), "a core lost its own rounding while another ran"
    all_is_well()


@pytest.mark.parametrize("number", LEFT_BEHIND)
def test_modes_and_flags_are_not_left_to_the_next_sub_kernel(number: int, all_is_well: Check) -> None:
    names = ("hostile", "good_after")
    binaries = [Program(HERE / f"{name}.cpp").compile() for name in names]
    fused = Kernel(fuse([Member(binary, BLOCKS, name) for binary, name in zip(binaries, names, strict=True)], name="chain"))
    x = np.full(BLOCKS * COUNT, DENORMAL, np.float32)
    stream, out, tiny, unused = Stream(), Buffer(x.size, np.float32), Buffer.from_array(x[:BLOCKS]), Buffer(64, np.int32)
    launch(stream, LaunchConfig(BLOCKS), fused, unused, number, Buffer.from_array(x), out, tiny, unused)
    stream.synchronize()
    np.testing.assert_array_equal(out.to_numpy(), x / np.float32(3))
    np.testing.assert_array_equal(tiny.to_numpy(), x[:BLOCKS] * np.float32(0.5))
    all_is_well()


def test_the_hostile_kernel_does_nothing_when_it_is_not_asked(load: Load, all_is_well: Check) -> None:
    stream, x = Stream(), Buffer.from_array(np.arange(64, dtype=np.int32))
    launch(stream, LaunchConfig(BLOCKS), load(HERE / "hostile.cpp"), x, 99)
    stream.synchronize()
    np.testing.assert_array_equal(x.to_numpy(), np.arange(64))
    all_is_well()
