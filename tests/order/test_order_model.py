# SPDX-License-Identifier: Apache-2.0
"""Clocks decide as the search does, whatever order the program happens to run in."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress

import pytest
from events import Program, accesses
from hand_made import CASES, LEGAL, Case
from models import MODELS, CheckModel, EngineModel, Model, is_beyond_the_engine, judge
from random_programs import correct_program, random_program
from reachability import order_of
from schedules import Step, Stuck, all_late, at_issue, by_chance

each_model = pytest.mark.parametrize("make", MODELS, ids=lambda make: make.__name__)
MakeModel = Callable[[list[tuple[str, int]], str], Model]


def compare(make: MakeModel, program: Program, orders: Iterable[Callable[[Program], list[Step]]]) -> int:
    """How many of the orders were tried: none of a program in which a flag may mean two sets, or in which the compiler's own wait hangs."""
    expected, tried = order_of(program), 0
    if expected.ambiguous or (make is EngineModel and is_beyond_the_engine(program)):
        return 0
    for order in orders:
        try:
            steps = order(program)
        except Stuck:
            return tried
        found = judge(make, program, steps)
        if make is EngineModel and any(access.cached for _, access in accesses(program)):
            assert bool(found.races) == bool(expected.races)  # it puts stores to one line together
        else:
            assert set(found.races) == expected.races
        if make is not EngineModel:
            assert set(found.supplied) == expected.supplied
        elif program.auto_sync == "warn":  # lists every earlier access that the flag covers, not only the last
            assert expected.supplied <= set(found.supplied)
        tried += 1
    return tried


def chance(*seeds: int) -> list[Callable[[Program], list[Step]]]:
    return [lambda program, seed=seed: by_chance(program, seed) for seed in seeds]


@each_model
@pytest.mark.parametrize("case", CASES + LEGAL, ids=lambda case: case.name)
@pytest.mark.requirement("ord-1", "ord-4", "ord-5", "ord-6", "ord-7", "ord-10", "ord-11", "ord-13")
def test_hand_made_programs_are_judged_as_the_search_does(make: MakeModel, case: Case) -> None:
    for program in (case.clean, case.racy):
        if program and not is_beyond_the_engine(program):
            compare(make, program, [at_issue, *chance(1, 2, 3)])


@each_model
@pytest.mark.requirement("ord-2", "ord-24")
def test_random_programs_are_judged_as_the_search_does(make: MakeModel) -> None:
    assert sum(compare(make, random_program(seed), [at_issue]) for seed in range(400)) > 350


@each_model
@pytest.mark.requirement("ord-3")
def test_the_verdict_is_the_same_for_every_order(make: MakeModel) -> None:
    for seed in range(1000, 1040):
        program = random_program(seed)
        compare(make, program, [*chance(*range(20))])
        races = {frozenset(judge(make, program, steps).races) for steps in _all_late(program)}
        assert len(races) <= 1 or order_of(program).ambiguous


def _all_late(program: Program) -> list[list[Step]]:
    try:
        return list(all_late(program))
    except Stuck:
        return []


@each_model
@pytest.mark.parametrize("auto_sync", ["on", "off", "warn"])
def test_correct_programs_have_no_findings(make: MakeModel, auto_sync: str) -> None:
    for seed in range(60):
        assert compare(make, correct_program(seed, auto_sync), [at_issue, *chance(1)]) in (0, 1, 2)


@each_model
@pytest.mark.slow
def test_ten_thousand_random_programs_are_judged_as_the_search_does(make: MakeModel) -> None:
    tried = sum(compare(make, random_program(seed), [at_issue, *chance(1, 2)]) for seed in range(10_000))
    assert tried > 28_000


@each_model
def test_stores_through_the_cache_are_judged_as_the_search_does(make: MakeModel) -> None:
    assert sum(compare(make, random_program(seed, with_cache=True), [at_issue]) for seed in range(5000, 5200)) > 150


@pytest.mark.requirement("ord-24")
@pytest.mark.parametrize("auto_sync", ["on", "off"])
def test_kernels_are_checked_with_a_pair_for_each_program_that_has_one(auto_sync: str) -> None:
    for seed in range(400):
        program = random_program(seed, auto_sync, with_pointers=False)
        expected = order_of(program)
        if expected.ambiguous:
            continue
        with suppress(Stuck):
            assert bool(judge(CheckModel, program, at_issue(program)).races) == bool(expected.races)
