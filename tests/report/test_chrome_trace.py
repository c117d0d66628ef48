# SPDX-License-Identifier: Apache-2.0
"""trace.json against the rules of its format and the numbers of the profile."""

from __future__ import annotations

import json
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import synthetic

from aclimb.trace import write_trace
from aclimb.trace.chrome import process_name

NANOSECOND = 1e-3
Events = list[dict[str, Any]]


@pytest.fixture(scope="module")
def profile() -> dict[str, Any]:
    return synthetic.profile(3000, 6)


@pytest.fixture(scope="module")
def trace(profile: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return dict(json.loads(write_trace(profile, tmp_path_factory.mktemp("trace") / "trace.json").read_text()))


@pytest.fixture(scope="module")
def events(trace: dict[str, Any]) -> Events:
    return list(trace["traceEvents"])


def by_lane(events: Events, *phases: str) -> dict[tuple[str, str], Events]:
    lanes: dict[tuple[str, str], Events] = defaultdict(list)
    for each in events:
        if each["ph"] in phases:
            lanes[each["pid"], each["tid"]].append(each)
    return lanes


def test_the_head_says_what_the_tools_look_for(trace: dict[str, Any]) -> None:
    assert [(key, trace[key]) for key in list(trace)[:3]] == [("schemaVersion", 2), ("displayTimeUnit", "ns"), ("profilingType", "op")]


@pytest.mark.parametrize(
    ("core", "pid", "place"),
    [("AIC 0", "core0.cubecore0", 1), ("AIV 0", "core0.veccore0", 2), ("AIV 1", "core0.veccore1", 3), ("AIC 2", "core2.cubecore0", 7),
     ("AIV 47", "core23.veccore1", 72)],
)  # fmt: skip
def test_processes_are_named_and_sorted_by_core(core: str, pid: str, place: int) -> None:
    assert process_name(core) == (pid, place)


def test_lanes_have_the_sort_index_and_colour_of_their_pipe(events: Events) -> None:
    places = {(e["pid"], e["tid"]): e["args"]["sort_index"] for e in events if e["name"] == "thread_sort_index"}
    vector = {tid: place for (pid, tid), place in places.items() if pid == "core0.veccore0" and "(" not in tid}
    assert vector == {"SCALAR": 1, "MTE2": 6, "VECTOR": 7, "MTE3": 8, "SET_FLAG": 14, "WAIT_FLAG": 15}
    cube = {tid for pid, tid in places if pid == "core0.cubecore0" and "(" not in tid}
    assert cube == {"SCALAR", "MTE1", "CUBE", "FIXP", "MTE2", "SET_FLAG", "WAIT_FLAG"}
    colours = {e["tid"].split()[0]: e["cname"] for e in events if e["ph"] == "X" and "cname" in e}
    assert colours == {
        "SCALAR": "startup", "MTE1": "thread_state_running", "MTE2": "thread_state_iowait", "MTE3": "rail_response",
        "VECTOR": "cq_build_failed", "CUBE": "background_memory_dump", "FIXP": "thread_state_unknown",
    }  # fmt: skip


def test_every_lane_used_is_declared(events: Events) -> None:
    declared = {(e["pid"], e["tid"]) for e in events if e["name"] == "thread_sort_index"}
    assert set(by_lane(events, "X", "B", "E", "s", "t")) == declared


def test_time_rises_in_every_lane_and_slices_do_not_cross(events: Events) -> None:
    for lane, slices in by_lane(events, "X").items():
        for before, after in pairwise(slices):
            assert before["ts"] + before["dur"] <= after["ts"] + NANOSECOND / 2, lane


def test_every_begin_has_its_end(events: Events) -> None:
    lanes = by_lane(events, "B", "E")
    assert {tid.split()[0] for _, tid in lanes} == {"SET_FLAG", "WAIT_FLAG"}
    for pairs in lanes.values():
        for begin, end in zip(pairs[::2], pairs[1::2], strict=True):
            assert (begin["ph"], end["ph"], begin["id"], begin["name"]) == ("B", "E", end["id"], end["name"])
            assert begin["ts"] < end["ts"]
        starts = [each["ts"] for each in pairs]
        assert starts == sorted(starts)


def test_every_flow_has_both_ends_inside_slices(events: Events, profile: dict[str, Any]) -> None:
    starts = {e["id"]: e for e in events if e["ph"] == "s"}
    steps = {e["id"]: e for e in events if e["ph"] == "t"}
    assert len(starts) == len(steps) == len(profile["flows"])
    around = {(e["pid"], e["tid"], e["ts"]): e for e in events if e["ph"] == "X"}
    slices = by_lane(events, "X")
    for number, step in steps.items():
        start = starts[number]
        assert start["cat"] == step["cat"] == f"{start['tid'].split()[0]}To{step['tid'].split()[0]}"
        assert start["name"] == step["name"] == "flow"
        assert (step["pid"], step["tid"], step["ts"]) in around
        assert any(e["ts"] <= start["ts"] <= e["ts"] + e["dur"] for e in slices[start["pid"], start["tid"]])
        assert start["ts"] <= step["ts"]


def test_sums_are_those_of_the_profile(events: Events, profile: dict[str, Any]) -> None:
    """Time by lane within the cut at nanoseconds, bytes exactly."""
    expected: dict[tuple[str, str], list[float]] = defaultdict(lambda: [0, 0.0, 0])
    names = {"S": "SCALAR", "V": "VECTOR", "M": "CUBE", "FIX": "FIXP"}
    columns = profile["slices"]
    for lane, us, size in zip(columns["lane"], columns["dur_us"], columns["bytes"], strict=True):
        each = profile["lanes"][lane]
        row = expected[process_name(each["core"])[0], names.get(each["pipe"], each["pipe"])]
        row[0], row[1], row[2] = row[0] + 1, row[1] + us, row[2] + size
    found: dict[tuple[str, str], list[float]] = defaultdict(lambda: [0, 0.0, 0])
    for event in events:
        if event["ph"] == "X" and event["pid"] != "host":
            row = found[event["pid"], event["tid"].split()[0]]
            row[0], row[1], row[2] = row[0] + 1, row[1] + event["dur"], row[2] + event["args"].get("process_bytes", 0)
    assert set(found) == set(expected)
    for key, (count, us, size) in expected.items():
        assert (found[key][0], found[key][2]) == (count, size)
        assert found[key][1] == pytest.approx(us, abs=count * NANOSECOND)


def test_slices_carry_their_source_line(events: Events) -> None:
    adds = [e for e in events if e["ph"] == "X" and e["name"] == "Add"]
    assert {e["args"]["code"] for e in adds} == {"add.cpp:22"}
    assert {e["args"]["detail"] for e in adds} == {"add_custom, launch 0"}


def test_the_counters_add_up_to_the_bytes_moved(events: Events, profile: dict[str, Any]) -> None:
    counters: dict[str, Events] = defaultdict(list)
    for event in events:
        if event["ph"] == "C":
            assert event["pid"] == "MTE Throughput"
            counters[event["name"]].append(event)
    assert set(counters) == {"GM_TO_UB", "GM_TO_L1", "GM_TO_TOTAL", "UB_TO_GM", "TOTAL_TO_GM"}
    moved = {"GM_TO_UB": ("AIV", "MTE2"), "GM_TO_L1": ("AIC", "MTE2"), "UB_TO_GM": ("AIV", "MTE3")}
    for name, (kind, pipe) in moved.items():
        rows = counters[name]
        integral = sum(a["args"]["throughput(MB/s)"] * (b["ts"] - a["ts"]) for a, b in pairwise(rows))
        cores = [core for launch in profile["launches"] for core in launch["cores"] if core["type"] == kind]
        assert integral == pytest.approx(sum(core["pipes"][pipe]["bytes"] for core in cores), rel=0.01)
        assert rows[-1]["args"]["throughput(MB/s)"] == 0


def test_streams_copies_and_callbacks_are_a_process_of_their_own(events: Events, profile: dict[str, Any]) -> None:
    host = [(e["tid"], e["name"], e["ts"], e["dur"]) for e in events if e["ph"] == "X" and e["pid"] == "host"]
    expected = [(e["lane"], e["name"], e["start_us"], e["dur_us"]) for e in profile["host"]]
    assert sorted(row[:2] for row in host) == sorted(row[:2] for row in expected)
    for one, other in zip(sorted(host), sorted(expected), strict=True):
        assert one[2:] == pytest.approx(other[2:], abs=NANOSECOND)


def test_names_with_quotes_stay_json(tmp_path: Path) -> None:
    profile = synthetic.profile(100, 2)
    profile["names"] = [f'{name} "quoted" \\' for name in profile["names"]]
    profile["launches"][0]["kernel"] = 'add<"half">'
    events = json.loads(write_trace(profile, tmp_path / "trace.json").read_text())["traceEvents"]
    assert any(event["name"] == 'Add "quoted" \\' for event in events)


def test_an_empty_profile_is_an_empty_trace(tmp_path: Path) -> None:
    profile = synthetic.profile(100, 2)
    profile |= {"launches": [], "lanes": [], "host": [], "flows": [], "slices": {key: [] for key in profile["slices"]}}
    assert json.loads(write_trace(profile, tmp_path / "trace.json").read_text())["traceEvents"] == []
