# SPDX-License-Identifier: Apache-2.0
"""Chains of mixed kernels whose AIC leaves inside REGIST_MATMUL_OBJ and never comes to the calls of early start behind it: it counts
as if it had. Against NumPy and separate launches."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from chains import KERNELS

from aclimb import Buffer, Kernel, KernelBinary, LaunchConfig, Program, Stream, errors, launch
from aclimb.fuse import FuseOptions, Member, fuse
from aclimb.runtime.fused_runs import ScheduleMode

SIDE, BLOCKS, BUFFERS = 16, 6, 3
ROWS = SIDE * BLOCKS
Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Link:
    """One kernel of a chain: which, on how many blocks, from which buffer to which."""

    kernel: str
    blocks: int
    source: int
    target: int
    step: int
    shift: int

    def compute(self, buffers: list[Array], by: Array) -> None:
        rows = (np.arange(self.blocks * SIDE) + self.shift * SIDE) % ROWS
        moved = buffers[self.source][rows]
        factor = by if self.kernel.startswith("m") else np.eye(SIDE, dtype=np.int64)
        buffers[self.target][: len(rows)] = moved @ factor + self.step

    def arguments(self, buffers: list[Buffer], by: Buffer, middle: Buffer) -> list[Any]:
        return [buffers[self.source], buffers[self.target], by, middle, self.step, self.shift * SIDE, ROWS]


def random_chain(rng: random.Random) -> list[Link]:
    """With mixed kernels of one sort, the first of them on all blocks: so the whole is of that sort too (else K13)."""
    chain, mixed = [], rng.choice(["m1", "m2"])
    for i in range(rng.randint(2, 7)):
        kind = rng.choice(["v", mixed, mixed]) if i else mixed
        waits = rng.choice(["", "_before"] if kind == "v" else ["", "_before", "_behind", "_late"])
        source = rng.randrange(BUFFERS)
        target = rng.choice([each for each in range(BUFFERS) if each != source])
        name = kind + waits + rng.choice(["", "_set", "_set"])
        chain.append(Link(name, rng.randint(1, BLOCKS) if i else BLOCKS, source, target, rng.randrange(50), rng.randrange(BLOCKS)))
    return chain


def start() -> list[Array]:
    return [np.arange(ROWS * SIDE).reshape(ROWS, SIDE) % 97 * (i + 1) for i in range(BUFFERS)]


def permutation() -> Array:
    return np.eye(SIDE, dtype=np.int64)[np.random.default_rng(2).permutation(SIDE)]


class Data:
    """What a chain works on, in device memory."""

    def __init__(self) -> None:
        self.buffers = [Buffer.from_array(each.astype(np.float16)) for each in start()]
        self.by = Buffer.from_array(permutation().astype(np.float16))
        self.middle = [Buffer((ROWS * 4, SIDE), np.float16) for _ in range(8)]  # one for each member: nothing orders these

    def arguments(self, chain: list[Link]) -> list[list[Any]]:
        return [link.arguments(self.buffers, self.by, self.middle[i]) for i, link in enumerate(chain)]


@pytest.fixture(scope="module")
def binary() -> KernelBinary:
    return Program(KERNELS / "objects.cpp").compile()


def in_numpy(chain: list[Link]) -> list[Array]:
    buffers, by = start(), permutation()
    for link in chain:
        link.compute(buffers, by)
    return buffers


def separately(chain: list[Link], binary: KernelBinary, stream: Stream) -> list[Array]:
    data = Data()
    for link, arguments in zip(chain, data.arguments(chain), strict=True):
        launch(stream, LaunchConfig(link.blocks), Kernel(binary, link.kernel), *arguments)
    stream.synchronize()
    return [each.to_numpy() for each in data.buffers]


def fused(chain: list[Link], binary: KernelBinary, stream: Stream, options: FuseOptions | None = None) -> list[Array]:
    kernel = Kernel(fuse([Member(binary, link.blocks, link.kernel) for link in chain], options))
    assert kernel.binary.plan is not None
    data = Data()
    launch(stream, LaunchConfig(kernel.binary.plan.num_blocks), kernel, *[each for given in data.arguments(chain) for each in given])
    stream.synchronize()
    return [each.to_numpy() for each in data.buffers]


def check(chain: list[Link], binary: KernelBinary, stream: Stream, schedules: list[tuple[ScheduleMode | None, int]]) -> None:
    expected = in_numpy(chain)
    for mode, seed in schedules:
        stream.native.set_schedule(mode, seed)
        for got, wanted in zip(fused(chain, binary, stream), expected, strict=True):
            np.testing.assert_array_equal(got, wanted, err_msg=f"{chain} schedule {mode} seed {seed}")
    stream.native.set_schedule(None)
    for got, wanted in zip(separately(chain, binary, stream), expected, strict=True):
        np.testing.assert_array_equal(got, wanted)


SCHEDULES = [(None, 0), (ScheduleMode.late, 0), (ScheduleMode.early, 0)]


@pytest.mark.parametrize("start", range(0, 60, 10))
def test_random_chains_with_objects_in_line_compute_what_separate_launches_compute(
    start: int, binary: KernelBinary, stream: Stream
) -> None:
    for seed in range(start, start + 10):
        check(random_chain(random.Random(seed)), binary, stream, [*SCHEDULES, (ScheduleMode.random, seed), (ScheduleMode.random, seed + 1)])


@pytest.mark.parametrize("first", ["v", "m2"])
@pytest.mark.parametrize("waits", ["_before", "_behind", "_late"])
@pytest.mark.parametrize("sets", ["", "_set"])
def test_the_aic_waits_and_sets_for_each_kind_of_neighbour(first: str, waits: str, sets: str, binary: KernelBinary, stream: Stream) -> None:
    chain = [
        Link("m2", BLOCKS, 0, 1, 1, 1),
        Link(first + sets, BLOCKS, 1, 2, 2, BLOCKS - 1),
        Link("m2" + waits + sets, 4, 2, 0, 3, 2),
        Link(first, BLOCKS, 0, 1, 4, 1),
    ]
    check(chain, binary, stream, [*SCHEDULES, *((ScheduleMode.random, seed) for seed in range(4))])


def test_the_macro_in_a_function_leaves_the_calls_to_the_aic(binary: KernelBinary, stream: Stream) -> None:
    chain = [Link("m2", 3, 0, 1, 1, 1), Link("m2_in_a_function", 6, 1, 2, 2, 1), Link("m2_behind", 5, 2, 0, 3, 1)]
    check(chain, binary, stream, SCHEDULES)


@pytest.mark.parametrize(
    ("name", "core", "call"),
    [
        ("m2_set_forgotten", "AIV 1", "SetNextTaskStart"),
        ("m2_wait_forgotten", "AIV 1", "WaitPreTaskEnd"),
        ("m2_left_early", "AIC 0", "SetNextTaskStart"),  # it never served
    ],
)
def test_a_core_that_forgets_its_own_call_is_named(name: str, core: str, call: str, binary: KernelBinary, stream: Stream) -> None:
    chain = [Link("m2", 1, 0, 1, 1, 0), Link(name, 1, 1, 2, 1, 0), Link("m2", 1, 2, 0, 1, 0)]
    with pytest.raises(errors.EarlyStartMismatch, match=f"{call} is in this kernel and was never called on this core") as caught:
        fused(chain, binary, stream)
    assert (caught.value.block, caught.value.core) == (0, core)
    assert f"sub-kernel 1 {name}" in str(caught.value)


def test_a_second_set_of_the_aiv_is_still_an_error(binary: KernelBinary, stream: Stream) -> None:
    with pytest.raises(errors.EarlyStartMismatch, match="SetNextTaskStart is called twice on this core"):
        fused([Link("m2_set_twice", 1, 0, 1, 1, 0), Link("m2", 1, 1, 2, 1, 0)], binary, stream)
