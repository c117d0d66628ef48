# SPDX-License-Identifier: Apache-2.0
"""What fusing decides: type and size of the whole, argument places, steps, names, and the file that keeps it."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chains import KERNELS, Link, fused, in_numpy
from hypothesis import given, settings
from hypothesis import strategies as st

from aclimb import Buffer, Kernel, KernelBinary, LaunchConfig, Program, Stream, errors, launch
from aclimb import fuse as fusion
from aclimb.binary.meta import MalformedMeta
from aclimb.flow import KernelType as T
from aclimb.fuse import FuseOptions, Member, Plan, explain, fuse, plan_of, rules


@pytest.fixture(scope="module")
def binary() -> KernelBinary:
    return Program(KERNELS / "chain.cpp").compile()


@pytest.fixture(scope="module")
def dynamic() -> KernelBinary:
    return Program(KERNELS / "dynamic.cpp").compile()


def plan(binary: KernelBinary, *members: tuple[str, int], options: str = "") -> Plan:
    return plan_of(fuse([Member(binary, blocks, name) for name, blocks in members], options))


@pytest.mark.requirement("sk-4")
@pytest.mark.parametrize(
    ("needs", "whole"),
    [
        ([(T.AIV_ONLY, 20)], (T.MIX_AIV_1_0, 20)),
        ([(T.AIC_ONLY, 10)], (T.MIX_AIC_1_0, 10)),
        ([(T.MIX_AIV_1_0, 20)], (T.MIX_AIV_1_0, 20)),
        ([(T.MIX_AIC_1_0, 10)], (T.MIX_AIC_1_0, 10)),
        ([(T.MIX_AIC_1_1, 10)], (T.MIX_AIC_1_1, 10)),
        ([(T.MIX_AIC_1_2, 10)], (T.MIX_AIC_1_2, 10)),
        ([(T.AIV_ONLY, 3), (T.MIX_AIV_1_0, 5)], (T.MIX_AIV_1_0, 5)),
        ([(T.AIC_ONLY, 3), (T.MIX_AIC_1_0, 5)], (T.MIX_AIC_1_0, 5)),
        ([(T.AIC_ONLY, 8), (T.AIV_ONLY, 8)], (T.MIX_AIC_1_1, 8)),
        ([(T.AIC_ONLY, 8), (T.AIV_ONLY, 9)], (T.MIX_AIC_1_2, 8)),
        ([(T.AIC_ONLY, 2), (T.AIV_ONLY, 9)], (T.MIX_AIC_1_2, 5)),
        ([(T.MIX_AIC_1_1, 4), (T.AIV_ONLY, 5)], (T.MIX_AIC_1_2, 4)),
        ([(T.MIX_AIC_1_1, 4), (T.MIX_AIC_1_2, 1)], (T.MIX_AIC_1_2, 4)),
        ([(T.AIC_ONLY, 8), (T.MIX_AIC_1_2, 4)], (T.MIX_AIC_1_2, 8)),
        ([(T.AIC_ONLY, 24), (T.MIX_AIC_1_2, 1), (T.AIV_ONLY, 48)], (T.MIX_AIC_1_2, 24)),
        ([(T.AIC_ONLY, 8), (T.MIX_AIC_1_1, 4)], (T.MIX_AIC_1_1, 8)),
        ([(T.MIX_AIC_1_1, 4), (T.MIX_AIC_1_2, 3)], (T.MIX_AIC_1_2, 4)),
    ],
)
def test_type_and_blocks_of_the_whole(needs: list[tuple[T, int]], whole: tuple[T, int]) -> None:
    assert rules.merged_type(needs) == whole


@pytest.mark.requirement("sk-4")
def test_core_counts_can_be_overridden_within_what_is_needed_and_there(binary: KernelBinary) -> None:
    assert plan(binary, ("v", 2), ("c", 2), options="debug-aic-num=4:debug-aiv-num=8").num_blocks == 4
    assert plan(binary, ("v", 2), ("v", 3), options="debug-aiv-num=5").kernel_type == T.MIX_AIV_1_0
    assert plan(binary, ("m2", 2), options="debug-aic-num=4:debug-aiv-num=8").kernel_type == T.MIX_AIC_1_2
    with pytest.raises(errors.FuseError, match=r"^options debug-aic-num=4 and debug-aiv-num=4 leave one AIV for each AIC; m2_1 is MIX 1:2 "
                       r"and needs two: give debug-aiv-num=8$"):  # fmt: skip
        plan(binary, ("c", 2), ("m2", 2), options="debug-aic-num=4:debug-aiv-num=4")
    for options, message in [
        ("debug-aiv-num=2", "option debug-aiv-num is 2; the sub-kernels need 3"),
        ("debug-aiv-num=49", "option debug-aiv-num is 49; Ascend910_9392 has 48"),
        ("debug-aic-num=4", "option debug-aiv-num is 0; the sub-kernels need 3"),
    ]:
        with pytest.raises(errors.FuseError, match=message):
            plan(binary, ("v", 2), ("v", 3), options=options)


@pytest.mark.requirement("sk-5", "sk-7")
def test_argument_slots_follow_the_members(binary: KernelBinary) -> None:
    made = plan(binary, ("v", 1), ("c", 1), ("v", 1))
    assert [sub.param_slot for sub in made.subs] == [1, 6, 11]
    assert [sub.args_offset for sub in made.subs] == [0, 40, 80]
    assert (made.slots, made.workspace_slot) == (16, None)
    info = fuse([Member(binary, 1, "v"), Member(binary, 1, "c")]).kernels[0]
    assert [p.name for p in info.parameters][:6] == ["v_0.in", "v_0.out", "v_0.step", "v_0.shift", "v_0.rows", "c_1.in"]
    assert all(p.offset % 8 == 0 for p in info.parameters)


@pytest.mark.requirement("sk-5")
def test_the_golden_case_of_three_and_four_parameters() -> None:
    source = """#include "kernel_operator.h"
extern "C" __global__ __vector__ void is_inf(GM_ADDR x, GM_ADDR y, GM_ADDR t) { AscendC::printf("x"); }
extern "C" __global__ __vector__ void pows(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR t) {}
"""
    two = Program(source).compile()
    made = plan(two, ("is_inf", 32), ("pows", 1))
    assert ([sub.param_slot for sub in made.subs], made.workspace_slot) == ([1, 4], 8)
    assert (made.kernel_type.task_ration, made.num_blocks, made.pairs[0].config) == ((0, 1), 32, 5)
    assert plan(two, ("is_inf", 32), ("pows", 1), ("is_inf", 32)).subs[2].param_slot == 8
    assert rules.feed_workspace_bytes(T.MIX_AIV_1_0, 32, 2) == 16384
    assert rules.feed_workspace_bytes(T.MIX_AIC_1_1, 1, 4) == rules.feed_workspace_bytes(T.MIX_AIC_1_2, 1, 4) == 1024


@pytest.mark.requirement("sk-12", "sk-32")
def test_steps_of_the_documented_example(binary: KernelBinary) -> None:
    made = plan(binary, ("v_set", 8), ("c_wait", 20), ("v", 48))
    assert (made.kernel_type, made.num_blocks, made.pairs[0].config) == (T.MIX_AIC_1_2, 24, 4)
    between = [(str(s), s.who) for s in made.aiv if s.kind in ("set", "wait")][:3]
    assert between == [("set(MTE3, mode 0, 14)", "idle"), ("wait 14", "idle"), ("set(MTE3, mode 2, 12)", "idle")]
    assert next((str(s), s.who) for s in made.aic if s.kind in ("set", "wait")) == ("wait 12", "idle")
    assert [str(s) for s in made.subs[1].aic_wait] == ["wait 12"]


@pytest.mark.requirement("sk-12")
@pytest.mark.parametrize(
    ("pair", "config"), [("CC", 0), ("CV", 1), ("CM", 2), ("VC", 4), ("VV", 5), ("VM", 6), ("MC", 8), ("MV", 9), ("MM", 10)]
)
def test_pair_configurations(pair: str, config: int) -> None:
    assert rules.pair_config(pair[0], pair[1]) == config  # type: ignore[arg-type]


@pytest.mark.requirement("sk-13")
def test_without_early_start_everybody_meets(binary: KernelBinary) -> None:
    texts = [str(s) for s in plan(binary, ("v_set", 1), ("m1_wait", 1), options="early-start=0").aic if s.kind not in ("call", "preload")]
    assert texts == ["PipeBarrier<PIPE_ALL>", "wait 12", "set(FIX, mode 0, 11)", "wait 11", "set(MTE3, mode 2, 13)"]
    made = plan(binary, ("v_set", 2), ("v_wait", 2), options="early-start=0")
    assert [str(s) for s in made.aiv if s.kind not in ("call", "preload")] == ["set(MTE3, mode 0, 14)", "wait 14"]


@pytest.mark.requirement("sk-31", "sk-34")
def test_who_takes_part_depends_on_place_and_options(binary: KernelBinary) -> None:
    chain = [("v_both", 1)] * 3
    flags = [(sub.sets, sub.waits) for sub in plan(binary, *chain).subs]
    assert flags == [(True, False), (True, True), (False, True)]
    for options in ("early-start=0", "early-start=2", "stream-fusion=1"):
        assert not any(sub.sets or sub.waits for sub in plan(binary, *chain, options=options).subs), options
    assert plan(binary, *chain, options="early-start=2").pairs[0].config == 5


@pytest.mark.requirement("sk-26")
def test_preload_and_split_change_no_step_that_runs(binary: KernelBinary, stream: Stream) -> None:
    chain = [Link("v_both", 3, 0, 1, 1, 2), Link("m2_both", 2, 1, 2, 3, 4)]
    for options in ("preload-code=none", "preload-code=max", "split-mode=1", "func-align=0"):
        made = fuse([Member(binary, link.blocks, link.kernel) for link in chain], options)
        for got, wanted in zip(fused(chain, Kernel(made), stream), in_numpy(chain), strict=True):
            np.testing.assert_array_equal(got, wanted)
    assert not [s for s in plan(binary, ("v", 1), ("v", 1), options="preload-code=none").aiv if s.kind == "preload"]
    assert [s.sub for s in plan(binary, ("v", 1), ("v", 1)).aiv if s.kind == "preload"] == [0, 1]


@pytest.mark.requirement("sk-8")
def test_what_cannot_be_fused_says_so(binary: KernelBinary) -> None:
    for members, message in [
        ([], "there is nothing to fuse"),
        ([Member(binary, 25, "c")], "c_0 needs 25 AICs and 0 AIVs"),
        ([Member(binary, 1, "v", split_mode=1)], "v_0 was compiled with split mode 1; the SuperKernel has split-mode=4"),
        ([Member(binary, 1, "v"), Member(binary, 1, "v", stream=2)], "no event orders them; give stream-fusion=1, or an event"),
        ([Member(binary, 1, "v", receives=(3,))], "v_0 comes first and receives event 3"),
        ([Member(binary, 1, "v", sends=(3,))], "v_0 comes last and sends event 3"),
        ([Member(binary, 1, "v", sends=(3,)), Member(binary, 1, "v", receives=(3,))], "which are on the same stream"),
        ([(binary, 1)], "has 16 kernels; name one of"),
        ([7], "a member is 7"),
    ]:
        with pytest.raises(errors.FuseError, match=message) as caught:
            fuse(members)
        assert caught.value.code == "EB0500"
    with pytest.raises(errors.FuseError, match="the name of the fused kernel is 5; it takes a text"):
        fuse([Member(binary, 1, "v")], name=5)  # type: ignore[arg-type]
    with pytest.raises(errors.FuseError, match="v has stream 'x', sends \\(\\) and receives \\(\\); all are numbers"):
        Member(binary, 1, "v", stream="x")  # type: ignore[arg-type]
    with pytest.raises(errors.FuseError, match="v sends and receives event 1"):
        Member(binary, 1, "v", sends=(1,), receives=(1,))
    with pytest.raises(errors.FuseError, match="is a SuperKernel already"):
        Member(fuse([Member(binary, 1, "v")]), 1)


@pytest.mark.requirement("sk-11")
def test_equal_sequences_have_equal_names(binary: KernelBinary) -> None:
    def chain(event: int) -> list[Member]:
        return [Member(binary, 1, "v", sends=(event,)), Member(binary, 2, "c")]

    first, second = fuse(chain(5)), fuse(chain(77))
    assert first.name == second.name
    assert first.name.startswith("te_superkernel_")
    assert fuse(chain(5)) is first
    assert fuse([Member(binary, 1, "v"), Member(binary, 3, "c")]).name != first.name


@pytest.mark.requirement("sk-9", "sk-10")
def test_the_file_has_the_documented_keys_and_reads_back(binary: KernelBinary, tmp_path: Path) -> None:
    made = fuse([Member(binary, 4, "v_set"), Member(binary, 2, "c_wait", sends=(9,)), Member(binary, 1, "m2")], name="decode")
    path = made.save(tmp_path / "decode.o")
    read = KernelBinary.read(path)
    assert (read.plan, read.kernels, read.images) == (made.plan, made.kernels, made.images)
    assert sorted(read.images) == ["aic.0", "aiv.0"]  # one binary, three times
    meta = json.loads((tmp_path / "decode.json").read_text())
    assert (meta["blockDim"], meta["coreType"], meta["intercoreSync"], meta["taskRation"]) == (2, "MIX", 1, "1:2")
    assert (meta["opParaSize"], meta["parameters"], meta["supportSuperKernel"]) == (8, [], 1)
    rows = meta["SuperkernelInfo"]["kernelList"]["aicore"]
    assert [row["func_name"] for row in rows] == ["v_set_0", "c_wait_1", "m2_2"]
    assert rows[1]["arg_list"] == {"param_offset": 6, "notify_param_offset": 11, "wait_param_offset": None}
    assert (rows[0]["sub_operator_early_start_set_flag"], rows[1]["sub_operator_early_start_wait_flag"]) == (True, True)


@pytest.mark.requirement("sk-1", "sk-2")
def test_compile_takes_a_list_of_operators(binary: KernelBinary, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = '#include "kernel_operator.h"\nextern "C" __global__ __vector__ void nothing(GM_ADDR x) {}\n'
    Program(source).compile().save(tmp_path / "nothing.o")
    described = json.loads((tmp_path / "nothing.json").read_text()) | {"blockDim": 2, "unknown": [1]}
    (tmp_path / "nothing.json").write_text(json.dumps(described))
    row = {"bin_path": str(tmp_path / "nothing.o"), "json_path": str(tmp_path / "nothing.json"), "stream_id": 3, "task_type": "normal"}
    infos = {"op_list": [row, {"bin_path": "ignored"}, row], "super_kernel_options": "early-start=0", "kernel_name": "ignored"}
    path = fusion.compile(infos, "super", tmp_path)
    made = KernelBinary.read(path).plan
    assert made is not None
    assert [(sub.name, sub.num_blocks, sub.stream) for sub in made.subs] == [("nothing_0", 2, 3), ("nothing_1", 2, 3)]
    assert made.pairs[0].config == -1
    path.write_bytes(b"kept")
    assert fusion.compile(infos, "super", tmp_path).read_bytes() == b"kept"
    with pytest.raises(errors.FuseError, match="has no op_list"):
        fusion.compile({}, "other", tmp_path)


def test_explain_tells_the_reasons(binary: KernelBinary) -> None:
    text = explain(plan(binary, ("v_set", 8), ("c_wait", 20), ("v", 48)))
    assert "[0] v_set_0  AIV_ONLY, 8 AIVs; slots 1-5" in text
    assert "V->C (config 4): v_set_0 says with SetNextTaskStart when it is done; c_wait_1 begins beside it and waits" in text
    assert "set(MTE3, mode 0, 14) (cores without v_set_0); wait 14 (cores without c_wait_1)" in text
    assert "C->V (config 1): c_wait_1 has no SetNextTaskStart, v_2 has no WaitPreTaskEnd: all of c_wait_1 ends before v_2 begins" in text


def test_a_plan_is_the_same_after_a_trip_through_json(binary: KernelBinary) -> None:
    made = plan(binary, ("v_set", 8), ("m2_both", 3), ("c", 1), options="profiling=1:debug-sync-all=1")
    assert Plan.from_json(made.to_json()) == made


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            lambda row: row["aiv"].append(row["aiv"][-1] | {"kind": "tiling", "sub": 1}),
            "the plan reads the tiling of v_wait_1, which has none",
        ),
        (
            lambda row: row["subs"][1]["aiv_wait"].append(row["aiv"][-1] | {"kind": "call"}),
            "WaitPreTaskEnd of v_wait_1 does more than to wait",
        ),
    ],
)
def test_a_plan_does_only_what_the_engine_expects(change: Callable[[Any], None], sentence: str, binary: KernelBinary) -> None:
    row = json.loads(plan(binary, ("v_set", 2), ("v_wait", 2)).to_json())
    change(row)
    with pytest.raises(MalformedMeta, match=sentence):
        Plan.from_json(json.dumps(row))


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_a_damaged_plan_is_refused_or_harmless(data: st.DataObject) -> None:
    made = plan_of(
        fuse([Member(Program(KERNELS / "chain.cpp").compile(), 2, "v_set"), Member(Program(KERNELS / "chain.cpp").compile(), 1, "m1_wait")])
    )
    row = copy.deepcopy(json.loads(made.to_json()))
    where = data.draw(st.sampled_from(["top", "sub", "step"]))
    target = {"top": row, "sub": row["subs"][0], "step": row["aiv"][-1]}[where]
    key = data.draw(st.sampled_from(sorted(target)))
    target[key] = data.draw(st.none() | st.booleans() | st.integers(-5, 2**65) | st.text(max_size=5) | st.just([]) | st.just({}))
    try:
        read = Plan.from_json(json.dumps(row))
    except MalformedMeta:
        return
    for step in (*read.aic, *read.aiv):
        assert 0 <= step.sub < len(read.subs)
        assert step.at < 8 * read.slots


def test_a_stored_plan_that_takes_an_aiv_from_a_member_is_refused(binary: KernelBinary) -> None:
    row = json.loads(plan(binary, ("m2", 2), ("c", 4)).to_json())
    assert Plan.from_json(json.dumps(row)).kernel_type == T.MIX_AIC_1_2
    row["kernel_type"] = "MIX_AIC_1_1"
    with pytest.raises(MalformedMeta, match=r"^m2_0 is MIX_AIC_1_2 and does not fit into MIX_AIC_1_1$"):
        Plan.from_json(json.dumps(row))


@pytest.mark.requirement("sk-6", "sk-22")
def test_a_dynamic_sub_kernel_reads_its_tiling_from_memory(dynamic: KernelBinary, binary: KernelBinary, stream: Stream) -> None:
    made = fuse([Member(binary, 4, "v"), Member(dynamic, 1, "scaled", task_type="dynamic"), Member(binary, 4, "v")])
    kernel = Kernel(made)
    for key, blocks in ((1, 3), (2, 4)):
        chain = [Link("v", 4, 0, 1, 1, 0), Link("v", 4, 1, 2, 1, 0)]
        buffers = [Buffer.from_array(np.zeros((48, 16), np.int32)) for _ in range(3)]
        words = Buffer.from_array(np.array([key, blocks, 1], np.uint64))
        first, last = (link.arguments(buffers) for link in chain)
        launch(
            stream,
            LaunchConfig(plan_of(made).num_blocks),
            kernel,
            *first,
            buffers[1],
            words.address,
            words.address + 8,
            words.address + 16,
            *last,
        )
        stream.synchronize()
        expected = [key * 10 + blocks + 1 + 1] * blocks + [2] * (4 - blocks)
        assert buffers[2].to_numpy()[:4, 0].tolist() == expected
        assert words.to_numpy().tolist() == [key, blocks, 0]  # the lock is free again
    words = Buffer.from_array(np.array([3, 1, 1], np.uint64))
    launch(
        stream,
        LaunchConfig(plan_of(made).num_blocks),
        kernel,
        *first,
        buffers[1],
        words.address,
        words.address + 8,
        words.address + 16,
        *last,
    )
    with pytest.raises(errors.Misuse, match="its tiling names tiling key 3, which the kernel does not have"):
        stream.synchronize()


@pytest.mark.requirement("sk-8")
def test_a_dynamic_sub_kernel_takes_no_part_in_early_start(binary: KernelBinary) -> None:
    with pytest.raises(errors.FuseError, match="v_set_0 is dynamic and announced to call SetNextTaskStart"):
        fuse([Member(binary, 1, "v_set", task_type="dynamic", early_start_set=True), Member(binary, 1, "v")])
    assert not plan_of(fuse([Member(binary, 1, "v_set", task_type="dynamic"), Member(binary, 1, "v")])).subs[0].sets


@pytest.mark.requirement("sk-20")
@pytest.mark.parametrize("kinds", ["vv", "cv", "vc", "cc", "m1 m1", "c m1", "v m2", "m2 c"])
def test_events_from_and_to_the_outside(kinds: str, binary: KernelBinary, stream: Stream) -> None:
    names = kinds.split() if " " in kinds else list(kinds)
    for sends, receives in (((5,), ()), ((), (6,)), ((5,), (6,))):
        members = [Member(binary, 2, names[0], sends=sends), Member(binary, 2, names[1], receives=receives)]
        kernel = Kernel(fuse(members))
        locks = Buffer.from_array(np.array([0, 1], np.uint64))
        buffers = [Buffer.from_array(np.zeros((48, 16), np.int32)) for _ in range(3)]
        arguments = [buffers[0], buffers[1], 1, 0, 48, *([locks.address] if sends else []), buffers[1], buffers[2], 1, 0, 48]
        arguments += [locks.address + 8] if receives else []
        launch(stream, LaunchConfig(plan_of(kernel.binary).num_blocks), kernel, *arguments)
        stream.synchronize()
        assert locks.to_numpy().tolist() == [int(bool(sends)), 0 if receives else 1]
        assert buffers[2].to_numpy()[:3, 0].tolist() == [2, 2, 0]


@pytest.mark.requirement("sk-20")
def test_a_superkernel_waits_until_another_stream_sets_the_lock(binary: KernelBinary, stream: Stream) -> None:
    kernel = Kernel(fuse([Member(binary, 2, "v"), Member(binary, 2, "v", receives=(6,))]))
    other, lock = Stream(), Buffer.from_array(np.zeros(1, np.uint64))
    buffers = [Buffer.from_array(np.zeros((48, 16), np.int32)) for _ in range(3)]
    launch(stream, LaunchConfig(2), kernel, buffers[0], buffers[1], 1, 0, 48, buffers[1], buffers[2], 1, 0, 48, lock.address)
    source = (
        '#include "kernel_operator.h"\nextern "C" __global__ __vector__ void open_it(GM_ADDR x) { *(__gm__ volatile uint64_t*)x = 1; }\n'
    )
    launch(other, LaunchConfig(1), Kernel(Program(source).compile()), lock)
    other.synchronize()
    stream.synchronize()
    assert buffers[2].to_numpy()[:3, 0].tolist() == [2, 2, 0]
    assert lock.to_numpy().tolist() == [0]


@pytest.mark.requirement("sk-25")
def test_profiling_records_have_start_before_end_on_each_core(binary: KernelBinary, stream: Stream) -> None:
    kernel = Kernel(fuse([Member(binary, 2, "m1"), Member(binary, 2, "v")], "profiling=1:debug-sync-all=1:debug-dcci-all=1"))
    per_core = 512
    area = np.zeros(64 + 64 * per_core, np.uint8)
    area[12:16] = np.array([per_core], np.uint32).view(np.uint8)
    buffer = Buffer.from_array(area)
    buffers = [Buffer.from_array(np.zeros((48, 16), np.int32)) for _ in range(3)]
    launch(stream, LaunchConfig(2), kernel, buffers[0], buffers[1], 1, 0, 48, buffers[1], buffers[2], 1, 0, 48, buffer, 77)
    stream.synchronize()
    raw = buffer.to_numpy()
    for index in (0, 1, 50, 51):  # AIVs, and AICs behind 50
        words = raw[64 + index * per_core : 64 + (index + 1) * per_core].view(np.uint64)
        assert words[0] & 0xFFFFFFFF == 0xBDCA8756
        count = int(words[1] - buffer.address - 64 - index * per_core - 32) // 16
        records = words[4 : 4 + 2 * count].reshape(count, 2)
        assert int(records[0, 0]) == 77 << 32 | index << 8 | 0xFF
        spans: dict[tuple[int, int], int] = {}
        for word, time in records[1:]:
            key = (int(word) >> 32, int(word) >> 8 & 0xF)
            if int(word) >> 12 & 1:
                assert spans.pop(key) <= int(time)
            else:
                spans[key] = int(time)
        assert not spans
    assert buffers[2].to_numpy()[0, 0] == 2


def test_a_superkernel_has_one_block_count(binary: KernelBinary, stream: Stream) -> None:
    kernel = Kernel(fuse([Member(binary, 2, "v")], name="two"))
    with pytest.raises(errors.InvalidArgument, match="two is a SuperKernel of 2 blocks; 3 asked for: launch it with 2"):
        launch(stream, LaunchConfig(3), kernel, None, None, 0, 0, 1)


def test_options_object_and_text_are_the_same(binary: KernelBinary) -> None:
    assert fuse([Member(binary, 2, "v")], "early-start=0") is fuse([Member(binary, 2, "v")], FuseOptions(early_start=0))
