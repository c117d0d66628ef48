# SPDX-License-Identifier: Apache-2.0
"""Plain C++ of a kernel takes time: what the scalar unit computes is counted, and plain pointers go through its data cache."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import aclimb
from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch
from aclimb.trace.launch import LaunchTiming

SOURCE = Path(__file__).parent / "kernels" / "scalars.cpp"
SOC, CLOCK_MHZ = "Ascend910B1", 1850
LINE = 64  # bytes of the data cache


@cache
def kernel(name: str) -> Kernel:
    return Kernel(Program(SOURCE).compile(), name)


def profile_of(which: Kernel, *args: Any, blocks: int = 1, **options: Any) -> aclimb.Profile:
    stream = Stream()
    with aclimb.profile(soc=SOC, **options) as profile:
        launch(stream, LaunchConfig(num_blocks=blocks), which, *args)
        stream.synchronize()
    return profile


def timed(name: str, *args: Any, **options: Any) -> LaunchTiming:
    (found,) = profile_of(kernel(name), *args, **options).launches
    return found


def cycles(found: LaunchTiming) -> float:
    return found.core_us * CLOCK_MHZ


def test_a_million_rounds_of_a_loop_take_a_million_times_what_is_in_it() -> None:
    y = Buffer(1, "uint32")
    few, many = (cycles(timed("additions", y, count)) for count in (1000, 1_001_000))
    assert 4 <= (many - few) / 1e6 <= 7
    assert timed("additions", y, 1000, set={"scalar_cycle": 3}).core_us > 2.5 * timed("additions", y, 1000).core_us


def test_the_same_launch_takes_the_same_time_on_any_number_of_cores() -> None:
    y = Buffer(48, "uint32")
    found = [timed("additions", y, 5000, blocks=48) for _ in range(3)]
    assert len({each.task for each in found}) == 1
    assert len({core.time for each in found for core in each.cores}) == 1


def test_what_is_computed_delays_the_instruction_behind_it() -> None:
    sooner, later = (timed("then_add", count) for count in (0, 2000))
    assert later.pipe_us("V") == pytest.approx(sooner.pipe_us("V"))
    assert cycles(later) - cycles(sooner) == pytest.approx(later.pipe_us("S") * CLOCK_MHZ - sooner.pipe_us("S") * CLOCK_MHZ, rel=0.01)
    assert cycles(later) - cycles(sooner) > 2000 * 4


def test_a_line_that_was_loaded_is_in_the_data_cache() -> None:
    x, y = Buffer.from_array(np.arange(64 * 1024, dtype=np.uint32)), Buffer(1, "uint32")
    apart = timed("loads", x, y, 256, LINE // 4, 1)
    dense = timed("loads", x, y, 256, 1, 1)
    assert apart.pipe_us("S", "memory") == pytest.approx(16 * dense.pipe_us("S", "memory"), rel=0.1)  # 256 lines, and 16
    again = timed("loads", x, y, 256, LINE // 4, 2)
    assert again.pipe_us("S", "memory") == pytest.approx(apart.pipe_us("S", "memory"), rel=0.01)
    crowded = timed("loads", x, y, 1024, LINE // 4, 2)  # twice what the cache holds: the second round finds nothing
    assert crowded.pipe_us("S", "memory") > 7 * apart.pipe_us("S", "memory")


def test_what_is_copied_as_a_whole_is_loaded_line_by_line() -> None:
    x, y = Buffer.from_array(np.arange(64, dtype=np.uint64)), Buffer(1, "uint64")
    found = timed("settings", x, y, 39)
    assert y.to_numpy()[0] == 39
    one_by_one = timed("loads", x, y, 5, LINE // 4, 1)  # 320 bytes, from a multiple of 64 on
    assert found.pipe_us("S", "memory") == pytest.approx(one_by_one.pipe_us("S", "memory"), rel=0.01)


@pytest.mark.parametrize("count", [1, 100_000])
def test_a_loop_that_waits_is_timed_for_looking_once(count: int) -> None:
    found = []
    for _ in range(3):
        found.append(timed("polls", Buffer(16, "uint32"), count, blocks=2))
    assert len({each.task for each in found}) == 1
    assert len({core.time for each in found for core in each.cores if core.block == 0}) == 1
    assert found[0].cores[0].time / 1e6 < 0.4  # one line from memory


def test_scalar_code_is_on_the_timeline_and_on_the_critical_path() -> None:
    profile = profile_of(kernel("additions"), Buffer(1, "uint32"), 100_000)
    ((name, share),) = profile.query("select name, (\"end\" - start) * 1.0 / 1e6 from slice where name = 'scalar code'")
    assert name == "scalar code"
    (found,) = profile.launches
    assert share == pytest.approx(found.core_us, rel=0.01)
    path = found.critical_path
    assert path is not None
    assert (path.parts[0].pipe, path.parts[0].name) == ("S", "scalar code")
    assert path.parts[0].share > 0.99


def test_a_launch_without_a_profile_runs_the_plain_image() -> None:
    which, y, stream = Kernel(Program(SOURCE).compile(), "additions"), Buffer(1, "uint32"), Stream()
    launch(stream, LaunchConfig(num_blocks=1), which, y, 10)
    stream.synchronize()
    assert not which.native(None).has_observed
    profile_of(which, y, 10)
    assert which.native(None).has_observed


def test_a_binary_without_its_source_says_once_that_plain_code_took_no_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Program(SOURCE).compile().save(tmp_path / "elsewhere.o")
    monkeypatch.setenv("ACLIMB_CACHE_DIR", str(tmp_path / "empty"))
    stream, which, y = Stream(), Kernel(tmp_path / "elsewhere.o", "additions"), Buffer(1, "uint32")
    with aclimb.profile(soc=SOC) as profile:
        for _ in range(2):
            launch(stream, LaunchConfig(num_blocks=1), which, y, 100_000)
        stream.synchronize()
    (note,) = profile.notes
    assert note == (
        "plain C++ of elsewhere took no time, only its calls did: its source is not known here;"
        " build it on this machine, and keep the cache"
    )
    assert cycles(profile.launches[0]) < 100
    assert profile_of(kernel("additions"), y, 100).notes == []


# --- two compilers


@pytest.fixture(scope="module")
def differences() -> Callable[[str], list[tuple[str, float, float]]]:
    sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
    import compiler_times

    return compiler_times.differences


def examples() -> list[str]:
    folder = Path(__file__).parents[2] / "examples"
    return sorted(path.parent.name for path in folder.glob("*/run.py") if path.parent.name not in ("broken", "torch_decoder"))


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("g++"), reason="g++ is not installed")
@pytest.mark.parametrize("name", examples())
def test_times_do_not_depend_on_the_compiler(name: str, differences: Callable[[str], list[tuple[str, float, float]]]) -> None:
    for which, one, two in differences(name):
        assert two == pytest.approx(one, rel=0.05), which


def test_a_line_that_is_dropped_is_read_from_memory_again() -> None:
    source = """
    #include "kernel_operator.h"
    using namespace AscendC;
    extern "C" __global__ __aicore__ void looks(GM_ADDR x, GM_ADDR y) {
        GlobalTensor<int32_t> from, to;
        from.SetGlobalBuffer((__gm__ int32_t*)x, 16);
        to.SetGlobalBuffer((__gm__ int32_t*)y, 16);
        int32_t sum = from.GetValue(0);
        sum += from.GetValue(1);
        DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(from);
        sum += from.GetValue(2);
        to.SetValue(0, sum);
    }
    """
    looks = Kernel(Program(source, name="looks", soc=SOC).compile())
    timeline = profile_of(looks, Buffer.from_array(np.ones(16, np.int32)), Buffer(16, "int32"))
    loads = timeline.query("select start, end from slice where name = 'GetValue' order by start")
    first, again, dropped = (end - start for start, end in loads)
    assert again < first / 5
    assert dropped > 5 * again
