# SPDX-License-Identifier: Apache-2.0
"""Tilings are fast: no other one is much faster, by the formula of the tiler and by profiles of a kernel with a Matmul object."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from tiling_problems import Asked, broken, up

from aclimb import Buffer, Kernel, LaunchConfig, Profile, Program, Stream, launch
from aclimb.tiling import TCubeTiling
from aclimb.tiling.candidates import parts_of
from aclimb.tiling.model import cycles
from aclimb.tiling.problem import Problem, problem_of
from aclimb.tiling.tilings import Tilings

ALLOWED = 1.15
TOO_SLOW = {49: "540 x 70 x 1024 on 24 cores: 1.216; the formula was fitted before reads and writes shared a queue in the model"}
Row = dict[str, int]


def random_tiling(asked: Asked, dice: random.Random) -> Row | None:
    """Any numbers that hold the rules; None when these do not."""
    parts_m, parts_n = dice.randint(1, asked.dim), dice.randint(1, asked.dim)
    single_m, single_n = (
        min(up(-(-size // parts), 16), up(size, 16)) for size, parts in ((asked.m, parts_m), (asked.n, parts_n))
    )  # fmt: skip
    row = {"single_m": min(single_m, asked.m), "single_n": min(single_n, asked.n), "single_k": asked.k}
    for axis, most in (("m", 256), ("n", 256), ("k", 512)):
        row[f"base_{axis}"] = 16 * dice.randint(1, min(up(row[f"single_{axis}"], 16), most) // 16)
    deep = -(-asked.k // row["base_k"])
    row |= {f"step_{name}": dice.randint(1, deep) for name in ("ka", "kb")} | {"step_m": 1, "step_n": 1}
    row |= {f"{name}_{side}": dice.randint(1, 2) for name in ("db", "loads") for side in "ab"} | {"db_c": dice.randint(1, 2)}
    return row if holds(asked, row) else None


def grid_tilings(asked: Asked, problem: Problem) -> list[Row]:
    """Every grid with base blocks of 128 x 256 x 64 and the longest loads that fit."""
    found = []
    for _, single_m in parts_of(problem.m, asked.dim):
        for _, single_n in parts_of(problem.n, asked.dim):
            row = {
                "single_m": single_m,
                "single_n": single_n,
                "single_k": asked.k,
                "step_m": 1,
                "step_n": 1,
                "db_a": 2,
                "db_b": 2,
                "db_c": 1,
            }
            row |= {"base_m": min(128, up(single_m, 16)), "base_n": min(256, up(single_n, 16)), "base_k": min(64, up(asked.k, 16))}
            deep = -(-asked.k // row["base_k"])
            found += [row | {"step_ka": s, "step_kb": s, "loads_a": 2, "loads_b": 2} for s in range(1, deep + 1)]
    return [row for row in found if holds(asked, row)]


def tiling_of(asked: Asked, row: Row) -> TCubeTiling:
    return TCubeTiling(
        usedCoreNum=-(-asked.m // row["single_m"]) * -(-asked.n // row["single_n"]),
        M=asked.m, N=asked.n, Ka=asked.k, Kb=asked.k, batchM=1, batchN=1, singleBatchM=1, singleBatchN=1,
        singleCoreM=row["single_m"], singleCoreN=row["single_n"], singleCoreK=row["single_k"],
        baseM=row["base_m"], baseN=row["base_n"], baseK=row["base_k"], stepM=1, stepN=1, stepKa=row["step_ka"], stepKb=row["step_kb"],
        depthA1=row["step_ka"] * row["loads_a"], depthB1=row["step_kb"] * row["loads_b"],
        dbL0A=row["db_a"], dbL0B=row["db_b"], dbL0C=row["db_c"],
    )  # fmt: skip


def holds(asked: Asked, row: Row) -> bool:
    return broken(asked, tiling_of(asked, row)) == []


def row_of(t: TCubeTiling) -> Row:
    row = {f"single_{axis.lower()}": getattr(t, f"singleCore{axis}") for axis in "MNK"}
    row |= {f"base_{axis.lower()}": getattr(t, f"base{axis}") for axis in "MNK"}
    row |= {"step_m": t.stepM, "step_n": t.stepN, "step_ka": t.stepKa, "step_kb": t.stepKb}
    row |= {"db_a": t.dbL0A, "db_b": t.dbL0B, "db_c": t.dbL0C}
    return row | {"loads_a": t.depthA1 // (t.stepM * t.stepKa), "loads_b": t.depthB1 // (t.stepN * t.stepKb)}


def times(asked: Asked, problem: Problem, rows: list[Row]) -> list[float]:
    columns = {name: np.array([row[name] for row in rows], dtype=np.int64) for name in rows[0]}
    parts = {"parts_m": -(-asked.m // columns["single_m"]), "parts_n": -(-asked.n // columns["single_n"])}
    return [float(each) for each in cycles(Tilings.of(**columns, **parts).counted(), problem)]


def others_of(asked: Asked, seed: int, count: int) -> list[Row]:
    dice, others = random.Random(seed), grid_tilings(asked, problem_of(asked.tiler()._asked))
    wanted = len(others) + count
    for _ in range(200 * count):
        row = random_tiling(asked, dice)
        others += [row] if row else []
        if len(others) == wanted:
            return others
    raise AssertionError("too few random tilings hold the rules")


def slowness(asked: Asked, seed: int, count: int) -> float:
    """How much longer our tiling takes than the best of the others."""
    own, *rest = times(asked, problem_of(asked.tiler()._asked), [row_of(asked.tiler().get_tiling()), *others_of(asked, seed, count)])
    return own / min(rest)


@cache
def kernel(turned: bool) -> Kernel:
    return Kernel(Program(Path(__file__).with_name("product.cpp"), defines={"TURNED": str(turned).lower()}).compile())


def slowness_by_profile(asked: Asked, seed: int, count: int) -> float:
    """The same on the modelled chip, which walks through every instruction."""
    a, b, c = Buffer((asked.m, asked.k), np.float16), Buffer((asked.k, asked.n), np.float16), Buffer((asked.m, asked.n), np.float32)
    found = []
    for tiling in [asked.tiler().get_tiling(), *(tiling_of(asked, row) for row in others_of(asked, seed, count))]:
        with Profile(timing_only=True, trace=False, l2="cold") as profile:
            launch(Stream(), LaunchConfig(num_blocks=tiling.usedCoreNum), kernel(asked.b_trans), a, b, c, tiling)
        found.append(profile.launches[0].task_us)
    own, *rest = found
    return own / min(rest)


def problems(count: int) -> list[Asked]:
    dice = random.Random(17)
    made = []
    for _ in range(count):
        m, n, k = (dice.choice((16, 64, 128, 256, 512, 1024, dice.randint(1, 1024))) for _ in range(3))
        made.append(Asked(m, n, k, dim=dice.choice((20, 24)), b_trans=dice.random() < 0.3, bias=False))
    return made


@pytest.mark.slow
@pytest.mark.parametrize(("number", "asked"), list(enumerate(problems(50))))
def test_no_other_tiling_is_much_faster(number: int, asked: Asked) -> None:
    assert slowness(asked, number, 200) <= ALLOWED


@pytest.mark.slow
@pytest.mark.parametrize(("number", "asked"), list(enumerate(problems(50))))
def test_no_other_tiling_is_much_faster_by_profile(number: int, asked: Asked, request: pytest.FixtureRequest) -> None:
    if number in TOO_SLOW:
        request.applymarker(pytest.mark.xfail(reason=TOO_SLOW[number], strict=True))
    assert slowness_by_profile(asked, number, 200) <= ALLOWED


@pytest.mark.parametrize("asked", [Asked(1024, 1024, 1024, b_trans=True), Asked(16, 256, 1024, b_trans=True)])
def test_no_other_tiling_of_a_few_problems_is_much_faster_by_profile(asked: Asked) -> None:
    assert slowness_by_profile(asked, 1, 10) <= ALLOWED


@pytest.mark.parametrize("asked", [Asked(1024, 1024, 1024), Asked(128, 512, 1024, dim=20), Asked(1000, 77, 300)])
def test_no_other_tiling_of_a_few_problems_is_much_faster(asked: Asked) -> None:
    assert slowness(asked, 1, 40) <= ALLOWED


def test_the_model_prefers_what_moves_less() -> None:
    """Half of the base block is loaded twice as often; one buffer waits where two overlap."""
    asked = Asked(1024, 1024, 1024)
    problem = problem_of(asked.tiler()._asked)
    good = row_of(asked.tiler().get_tiling())
    small = good | {"base_m": 16, "base_n": 16, "loads_a": 2, "loads_b": 2, "step_ka": 1, "step_kb": 1, "step_m": 1, "step_n": 1}
    waiting = good | {"loads_a": 1, "loads_b": 1, "step_m": 1, "step_n": 1, "step_ka": 1, "step_kb": 1}
    one_core = good | {"single_m": 1024, "single_n": 1024}
    best, *worse = times(asked, problem, [good, small, waiting, one_core])
    assert all(best < 0.8 * each for each in worse)
