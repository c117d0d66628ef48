# SPDX-License-Identifier: Apache-2.0
"""Which schedules `stress` tries: the extremes first, then by chance; and what it costs."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chains import KERNELS, fused, fused_binary, in_numpy, random_chain

from aclimb import Buffer, Kernel, KernelBinary, LaunchConfig, Program, Stream
from aclimb.flow import KernelType
from aclimb.fuse import Schedule, stress
from aclimb.runtime.fused_runs import Priorities, ordered
from aclimb.schedules.cores import LaunchCores
from aclimb.schedules.search import Bound, Search, extremes

EXAMPLES = Path(__file__).parents[2] / "examples"


def names(kernel_type: KernelType, blocks: int) -> list[str]:
    return [str(each).removeprefix("1:") for each in extremes(LaunchCores("k", kernel_type, blocks))]


@pytest.mark.requirement("ord-44")
def test_the_extremes_are_those_of_the_cores_there_are() -> None:
    assert names(KernelType.AIV_ONLY, 4) == [
        *("late:V", "late:MTE2", "late:MTE3", "late:S", "early:V", "early:MTE2", "early:MTE3", "early:S"),
        *("reverse", "late-core@AIV0", "late-core@AIV3", "early-core@AIV3"),
    ]
    pipes = ("M", "MTE1", "MTE2", "MTE3", "FIX", "S")
    assert names(KernelType.AIC_ONLY, 1) == [f"{how}:{pipe}" for how in ("late", "early") for pipe in pipes]
    assert names(KernelType.MIX_AIC_1_2, 2) == [
        *("late:V", "late:M", "late:MTE1", "late:MTE2", "late:MTE3", "late:FIX", "late:S"),
        *("late:MTE2@AIC", "late:MTE2@AIV", "late:MTE3@AIC", "late:MTE3@AIV", "late:S@AIC", "late:S@AIV"),
        *("early:V", "early:M", "early:MTE1", "early:MTE2", "early:MTE3", "early:FIX", "early:S"),
        *("reverse", "late-core@AIC0", "late-core@AIC1", "late-core@AIV0", "late-core@AIV3"),
        *("early-core@AIC1", "early-core@AIV0", "early-core@AIV3"),
    ]


@pytest.mark.requirement("ord-47")
def test_the_extremes_come_first_then_each_depth_in_turn() -> None:
    cores = LaunchCores("k", KernelType.AIV_ONLY, 4)
    search = Search(cores, 200)
    chosen = []
    for schedule in search.schedules():
        chosen.append(schedule)
        search.steps = 500  # as a run would say
    assert len(chosen) == 200
    first = len(extremes(cores))
    assert chosen[:first] == extremes(cores)
    assert [str(each) for each in chosen[first : first + 2]] == ["1:seed:0", "1:seed:1"]
    rest = chosen[first + 2 :]
    assert [each.depth if each.kind == "pct" else each.seed for each in rest[:8]] == [1, 2, 3, 2, 1, 2, 3, 3]
    assert max(step for each in rest for step in each.changes) > 300
    assert len(set(chosen)) == 200
    assert [*Search(cores, 5).schedules()] == chosen[:5]


@pytest.mark.requirement("ord-44")
def test_the_bound_is_that_of_priorities_by_chance() -> None:
    assert Bound(1, 0, 16, 100).missed == 1
    assert Bound(1, 16, 16, 100).missed == pytest.approx((15 / 16) ** 16)
    assert Bound(2, 50, 16, 100).missed == pytest.approx((1 - 1 / 1600) ** 50)
    assert Bound(3, 50, 16, 100).missed == pytest.approx((1 - 1 / 160000) ** 50)


@cache
def softmax() -> tuple[Kernel, list[Any]]:
    x = np.random.default_rng(1).standard_normal((96, 100)).astype(np.float32)
    kernel = Kernel(Program(next((EXAMPLES / "softmax").glob("*.cpp"))).compile(), "softmax_float")
    return kernel, [Buffer.from_array(x), Buffer(x.shape, x.dtype), 96, 100]


@pytest.mark.requirement("ord-44")
def test_a_run_prints_its_bound() -> None:
    kernel, args = softmax()
    report = stress(kernel, *args, config=LaunchConfig(num_blocks=4), schedules=60)
    said = str(report).splitlines()
    assert said[0] == "softmax_float: the same result under 60 schedules"
    assert said[1].startswith("    a mistake is missed with a probability of at most ")
    assert [bound.depth for bound in report.bounds] == [1, 2, 3]
    assert said[1].endswith(f"({report.bounds[0].agents} agents, {report.bounds[0].steps} steps)")
    assert report.bounds[0].agents == 4 * 4


@pytest.fixture(scope="module")
def binary() -> KernelBinary:
    return Program(KERNELS / "chain.cpp").compile()


@pytest.mark.parametrize("start", range(4))
def test_correct_chains_compute_the_same_in_every_order(start: int, binary: KernelBinary) -> None:
    rng, stream = random.Random(start), Stream()
    for _ in range(3):
        chain = random_chain(rng, rng.randint(2, 4), most=8)
        expected, kernel = in_numpy(chain), Kernel(fused_binary(chain, binary))
        assert kernel.binary.plan is not None
        cores = LaunchCores("chain", kernel.binary.plan.kernel_type, kernel.binary.plan.num_blocks)
        by_chance = [Schedule("pct", seed=rng.randrange(10**9), changes=tuple(sorted(rng.sample(range(400), i % 3)))) for i in range(12)]
        for schedule in [*extremes(cores), *by_chance]:
            order = schedule.engine(cores)
            assert isinstance(order, Priorities)
            with ordered(stream, order):
                got = fused(chain, kernel, stream)
            for one, other in zip(got, expected, strict=True):
                np.testing.assert_array_equal(one, other, err_msg=f"{chain} {schedule}")
