# SPDX-License-Identifier: Apache-2.0
"""Every tiling holds the published rules, whatever the problem."""

from __future__ import annotations

import random

import pytest
from tiling_problems import Asked, broken, random_problem

CHUNK = 1000


def hold(seed: int, count: int) -> None:
    dice = random.Random(seed)
    for _ in range(count):
        asked = random_problem(dice)
        assert broken(asked, asked.tiler().get_tiling()) == [], asked


@pytest.mark.requirement("mm-4")
@pytest.mark.parametrize("seed", range(10))
def test_tilings_of_random_problems_hold_the_rules(seed: int) -> None:
    hold(seed, CHUNK)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 190))
def test_tilings_of_many_more_random_problems_hold_the_rules(seed: int) -> None:
    hold(seed, CHUNK)


def test_the_rules_notice_a_tiling_that_breaks_them() -> None:
    asked = Asked(1024, 1024, 1024, bias=True)
    for field, value, name in (
        ("baseN", 512, "L0B"),
        ("dbL0C", 3, "L0C"),
        ("depthA1", 7, "depth"),
        ("depthB1", 400, "L1"),
        ("usedCoreNum", 25, "cores"),
        ("stepM", 2, "several rows only with all of K"),
        ("baseK", 40, "fractals"),
    ):
        tiling = asked.tiler().get_tiling()
        assert broken(asked, tiling) == []
        setattr(tiling, field, value)
        assert name in [each.partition(":")[0] for each in broken(asked, tiling)]


@pytest.mark.requirement("mm-4")
def test_the_same_question_has_the_same_answer() -> None:
    for asked in (Asked(1000, 700, 500), Asked(1, 4096, 300, dtype="bf16", b_trans=True)):
        assert asked.tiler().get_tiling() == asked.tiler().get_tiling()
