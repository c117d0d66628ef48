# SPDX-License-Identifier: Apache-2.0
"""The missing edge and the smallest change: chosen from the two sides and from what stands near them, the same way for every rule."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fakes
import pytest
from fakes import ADD, IN, OUT, Standing, race

from aclimb.check import edges
from aclimb.check.finding import Finding
from aclimb.check.syncs import sync_of

Find = Callable[..., list[Finding]]
ROOT = Path(__file__).parents[2]
MTE2_TO_V = {
    "first": {"where": ("AIV", IN), "agent": "MTE2", "instruction": "DataCopy", "operand": 0},
    "second": {"where": ("AIV", ADD), "agent": "V", "instruction": "Add", "operand": 1, "way": "reads"},
}
OTHER_CORE = {"unit": 1, "block": 1, "core_idx": 1}
ACROSS = {
    "first": {"where": ("AIV", OUT), "agent": "MTE3", "instruction": "DataCopy"},
    "second": {"where": ("AIV", 12), "agent": "MTE2", "instruction": "DataCopy", **OTHER_CORE},
}


def across(**changes: Any) -> fakes.Launch:
    first = {**ACROSS["first"], **changes.pop("first", {})}
    second = {**ACROSS["second"], **changes.pop("second", {})}
    return race("race_cores", first=first, second=second, memory="GM", parameter="gz", **changes)


def flag(line: int, kind: str, name: str, id: int = 0, at: str = "between") -> Standing:
    source, target = name.split("_")
    return Standing(kind, ("AIV", line), source, target, id, at=at)


def barrier(line: int, pipe: str) -> Standing:
    return Standing("barrier", ("AIV", line), pipe, pipe)


def other(call: str, pipe: str = "ALL") -> Standing:
    return Standing("other", ("AIV", 6), pipe, pipe, instruction=call)


def cross_set(line: int, mode: int, pipe: str, at: str) -> Standing:
    return Standing("cross_set", ("AIV", line), pipe, pipe, 3, mode, at)


def cross_wait(line: int, at: str) -> Standing:
    return Standing("cross_wait", ("AIV", line), id=3, at=at)


# --- the tables


def test_an_aiv_has_13_pairs_of_pipes_and_an_aic_24() -> None:
    assert (len(set(edges.AIV_FLAGS)), len(set(edges.AIC_FLAGS))) == (13, 24)


def test_every_flag_is_a_hard_event_of_the_headers() -> None:
    text = (ROOT / "device" / "include" / "aclimb" / "types.h").read_text()
    known = {f"{source}_{target}" for source, target in re.findall(r"\bEVENT\((\w+), (\w+)\)", text)}
    assert set(edges.AIV_FLAGS + edges.AIC_FLAGS) == {flag for flag in known if not re.search("M_V|V_M$|MTE1_V|V_MTE1", flag)}


@pytest.mark.parametrize(
    ("core", "source", "target", "flags"),
    [
        ("AIV", "MTE2", "V", ("MTE2_V",)),
        ("AIV", "V", "S", ("V_S",)),
        ("AIC", "MTE1", "M", ("MTE1_M",)),
        ("AIC", "MTE1", "S", ("MTE1_M", "M_S")),
        ("AIC", "S", "M", ("S_MTE2", "MTE2_M")),
        ("AIC", "M", "MTE3", ("M_FIX", "FIX_MTE3")),
        ("AIV", "M", "V", ()),
    ],
)
def test_the_shortest_chain_of_flags_that_a_core_has(core: str, source: str, target: str, flags: tuple[str, ...]) -> None:
    assert edges.chain(core, source, target) == flags


@pytest.mark.parametrize("core", ["AIV", "AIC"])
def test_from_every_pipe_of_a_core_flags_lead_to_every_other(core: str) -> None:
    pipes = {pipe for flag in edges.flags_of(core) for pipe in flag.split("_")}
    for source in pipes:
        for target in pipes - {source}:
            flags = edges.chain(core, source, target)
            assert flags
            assert flags[0].startswith(f"{source}_")
            assert flags[-1].endswith(f"_{target}")
            assert set(flags) <= set(edges.flags_of(core))


# --- new edges on one core


def test_between_two_pipes_the_flag_of_the_pair(find: Find) -> None:
    (finding,) = find(race())
    assert finding.missing == "V_MTE3"
    assert finding.fix == f"SetFlag and WaitFlag<HardEvent::V_MTE3> between lines {ADD} and {OUT}"
    assert finding.fix_lines is not None
    assert (finding.fix_lines.after_line, finding.fix_lines.before_line) == (ADD, OUT)


def test_the_way_back_in_a_loop_names_the_next_round(find: Find) -> None:
    (finding,) = find(
        race(first={"where": ("AIV", OUT), "agent": "MTE3", "way": "reads"}, second={"where": ("AIV", ADD), "agent": "V", "way": "writes"})
    )
    assert finding.fix == f"SetFlag and WaitFlag<HardEvent::MTE3_V> behind line {OUT} and before line {ADD} of the next round"


def test_inside_one_pipe_its_barrier(find: Find) -> None:
    side = {"where": ("AIV", IN), "agent": "MTE2", "way": "writes", "instruction": "DataCopy"}
    (finding,) = find(race(first=side, second={**side, "where": ("AIV", ADD)}))
    assert (finding.rule, finding.missing) == ("O2", "PipeBarrier<PIPE_MTE2>()")
    assert finding.fix == f"PipeBarrier<PIPE_MTE2>() between lines {IN} and {ADD}"


def test_one_line_with_itself_is_a_matter_of_rounds(find: Find) -> None:
    side = {"where": ("AIV", IN), "agent": "MTE2", "way": "writes", "instruction": "DataCopy"}
    (finding,) = find(race(first=side, second=side))
    assert finding.fix == f"PipeBarrier<PIPE_MTE2>() between one round of line {IN} and the next"
    assert finding.headline.startswith("Race: MTE2 writes ")
    assert "twice in no order" in finding.headline


def test_towards_the_scalar_unit_the_flag_that_ends_in_s(find: Find) -> None:
    (finding,) = find(race(second={"where": ("AIV", 13), "agent": "S", "instruction": "GetValue"}))
    assert (finding.rule, finding.missing) == ("O3", "V_S")


def test_a_chain_where_the_core_has_no_such_flag(find: Find) -> None:
    aic = {"core_type": fakes.named("AIC"), "instruction": "LoadData"}
    (finding,) = find(race(first={**aic, "agent": "MTE1"}, second={**aic, "agent": "S", "where": ("AIV", OUT)}, memory="L0A"))
    assert (finding.rule, finding.missing) == ("O8", "MTE1_M and M_S")
    assert finding.fix.startswith("SetFlag and WaitFlag of MTE1_M, then of M_S, between lines ")


def test_pipe_all_where_no_flag_leads_there(find: Find) -> None:
    (finding,) = find(race(second={"agent": "M"}))
    assert finding.missing == "PipeBarrier<PIPE_ALL>()"


def test_what_is_in_the_data_cache_is_written_back_first(find: Find) -> None:
    (finding,) = find(
        race(first={"agent": "MTE2", "where": ("AIV", 12), "way": "reads"}, second={"agent": "D", "where": ("AIV", 17), "way": "writes"})
    )
    assert (finding.rule, finding.missing) == ("O3", "a write-back and S_MTE2")
    assert finding.fix == (
        "DataCacheCleanAndInvalid and DataSyncBarrier behind line 17, then SetFlag and WaitFlag<HardEvent::S_MTE2> "
        "behind line 17 and before line 12 of the next round"
    )


def test_two_files_name_both(find: Find, tmp_path: Path) -> None:
    first, second = edges.Access(file="/a/one.h", line=3), edges.Access(file="/a/two.cpp", line=9)
    assert edges.between(first, second) == ("behind one.h:3 and before two.cpp:9", edges.FixLines("/a/one.h", 3))
    assert edges.between(edges.Access(), second) == ("between the two", None)


# --- what stands there is changed first


def changed(find: Find, *order: Standing, **sides: Any) -> Finding:
    (finding,) = find(race(order=order, **(sides or MTE2_TO_V)))
    return finding


def test_a_set_on_another_pipe_is_renamed(find: Find) -> None:  # M5
    finding = changed(find, flag(6, "set", "MTE3_V"), flag(7, "wait", "MTE3_V"))
    assert (finding.missing, finding.fix) == ("MTE2_V", "make the MTE3_V of lines 6 and 7 MTE2_V: MTE3 did not do the work")
    assert finding.existing == "between them: MTE3_V"


def test_a_wait_behind_its_consumer_is_moved(find: Find) -> None:  # M6
    finding = changed(find, flag(6, "set", "MTE2_V"), flag(9, "wait", "MTE2_V", at="behind_second"))
    assert finding.fix == f"move WaitFlag<HardEvent::MTE2_V> in line 9 before line {ADD}, which is to wait"
    assert finding.existing == "between them: SetFlag<HardEvent::MTE2_V>(0) (add.cpp:6)"


def test_a_set_before_its_producer_is_moved(find: Find) -> None:  # M7
    finding = changed(find, flag(4, "set", "MTE2_V", at="before_first"), flag(7, "wait", "MTE2_V"))
    assert finding.fix == f"move SetFlag<HardEvent::MTE2_V> in line 4 behind line {IN}, which it is to tell of"


def test_a_move_is_proposed_although_the_engine_does_not_show_the_other_half(find: Find) -> None:
    assert changed(find, flag(6, "set", "MTE2_V")).fix == f"move WaitFlag<HardEvent::MTE2_V> before line {ADD}, which is to wait"
    assert changed(find, flag(6, "wait", "MTE2_V")).fix == f"move SetFlag<HardEvent::MTE2_V> behind line {IN}, which it is to tell of"


def test_a_barrier_of_one_pipe_is_widened(find: Find) -> None:  # M10
    finding = changed(find, barrier(14, "V"))
    assert finding.fix == "make PipeBarrier<PIPE_V>() in line 14 PipeBarrier<PIPE_ALL>(): it orders V with itself only"
    assert finding.missing == "MTE2_V"


def test_a_barrier_of_another_pipe_becomes_that_of_the_right_one(find: Find) -> None:
    side = {"where": ("AIV", IN), "agent": "MTE2", "way": "writes", "instruction": "DataCopy"}
    finding = changed(find, barrier(14, "V"), first=side, second={**side, "where": ("AIV", ADD)})
    assert finding.fix == "make PipeBarrier<PIPE_V>() in line 14 PipeBarrier<PIPE_MTE2>(): it orders V with itself only"


def test_flags_that_lead_elsewhere_are_listed_and_left_alone(find: Find) -> None:
    finding = changed(find, flag(6, "set", "V_MTE3"), flag(7, "wait", "V_MTE3"), flag(8, "set", "S_V", 1))
    assert finding.fix == f"SetFlag and WaitFlag<HardEvent::MTE2_V> between lines {IN} and {ADD}"
    assert finding.existing == "between them: V_MTE3, SetFlag<HardEvent::S_V>(1) (add.cpp:8)"


def test_more_than_four_synchronisations_are_counted(find: Find) -> None:
    many = [flag(6, "set", "S_V", number) for number in range(6)]
    assert changed(find, *many).existing.endswith(" and 2 more")


# --- several cores


def test_a_new_flag_between_cores_is_set_on_the_pipe_that_did_the_work(find: Find) -> None:  # M17
    (finding,) = find(across())
    assert (finding.rule, finding.missing) == ("O5", "CrossCoreSetFlag<0, PIPE_MTE3>")
    assert finding.fix == (
        f"CrossCoreSetFlag<0, PIPE_MTE3> behind line {OUT}, and CrossCoreWaitFlag before line 12, or SyncAll() between the two"
    )


@pytest.mark.parametrize(
    ("first", "second", "missing"),
    [
        ({}, {"block": 0}, "CrossCoreSetFlag<1, PIPE_MTE3>"),  # two AIVs of a block
        ({"core_type": fakes.named("AIC"), "agent": "FIX"}, {"block": 0}, "CrossCoreSetFlag<2, PIPE_FIX>"),
        ({"core_type": fakes.named("AIC"), "agent": "FIX"}, {}, "SyncAll<false>()"),  # another block's AIV
    ],
)
def test_the_mode_is_that_of_the_relation(find: Find, first: dict[str, Any], second: dict[str, Any], missing: str) -> None:
    (finding,) = find(across(first=first, second=second))
    assert finding.missing == missing


def test_the_scalar_unit_cannot_set_across_cores_itself(find: Find) -> None:
    (finding,) = find(across(first={"agent": "S"}))
    assert finding.fix.startswith("SetFlag and WaitFlag<HardEvent::S_MTE3>, then CrossCoreSetFlag<0, PIPE_MTE3> behind line ")


def test_who_writes_is_waited_for_whatever_its_core(find: Find) -> None:
    (finding,) = find(
        across(
            first={"way": "reads", "where": ("AIV", 12), "agent": "MTE2"}, second={"way": "writes", "where": ("AIV", OUT), "agent": "MTE3"}
        )
    )
    assert finding.fix.startswith(f"CrossCoreSetFlag<0, PIPE_MTE3> behind line {OUT}, and CrossCoreWaitFlag before line 12")


@pytest.mark.parametrize("distance", [0, 8, 64])
def test_a_cross_core_set_on_another_pipe_is_changed(find: Find, distance: int) -> None:  # M15
    order = [cross_set(10, 0, "V", "behind_first"), cross_wait(11, "before_second")]
    (finding,) = find(across(order=order))
    assert finding.rule == "O4"
    assert finding.missing == "CrossCoreSetFlag<0, PIPE_MTE3>"
    assert finding.fix == (
        "make CrossCoreSetFlag<0, PIPE_V>(3) in line 10 CrossCoreSetFlag<0, PIPE_MTE3>(3): MTE3 did the work, and V says nothing about it"
    )


def test_a_cross_core_wait_that_comes_too_late_is_moved(find: Find) -> None:  # M14
    order = [cross_set(10, 0, "MTE3", "behind_first"), cross_wait(11, "behind_second")]
    (finding,) = find(across(order=order))
    assert (finding.rule, finding.fix) == ("O4", "move CrossCoreWaitFlag in line 11 before line 12, which is to wait")


def test_a_cross_core_set_that_comes_too_early_is_moved(find: Find) -> None:
    order = [cross_set(4, 0, "MTE3", "before_first"), cross_wait(11, "before_second")]
    (finding,) = find(across(order=order))
    assert finding.fix == f"move CrossCoreSetFlag<0, PIPE_MTE3>(3) in line 4 behind line {OUT}, which it is to tell of"


def test_a_mode_that_does_not_reach_the_other_core_is_changed(find: Find) -> None:  # M16
    order = [cross_set(10, 1, "MTE3", "behind_first"), cross_wait(11, "before_second")]
    (finding,) = find(across(order=order))
    assert finding.fix == (
        "make CrossCoreSetFlag<1, PIPE_MTE3>(3) in line 10 CrossCoreSetFlag<0, PIPE_MTE3>(3): mode 1 reaches the AIVs of its block only"
    )


def test_where_the_way_there_is_ordered_the_way_back_is_missing(find: Find) -> None:  # M34
    order = [cross_set(10, 0, "MTE3", "behind_first"), cross_wait(11, "before_second")]
    (finding,) = find(across(order=order))
    assert finding.fix.startswith(f"CrossCoreSetFlag<0, PIPE_MTE2> behind line 12, and CrossCoreWaitFlag before line {OUT}")


# --- as the kernel has it


@pytest.mark.parametrize(
    ("standing", "written"),
    [
        (flag(6, "set", "MTE2_V"), "SetFlag<HardEvent::MTE2_V>(0)"),
        (flag(6, "wait", "V_S", 7), "WaitFlag<HardEvent::V_S>(7)"),
        (barrier(6, "ALL"), "PipeBarrier<PIPE_ALL>()"),
        (barrier(6, "V"), "PipeBarrier<PIPE_V>()"),
        (cross_set(6, 2, "FIX", "between"), "CrossCoreSetFlag<2, PIPE_FIX>(3)"),
        (cross_wait(6, "between"), "CrossCoreWaitFlag(3)"),
        (other("SetNextTaskStart", "MTE3"), "SetNextTaskStart<PIPE_MTE3>()"),
        (other("SetNextTaskStart"), "SetNextTaskStart()"),
        (other("WaitPreTaskEnd"), "WaitPreTaskEnd()"),
        (other("SyncAll (soft)"), "SyncAll()"),
        (other(""), "SyncAll()"),
        (other("DataSyncBarrier"), "DataSyncBarrier()"),
    ],
)
def test_a_synchronisation_is_written_as_the_kernel_has_it(standing: Standing, written: str) -> None:
    assert sync_of(standing, None).written == written  # type: ignore[arg-type]
