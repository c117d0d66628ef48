# SPDX-License-Identifier: Apache-2.0
"""The rules of a SuperKernel, in pairs: a kernel that breaks one, and the same put right. Nothing ever hangs."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from chains import KERNELS

from aclimb import Buffer, Kernel, KernelBinary, LaunchConfig, Program, Stream, errors, launch
from aclimb.fuse import FuseOptions, Member, fuse, plan_of

Run = Callable[..., np.ndarray]
BLOCKS = 3


@pytest.fixture(scope="module")
def binary() -> KernelBinary:
    return Program(KERNELS / "rules.cpp").compile()


@pytest.fixture
def run(binary: KernelBinary, stream: Stream) -> Run:
    """run("a", ("b", 2), ...) fuses kernels, runs them over a chain of buffers and gives the last one."""

    def _run(*kernels: str | tuple[str, int], options: FuseOptions | str | None = None, key: int | None = None) -> np.ndarray:
        made = fuse(members(binary, kernels, key), options, name="chain")
        buffers = [Buffer.from_array(np.zeros((48, 16), np.int32)) for _ in range(len(kernels) + 1)]
        arguments = [each for i in range(len(kernels)) for each in (buffers[i], buffers[i + 1])]
        launch(stream, LaunchConfig(plan_of(made).num_blocks), Kernel(made), *arguments)
        stream.synchronize()
        return buffers[-1].to_numpy()

    return _run


def members(binary: KernelBinary, kernels: Sequence[str | tuple[str, int]], key: int | None = None) -> list[Member]:
    found = []
    for each in kernels:
        name, blocks = each if isinstance(each, tuple) else (each, BLOCKS)
        found.append(Member(binary, blocks, name, tiling_key=key if binary.kernel_info(name).tiling_keys else None))
    return found


def warnings(caplog: pytest.LogCaptureFixture) -> str:
    return "\n".join(record.getMessage() for record in caplog.records)


@pytest.mark.requirement("sk-27", "sk-28", "sk-30")
def test_set_and_wait_put_right_run_without_a_word(run: Run, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "aclimb"):
        got = run("plain", "good_set", "good_wait", "plain")
    assert got[:BLOCKS].tolist() == [[4] * 16] * BLOCKS
    assert warnings(caplog) == ""


@pytest.mark.requirement("sk-37", "sk-53")
def test_a_core_that_never_sets_is_named_with_its_kernel(run: Run) -> None:
    with pytest.raises(errors.EarlyStartMismatch, match="SetNextTaskStart is in this kernel and was never called on this core") as caught:
        run("set_missing", "plain")
    assert "chain block 1 (AIV 1), sub-kernel 0 set_missing" in str(caught.value)
    assert (caught.value.block, caught.value.core) == (1, "AIV 1")


@pytest.mark.requirement("sk-37", "sk-53")
def test_a_core_that_never_waits_is_named_with_its_kernel(run: Run) -> None:
    with pytest.raises(errors.EarlyStartMismatch, match="WaitPreTaskEnd is in this kernel and was never called on this core"):
        run("plain", "wait_missing")


@pytest.mark.requirement("sk-38", "sk-54")
def test_a_second_set_is_an_error_at_its_line(run: Run) -> None:
    with pytest.raises(errors.EarlyStartMismatch, match="SetNextTaskStart is called twice on this core") as caught:
        run("set_twice", "plain")
    assert "rules.cpp:69   if (GetBlockIdx() == 2) SetNextTaskStart();" in str(caught.value)
    assert "called before  rules.cpp:68   SetNextTaskStart();" in str(caught.value)
    assert (caught.value.block, caught.value.line) == (2, 69)


@pytest.mark.requirement("sk-38", "sk-54")
def test_a_second_wait_is_an_error_at_its_line(run: Run) -> None:
    with pytest.raises(errors.EarlyStartMismatch, match="WaitPreTaskEnd is called twice on this core"):
        run("plain", "wait_twice")


@pytest.mark.requirement("sk-55")
def test_a_tiling_key_that_does_not_set_is_named(run: Run, binary: KernelBinary) -> None:
    plan = plan_of(fuse(members(binary, ("set_by_key", "plain"), 1)))
    assert [finding.rule for finding in plan.findings] == ["K3"]
    assert "set_by_key_0 calls SetNextTaskStart and has tiling keys 1, 2" in plan.findings[0].text
    assert run("set_by_key", "plain", key=1)[0, 0] == 2
    with pytest.raises(errors.EarlyStartMismatch, match="never called on this core under tiling key 2"):
        run("set_by_key", "plain", key=2)


@pytest.mark.requirement("sk-56")
def test_an_announced_call_that_the_binary_does_not_have_is_refused(binary: KernelBinary) -> None:
    with pytest.raises(errors.FuseError, match=r"^plain_0 is announced to call SetNextTaskStart, and its binary does not$"):
        fuse([Member(binary, 1, "plain", early_start_set=True), Member(binary, 1, "plain")])
    with pytest.raises(errors.FuseError, match="announced to call SetNextTaskStart, and early-start=0 leaves that without effect"):
        fuse([Member(binary, 1, "good_set", early_start_set=True), Member(binary, 1, "plain")], "early-start=0")


@pytest.mark.requirement("sk-56")
def test_calls_without_a_neighbour_have_no_effect(run: Run) -> None:
    assert run("good_wait", "good_set")[0, 0] == 2  # the first waits for nobody, the last sets for nobody
    assert run("good_set", "plain", options="early-start=2")[0, 0] == 2
    assert run("set_missing", "plain", options="early-start=0")[0, 0] == 2  # without effect there is no rule to break


@pytest.mark.requirement("sk-62")
def test_a_flag_left_set_is_found_at_the_border(run: Run) -> None:
    with pytest.raises(errors.UnbalancedFlags, match=r"flag MTE3_MTE2 id 3 is still set when the kernel ends, .* sub-kernel 0 flag_left"):
        run("flag_left", "plain")
    with pytest.raises(
        errors.UnbalancedFlags, match=r"cross-core flag 3 is still set(?s:.*)sub-kernel 0 cross_flag_left(?s:.*)rules.cpp:121"
    ):
        run("cross_flag_left", "plain")


@pytest.mark.requirement("sk-63")
def test_flags_of_the_superkernel_are_not_for_sub_kernels(run: Run) -> None:
    with pytest.raises(errors.Misuse, match=r"CrossCoreSetFlag uses cross-core flag 14(?s:.*): use 0 to 10\n"):
        run("reserved_flag", "plain")


@pytest.mark.requirement("sk-23", "sk-64")
def test_sync_all_on_fewer_cores_is_reported_with_the_missing_ones(run: Run, binary: KernelBinary) -> None:
    plan = plan_of(fuse(members(binary, (("sync_all", 2), "plain"))))
    assert [(finding.rule, finding.severity) for finding in plan.findings] == [("K12", "error")]
    with pytest.raises(errors.Hang, match="SyncAll would wait for ever for AIV 2: the sub-kernel runs on 2 of the SuperKernel's 3 AIVs"):
        run(("sync_all", 2), "plain")
    with pytest.raises(errors.Hang, match=r"CrossCoreSetFlag would wait for ever for AIV 2(?s:.*)as many blocks as the SuperKernel has"):
        run(("own_barrier", 2), "plain")
    assert run("own_barrier", "plain")[0, 0] == 2


@pytest.mark.requirement("sk-23")
@pytest.mark.parametrize("split", [1, 4])
def test_feed_sync_all_takes_the_idle_cores_along(run: Run, split: int) -> None:
    options = f"feed-sync-all=1:split-mode={split}"
    assert run(("sync_all", 2), "plain", ("sync_all", 1), options=options)[0, 0] == 3
    assert run(("mixed_sync_all", 2), ("plain", 6), ("mixed_sync_all", 1), ("plain", 2), options=options)[0, 0] == 1


@pytest.mark.requirement("sk-16", "sk-65")
def test_one_to_one_kernels_run_on_both_aivs(run: Run, binary: KernelBinary) -> None:
    plan = plan_of(fuse(members(binary, ("both_aivs", ("plain", 6)))))
    assert [finding.rule for finding in plan.findings] == ["K13"]
    assert run("both_aivs", ("plain", 6))[5, 0] == 1
    with pytest.raises(errors.Hang, match=r"AIC 0: CrossCoreWaitFlag\(4\); not yet set by AIV 1"):
        run("first_aiv_only", ("plain", 6))


@pytest.mark.requirement("sk-67")
def test_mode_registers_that_leak_are_told_when_they_matter(run: Run, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "aclimb"):
        run("leaves_atomic", "plain")  # TPipe puts it right
        assert warnings(caplog) == ""
        run("leaves_atomic", "without_pipe")
    assert "K15: DataCopy runs with the atomic mode that the sub-kernel before left on" in warnings(caplog)


@pytest.mark.requirement("sk-68")
def test_the_raw_block_index_is_refused(binary: KernelBinary) -> None:
    with pytest.raises(errors.FuseError, match=r"^raw_index_0 uses block_idx, get_block_idx or get_block_num"):
        fuse(members(binary, ("raw_index", "plain")))


@pytest.mark.requirement("sk-70")
def test_a_wait_for_what_needs_the_same_cores_is_refused(binary: KernelBinary) -> None:
    chain = [Member(binary, 48, "plain"), Member(binary, 48, "plain", receives=(7,))]
    assert fuse(chain, producers={7: (24, 0)})
    with pytest.raises(
        errors.Deadlock, match=r"plain_1 waits for event 7 while the SuperKernel holds 0 AICs and 48 AIVs; .* needs 0 and 1"
    ):
        fuse(chain, producers={7: (0, 1)})


@pytest.mark.requirement("sk-42", "sk-70")
def test_a_wait_for_a_later_member_is_refused(binary: KernelBinary) -> None:
    chain = [
        Member(binary, 1, "plain"),
        Member(binary, 1, "plain", stream=1, receives=(7,)),
        Member(binary, 1, "plain", stream=2, sends=(7,)),
    ]
    with pytest.raises(errors.Deadlock, match="plain_1 waits for event 7, which plain_2 sends behind it in the same SuperKernel"):
        fuse(chain)


@pytest.mark.requirement("sk-71")
def test_a_copy_behind_the_set_gets_a_warning_once(binary: KernelBinary, stream: Stream, caplog: pytest.LogCaptureFixture) -> None:
    kernel = Kernel(fuse(members(binary, ("set_before_copy", "good_wait"))))
    buffers = [Buffer.from_array(np.zeros((48, 16), np.int32)) for _ in range(3)]
    with caplog.at_level(logging.WARNING, "aclimb"):
        for _ in range(2):
            launch(stream, LaunchConfig(BLOCKS), kernel, buffers[0], buffers[1], buffers[1], buffers[2])
            stream.synchronize()
    assert len(caplog.records) == 1
    assert "K19: DataCopy writes global memory behind SetNextTaskStart" in warnings(caplog)
    assert "set at  rules.cpp:89   SetNextTaskStart();" in warnings(caplog)


@pytest.mark.requirement("sk-71")
def test_a_copy_before_the_wait_gets_a_warning(run: Run, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "aclimb"):
        run("good_set", "wait_after_copy")
    assert "K19: DataCopy reads global memory before WaitPreTaskEnd" in warnings(caplog)


@pytest.mark.requirement("sk-71")
@pytest.mark.parametrize(("kernel", "call"), [("wait_after_write", "DataCopy"), ("wait_after_store", "SetValue")])
def test_a_write_before_the_wait_gets_a_warning(kernel: str, call: str, run: Run, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "aclimb"):
        run("good_set", "good_wait")
        run(kernel, "plain")  # the first waits for nobody
        assert warnings(caplog) == ""
        run("good_set", kernel)
    assert f"K19: {call} writes global memory before WaitPreTaskEnd" in warnings(caplog)
    assert "wait before the first copy, unless it neither reads nor writes there" in warnings(caplog)


@pytest.mark.requirement("sk-71")
def test_a_set_on_another_pipe_than_the_last_copy_gets_a_warning(run: Run, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "aclimb"):
        run("set_on_v_behind_the_copy", "good_wait")  # V has waited for the copy
        run("set_on_v_behind_a_barrier", "good_wait")
        assert warnings(caplog) == ""
        run("set_on_v", "good_wait")
    assert "K19: SetNextTaskStart on PIPE_V says nothing about the copies to global memory that another pipe has under way" in warnings(
        caplog
    )
    assert "set on the pipe of the last copy: PIPE_MTE3 on AIV and PIPE_FIX on AIC, the defaults" in warnings(caplog)


@pytest.mark.requirement("sk-71")
def test_a_set_on_the_scalar_pipe_gets_a_warning(run: Run, binary: KernelBinary, caplog: pytest.LogCaptureFixture) -> None:
    assert [finding.rule for finding in plan_of(fuse(members(binary, ("set_on_s", "plain")))).findings] == ["K19"]
    with caplog.at_level(logging.WARNING, "aclimb"):
        run("set_on_s", "plain")
    assert "K19: SetNextTaskStart with AIV_PIPE = PIPE_S" in warnings(caplog)


@pytest.mark.requirement("sk-35", "sk-72")
def test_one_kernel_alone_leaves_no_set_behind(run: Run, binary: KernelBinary) -> None:
    plan = plan_of(fuse(members(binary, ("good_set",))))
    assert [finding.rule for finding in plan.findings] == ["K20"]
    assert run("good_set")[0, 0] == 1


@pytest.mark.requirement("sk-73")
def test_the_sixteenth_set_without_a_wait_is_an_error(run: Run) -> None:
    with pytest.raises(errors.Misuse, match="cross-core flag 5 is set more than 15 times without a wait"):
        run("too_many_sets", "plain")


@pytest.mark.requirement("sk-17")
def test_a_sub_kernel_sees_its_own_block_count(run: Run) -> None:
    got = run(("plain", 6), ("who_am_i", 2))
    assert got[:3, :3].tolist() == [[0, 2, 1], [1, 2, 1], [0, 0, 0]]


@pytest.mark.requirement("sk-28")
def test_on_a2_the_calls_have_no_effect(stream: Stream) -> None:
    binary = Program(KERNELS / "rules.cpp", soc="Ascend910B1").compile()
    plan = plan_of(fuse(members(binary, ("set_missing", "wait_missing"))))
    assert not any(sub.sets or sub.waits for sub in plan.subs)
    assert "SetNextTaskStart of set_missing_0 has no effect on Atlas A2" in plan.pairs[0].reason


@pytest.mark.parametrize("members", [None, 7, "add.o"])
def test_members_are_a_list(members: object) -> None:
    with pytest.raises(errors.FuseError, match=r"the members are .*; they are a list of"):
        fuse(members)  # type: ignore[arg-type]
