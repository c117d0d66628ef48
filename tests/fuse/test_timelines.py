# SPDX-License-Identifier: Apache-2.0
"""Three timelines of one chain: what they show, and that the simulation agrees with the closed forms where those hold."""

from __future__ import annotations

import json
import runpy
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from aclimb import Buffer, KernelBinary, Program, chips
from aclimb.errors import FuseError
from aclimb.fuse import FuseOptions, Member, timelines
from aclimb.fuse.closed_form import Costs

EXAMPLE = Path(__file__).parents[2] / "examples" / "superkernel"
ROWS, COLUMNS = 512, 64
SOC = "Ascend910_9392"


@pytest.fixture(scope="module")
def decode() -> KernelBinary:
    return Program(EXAMPLE / "decode.cpp").compile()


def adds(decode: KernelBinary, count: int, blocks: int) -> tuple[list[Member], list[list[Any]]]:
    """A chain of equal kernels, each adding to what the one before it left."""
    steps = [Buffer.from_array(np.ones((ROWS, COLUMNS), np.float32)) for _ in range(count + 2)]
    members = [Member(decode, blocks, "add_rows")] * count
    return members, [[steps[i], steps[i + 1], steps[i + 2], ROWS] for i in range(count)]


def like_the_formulas(cores: int) -> tuple[dict[str, float], Costs]:
    """Parameters under which the simulation charges what the closed forms do: nothing is shared, every boundary has one price."""
    value = {name: row.value for name, row in chips.timing(SOC).parameters.items()}
    barrier = (2 * value["xcore_flag"] + value["sync_all_log"] * np.log2(cores)) / value["clock_mhz"]
    costs = Costs(t_sched=0.2, t_hw=0, t_rep=0.6, t_gap=0, t_entry=0.1, t_call=0.05, t_dcci=0, l_same=float(barrier), l_x=0)
    chosen = {"launch_base_ns": 200, "tail_ns": 600, "dispatch_ns": 0, "stream_gap_ns": 0, "sk_entry_ns": 100, "sk_call_ns": 50,
              "hbm_gbs": 1e6, "l2_gbs": 1e6, "gm_rd_lat_hit_ns": 240, "gm_rd_lat_miss_ns": 240, "aiv_rd_miss": 119, "aiv_rd_hit": 119,
              "same_line": 0}  # fmt: skip
    return chosen, costs


@pytest.mark.requirement("sk-49")
@pytest.mark.parametrize("cores", [2, 16])
def test_the_simulation_agrees_with_the_closed_forms(decode: KernelBinary, cores: int) -> None:
    chosen, costs = like_the_formulas(cores)
    found = timelines(*adds(decode, 4, cores), soc=SOC, set=chosen, costs=costs)
    for mode, outcome in found.formulas.items():
        assert found.times[mode] == pytest.approx(outcome.total, rel=0.02), mode


@pytest.mark.requirement("sk-51")
def test_one_call_gives_three_timelines(decode: KernelBinary, tmp_path: Path) -> None:
    found = timelines(*adds(decode, 3, 8), soc=SOC)
    assert list(found.times) == ["separate", "fused", "early start"]
    for mode in found.times:
        spans = found.spans(mode)
        assert [name for name, _, _ in spans] == ["add_rows"] * 3
        assert all(end > start for _, start, end in spans)
    assert all(later[1] >= before[2] for before, later in zip(found.spans("separate"), found.spans("separate")[1:], strict=False))
    assert all(later[1] < before[2] for before, later in zip(found.spans("early start"), found.spans("early start")[1:], strict=False))
    found.save(tmp_path)
    events = json.loads((tmp_path / "early_start" / "trace.json").read_text())["traceEvents"]
    calls = [each for each in events if each.get("ph") == "X" and each["name"] == "add_rows"]
    assert len(calls) == 3 * 8  # a span a core and sub-kernel
    assert any(each["name"] == "CrossCoreWaitFlag" for each in events)
    assert "boundary, us" in (tmp_path / "timelines.txt").read_text()
    page = (tmp_path / "timelines.html").read_text()
    assert all(f'"mode":"{mode}"' in page for mode in found.times)
    assert "<title>aclimb profile</title>" in (tmp_path / "early_start" / "report.html").read_text()


@pytest.mark.requirement("sk-14", "sk-30")
def test_early_start_hides_the_head_and_nothing_reads_too_early(decode: KernelBinary) -> None:
    """A later kernel is called before the one before it is done, and its first copy starts after every core's set."""
    found = timelines(*adds(decode, 2, 8), soc=SOC)
    profile = found.profiles["early start"]
    [(release,)] = profile.query("select min(end) from slice where name = 'CrossCoreWaitFlag'")
    [(first_load,)] = profile.query(
        "select min(s.start) from slice s where s.name = 'DataCopy' and s.pipe = 'MTE2' and s.start >= ?", release
    )
    [(last_store,)] = profile.query("select max(end) from slice where name = 'DataCopy' and pipe = 'MTE3' and end <= ?", release)
    assert last_store < first_load
    assert found.times["early start"] <= found.times["fused"]


def test_on_atlas_a2_early_start_changes_nothing(decode: KernelBinary) -> None:
    program = Program(EXAMPLE / "decode.cpp", soc="Ascend910B1").compile()
    from aclimb import Device

    device = Device(soc="Ascend910B1")
    steps = [Buffer((ROWS, COLUMNS), np.float32, device=device) for _ in range(4)]
    members = [Member(program, 8, "add_rows")] * 2
    found = timelines(members, [[steps[i], steps[i + 1], steps[i + 2], ROWS] for i in range(2)], soc="Ascend910B1", device=device)
    assert found.times["early start"] == found.times["fused"]
    assert found.notes[0] == "early start has no effect here (Atlas A2)"


def test_the_decode_step_prints_its_timelines() -> None:
    program = runpy.run_path(str(EXAMPLE / "run.py"))
    buffers = program["buffers"]()
    steps: Sequence[Any] = program["steps"](buffers)
    built = program["binaries"]()
    found = timelines([Member(built[name], blocks, name) for name, blocks, _ in steps], [given for _, _, given in steps], soc=SOC)
    assert len(found.boundaries) == 8
    text = str(found)
    assert text.splitlines()[0].split() == ["simulated", "by", "formula", "against", "separate"]
    assert found.times["early start"] < found.times["fused"] < found.times["separate"]
    assert "rms_norm > matmul_leaky_relu" in text


@pytest.mark.parametrize(
    ("members", "arguments", "sentence"),
    [(2, 1, "there are 2 members and 1 lists of arguments; give one list for each member")],
)
def test_a_list_for_each_member(decode: KernelBinary, members: int, arguments: int, sentence: str) -> None:
    chain, given = adds(decode, members, 2)
    with pytest.raises(FuseError, match=sentence):
        timelines(chain, given[:arguments])


def test_switched_off_it_says_so(decode: KernelBinary) -> None:
    found = timelines(*adds(decode, 2, 2), FuseOptions(early_start=0), soc=SOC)
    assert "early start has no effect here (switched off)" in found.notes
