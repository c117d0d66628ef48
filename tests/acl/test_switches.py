# SPDX-License-Identifier: Apache-2.0
"""What a program switches on for itself: dumps and profiles, by acl.init's configuration and by launch attributes; and the settings that
change nothing, which the log names once. Each program runs in a process of its own: the first configuration holds until its end."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from host import message, ok, run_program

import acl
from aclimb.runtime import dumps, no_effect

Malloc = Callable[[int], int]
Find = Callable[[str], int]

HEAD = """
import os; os.chdir(FOLDER)
import ctypes, logging, sys
import numpy as np
logging.basicConfig(stream=sys.stdout, format="%(levelname)s %(message)s")
import acl
from aclimb import capi
assert acl.init(*CONFIG) == 0, acl.get_recent_err_msg()
acl.rt.set_device(0)
stream = acl.rt.create_stream()[0]
binary = acl.rt.binary_load_from_file(KERNEL, [])[0]
add, fill = (acl.rt.binary_get_function(binary, name)[0] for name in ("add_custom", "fill_index"))
x, y, z = (acl.rt.malloc(64, 0)[0] for _ in range(3))
for address, value in ((x, 1.5), (y, 2.0), (z, 0.0)):
    host = np.full(16, value, np.float32)
    acl.rt.memcpy(address, 64, host.ctypes.data, 64, 1)
block = np.array([x, y, z, 16], np.uint64)


def launch(config, how="list", function=None):
    if how == "host":
        return acl.rt.launch_kernel_with_host_args(add, 1, stream, config, block.ctypes.data, 32, [], 0)
    if how == "device":
        where = acl.rt.malloc(32, 0)[0]
        acl.rt.memcpy(where, 32, block.ctypes.data, 32, 1)
        return acl.rt.launch_kernel_v2(add, 1, where, 32, config, stream)
    args = acl.rt.kernel_args_init(add)[0]
    for index in range(4):
        acl.rt.kernel_args_append(args, block.ctypes.data + 8 * index, 4 if index == 3 else 8)
    acl.rt.kernel_args_finalize(args)
    return acl.rt.launch_kernel_with_config(add, 1, stream, config, args, 0)


"""
DUMP, PROFILE = {"id": 6, "value": 1}, {"id": 9, "value": 1}


def program(kernels: dict[str, Path], folder: Path, config: Any, text: str, *, later: bool = False) -> list[str]:
    """What it printed and logged. `later`: its first acl.init has no configuration."""
    (folder / "acl.json").write_text(json.dumps(config))
    head = (
        HEAD.replace("FOLDER", repr(str(folder)))
        .replace("CONFIG", repr([str(folder / "acl.json")] if config is not None and not later else []))
        .replace("KERNEL", repr(str(kernels["add_custom"])))
    )
    return run_program(head + text, ACLIMB_LOG="INFO")


def launches_of(folder: Path) -> list[str]:
    return [each["kernel"] for each in json.loads((folder / "profile.json").read_text())["launches"]]


def dumped(folder: Path) -> dict[str, Any]:
    return {each.name: np.load(each) for each in sorted(folder.rglob("*.npy"))}


# --- settings without effect

SAID = [
    "INFO launch attribute SCHEM_MODE has no effect: a block starts as soon as a core is free",
    "INFO launch attribute BLOCK_TASK_PREFETCH has no effect: tasks are not prefetched",
    "WARNING launch attribute DATA_DUMP has no effect: the configuration of acl.init has no dump_path",
    "INFO binary option MAGIC has no effect: the binary says for which cores its kernels are",
    "INFO stream priority has no effect: all streams are served alike",
    "INFO stream flag FAST_LAUNCH (0x1) has no effect: all streams launch at the same speed",
    "INFO stream flag FAST_SYNC (0x2) has no effect: all streams are waited for in the same way",
    "INFO stream flag HUGE (0x8) has no effect: every stream takes any number of tasks",
    "WARNING stream attribute overflowSwitch has no effect: overflow is not detected",
    "INFO system parameter ENABLE_DEBUG_KERNEL has no effect: kernels run as they were built",
    "INFO system parameter STRONG_CONSISTENCY has no effect: results are those of the kernel's own order",
    "WARNING system parameter ENABLE_KERNEL_EARLY_START has no effect: a fused kernel was built with early start or without (the option "
    "early-start), and launches do not change that",
]
SET = """
data = np.fromfile(KERNEL, np.uint8)
for _ in range(2):
    for number in (1, 5, 6):
        assert launch([{"id": number, "value": VALUE}]) == 0
    assert acl.rt.binary_load_from_data(data.ctypes.data, data.nbytes, MAGIC)[-1] == 0
    assert acl.rt.create_stream_with_config(VALUE, VALUE * 0xb)[-1] == 0
    assert acl.rt.set_stream_overflow_switch(stream, VALUE) == 0
    assert acl.rt.set_stream_attribute(stream, 2, {"overflowSwitch": VALUE}) == 0
    for option in (0, 1, 2) + (3,) * VALUE:
        assert capi.aclrtSetSysParamOpt(option, VALUE) == 0
        assert capi.aclrtCtxSetSysParamOpt(option, VALUE) == 0
print(acl.rt.synchronize_stream(stream))
"""


@pytest.mark.requirement("host-123", "tool-27")
@pytest.mark.parametrize("value", [0, 1])
def test_a_setting_without_effect_is_named_once(kernels: dict[str, Path], tmp_path: Path, value: int) -> None:
    text = SET.replace("MAGIC", '[{"type": 2, "value": 0x43554245}]' if value else "[]").replace("VALUE", str(value))
    text = text.replace("KERNEL", repr(str(kernels["add_custom"])))
    assert program(kernels, tmp_path, None, text) == [*(SAID if value else []), "0"]


@pytest.mark.requirement("tool-27")
def test_early_start_is_said_for_off_as_well(kernels: dict[str, Path], tmp_path: Path) -> None:
    assert program(kernels, tmp_path, None, "capi.aclrtSetSysParamOpt(3, 0); print(capi.aclrtGetSysParamOpt(3))") == [SAID[-1], "(0, 0)"]


@pytest.mark.requirement("host-13")
def test_keys_of_the_configuration_without_effect_are_named(kernels: dict[str, Path], tmp_path: Path) -> None:
    config = {
        "StackSize": {"aicore_stack_size": 16384}, "profilr": {"switch": "on"}, "err_msg_mode": "0",
        "profiler": {"switch": "off", "aic_metrics": "PipeUtilization"}, "dump": {"dump_list": [{"model_name": "m"}]},
    }  # fmt: skip
    assert program(kernels, tmp_path, config, "print(acl.finalize(), acl.init(*CONFIG))".replace(
        "CONFIG", repr([str(tmp_path / "acl.json")])
    )) == [
        "WARNING acl.init key dump has no effect: it has no dump_path, so nothing is dumped",
        "INFO acl.init key StackSize has no effect: the stack of every core has 192 KiB",
        "WARNING acl.init key profilr has no effect: aclimb knows StackSize, defaultDevice, dump, err_msg_mode, max_opqueue_num, profiler",
        "0 0",
    ]  # fmt: skip
    config = {"dump": {"dump_path": str(tmp_path / "dumps"), "dump_list": [{"model_name": "m"}], "dump_data": "stats"},
              "profiler": {"switch": "on", "output": str(tmp_path / "prof"), "aic_metrics": "PipeUtilization"}}  # fmt: skip
    assert program(kernels, tmp_path, config, "") == [
        "WARNING acl.init key dump.dump_list has no effect: models are not run",
        "WARNING acl.init key dump.dump_data has no effect: a dump has the whole tensors of every step",
        "WARNING acl.init key profiler.aic_metrics has no effect: a profile has everything that is modelled",
    ]


@pytest.mark.requirement("host-13")
@pytest.mark.parametrize(("config", "text"), [
    ({"dump": {"dump_path": "/tmp", "dump_mode": "some"}},
     "dump.dump_mode is 'some' in the configuration; it takes input, output, all"),
    ({"dump": {"dump_path": "FILE/x"}}, "dump.dump_path is 'FILE/x' in the configuration: FILE is not a folder that can be written to"),
    ({"profiler": {"switch": "on", "output": "FILE"}},
     "profiler.output is 'FILE' in the configuration: FILE is not a folder that can be written to"),
    ({"profiler": ["on"]}, "profiler is ['on'] in the configuration; it takes an object"),
    ({"max_opqueue_num": "0"}, "max_opqueue_num is '0' in the configuration; it takes 1 and more"),
])  # fmt: skip
def test_a_value_that_cannot_be_followed_is_refused_and_nothing_changes(tmp_path: Path, config: Any, text: str) -> None:
    file, path = tmp_path / "file", tmp_path / "acl.json"
    file.touch()
    path.write_text(json.dumps(config).replace("FILE", str(file)))
    assert acl.init(str(path)) == 100000
    assert message() == f"100000: acl.init: {text}".replace("FILE", str(file))
    assert dumps.settings() is None
    ok(acl.init())
    ok(acl.finalize())


@pytest.mark.requirement("host-13")
def test_the_length_of_the_operator_queue_is_followed(kernels: dict[str, Path], tmp_path: Path) -> None:
    text = "from aclimb.op.single import registry; print(registry._known.limit)"
    assert program(kernels, tmp_path, {"max_opqueue_num": "7"}, text) == ["7"]


def test_every_sentence_about_a_setting_can_be_said() -> None:
    for name, setting in no_effect.SETTINGS.items():
        assert name
        assert not setting.instead.endswith(".")


# --- profiles


@pytest.mark.requirement("host-13")
@pytest.mark.parametrize("end", ["acl.finalize()", "sys.exit()"])
def test_the_profiler_key_writes_a_profile_of_every_launch(kernels: dict[str, Path], tmp_path: Path, end: str) -> None:
    folder = tmp_path / "deep" / "prof"
    text = f"launch([]); launch([], 'host'); launch([], 'device'); acl.rt.synchronize_stream(stream); {end}"
    assert program(kernels, tmp_path, {"profiler": {"switch": "on", "output": str(folder)}}, text) == [
        f"INFO the profile of 3 launches was written to {folder}"
    ]
    assert launches_of(folder) == ["add_custom"] * 3
    assert {each.name for each in folder.rglob("*.*")} >= {"profile.json", "trace.json", "report.html", "PipeUtilization.csv"}


@pytest.mark.requirement("host-13")
def test_a_profiler_that_is_off_writes_nothing(kernels: dict[str, Path], tmp_path: Path) -> None:
    folder = tmp_path / "prof"
    text = "launch([]); acl.rt.synchronize_stream(stream); acl.finalize()"
    assert program(kernels, tmp_path, {"profiler": {"switch": "off", "output": str(folder)}}, text) == []
    assert not folder.exists()


@pytest.mark.requirement("host-13")
def test_a_profile_goes_on_after_a_second_init(kernels: dict[str, Path], tmp_path: Path) -> None:
    folder = tmp_path / "prof"
    text = "launch([]); acl.finalize(); acl.init(); acl.rt.set_device(0); launch([]); acl.finalize()"
    assert program(kernels, tmp_path, {"profiler": {"switch": "on", "output": str(folder)}}, text) == [
        f"INFO the profile of 1 launch was written to {folder}", f"INFO the profile of 2 launches was written to {folder}",
    ]  # fmt: skip
    assert launches_of(folder) == ["add_custom"] * 2


@pytest.mark.requirement("host-123")
@pytest.mark.parametrize("how", ["list", "host", "device"])
def test_enable_profiling_records_that_launch_alone(kernels: dict[str, Path], tmp_path: Path, how: str) -> None:
    text = f"""
launch([])
launch([{PROFILE}], {how!r})
launch([{{"id": 9, "value": 0}}], {how!r})
print(acl.rt.synchronize_stream(stream))
acl.finalize()
"""
    assert program(kernels, tmp_path, None, text) == ["0", f"INFO the profile of 1 launch was written to {tmp_path / 'aclimb_profile'}"]
    assert launches_of(tmp_path / "aclimb_profile") == ["add_custom"]


@pytest.mark.requirement("host-13", "host-123")
def test_a_profile_that_is_open_already_has_the_launches(kernels: dict[str, Path], tmp_path: Path) -> None:
    """As under `aclimb profile`."""
    folder = tmp_path / "prof"
    text = f"""
acl.finalize()
import aclimb
with aclimb.profile() as open_one:
    acl.init({str(tmp_path / "acl.json")!r})
    launch([])
    launch([{PROFILE}])
    acl.finalize()
print(len(open_one.launches))
"""
    config = {"profiler": {"switch": "on", "output": str(folder)}}
    assert program(kernels, tmp_path, config, text, later=True) == [
        "INFO acl.init key profiler has no effect: a profile is open already, and has the launches of this program", "2",
    ]  # fmt: skip
    assert not folder.exists()


# --- dumps

X, Y, Z, SUM = (np.full(16, each, np.float32) for each in (1.5, 2.0, 0.0, 3.5))


@pytest.mark.requirement("host-123")
@pytest.mark.parametrize("how", ["list", "host", "device"])
@pytest.mark.parametrize("mode", ["input", "output", "all"])
def test_a_dumped_launch_leaves_what_its_arguments_point_to(kernels: dict[str, Path], tmp_path: Path, how: str, mode: str) -> None:
    config = {"dump": {"dump_path": str(tmp_path / "dumps"), "dump_mode": mode}}
    text = f"launch([{DUMP}], {how!r}); print(acl.rt.synchronize_stream(stream))"
    assert program(kernels, tmp_path, config, text) == ["0"]
    found = dumped(tmp_path / "dumps" / "device0")
    before = {"add_custom.1.input.0.x.npy": X, "add_custom.1.input.1.y.npy": Y, "add_custom.1.input.2.z.npy": Z}
    after = {"add_custom.1.output.0.x.npy": X, "add_custom.1.output.1.y.npy": Y, "add_custom.1.output.2.z.npy": SUM}
    expected = (before if mode != "output" else {}) | (after if mode != "input" else {})
    assert list(found) == list(expected)
    for name, values in expected.items():
        assert found[name].nbytes == 64 + 32, "malloc gives 32 bytes more"
        np.testing.assert_array_equal(found[name].view(np.float32)[:16], values)


@pytest.mark.requirement("host-123")
def test_launches_without_the_attribute_and_captured_ones_are_not_dumped(kernels: dict[str, Path], tmp_path: Path) -> None:
    text = f"""
launch([]); launch([{{"id": 6, "value": 0}}])
assert capi.aclmdlRICaptureBegin(stream, 0) == 0
launch([{DUMP}])
print(capi.aclmdlRICaptureEnd(stream)[-1], acl.rt.synchronize_stream(stream))
"""
    assert program(kernels, tmp_path, {"dump": {"dump_path": str(tmp_path / "dumps")}}, text) == [
        "WARNING launch attribute DATA_DUMP of a captured launch has no effect: launches in a captured graph are not dumped", "0 0",
    ]  # fmt: skip
    assert not (tmp_path / "dumps").exists()


@pytest.mark.requirement("host-123")
def test_a_dump_that_cannot_be_written_does_not_stop_the_stream(kernels: dict[str, Path], tmp_path: Path) -> None:
    text = f"""
open({str(tmp_path / "dumps")!r}, "w").close()
launch([{DUMP}])
print(acl.rt.synchronize_stream(stream))
"""
    lines = program(kernels, tmp_path, {"dump": {"dump_path": str(tmp_path / "dumps")}}, text)
    assert lines[0].startswith("ERROR the dump add_custom.1.output was not written: [Errno 20] Not a directory")
    assert lines[1:] == ["0"]


OPERATOR = """
acl.op.create_kernel("Sum", "k", "add_custom", data.ctypes.data, data.nbytes, 2, 0)


def choose(num_inputs, inputs, num_outputs, outputs, attr, desc):
    count = np.array([16], np.uint32)
    return acl.op.set_kernel_args(desc, "k", 1, count.ctypes.data, 4)


ok = acl.op.register_compile_func("Sum", choose)
descs = [acl.create_tensor_desc(0, [2, 8], 2) for _ in range(3)]
acl.set_tensor_desc_name(descs[0], "first/one")
buffers = [acl.create_data_buffer(address, 64) for address in (x, y, z)]
assert acl.op.update_params("Sum", descs[:2], descs[2:], 0) == 0
assert acl.op.execute_v2("Sum", descs[:2], buffers[:2], descs[2:], buffers[2:], 0, stream) == 0, acl.get_recent_err_msg()
print(acl.rt.synchronize_stream(stream))
"""


@pytest.mark.requirement("op-86")
@pytest.mark.parametrize("switch", ["on", "off"])
def test_a_single_operator_is_dumped_as_its_tensors(kernels: dict[str, Path], tmp_path: Path, switch: str) -> None:
    config = {"dump": {"dump_path": str(tmp_path / "dumps"), "dump_mode": "all", "dump_op_switch": switch}}
    text = f"data = np.fromfile({str(kernels['add_custom'])!r}, np.uint8)" + OPERATOR
    assert program(kernels, tmp_path, config, text) == ["0"]
    found = dumped(tmp_path / "dumps")
    if switch == "off":
        assert found == {}
        return
    expected = {"Sum.1.input.0.first_one.npy": X, "Sum.1.input.1.npy": Y, "Sum.1.output.0.npy": SUM}
    assert list(found) == list(expected)
    for name, values in expected.items():
        assert found[name].dtype == np.float32
        np.testing.assert_array_equal(found[name], values.reshape(2, 8))


DECLARED = """
from aclimb import op
made = op.define("Declared").input("x", dtype=["float32"]).output("y", follow="x")
made.execute(lambda context: 0)
desc, buffers = acl.create_tensor_desc(0, [16], 2), [acl.create_data_buffer(address, 64) for address in (x, y)]
with made.registered():
    for _ in range(2):
        print(acl.op.execute_v2("Declared", [desc], buffers[:1], [desc], buffers[1:], 0, stream))
"""


@pytest.mark.requirement("op-86")
@pytest.mark.parametrize("switch", ["on", "off"])
def test_operators_that_are_not_dumped_are_said(kernels: dict[str, Path], tmp_path: Path, switch: str) -> None:
    said = (
        "WARNING acl.init key dump.dump_op_switch has no effect: only operators of aclopExecute that a selector chose a kernel for are "
        "dumped, and this program runs others"
    )
    config = {"dump": {"dump_path": str(tmp_path / "dumps"), "dump_op_switch": switch}}
    assert program(kernels, tmp_path, config, DECLARED) == [*([said] if switch == "on" else []), "0", "0"]
