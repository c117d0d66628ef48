# SPDX-License-Identifier: Apache-2.0
"""The pair table, executed: random chains of all classes of kernels end, keep their order, leave no flag, and compute what separate
launches compute."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
from chains import KERNELS, ROWS, Link, fused, fused_binary, in_numpy, random_chain, separately

from aclimb import Kernel, KernelBinary, Program, Stream
from aclimb.errors import AclimbError
from aclimb.fuse import FuseOptions, forget, rules
from aclimb.runtime.fused_runs import ScheduleMode


@pytest.fixture(scope="module")
def binary() -> KernelBinary:
    return Program(KERNELS / "chain.cpp").compile()


@pytest.fixture(scope="module")
def kernels(binary: KernelBinary) -> dict[str, Kernel]:
    return {name: Kernel(binary, name) for name in binary.kernel_names}


def check(chain: list[Link], binary: KernelBinary, stream: Stream, options: FuseOptions | None = None, seeds: range = range(0)) -> None:
    expected = in_numpy(chain)
    kernel = Kernel(fused_binary(chain, binary, options))
    ends = ((ScheduleMode.late, 0), (ScheduleMode.early, 0)) if seeds else ()
    for mode, seed in [(None, 0), *((ScheduleMode.random, seed) for seed in seeds), *ends]:
        stream.native.set_schedule(mode, seed)
        for got, wanted in zip(fused(chain, kernel, stream), expected, strict=True):
            np.testing.assert_array_equal(got, wanted, err_msg=f"{chain} {options} schedule {mode} seed {seed}")


def random_options(rng: random.Random) -> FuseOptions:
    return FuseOptions(early_start=rng.choice([0, 1, 1, 1, 1, 2]), debug_sync_all=rng.choice([0, 0, 0, 1]), profiling=0)


@pytest.mark.parametrize("start", range(0, 300, 25))
@pytest.mark.requirement("sk-12", "sk-14", "sk-15", "sk-18", "sk-32")
def test_random_chains_compute_what_separate_launches_compute(
    start: int, binary: KernelBinary, kernels: dict[str, Kernel], stream: Stream
) -> None:
    for seed in range(start, start + 25):
        rng = random.Random(seed)
        chain = random_chain(rng, rng.randint(2, 8), most=rng.choice([3, 48]))
        check(chain, binary, stream, random_options(rng))
        for got, wanted in zip(separately(chain, kernels, stream), in_numpy(chain), strict=True):
            np.testing.assert_array_equal(got, wanted)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(1000, 6000, 250))
def test_five_thousand_random_chains(start: int, binary: KernelBinary, stream: Stream) -> None:
    for seed in range(start, start + 250):
        rng = random.Random(seed)
        chain = random_chain(rng, rng.randint(2, 8), most=rng.choice([3, 48]))
        check(chain, binary, stream, random_options(rng), range(seed, seed + 2))


@pytest.mark.requirement("sk-12", "sk-14", "sk-16", "sk-32")
@pytest.mark.parametrize("first", ["v", "c", "m1", "m2"])
@pytest.mark.parametrize("second", ["v", "c", "m1", "m2"])
def test_every_pair_with_and_without_set_and_wait_under_adversarial_schedules(
    first: str, second: str, binary: KernelBinary, stream: Stream
) -> None:
    for sets, waits in itertools.product(["", "_set"], ["", "_wait"]):
        for blocks in ((2, 3), (3, 1)):
            chain = [
                Link(first + sets, blocks[0], 0, 1, 5, ROWS - 1),
                Link(second + waits, blocks[1], 1, 2, 7, 1),
                Link(first + sets, blocks[1], 2, 0, 9, 2),
                Link(second + waits, blocks[0], 0, 1, 11, ROWS - 2),
            ]
            check(chain, binary, stream, None, range(4))


@pytest.mark.parametrize(
    ("pair", "wrong"),
    [
        ("VC", (("wait 12",), ("set MTE3 2 12", "wait 14"))),  # hands over before everybody is there
        ("CV", (("set MTE3 2 13", "wait 11"), ("wait 13",))),
        ("MM", (("wait 11", "wait 12"), ("wait 14", "set MTE3 2 12"))),  # AIVs do not wait for AICs
        ("MM", (("wait 11", "set MTE3 2 13"), ("wait 14", "wait 13"))),  # AICs do not wait for AIVs
        ("MC", (("wait 11",), ("wait 14",))),
        ("VV", ((), ())),
    ],
)
def test_a_wrong_row_of_the_pair_table_would_be_noticed(
    pair: str, wrong: tuple[tuple[str, ...], tuple[str, ...]], binary: KernelBinary, stream: Stream, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(rules.WAITS, (pair[0], pair[1]), wrong)
    forget()
    names = {"V": "v", "C": "c", "M": "m1"}
    noticed = 0
    for steps in ((1, 3), (3, 1), (0, 2), (2, 0)):
        chain = [Link(names[pair[0]], 3, 0, 1, steps[0], 1), Link(names[pair[1]], 3, 1, 2, steps[1], 1)]
        try:
            check(chain, binary, stream, None, range(40))
        except (AssertionError, AclimbError):
            noticed += 1
    forget()
    assert noticed > 0
