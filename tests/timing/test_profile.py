# SPDX-License-Identifier: Apache-2.0
"""Profiles as their user meets them: what is in them, what they refuse, and what they leave alone."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import aclimb
from aclimb import Buffer, Device, Event, Kernel, LaunchConfig, Stream, chips, launch
from aclimb.errors import AclimbError, DeviceError, InvalidArgument
from aclimb.report.profiles import Ending, totals

SMALL = Path(__file__).parent / "kernels" / "small.cpp"
EXAMPLES = Path(__file__).parents[2] / "examples"
COUNT = 1024
SOC = "Ascend910B1"
ONE = LaunchConfig(num_blocks=1)


@pytest.fixture
def small(load: Callable[..., Kernel]) -> Callable[[str], Kernel]:
    return lambda name: load(SMALL, name)


def tiles(blocks: int = 1) -> tuple[Buffer, Buffer]:
    return Buffer.from_array(np.arange(blocks * COUNT, dtype=np.float32)), Buffer(blocks * COUNT, "float32")


# --- what is in it


def test_a_tile_is_loaded_then_added_then_stored(small: Callable[[str], Kernel], stream: Stream) -> None:
    x, z = tiles()
    with aclimb.profile() as timeline:
        launch(stream, ONE, small("one_tile"), x, z)
    shown = timeline.query("select pipe, name, line from slice where name in ('DataCopy', 'Add') order by start")
    assert shown == [("MTE2", "DataCopy", 20), ("V", "Add", 24), ("MTE3", "DataCopy", 28)]
    assert np.array_equal(z.to_numpy(), 2 * np.arange(COUNT, dtype=np.float32))


def test_each_step_of_a_tile_waits_for_the_one_before(small: Callable[[str], Kernel], stream: Stream) -> None:
    x, z = tiles()
    with aclimb.profile(set={"flag_handover": 8}) as timeline:
        launch(stream, ONE, small("one_tile"), x, z)
    (load, add, store) = timeline.query("select start, end from slice where name in ('DataCopy', 'Add') order by start")
    handover = round(8 * 1e6 / timeline.model.parameters["clock_mhz"].value)
    assert add[0] == load[1] + handover
    assert store[0] == add[1] + handover


def test_a_tile_takes_what_the_formulas_say(small: Callable[[str], Kernel], stream: Stream) -> None:
    """By hand: latency and bytes of the two copies, 16 repeats and the fixed cost of the Add, two flags."""
    x, z = tiles()
    value = {name: row.value for name, row in chips.timing(SOC).parameters.items()}
    with aclimb.profile(soc=SOC, l2="cold") as timeline:
        launch(stream, ONE, small("one_tile"), x, z)
    cycle = 1e6 / value["clock_mhz"]
    size = COUNT * 4
    load = value["gm_rd_lat_miss_ns"] * 1e3 + size / value["aiv_rd_miss"] * cycle
    store = value["gm_wr_lat_ns"] * 1e3 + size / value["aiv_wr"] * cycle
    add = (size / 256 + chips.timing(SOC).vector["Add"].fixed) * cycle
    [(start, end)] = timeline.query("select min(start), max(end) from slice where name in ('DataCopy', 'Add')")
    assert end - start == pytest.approx(load + add + store + 2 * value["flag_handover"] * cycle, rel=1e-4)


def test_launches_keep_their_order_names_and_streams(small: Callable[[str], Kernel]) -> None:
    first, second = Stream(), Stream()
    with aclimb.profile() as timeline:
        launch(first, ONE, small("many_adds"), 10)
        launch(second, ONE, small("many_adds"), 20)
        launch(first, LaunchConfig(num_blocks=2), small("many_adds"), 30)
    assert timeline.query("select id, kernel, stream, num_blocks from launch order by id") == [
        (0, "many_adds", 0, 1),
        (1, "many_adds", 1, 1),
        (2, "many_adds", 0, 2),
    ]


def test_only_what_is_queued_inside_is_seen(small: Callable[[str], Kernel], stream: Stream) -> None:
    launch(stream, ONE, small("many_adds"), 10)
    with aclimb.profile() as timeline:
        launch(stream, ONE, small("many_adds"), 10)
    launch(stream, ONE, small("many_adds"), 10)
    stream.synchronize()
    assert len(timeline.launches) == 1


def test_the_scalar_unit_is_held_up_by_a_full_queue(small: Callable[[str], Kernel], stream: Stream) -> None:
    with aclimb.profile() as timeline:
        launch(stream, ONE, small("many_adds"), 500)
    [(cause, line)] = timeline.query("select cause, line from stall where pipe = 'S' and cause like 'queue%' order by ps desc limit 1")
    assert (cause, line) == ("queue of V full", 56)


def test_a_longer_queue_lets_the_scalar_unit_run_further_ahead(small: Callable[[str], Kernel], stream: Stream) -> None:
    waited = []
    for depth in (4, 32):
        with aclimb.profile(set={"queue_depth": depth}) as timeline:
            launch(stream, ONE, small("many_adds"), 200)
        [(first_wait,)] = timeline.query("select min(start) from slice where pipe = 'V' and n = ?", depth + 10)
        waited.append(first_wait)
        assert timeline.query("select instructions from pipe where pipe = 'V'") == [(200,)]
    assert waited[0] < waited[1]


def test_words_of_global_memory_stay_in_the_scalar_units_cache(small: Callable[[str], Kernel], stream: Stream) -> None:
    words = Buffer.from_array(np.zeros(1 << 16, np.int32))
    times = []
    for step in (0, 16):  # the same word, and one of the next line of 64 bytes each time
        with aclimb.profile() as timeline:
            launch(stream, ONE, small("reads_words"), words, 100, step)
        times.append(timeline.launches[0].pipe_us("S", "memory"))
    assert times[1] > 50 * times[0] > 0


def test_blocks_beyond_the_cores_come_in_waves(small: Callable[[str], Kernel], stream: Stream) -> None:
    cores = chips.load(SOC).aiv_cores
    with aclimb.profile(soc=SOC) as timeline:
        for blocks in (cores, cores + 1):
            launch(stream, LaunchConfig(num_blocks=blocks), small("many_adds"), 5000)
    one_wave, two_waves = (each.task for each in timeline.launches)
    assert 1.8 * one_wave < two_waves + timeline.model.parameters["launch_base_ns"].value * 1e3 < 2.2 * one_wave
    slots = [core.slot for core in timeline.launches[1].cores]
    assert sorted(slots) == sorted([*range(cores), slots[-1]])


def test_meeting_costs_more_with_more_cores(small: Callable[[str], Kernel], stream: Stream) -> None:
    with aclimb.profile(soc=SOC, set={"dispatch_ns": 0}) as timeline:
        for blocks in (2, 8):
            launch(stream, LaunchConfig(num_blocks=blocks), small("meeting"), None)
    few, many = (each.core_us for each in timeline.launches)
    value = {name: row.value for name, row in timeline.model.parameters.items()}
    assert (many - few) * value["clock_mhz"] == pytest.approx(2 * value["sync_all_log"], abs=0.01)  # log2(8) - log2(2)
    assert few * value["clock_mhz"] >= 2 * value["xcore_flag"]


@pytest.mark.parametrize("name", ["mix", "matmul", "reduce_cores", "tiling_keys", "wait_first", "softmax"])
def test_the_examples_have_timelines_that_add_up(name: str) -> None:
    import runpy

    program = runpy.run_path(str(EXAMPLES / name / "run.py"))
    with aclimb.profile() as timeline:
        program["run"]()
    assert timeline.launches
    for busy, memory, flag, empty, total in timeline.query("select busy, memory, flag, empty, total from pipe"):
        assert busy + memory + flag + empty == total
        assert min(busy, memory, flag, empty) >= 0
    assert not any(each.cut for each in timeline.launches)
    assert timeline.query("select count(*) from slice where end < start") == [(0,)]


# --- host time: streams, events, copies


def test_inside_a_profile_events_measure_the_models_time(small: Callable[[str], Kernel], stream: Stream) -> None:
    start, end = Event(), Event()
    with aclimb.profile() as timeline:
        stream.record(start)
        launch(stream, ONE, small("many_adds"), 1000)
        stream.record(end)
        stream.synchronize()
        elapsed = end.elapsed_ms(start)
    assert elapsed == pytest.approx(timeline.launches[0].task_us / 1e3, rel=1e-3)


@pytest.mark.requirement("host-49")
def test_elapsed_time_of_acl_is_the_models_inside_a_profile(small: Callable[[str], Kernel]) -> None:
    import acl

    assert acl.init() == 0
    assert acl.rt.set_device(0) == 0
    stream, events = acl.rt.create_stream()[0], [acl.rt.create_event()[0] for _ in range(2)]
    with aclimb.profile() as timeline:
        acl.rt.record_event(events[0], stream)
        memory, _ = acl.rt.malloc(1 << 20, 0)
        acl.rt.memset_async(memory, 1 << 20, 0, 1 << 20, stream)
        acl.rt.record_event(events[1], stream)
        assert acl.rt.synchronize_stream(stream) == 0
        elapsed, ret = acl.rt.event_elapsed_time(*events)
    value = {name: row.value for name, row in timeline.model.parameters.items()}
    assert ret == 0
    assert elapsed * 1e6 == pytest.approx(value["copy_base_ns"] + (1 << 20) / value["d2d_gbs"], rel=1e-3)
    for event in events:
        acl.rt.destroy_event(event)
    acl.rt.free(memory)
    acl.rt.destroy_stream(stream)
    acl.rt.reset_device(0)
    assert acl.finalize() == 0


def test_a_stream_that_waits_for_an_event_starts_after_it(small: Callable[[str], Kernel]) -> None:
    first, second, done = Stream(), Stream(), Event()
    with aclimb.profile() as timeline:
        launch(first, ONE, small("many_adds"), 2000)
        first.record(done)
        second.wait(done)
        launch(second, ONE, small("many_adds"), 10)
    before, after = timeline.launches
    assert after.start >= before.start + before.task


def test_times_do_not_depend_on_the_hosts_threads(small: Callable[[str], Kernel]) -> None:
    logs = []
    for _ in range(5):
        streams, mark = [Stream() for _ in range(3)], Event()
        with aclimb.profile() as timeline:
            for number in range(30):
                stream = streams[number % 3]
                launch(stream, LaunchConfig(num_blocks=1 + number % 5), small("many_adds"), 50 + number)
                stream.record(mark)
                streams[(number + 1) % 3].wait(mark)
        logs.append(timeline.log)
    assert all(log == logs[0] for log in logs)


def test_copies_and_callbacks_have_their_place(small: Callable[[str], Kernel], stream: Stream) -> None:
    data = np.zeros(1 << 20, np.uint8)
    with aclimb.profile() as timeline:
        buffer = Buffer.from_array(data)
        launch(stream, ONE, small("many_adds"), 10)
        stream.synchronize()
        buffer.to_numpy()
    rows = [(row["kind"], row["direction"], row["bytes"]) for row in timeline.log]
    assert rows == [("copy", "H2D", 1 << 20), ("launch", "", 0), ("copy", "D2H", 1 << 20)]
    starts = [row["start"] for row in timeline.log]
    assert starts == sorted(starts)
    assert [row["lane"] for row in timeline.json()["host"]] == ["host", "stream 0", "host"]


# --- less than everything


def test_recording_stops_at_its_limit_with_a_note(small: Callable[[str], Kernel], stream: Stream) -> None:
    with aclimb.profile(limit="1 MiB") as timeline:
        launch(stream, ONE, small("many_adds"), 100_000)
    assert timeline.launches[0].cut
    assert timeline.launches[0].instructions <= (1 << 20) / 64 + 1024
    assert timeline.notes == [
        "the recording stopped at 1 MiB; later instructions are missing. Give a larger limit (--limit 4G), trace off, or a smaller problem"
    ]


def test_a_recorded_instruction_takes_at_most_64_bytes() -> None:
    from aclimb.trace.launch import ENTRY, RESULT

    assert ENTRY.itemsize + RESULT.itemsize <= 64


def test_without_a_trace_the_sums_are_the_same(small: Callable[[str], Kernel], stream: Stream) -> None:
    x, z = tiles(8)
    sums = []
    for trace in (True, False):
        with aclimb.profile(trace=trace, l2="cold") as timeline:
            launch(stream, LaunchConfig(num_blocks=8), small("one_tile"), x, z)
        sums.append(timeline.query("select * from pipe"))
        assert (timeline.query("select count(*) from slice")[0][0] > 0) == trace
    assert sums[0] == sums[1]


def test_a_timing_only_run_takes_the_same_time_and_computes_nothing(small: Callable[[str], Kernel], stream: Stream) -> None:
    x, z = tiles(8)
    untouched = z.to_numpy().copy()
    times = []
    for timing_only in (True, False):
        with aclimb.profile(timing_only=timing_only, l2="cold") as timeline:
            launch(stream, LaunchConfig(num_blocks=8), small("one_tile"), x, z)
        times.append(timeline.query("select * from pipe"))
        if timing_only:
            assert np.array_equal(z.to_numpy(), untouched, equal_nan=True)
            assert timeline.notes == ["timing only: arithmetic and copies inside the kernels were left out; results are not valid"]
            assert timeline.mode == "timing-only"
    assert times[0] == times[1]


def test_a_kernel_that_decides_by_its_results_is_computed_in_full(small: Callable[[str], Kernel], stream: Stream) -> None:
    x, z = Buffer.from_array(np.full(64, 5, np.float32)), Buffer(64, "float32")
    with aclimb.profile(timing_only=True) as timeline:
        for _ in range(2):
            launch(stream, ONE, small("steered"), x, z)
    assert np.all(z.to_numpy() == 10)
    assert timeline.query("select launch, count(*) from slice where name = 'Adds' group by launch") == [(0, 5), (1, 5)]
    assert timeline.notes[1] == "computed in full, because their control flow reads results: steered"


def test_one_block_with_its_share_stands_for_all(load: Callable[..., Kernel], stream: Stream) -> None:
    """A kernel whose blocks are alike: the sample is near the whole."""
    adds = Kernel(aclimb.Program(EXAMPLES / "add" / "add.cpp", defines={"DTYPE_X": "float"}).compile())
    count = 48 * 64 * 1024
    x, y, z = (Buffer(count, "float32") for _ in range(3))
    tasks = []
    for sampled in (False, True):
        with aclimb.profile(soc=SOC, sampled=sampled, timing_only=True, l2="cold") as timeline:
            launch(stream, LaunchConfig(num_blocks=48), adds, x, y, z, count)
        tasks.append(timeline.launches[0].task)
        assert len(timeline.launches[0].cores) == (1 if sampled else 48)
    assert tasks[1] == pytest.approx(tasks[0], rel=0.1)
    assert timeline.notes[0] == "sampled: one block ran, with its share of the bandwidth; the others are assumed to be like it"


@pytest.mark.parametrize("blocks", [96, 3000])
def test_a_sample_of_many_blocks_waits_for_cores_and_for_the_dispatcher(blocks: int, stream: Stream) -> None:
    adds = Kernel(aclimb.Program(EXAMPLES / "add" / "add.cpp", defines={"DTYPE_X": "float"}).compile())
    x, y, z = (Buffer(blocks * 64, "float32") for _ in range(3))
    tasks = []
    for sampled in (False, True):
        with aclimb.profile(soc=SOC, sampled=sampled, timing_only=True, trace=False) as timeline:
            launch(stream, LaunchConfig(num_blocks=blocks), adds, x, y, z, blocks * 64)
        tasks.append(timeline.launches[0].task)
    assert tasks[1] == pytest.approx(tasks[0], rel=0.1)


def test_blocks_that_wait_for_blocks_without_a_core_are_not_timed_in_silence(small: Callable[[str], Kernel], stream: Stream) -> None:
    for blocks, notes in (
        (48, []),
        (49, ["not timed to their end: meeting. Their blocks wait for blocks that no core is free for; give fewer"]),
    ):
        with aclimb.profile(soc=SOC, blocks=blocks) as timeline:
            launch(stream, LaunchConfig(num_blocks=2), small("meeting"), Buffer(4096, "int32"))
            stream.synchronize()
        assert timeline.notes == notes
        assert totals(timeline, Ending())["error"] == (
            "meeting has more blocks than run at once, and they wait for each other" if notes else ""
        )


def test_a_profile_that_is_opened_again_goes_on(small: Callable[[str], Kernel], stream: Stream) -> None:
    timeline = aclimb.profile()
    for times in (1, 2):
        with timeline:
            launch(stream, LaunchConfig(num_blocks=1), small("many_adds"), 3)
        assert timeline.query("select count(*) from launch") == [(times,)]


def test_a_sampled_block_cannot_wait_for_the_others(small: Callable[[str], Kernel], stream: Stream) -> None:
    with aclimb.profile(sampled=True):
        launch(stream, LaunchConfig(num_blocks=4), small("meeting"), None)
        with pytest.raises(AclimbError, match="waits for other blocks, and a sampled run has one; profile it without --sampled"):
            stream.synchronize()


# --- what it refuses, and what it survives


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"set": {"hbm_gb": 1}}, "the timing model of Ascend910_9392 has no parameter 'hbm_gb'; the closest are hbm_gbs"),
        ({"l2": "hot"}, "l2 is 'hot'; it takes cold, clean-warm, dirty-warm: what a launch finds in the L2 cache"),
        ({"blocks": 0}, "blocks is 0; it takes 1 to 65535, or None for what each launch asks for"),
        ({"blocks": "8"}, "blocks is '8'; it takes 1 to 65535, or None for what each launch asks for"),
        ({"limit": None}, "limit is None; it takes bytes above 0, such as '1 GiB'"),
        ({"limit": 0}, "limit is 0; it takes bytes above 0, such as '1 GiB'"),
        ({"soc": "Ascend310P3"}, "aclimb builds for Atlas A2 (Ascend910B1 ...) and A3 (Ascend910_9392 ...)"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(AclimbError) as caught:
        aclimb.profile(**options)
    assert sentence in str(caught.value)


def test_two_profiles_at_a_time_are_refused() -> None:
    with (
        aclimb.profile(),
        pytest.raises(DeviceError, match="a profile is open already, in this process; close it before the next one begins"),
    ):
        aclimb.profile().__enter__()
    with aclimb.profile():
        pass


def test_numbers_are_asked_for_when_the_profile_is_closed() -> None:
    with aclimb.profile() as timeline, pytest.raises(DeviceError, match="the profile is still open"):
        _ = timeline.launches


def test_a_question_that_is_not_sql_gets_the_tables() -> None:
    with aclimb.profile() as timeline:
        pass
    with pytest.raises(InvalidArgument, match=r"no such column: missing.*The tables are launch\(id, kernel"):
        timeline.query("select missing from launch")


def test_a_kernel_that_fails_inside_fails_as_outside(small: Callable[[str], Kernel], stream: Stream) -> None:
    x, z = tiles()
    with aclimb.profile() as timeline:
        launch(stream, ONE, small("fails"), x)
        launch(stream, ONE, small("one_tile"), x, z)
        with pytest.raises(AclimbError, match="DataCopy needs 256 bytes"):
            stream.synchronize()
    assert [each.kernel for each in timeline.launches] == ["fails", "one_tile"]
    assert timeline.launches[0].failed
    assert not timeline.launches[1].failed


def test_profiles_leave_nothing_behind(small: Callable[[str], Kernel], balanced: Device) -> None:
    before = dict(aclimb.live())
    for _ in range(3):
        x, z = tiles(4)
        stream = Stream()
        with aclimb.profile() as timeline:
            launch(stream, LaunchConfig(num_blocks=4), small("one_tile"), x, z)
        timeline.query("select count(*) from slice")
        del x, z, stream, timeline
    import gc

    gc.collect()
    assert dict(aclimb.live()) == before


def test_two_threads_may_launch_into_one_profile(small: Callable[[str], Kernel]) -> None:
    def work() -> None:
        stream = Stream()
        for _ in range(20):
            launch(stream, LaunchConfig(num_blocks=2), small("many_adds"), 20)
        stream.synchronize()

    with aclimb.profile() as timeline:
        threads = [threading.Thread(target=work) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert timeline.query("select stream, count(*) from launch group by stream") == [(0, 20), (1, 20)]
