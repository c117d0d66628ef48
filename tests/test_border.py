# SPDX-License-Identifier: Apache-2.0
"""The border between Python and the engine: who may touch it, what crosses it, and that both sides say the same."""

from __future__ import annotations

import re
import subprocess
import sys
from enum import EnumType
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from aclimb import Buffer, Kernel, KernelBinary, LaunchConfig, Program, Stream, _engine, knobs, launch
from aclimb.binary import plan
from aclimb.errors import DeviceError, InvalidArgument, KernelTrap
from aclimb.flow import FaultKind, KernelType
from aclimb.report import faults  # fills KINDS
from aclimb.runtime import requests
from aclimb.trace import profiling

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"
# runtime/ is where it is used. flow.py shows its enums to everybody; engine.py starts it; trace/ reads what a profile recorded, check/ what
# a check found.
DOORS = {
    "aclimb/check/engine_side.py", "aclimb/check/places.py", "aclimb/engine.py", "aclimb/flow.py", "aclimb/trace/chrome.py",
    "aclimb/trace/launch.py", "aclimb/trace/profiling.py",
}  # fmt: skip
FILES = sorted(SOURCE.rglob("*.py"))
KERNELS = """
#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void in_step(GM_ADDR x, uint32_t length) {
    SyncAll();
}
extern "C" __global__ __aicore__ void where(GM_ADDR x) {
    *(__gm__ uint64_t*)x = (uint64_t)GetSysWorkSpacePtr();
}
extern "C" __global__ __aicore__ void trap(GM_ADDR x) {
    Trap();
}
extern "C" __global__ __aicore__ void by_key(GM_ADDR x) {
    if (TILING_KEY_IS(3)) { *(__gm__ int32_t*)x = 3; }
}
"""


def touches_engine(text: str) -> bool:
    return (
        re.search(r"^\s*(from aclimb import .*\b_engine\b|from aclimb\._engine import|import aclimb\._engine)", text, re.MULTILINE)
        is not None
    )


@pytest.mark.parametrize("path", FILES, ids=[str(path.relative_to(SOURCE)) for path in FILES])
def test_only_the_runtime_and_a_few_doors_touch_the_engine(path: Path) -> None:
    name = str(path.relative_to(SOURCE))
    allowed = name in DOORS or name.startswith("aclimb/runtime/")
    assert allowed or not touches_engine(path.read_text()), f"{name} imports aclimb._engine; give runtime/ a function for what it wants"


def test_every_door_is_used() -> None:
    assert [name for name in sorted(DOORS) if not touches_engine((SOURCE / name).read_text())] == []


def test_launch_requests_are_made_in_one_place() -> None:
    makers = [str(path.relative_to(SOURCE)) for path in FILES if re.search(r"LaunchRequest\(", path.read_text())]
    assert makers == ["aclimb/runtime/requests.py"]


@pytest.mark.parametrize("module", ["_engine", "_library"])
def test_a_stub_is_what_its_module_offers(module: str) -> None:
    script = f"import make_docs; print(make_docs.stub_of(make_docs.{module}), end='')"
    said = subprocess.run([sys.executable, "-c", script], cwd=ROOT / "tools", capture_output=True, text=True, check=True)
    assert said.stdout == (SOURCE / "aclimb" / f"{module}.pyi").read_text(), "run `make docs`"


def test_every_kind_of_fault_has_a_sentence() -> None:
    run_again = {FaultKind.timing_only_steers}  # nobody hears of it: the launch is repeated in full
    assert set(FaultKind) - set(faults.KINDS) == run_again


def test_names_come_from_the_declarations() -> None:
    assert [pipe.name for pipe in _engine.Pipe] == ["S", "V", "M", "MTE1", "MTE2", "MTE3", "FIX", "ALL"]
    assert (KernelType.MIX_AIC_1_2, KernelType.MIX_AIC_1_2.task_ration) == (7, (1, 2))
    assert _engine.Strictness(-1) is _engine.Strictness.device
    assert [part.name for part in _engine.Part] == ["busy", "memory", "flag", "empty"]  # the number of parts is none of them
    enums = [each for each in vars(_engine).values() if isinstance(each, EnumType)]
    assert all(list(each) for each in enums)
    assert len(enums) >= 20


def test_words_of_files_and_settings_are_the_engines() -> None:
    steps = [kind.name.rstrip("_") for kind in _engine.StepKind]
    assert [*steps, "preload"] == list(get_args(plan.StepKind))  # a preload changes time only: the engine does not hear of it
    assert [who.name for who in _engine.Who] == list(get_args(plan.Who))
    assert [start.name.replace("_", "-") for start in _engine.L2Start] == list(get_args(profiling.L2))
    assert set(knobs.strictness.choices) == {each.name for each in _engine.Strictness} - {"device"}


# --- the one validator


@pytest.fixture(scope="module")
def binary() -> KernelBinary:
    return Program(KERNELS).compile()


@pytest.fixture
def in_step(binary: KernelBinary) -> Kernel:
    return Kernel(binary, "in_step")


@pytest.fixture
def by_key(binary: KernelBinary) -> Kernel:
    return Kernel(binary, "by_key")


def test_a_request_checks_keys_blocks_and_residency(in_step: Kernel, by_key: Kernel) -> None:
    device = Stream().device
    with pytest.raises(InvalidArgument, match=r"^by_key chooses its code by tiling key; give one of 3 in LaunchConfig\(tiling_key=...\)$"):
        requests.request(device, by_key, 1)
    with pytest.raises(InvalidArgument, match=r"^by_key has no tiling key 4; it has 3$"):
        requests.request(device, by_key, 1, 4)
    with pytest.raises(InvalidArgument, match=r"^num_blocks is 0; it takes 1 to 65535$"):
        requests.request(device, by_key, 0, 3)
    with pytest.raises(InvalidArgument, match=r"^in_step synchronises across cores, .* launch at most 48$"):
        requests.request(device, in_step, 49)
    with pytest.raises(InvalidArgument, match=r"by_key synchronises across cores"):
        requests.request(device, by_key, 49, 3, at_once=True)


def test_a_request_that_was_checked_is_used_again(by_key: Kernel) -> None:
    stream, word = Stream(), Buffer.from_array(np.zeros(1, np.int32))
    for _ in range(3):
        launch(stream, LaunchConfig(1, 3), by_key, word)
    launch(stream, LaunchConfig(1, 3, workspace=word.address), by_key, word)
    assert int(word.to_numpy()[0]) == 3
    assert len(by_key.requests) == 1  # not by the address of a workspace: programs have any number of them


def test_bytes_that_are_too_few_are_refused_whoever_gives_them(in_step: Kernel) -> None:
    stream = Stream()
    asked = requests.request(stream.device, in_step, 1)
    with pytest.raises(InvalidArgument, match=r"^8 bytes of arguments are given; in_step reads more$"):
        requests.launch_bytes(stream, asked, bytes(8))
    with pytest.raises(ValueError, match="fewer bytes than the kernel reads"):
        asked.with_args(bytes(8))


def test_a_launch_on_a_stream_whose_context_stopped_is_refused(binary: KernelBinary) -> None:
    context = _engine.Context()
    context.stop_mode = True
    stream, word = Stream(context=context), Buffer.from_array(np.zeros(1, np.int32))
    launch(stream, LaunchConfig(1), Kernel(binary, "trap"), word)
    with pytest.raises(KernelTrap):
        stream.synchronize()
    with pytest.raises(DeviceError, match=r"^by_key is not launched: the context of the stream stopped when a task failed$"):
        launch(stream, LaunchConfig(1, 3), Kernel(binary, "by_key"), word)


def test_an_updated_launch_of_a_graph_has_its_own_workspace(binary: KernelBinary) -> None:
    stream, where, seen = Stream(), Kernel(binary, "where"), Buffer.from_array(np.zeros(1, np.uint64))
    old, new = Buffer(64), Buffer(64)
    with stream.capture() as graph:
        launch(stream, LaunchConfig(1, workspace=old.address), where, seen)
    graph.launch(stream)
    assert int(seen.to_numpy()[0]) == old.address
    graph.update(0, LaunchConfig(1, workspace=new.address), where, seen)
    graph.launch(stream)
    assert int(seen.to_numpy()[0]) == new.address
    assert graph.launches[0].workspace == new.address


def test_what_an_instruction_orders_is_asked_of_its_effect() -> None:
    """isa/effect.h answers all readers of the instruction stream; an instruction's number says what it computes and costs."""
    by_number = re.compile(r"case Op::|[=!]= ?Op::")
    counts = {}
    for path in sorted((ROOT / "engine").rglob("*.[ch]*")):
        room = path.relative_to(ROOT / "engine").parts[0]
        found = sum(bool(by_number.search(line)) for line in path.read_text().splitlines())
        if found and room not in ("isa", "tests"):
            counts[str(path.relative_to(ROOT / "engine"))] = found
    readers = ("check/launch_check.cpp", "check/replay.cpp", "core/schedule.cpp", "core/directed.cpp", "core/priorities.cpp")
    assert not [name for name in counts if name in readers or name.startswith(("sync/", "isolation/", "bind/"))], counts
    assert sum(counts.values()) <= 60, counts
