# SPDX-License-Identifier: Apache-2.0
"""Where strictness is set: the launch, else the device, else the environment or the command line; and who hears of it."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from parts import LENGTH, ROWS, X, binary, new_kernel, run

import acl
from aclimb import Buffer, Device, Kernel, LaunchConfig, Program, Stream, fuse, launch, op
from aclimb.errors import InvalidArgument, OutOfBounds

LOGGED = "ub_read goes on as hardware does: it reads UB behind the tensor"


@pytest.fixture
def device() -> Iterator[Device]:
    """The default device, put back afterwards."""
    found = Device()
    before = found.strictness
    yield found
    found.strictness = before


def logged(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [message.splitlines()[0] for message in caplog.messages]


# --- launch and device


def test_a_device_is_strict_unless_told_otherwise(device: Device) -> None:
    assert device.strictness == "strict"
    with pytest.raises(OutOfBounds):
        run(new_kernel("ub_read"), None)


def test_launches_that_say_nothing_are_as_their_device_is(device: Device, caplog: pytest.LogCaptureFixture) -> None:
    assert Device(strictness="hardware") is device
    assert Device().strictness == "hardware"
    np.testing.assert_array_equal(run(new_kernel("ub_read"), None), X + X)
    assert logged(caplog) == [LOGGED]


def test_a_launch_has_its_own_way_on_any_device(device: Device) -> None:
    device.strictness = "hardware"
    with pytest.raises(OutOfBounds):
        run(new_kernel("ub_read"), "strict")
    device.strictness = "strict"
    np.testing.assert_array_equal(run(new_kernel("ub_read"), "hardware"), X + X)
    with pytest.raises(OutOfBounds):  # the launch before left nothing behind
        run(new_kernel("ub_read"), None)


def test_other_words_are_refused(device: Device) -> None:
    with pytest.raises(InvalidArgument, match=r"^strictness is 'lax'; it takes 'strict', 'hardware', or None for the device's$"):
        LaunchConfig(num_blocks=1, strictness="lax")
    with pytest.raises(InvalidArgument, match=r"^strictness is 'lax'; it takes 'strict' or 'hardware'$"):
        Device(strictness="lax")
    assert device.strictness == "strict"


# --- the log


def test_a_line_is_logged_once_for_each_time_its_kernel_is_loaded(caplog: pytest.LogCaptureFixture) -> None:
    kernel = new_kernel("ub_read")
    for _ in range(3):
        run(kernel, "hardware", blocks=8)
    assert logged(caplog) == [LOGGED]
    run(new_kernel("ub_read"), "hardware")
    assert logged(caplog) == 2 * [LOGGED]


def test_two_lines_are_logged_in_the_order_of_the_program(caplog: pytest.LogCaptureFixture) -> None:
    source = """
    #include "kernel_operator.h"
    using namespace AscendC;
    extern "C" __global__ __aicore__ void two(GM_ADDR x, GM_ADDR z) {
        LocalTensor<float> a(TPosition::VECCALC, 0, 8), b(TPosition::VECCALC, 32, 8);
        for (int i = 0; i < 100; ++i) {
            Duplicate(a, 1.0f, 16);
            Duplicate(b, 2.0f, 16);
        }
    }
    """
    run(Kernel(Program(source).compile()), "hardware", blocks=20)
    assert [message.splitlines()[1].split("   ")[-1] for message in caplog.messages] == [
        "Duplicate(a, 1.0f, 16);",
        "Duplicate(b, 2.0f, 16);",
    ]


# --- acl, captures, fused kernels, operators


def test_acl_launches_are_as_their_device_is(device: Device, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = binary().save(tmp_path)
    assert acl.rt.set_device(0) == 0
    try:
        handle, ret = acl.rt.binary_load_from_file(str(path), [])
        function, ret = acl.rt.binary_get_function(handle, "ub_read")
        assert ret == 0
        x, z = Buffer.from_array(X), Buffer.from_array(np.zeros(LENGTH, np.float32))
        addresses = np.array([x.address, z.address], np.uint64)
        for strictness, expected in (("strict", 507035), ("hardware", 0), ("strict", 507035)):
            device.strictness = strictness
            assert acl.rt.launch_kernel_with_host_args(function, 1, 0, [], addresses.ctypes.data, addresses.nbytes, [], 0) == 0
            assert acl.rt.synchronize_stream(0) == expected
        np.testing.assert_array_equal(z.to_numpy(), X + X)
        assert logged(caplog) == [LOGGED]
        assert acl.rt.binary_unload(handle) == 0
    finally:
        acl.rt.reset_device(0)
        acl.get_recent_err_msg()


def test_a_captured_launch_keeps_what_it_asked_for() -> None:
    kernel, stream = new_kernel("ub_read"), Stream()
    x, z = Buffer.from_array(X), Buffer.from_array(np.zeros(LENGTH, np.float32))
    with stream.capture() as graph:
        launch(stream, LaunchConfig(num_blocks=1, strictness="hardware"), kernel, x, z)
    graph.launch(stream)
    stream.synchronize()
    np.testing.assert_array_equal(z.to_numpy(), X + X)
    graph.destroy()


def test_a_fused_kernel_goes_on_too_and_names_its_member(device: Device, caplog: pytest.LogCaptureFixture) -> None:
    made = fuse.fuse([fuse.Member(binary(), 1, kernel="good_ub_read"), fuse.Member(binary(), 1, kernel="ub_read")])
    kernel, stream = Kernel(made), Stream()
    x, y, z = (Buffer.from_array(each) for each in (X, np.zeros_like(X), np.zeros_like(X)))
    launch(stream, LaunchConfig(num_blocks=1), kernel, x, y, y, z)
    with pytest.raises(OutOfBounds, match=r"sub-kernel 1 ub_read"):
        stream.synchronize()
    device.strictness = "hardware"
    launch(stream, LaunchConfig(num_blocks=1), kernel, x, y, y, z)
    stream.synchronize()
    np.testing.assert_array_equal(z.to_numpy(), 4 * X)
    assert [line for line in logged(caplog) if "goes on" in line] == [
        f"{made.kernels[0].name}, sub-kernel 1 ub_read, goes on as hardware does: it reads UB behind the tensor"
    ]


def test_an_operator_is_as_its_device_is(device: Device, caplog: pytest.LogCaptureFixture) -> None:
    doubles = op.define("DoubleByAccident")
    doubles.input("x", dtype=["float32"])
    doubles.output("z", follow="x")
    doubles.infer_shape(same_shape)
    doubles.tiling(one_block)
    doubles.kernel(binary(), "ub_read_op")
    stream = Stream()
    with doubles.registered():
        doubles(X, stream=stream)
        with pytest.raises(OutOfBounds):
            stream.synchronize()
        device.strictness = "hardware"
        z = doubles(X, stream=stream)
        stream.synchronize()
    np.testing.assert_array_equal(z.to_numpy(), X + X)
    assert logged(caplog) == ["ub_read_op goes on as hardware does: it reads UB behind the tensor"]


def same_shape(ctx: Any) -> None:
    ctx.output_shape["z"] = ctx.input_shape["x"]


def one_block(ctx: Any) -> None:
    ctx.num_blocks = 1
    ctx.tiling_data = ctypes.c_uint32(0)
    ctx.workspace_sizes = [0]


# --- environment and command line

PROGRAM = f"""
import logging, sys
logging.basicConfig(format="%(name)s %(levelname)s %(message)s")
sys.path.insert(0, {str(ROWS.parent)!r})
from parts import X, new_kernel, run
print((run(new_kernel("ub_read"), None) == X + X).all())
"""


def program(tmp_path: Path) -> Path:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    return path


def python(*words: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *map(str, words)], env=os.environ | environment, capture_output=True, text=True, check=False)


def test_the_environment_decides_for_devices_that_are_opened_later(tmp_path: Path) -> None:
    lax = python(program(tmp_path), ACLIMB_STRICTNESS="hardware")
    assert lax.stdout == "True\n", lax.stderr
    assert f"aclimb WARNING {LOGGED}\n" in lax.stderr
    strict = python(program(tmp_path), ACLIMB_STRICTNESS="strict")
    assert strict.returncode == 1
    assert "OutOfBounds: Add needs UB bytes 0x0000-0x01ff of a" in strict.stderr


def test_a_word_in_the_environment_that_is_none_is_refused() -> None:
    ended = python("-c", "from aclimb import Device; Device()", ACLIMB_STRICTNESS="lax")
    assert ended.stderr.splitlines()[-1] == (
        "aclimb.errors.InvalidArgument: ACLIMB_STRICTNESS is 'lax'; it takes one of strict, hardware. Unset it for the default, strict"
    )


@pytest.mark.parametrize("command", [["run", "-q"], ["profile", "--no-files"]], ids=["run", "profile"])
def test_the_command_line_decides_for_the_program(command: list[str], tmp_path: Path) -> None:
    lax = python("-m", "aclimb", *command, "--strictness", "hardware", program(tmp_path), ACLIMB_STRICTNESS="strict")
    assert lax.stdout.splitlines()[0] == "True", lax.stderr
    assert LOGGED in lax.stderr
    strict = python("-m", "aclimb", *command, program(tmp_path))
    assert strict.returncode == 1
    assert "OutOfBounds" in strict.stderr


def test_a_sweep_hands_it_to_its_runs(tmp_path: Path) -> None:
    words = ["sweep", "--blocks", "1", "--full", "-j", "1", "-o", tmp_path / "out"]
    lax = python("-m", "aclimb", *words, "--strictness", "hardware", program(tmp_path))
    assert "failed" not in lax.stdout, lax.stdout + lax.stderr
    strict = python("-m", "aclimb", *words, program(tmp_path))
    assert "failed, 1 x: OutOfBounds" in strict.stdout


def test_another_word_on_the_command_line_is_refused(tmp_path: Path) -> None:
    ended = python("-m", "aclimb", "run", "--strictness", "lax", program(tmp_path))
    assert (ended.returncode, ended.stderr) == (1, "InvalidArgument: --strictness is 'lax'; it takes strict or hardware\n")
