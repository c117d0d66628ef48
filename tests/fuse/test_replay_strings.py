# SPDX-License-Identifier: Apache-2.0
"""The string of a schedule: it is read as it is written, brings back the same steps anywhere, and is the smallest that was found."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
from chains import KERNELS
from hypothesis import given
from hypothesis import strategies as st

from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, errors, launch
from aclimb.flow import PIPES
from aclimb.fuse import Member, Numbered, Schedule, fuse, stress
from aclimb.runtime.fused_runs import Priorities, ordered
from aclimb.schedules.cores import LaunchCores, simplified
from aclimb.schedules.schedule import LONGEST, PIPES_OF, Kind

# --- written and read

indices = st.integers(-1, 99)  # -1: all of them
cores = st.lists(st.tuples(st.sampled_from(["AIC", "AIV"]), indices), max_size=6).map(simplified)
some_cores = cores.filter(bool)
seeds = st.integers(0, 2**64 - 1)


@st.composite
def numbered(draw: st.DrawFn) -> Numbered:
    kind = draw(st.sampled_from(["AIC", "AIV"]))
    return Numbered((kind, draw(st.integers(0, 99))), draw(st.sampled_from(PIPES_OF[kind])), draw(st.integers(1, 10**6)))


schedules = st.one_of(
    st.builds(Schedule, st.just("seed"), seed=seeds),
    st.builds(Schedule, st.sampled_from(["late", "early"]), st.sampled_from(PIPES), cores),
    st.builds(Schedule, st.sampled_from(["late-core", "early-core"]), cores=some_cores),
    st.just(Schedule("reverse")),
    st.builds(
        Schedule,
        st.just("pct"),
        cores=cores,
        seed=seeds,
        changes=st.lists(st.integers(0, 2**40), max_size=2).map(lambda steps: tuple(sorted(steps))),
    ),
    st.tuples(numbered(), numbered()).filter(lambda pair: pair[0] != pair[1]).map(lambda pair: Schedule("witness", pair=pair)),
)


@pytest.mark.requirement("ord-46")
@given(schedule=schedules.filter(lambda schedule: schedule.fits))
def test_every_schedule_is_read_as_it_is_written(schedule: Schedule) -> None:
    assert len(str(schedule)) <= LONGEST == 80
    assert Schedule.parse(str(schedule)) == schedule


@given(text=st.text(max_size=100))
def test_any_other_text_is_refused_in_words(text: str) -> None:
    with suppress(errors.InvalidArgument):
        made = Schedule.parse(text)
        assert Schedule.parse(str(made)) == made


@given(schedule=schedules, at=st.integers(0, 79), put=st.characters(codec="ascii"))
def test_a_string_with_one_wrong_character_is_refused_or_another_schedule(schedule: Schedule, at: int, put: str) -> None:
    text = str(schedule)[:LONGEST]
    text = text[: at % len(text)] + put + text[at % len(text) + 1 :]
    with suppress(errors.InvalidArgument):
        made = Schedule.parse(text)
        assert Schedule.parse(str(made)) == made


@pytest.mark.parametrize(
    ("replay", "said"),
    [
        ("", "replay is ''; it has to begin with the version, and this aclimb reads version 1: 1:late:MTE3"),
        ("2:late:V", "replay is '2:late:V'; it has to begin with the version, and this aclimb reads version 1"),
        ("1", "replay is '1'; '' is no kind of schedule; known are seed, late, early, late-core, early-core, reverse, pct, witness"),
        ("1:slow:V", "'slow' is no kind of schedule; known are seed, late"),
        ("1:late", r"replay is '1:late'; this kind is written 1:late:MTE3 or 1:late:MTE3@AIV0"),
        ("1:late:MTE9", "'MTE9' is no pipe; there are S, V, M, MTE1, MTE2, MTE3, FIX"),
        ("1:late:V@", "'' is no core: AIV3, AIV4-7 or AIV"),
        ("1:late:V@AIV3-1", "'AIV3-1' ends before it begins"),
        ("1:late:V@AIV03", "'AIV03' is no core"),
        ("1:late-core", "this kind is written 1:late-core@AIV0"),
        ("1:reverse@AIV0", "this kind is written 1:reverse"),
        ("1:seed:-3", "the seed is '-3'; it takes 0 to 18446744073709551615"),
        ("1:seed:18446744073709551616", "the seed is '18446744073709551616'; it takes 0 to 18446744073709551615"),
        ("1:pct:5", r"this kind is written 1:pct:17:d1 or 1:pct:17:d3:120,4511@AIV0"),
        ("1:pct:5:d4:1,2,3", "the depth is 'd4'; it takes d1 to d3"),
        ("1:pct:5:d3:12", "d3 takes 2 steps in ascending order; '12' are given"),
        ("1:pct:5:d2", "d2 takes 1 steps in ascending order; 'none' are given"),
        ("1:pct:5:d3:12,7", "d3 takes 2 steps in ascending order; '12,7' are given"),
        ("1:pct:5:d2:x", "a step is 'x'; it takes 0 to"),
        ("1:witness:AIV0.V.1", "'' is no instruction: AIV0.MTE3.12 is the twelfth of MTE3 on AIV 0"),
        ("1:late:V" + "@AIV" * 40, r"it has 168 characters; at most 80 are printed"),
        (7, "replay is 7; it takes a string that a report printed, such as '1:late:MTE3'"),
    ],
)  # fmt: skip
def test_a_bad_string_is_explained(replay: Any, said: str) -> None:
    with pytest.raises(errors.InvalidArgument) as caught:
        Schedule.parse(replay)
    assert said in str(caught.value)


def test_every_kind_has_words() -> None:
    assert {kind: Schedule.parse(text).words for kind, text in zip(get_args(Kind), EACH, strict=True)} == {
        "seed": "seed 5",
        "late": "late(MTE3) on AIV 0, AIV 1",
        "early": "early(V)",
        "late-core": "AIV 1 last",
        "early-core": "AIV 1 first",
        "reverse": "the cores in reverse order",
        "pct": "priorities by chance, depth 3 on AIV",
        "witness": "MTE3 instruction 1 of AIV 0 behind MTE2 instruction 2 of AIV 1",
    }


EACH = [
    "1:seed:5",
    "1:late:MTE3@AIV0-1",
    "1:early:V",
    "1:late-core@AIV1",
    "1:early-core@AIV1",
    "1:reverse",
    "1:pct:17:d3:9,40@AIV",
    "1:witness:AIV0.MTE3.1>AIV1.MTE2.2",
]

# --- the same steps

BLOCKS = 6


def neighbours(pipe: str = "PIPE_V") -> tuple[Kernel, list[Any]]:
    kernel = Kernel(Program(KERNELS / "orders.cpp", defines={"SET_ON": pipe}).compile(), "neighbours")
    return kernel, [*(Buffer.from_array(np.full(BLOCKS * 16, value, np.float32)) for value in (1, 50, 0)), 9]


def steps_of(replay: str) -> tuple[int, int, str]:
    """How many steps, their fingerprint, and the result."""
    kernel, arguments = neighbours()
    stream, order = Stream(), Schedule.parse(replay).engine(LaunchCores("neighbours", kernel.info.kernel_type, BLOCKS))
    assert isinstance(order, Priorities)
    with ordered(stream, order):
        launch(stream, LaunchConfig(BLOCKS), kernel, *arguments)
        stream.synchronize()
    return order.steps, order.fingerprint, arguments[2].to_numpy().tobytes().hex()


@pytest.mark.requirement("ord-46")
def test_a_string_brings_back_the_same_steps_in_another_process_and_with_any_number_of_threads() -> None:
    here = [steps_of(each) for each in EACH[1:]]
    assert [steps_of(each) for each in EACH[1:]] == here
    assert len({fingerprint for _, fingerprint, _ in here}) == len(here)  # and they are different schedules
    code = f"""
import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})
from test_replay_strings import EACH, steps_of
print([steps_of(each) for each in EACH[1:]])
"""
    for threads in ("3",):
        where = {**os.environ, "ACLIMB_THREADS": threads}
        done = subprocess.run([sys.executable, "-c", code], env=where, capture_output=True, text=True, timeout=600, check=False)
        assert done.stdout == f"{here}\n", done.stderr


@pytest.mark.requirement("ord-46")
def test_every_difference_comes_back_with_its_string() -> None:
    kernel, arguments = neighbours()
    report = stress(kernel, *arguments, config=LaunchConfig(BLOCKS), schedules=80)
    assert len(report.differences) > 10
    for found in report.differences:
        assert f'; replay="{found.replay}"' in str(found)
        assert len(found.replay) <= 80
    again = stress(kernel, *arguments, config=LaunchConfig(BLOCKS), replay=[each.replay for each in report.differences])
    assert again.differences == report.differences


# --- as small as it can be


def test_cores_that_are_not_needed_are_left_out() -> None:
    kernel, arguments = neighbours()
    report = stress(kernel, *arguments, config=LaunchConfig(BLOCKS), stop=True)
    (found,) = report.differences
    assert found.replay == "1:late:MTE3@AIV0"
    assert (found.parameter, found.first, found.last) == ("z", (BLOCKS - 1) * 64, BLOCKS * 64 - 1)  # what its neighbour read of it


COUNTING = """
#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __vector__ void count_up(GM_ADDR x) {
    GlobalTensor<int32_t> word;
    word.SetGlobalBuffer((__gm__ int32_t*)x);
    const int32_t before = ReadGmByPassDCache(word.GetPhyAddr());
    DataSyncBarrier<MemDsbT::ALL>();
    WriteGmByPassDCache(word.GetPhyAddr(), before + 1);
}
"""


@pytest.mark.requirement("ord-46")
def test_change_points_that_are_not_needed_are_left_out_and_others_kept() -> None:
    """A lost count takes one: between the load and the store of a core, another core has to come."""
    kernel, x = Kernel(Program(COUNTING).compile()), Buffer.from_array(np.zeros(16, np.int32))
    by_chance = [f"1:pct:{seed}:d3:{a},{b}" for seed in range(3) for a in range(1, 9) for b in range(a, 9)]
    found = stress(kernel, x, config=LaunchConfig(5), replay=by_chance).differences
    assert found
    assert stress(kernel, x, config=LaunchConfig(5), replay=[f"1:pct:{seed}:d1" for seed in range(30)]).is_stable
    searched = [each for each in stress(kernel, x, config=LaunchConfig(5)).differences if each.schedule and each.schedule.kind == "pct"]
    assert searched
    (depth,) = {each.schedule.depth for each in searched[:8] if each.schedule}  # those that were made smaller
    assert depth == 2
    assert min(len(each.schedule.cores) for each in searched[:8] if each.schedule) in (1, 2)


def test_a_fused_kernel_is_made_smaller_too() -> None:
    binary = Program(KERNELS / "orders.cpp", defines={"SET_ON": "PIPE_V"}).compile()
    kernel = Kernel(fuse([Member(binary, 8, "early"), Member(binary, 8, "behind")], name="chain"))
    x, y, z = (Buffer.from_array(np.full(8 * 16, value, np.float32)) for value in (1, 50, 0))
    (found,) = stress(kernel, x, y, 5, y, z, stop=True).differences
    assert str(found) == 'late(MTE3) on AIV 0: behind_1.out bytes 448-511 differ, written by behind_1; replay="1:late:MTE3@AIV0"'


def test_seeds_and_replay_are_two_ways_to_choose() -> None:
    kernel, arguments = neighbours()
    with pytest.raises(errors.InvalidArgument, match="seeds and replay are two ways to choose; give one of them"):
        stress(kernel, *arguments, config=LaunchConfig(BLOCKS), seeds=[0], replay="1:reverse")
    with pytest.raises(errors.InvalidArgument, match="schedules is -1; it takes how many to try, 0 and up"):
        stress(kernel, *arguments, config=LaunchConfig(BLOCKS), schedules=-1)
    with pytest.raises(errors.InvalidArgument, match=r"there is no AIV 6: this launch of neighbours has AIV 0 to 5"):
        stress(kernel, *arguments, config=LaunchConfig(BLOCKS), replay="1:late-core@AIV6")
    assert np.array_equal(arguments[2].to_numpy(), np.zeros(BLOCKS * 16))  # put back
