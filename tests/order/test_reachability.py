# SPDX-License-Identifier: Apache-2.0
"""The search that everything else is compared with: each edge of the model in a program that is in order, and in the same without it."""

from __future__ import annotations

import pytest
from events import Access, Barrier, Core, CrossSet, CrossWait, Program, Set, Touch, Wait
from hand_made import CASES, LEGAL, Case
from random_programs import correct_program, random_program
from reachability import Hang, order_of, some_races
from schedules import Stuck, at_issue, by_chance


@pytest.mark.parametrize("case", CASES + LEGAL, ids=lambda case: case.name)
def test_each_edge_orders_its_program_and_taking_it_away_does_not(case: Case) -> None:
    assert not order_of(case.clean).races
    if case.racy:
        assert order_of(case.racy).races


def test_the_pair_that_is_named_is_the_pair_in_no_order() -> None:
    events = (Access("MTE2", (Touch("w", "UB", 0, 64),)), Access("V", (Touch("w", "UB", 64, 128), Touch("r", "UB", 0, 64))))
    assert order_of(Program((Core("AIV", 0, events),))).races == {((0, 0), (0, 1))}


@pytest.mark.parametrize("events", [(Wait("MTE2", "V", 0),), (Wait("MTE2", "V", 0), Barrier("ALL"), Set("MTE2", "V", 0)), (CrossWait(0),)])
def test_a_wait_that_nothing_ends_is_a_hang(events: tuple[Wait | Barrier | Set | CrossWait, ...]) -> None:
    with pytest.raises(Hang):
        order_of(Program((Core("AIV", 0, events),)))


def test_tokens_of_two_groups_on_one_flag_are_refused() -> None:
    events = (CrossSet(0, "MTE3", 0), CrossSet(1, "MTE3", 0), CrossWait(0))
    with pytest.raises(Hang, match="two groups"):
        order_of(Program((Core("AIV", 0, events),)))


def test_the_short_cut_for_long_programs_finds_a_race_where_there_is_one() -> None:
    for seed in range(300):
        program = random_program(seed)
        some, all_of_them = some_races(program), order_of(program).races
        assert some <= all_of_them
        assert bool(some) == bool(all_of_them)


def test_random_programs_are_of_all_kinds() -> None:
    found = [(program, order_of(program)) for program in map(random_program, range(300))]
    assert 0.5 < sum(bool(order.races) for _, order in found) / len(found) < 0.95
    assert any(order.supplied for _, order in found)
    assert any(order.ambiguous for _, order in found)
    assert {len(program.cores) for program, _ in found} == {1, 2, 3, 4, 6}
    assert {event.mode for program, _ in found for core in program.cores for event in core.events if isinstance(event, CrossSet)} == {
        0,
        1,
        2,
    }


@pytest.mark.parametrize("auto_sync", ["on", "off"])
def test_correct_programs_keep_most_of_their_accesses(auto_sync: str) -> None:
    kept = before = 0
    for seed in range(100):
        racy, correct = random_program(seed, auto_sync), correct_program(seed, auto_sync)
        assert not order_of(correct).races
        before += sum(isinstance(event, Access) for core in racy.cores for event in core.events)
        kept += sum(isinstance(event, Access) for core in correct.cores for event in core.events)
    assert kept > before / 2


def test_every_schedule_issues_and_runs_the_same_events() -> None:
    for seed in range(30):
        program = random_program(seed)
        try:
            runs = [at_issue(program), by_chance(program, 1), by_chance(program, 2)]
        except Stuck:  # the compiler's own flag stands before what would let it go on
            continue
        assert len({tuple(sorted(run)) for run in runs}) == 1
        assert len({tuple(run) for run in runs}) > 1 or len(program.cores[0].events) < 6
