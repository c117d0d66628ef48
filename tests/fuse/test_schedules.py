# SPDX-License-Identifier: Apache-2.0
"""Adversarial schedules: a chain whose result depends on what overlaps is found, and the same put right never is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from chains import KERNELS

from aclimb import Buffer, Kernel, KernelBinary, LaunchConfig, Program, Stream, errors, launch
from aclimb.fuse import Member, explain, from_json, fuse, plan_of, record, stress, to_json
from aclimb.runtime.fused_runs import ScheduleMode

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def binary() -> KernelBinary:
    return Program(KERNELS / "rules.cpp").compile()


def chain(binary: KernelBinary, *names: str) -> tuple[Kernel, list[Buffer]]:
    kernel = Kernel(fuse([Member(binary, 3, name) for name in names], name="chain"))
    buffers = [Buffer.from_array(np.zeros((48, 16), np.int32)) for _ in range(len(names) + 1)]
    return kernel, [each for i in range(len(names)) for each in (buffers[i], buffers[i + 1])]


@pytest.mark.requirement("sk-29", "sk-30")
@pytest.mark.parametrize(
    ("bad", "good", "blamed"),
    [
        (("set_before_copy", "good_wait"), ("good_set", "good_wait"), "set_before_copy_0 writes behind its SetNextTaskStart"),
        (("good_set", "wait_after_copy"), ("good_set", "good_wait"), "wait_after_copy_1 reads before its WaitPreTaskEnd"),
        (("set_on_v", "good_wait"), ("good_set", "good_wait"), "written by"),
    ],
)
def test_a_result_that_depends_on_the_schedule_is_reported(
    bad: tuple[str, ...], good: tuple[str, ...], blamed: str, binary: KernelBinary
) -> None:
    kernel, arguments = chain(binary, *bad)
    report = stress(kernel, *arguments, seeds=range(40))
    assert not report.is_stable
    difference = report.differences[0]
    assert difference.parameter.endswith(".out")
    assert difference.first % 64 == 0
    assert f"seed {difference.seed}" in str(report)
    assert blamed in str(report)
    again = stress(kernel, *arguments, seeds=[difference.seed])
    assert again.differences[0] == difference  # a seed is a schedule
    kernel, arguments = chain(binary, *good)
    assert str(stress(kernel, *arguments, seeds=range(200))) == "chain: the same result as separate launches under 200 schedules"


@pytest.mark.parametrize("names", [("set_before_copy", "good_wait"), ("good_set", "wait_after_copy"), ("set_on_v", "good_wait")])
def test_a_late_mte3_is_enough_for_a_set_or_a_wait_in_the_wrong_place(names: tuple[str, ...], binary: KernelBinary) -> None:
    kernel, arguments = chain(binary, *names)
    (found,) = stress(kernel, *arguments, replay="1:late:MTE3").differences
    assert found.parameter == f"{names[1]}_1.out"
    kernel, arguments = chain(binary, "good_set", "good_wait")
    assert stress(kernel, *arguments, replay="1:late:MTE3").is_stable


@pytest.mark.requirement("sk-19")
def test_the_end_of_a_pipe_waits_for_nothing_inside_a_superkernel(binary: KernelBinary) -> None:
    """AddOne's TPipe ends while its copy is under way: with a set on V the next kernel can overtake it."""
    kernel, arguments = chain(binary, "set_on_v", "good_wait")
    assert not stress(kernel, *arguments, seeds=range(40)).is_stable


def test_what_a_kernel_touches_is_recorded_by_phase(binary: KernelBinary) -> None:
    kernel, arguments = chain(binary, "set_before_copy", "wait_after_copy")
    rows = {str(access) for access in record(kernel, *arguments)}
    assert rows == {
        "reads set_before_copy_0.in bytes 0-191 before set",
        "writes set_before_copy_0.out bytes 0-191 after set",
        "reads set_before_copy_0.out bytes 0-191 before wait",
        "writes wait_after_copy_1.out bytes 0-191 before set",
    }
    accesses = record(kernel, *arguments)
    assert from_json(to_json(accesses)) == accesses
    assert "writes set_before_copy_0.out bytes 0-191 after set" in explain(plan_of(kernel.binary), accesses)
    with pytest.raises(errors.InvalidArgument, match="this is not a list of accesses"):
        from_json("[1]")


@pytest.mark.requirement("sk-40")
@pytest.mark.parametrize("times", range(2, 9))
def test_the_documented_sample_fused_with_itself_is_stable(times: int, caplog: pytest.LogCaptureFixture) -> None:
    kernel = Kernel(fuse([(Program(EXAMPLES / "early_start" / "early_start.cpp").compile(), 1)] * times))
    buffers = [Buffer.from_array(np.ones(512, np.float16)) for _ in range(times + 1)]
    arguments = [each for i in range(times) for each in (buffers[i], buffers[i], buffers[i + 1])]
    assert stress(kernel, *arguments, seeds=range(12)).is_stable
    record(kernel, *arguments)
    assert buffers[-1].to_numpy()[0] == 2.0**times
    assert caplog.text == ""


def test_a_hang_is_seen_under_a_schedule_too(binary: KernelBinary, stream: Stream) -> None:
    kernel, arguments = chain(binary, "plain", "plain")
    with pytest.raises(errors.InvalidArgument, match="a seed is -1"):
        stress(kernel, *arguments, seeds=[-1])
    stream.native.set_schedule(ScheduleMode.random, 5)
    hanging = Kernel(fuse([Member(binary, 2, "first_aiv_only"), Member(binary, 4, "plain")]))
    launch(stream, LaunchConfig(2), hanging, *arguments)
    with pytest.raises(errors.Hang, match=r"CrossCoreWaitFlag\(4\); not yet set by AIV 1"):
        stream.synchronize()
