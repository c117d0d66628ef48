# SPDX-License-Identifier: Apache-2.0
"""Faults that end a kernel are findings too, with the words they have without a check."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch
from aclimb.check.collect import from_faults
from aclimb.check.faults import finding_of
from aclimb.check.formats.text import finding_text
from aclimb.errors import AclimbError
from aclimb.flow import Fault
from aclimb.runtime import finish

CHECK = Path(__file__).parents[1] / "check"
TBUF = """
#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void frees_tbuf(GM_ADDR x, GM_ADDR z) {
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    TQue<TPosition::VECIN, 1> queue;
    pipe.InitBuffer(buffer, 256);
    pipe.InitBuffer(queue, 1, 256);
    LocalTensor<float> tile = buffer.Get<float>();
    queue.FreeTensor(tile);
}
"""
RULES = {
    "ub_count": "B1",
    "gm_beyond": "B1",
    "buffers_too_large": "B1",
    "repeat_range": "B2",
    "misaligned_operand": "B3",
    "wait_without_set": "F1",
    "flag_set_twice": "F2",
    "flag_left": "F3",
    "cross_core_overflow": "F5",
    "sync_all_not_armed": "F6",
    "cube_call_on_aiv": "F8",
    "queue_over_depth": "Q1",
    "no_free_buffer": "Q2",
    "event_ids_used_up": "Q3",
    "foreign_tensor": "Q5",
    "double_free": "Q6",
    "use_after_free": "Q7",
    "two_pipes": "Q8",
    "assertion": None,
}


@pytest.fixture
def faults() -> Iterator[list[Fault]]:
    seen: list[Fault] = []
    finish.fault_watchers.append(seen.append)
    yield seen
    finish.fault_watchers.pop()


def fail(kernel: Kernel, blocks: int = 1, **config: object) -> AclimbError | None:
    x = np.zeros(1024, np.float32)
    stream = Stream()
    buffers = Buffer.from_array(x), Buffer.from_array(x)
    launch(stream, LaunchConfig(num_blocks=blocks, **config), kernel, *buffers)  # type: ignore[arg-type]
    try:
        stream.synchronize()
    except AclimbError as error:
        return error
    return None


def bad(name: str) -> Kernel:
    return Kernel(Program(CHECK / name / "bad.cpp").compile())


@pytest.mark.parametrize("name", RULES)
@pytest.mark.filterwarnings("ignore::aclimb.errors.BuildWarning")
def test_a_fault_is_a_finding_of_its_rule_with_the_same_words(name: str, faults: list[Fault]) -> None:
    error = fail(bad(name))
    assert error is not None
    (fault,) = faults
    finding = finding_of(fault)
    if RULES[name] is None:
        assert finding is None
        return
    assert finding is not None
    assert (finding.rule, finding.severity) == (RULES[name], "error")
    head, *rows = str(error).splitlines()
    said = finding_text(finding).splitlines()
    assert said[0].endswith(f": {head}   [{finding.rule}]")
    for row in rows:
        assert any(line.strip().endswith(row.strip()) for line in said[1:]), row
    assert finding.fingerprint.startswith(f"{finding.rule}:")


def test_the_line_is_there_although_a_hang_has_none_of_its_own(faults: list[Fault]) -> None:
    fail(bad("wait_without_set"))
    (access,) = from_faults(faults)[0].accesses
    assert (Path(access.file).name, access.kernel, access.core, access.block) == ("bad.cpp", "wait_without_set", "AIV 0", 0)
    assert access.text


def test_a_tensor_of_a_tbuf_is_told_from_one_of_another_queue(faults: list[Fault]) -> None:
    assert fail(Kernel(Program(TBUF, name="frees_tbuf").compile())) is not None
    assert [each.rule for each in from_faults(faults)] == ["Q4"]


def test_a_fault_of_several_launches_is_one_finding_that_is_counted(faults: list[Fault]) -> None:
    kernel = bad("ub_count")
    for _ in range(3):
        fail(kernel)
    (finding,) = from_faults(faults)
    assert (finding.count, finding.blocks) == (3, 1)
    assert finding.launch_place is not None
    assert finding.launch_place[0] == __file__


def test_what_runs_as_on_hardware_is_a_warning(faults: list[Fault], capsys: pytest.CaptureFixture[str]) -> None:
    assert fail(bad("ub_count"), strictness="hardware") is None
    found = from_faults(faults)
    assert {(each.rule, each.severity) for each in found} == {("B1", "warning")}


def test_who_only_looks_leaves_the_fault_for_who_waits(faults: list[Fault]) -> None:
    stream, x = Stream(), Buffer.from_array(np.zeros(1024, np.float32))
    launch(stream, LaunchConfig(num_blocks=1), bad("ub_count"), x, x)
    stream.device.native.wait_idle()
    finish.look_at(stream.native)
    assert len(faults) == 1
    finish.look_at(stream.native)
    with pytest.raises(AclimbError, match="which has"):
        stream.synchronize()
    stream.synchronize()
    assert len(faults) == 1


def test_a_stream_that_is_let_go_keeps_its_fault_for_the_device(faults: list[Fault]) -> None:
    stream, x = Stream(), Buffer.from_array(np.zeros(1024, np.float32))
    device = stream.device
    launch(stream, LaunchConfig(num_blocks=1), bad("ub_count"), x, x)
    device.native.wait_idle()
    finish.look_at(stream.native)
    del stream
    Stream().synchronize()  # may have its place in memory
    with pytest.raises(AclimbError, match="which has"):
        device.synchronize()


def test_a_stream_that_is_asked_first_does_not_hear_of_another_ones_fault(faults: list[Fault]) -> None:
    broken, fine, x = Stream(), Stream(), Buffer.from_array(np.zeros(1024, np.float32))
    launch(broken, LaunchConfig(num_blocks=1), bad("ub_count"), x, x)
    broken.device.native.wait_idle()
    finish.look_at(broken.native)
    fine.synchronize()
    with pytest.raises(AclimbError):
        broken.synchronize()
