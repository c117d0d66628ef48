# SPDX-License-Identifier: Apache-2.0
"""Kernels that attack the host: each fails, one sentence says at what, and the next launch works."""

from __future__ import annotations

import ctypes
import os
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import aclimb
from aclimb import Buffer, Device, Kernel, KernelBinary, LaunchConfig, Profile, Stream, _engine, launch
from aclimb.errors import AclimbError, AddressFault, DeviceError, KernelTrap, TimeLimit

HERE = Path(__file__).parent
ONE = LaunchConfig(num_blocks=1)
REFUSED = r"the kernel asked the operating system for {} \(call \d+\), which an isolated device refuses, {} block 0 \(AIV 0\)"
Load = Callable[..., Kernel]


class Attacker:
    """Launches kernels of attacks.cpp on its own stream."""

    def __init__(self, load: Load) -> None:
        self.stream, self._load = Stream(), load
        self.out = Buffer(512, np.uint64)
        self.set(0)

    def set(self, value: int) -> None:
        content = np.full(512, value, np.uint64)
        self.out.copy_in(content.ctypes.data, 0, content.nbytes)

    def put(self, data: bytes) -> None:
        content = np.frombuffer(data + b"\0", np.uint8)
        self.out.copy_in(content.ctypes.data, 0, content.nbytes)

    def get(self) -> int:
        content = np.zeros(1, np.uint64)
        self.out.copy_out(content.ctypes.data, 0, 8)
        return int(content[0])

    def run(self, name: str, *args: int) -> None:
        launch(self.stream, ONE, self._load(HERE / "attacks.cpp", name), self.out, *args)
        self.stream.synchronize()

    def fails(self, error: type[AclimbError], words: str, name: str, *args: int) -> AclimbError:
        with pytest.raises(error, match=words) as caught:
            self.run(name, *args)
        return caught.value

    def works(self) -> None:
        self.set(41)
        self.run("add_one")
        assert self.get() == 42


@pytest.fixture
def attacker(load: Load) -> Iterator[Attacker]:
    made = Attacker(load)
    yield made
    made.works()


def starts() -> int:
    return Device().native.process_starts


def mapping(name: str) -> tuple[int, int]:
    """Where the device's process has mapped something, and how many bytes of it."""
    for line in Path(f"/proc/{Device().native.process_id}/maps").read_text().splitlines():
        if name in line:
            begin, end = (int(each, 16) for each in line.split()[0].split("-"))
            return begin, end - begin
    raise AssertionError(f"{name} is not mapped")


# --- the host's memory


def test_an_address_of_the_host_is_nothing_to_a_kernel(attacker: Attacker) -> None:
    secret = ctypes.c_uint64(0x5EC2E7)
    attacker.fails(AddressFault, "read_memory block 0", "read_memory", ctypes.addressof(secret))
    assert attacker.get() != secret.value


def test_memory_of_the_host_cannot_be_asked_for(attacker: Attacker) -> None:
    secret = ctypes.c_uint64(0x5EC2E7)
    words = REFUSED.format("process_vm_readv", "read_process")
    attacker.fails(KernelTrap, words, "read_process", ctypes.addressof(secret), os.getpid())
    assert attacker.get() == 0


def test_the_host_cannot_be_traced(attacker: Attacker) -> None:
    attacker.fails(KernelTrap, REFUSED.format("ptrace", "trace_process"), "trace_process", os.getpid())


def test_the_host_cannot_be_killed(attacker: Attacker) -> None:
    attacker.fails(KernelTrap, REFUSED.format("kill", "kill_host"), "kill_host", os.getpid())


# --- files, programs, networks


def test_a_file_is_not_written(attacker: Attacker, tmp_path: Path) -> None:
    attacker.put(os.fsencode(tmp_path / "stolen"))
    error = attacker.fails(KernelTrap, REFUSED.format("openat", "open_file"), "open_file")
    assert "attacks.cpp:" in str(error)
    assert not (tmp_path / "stolen").exists()


def test_a_shell_is_not_run(attacker: Attacker) -> None:
    attacker.put(b"/bin/sh")
    attacker.fails(KernelTrap, REFUSED.format("execve", "run_shell"), "run_shell")


def test_no_process_is_started(attacker: Attacker) -> None:
    attacker.fails(KernelTrap, "start_process block 0", "start_process")


def test_a_socket_is_not_opened(attacker: Attacker) -> None:
    attacker.fails(KernelTrap, REFUSED.format("socket", "open_socket"), "open_socket")


def test_the_process_has_no_descriptor_but_its_own() -> None:
    Device()
    with socket.socket(), open(__file__):
        folder = Path(f"/proc/{Device().native.process_id}/fd")
        assert all("socket" in os.readlink(each) or "memfd:" in os.readlink(each) for each in folder.iterdir())


def test_the_process_has_no_environment() -> None:
    assert Path(f"/proc/{Device().native.process_id}/environ").read_bytes() == b""


# --- the process itself


def test_signals_are_not_blocked(attacker: Attacker) -> None:
    attacker.fails(KernelTrap, REFUSED.format("rt_sigprocmask", "block_signals"), "block_signals")


def test_signals_are_not_taken_over(attacker: Attacker) -> None:
    attacker.fails(KernelTrap, REFUSED.format("rt_sigaction", "take_signals"), "take_signals")


def test_a_kernel_does_not_end_the_process(attacker: Attacker) -> None:
    before = starts()
    attacker.fails(KernelTrap, REFUSED.format("exit_group", "leave"), "leave", 0)
    attacker.fails(KernelTrap, REFUSED.format("exit", "leave_thread"), "leave_thread")
    assert starts() == before


def test_a_kernel_that_ends_the_process_as_the_engine_would_is_reported(attacker: Attacker) -> None:
    before = starts()
    attacker.fails(DeviceError, "the process of the isolated device was lost: it ended itself, leave", "leave", 77)
    attacker.works()
    assert starts() == before + 1


def test_a_kernel_that_no_signal_ends_is_killed_with_its_process(attacker: Attacker, time_limit: Callable[[float], None]) -> None:
    time_limit(0.2)
    attacker.fails(TimeLimit, "the task ran longer than 0.2 s, run_for_ever", "run_for_ever")
    attacker.works()


def test_a_jump_into_libc_leads_to_no_shell(attacker: Attacker, tmp_path: Path) -> None:
    ours = next(line for line in Path("/proc/self/maps").read_text().splitlines() if "libc.so" in line)
    libc = ctypes.CDLL(ours.split()[-1])
    offset = ctypes.cast(libc.system, ctypes.c_void_p).value or 0
    offset -= int(ours.split("-")[0], 16)
    attacker.put(f"touch {tmp_path}/stolen".encode())
    words = "lost: code outside of the kernel's own asked the operating system for call \\d+, call_libc"
    attacker.fails(DeviceError, words, "call_libc", mapping("libc.so")[0] + offset)
    assert not (tmp_path / "stolen").exists()


# --- memory


def test_a_kernel_gets_no_more_memory_than_it_may(attacker: Attacker) -> None:
    limit = 1 << 30  # as the process was started with
    words = "lost: it asked for more memory than ACLIMB_ISOLATED_MEMORY allows, exhaust_memory"
    attacker.fails(DeviceError, words, "exhaust_memory", 4 << 30)
    assert 0 < attacker.get() <= limit


def test_global_memory_that_nobody_allocated_does_not_fill_the_host(attacker: Attacker) -> None:
    words = "was lost: it filled global memory that nobody had allocated, fill_global_memory"
    attacker.fails(DeviceError, words, "fill_global_memory", 8 << 30)
    time.sleep(0.1)
    attacker.works()


# --- the ring


@pytest.mark.parametrize("value", [0, 1, 2, 3, 4, 0x7F, 0xFF])
def test_a_corrupt_ring_harms_nobody_else(attacker: Attacker, time_limit: Callable[[float], None], value: int) -> None:
    time_limit(0.5)
    with pytest.raises(AclimbError):
        attacker.run("corrupt_ring", *mapping("aclimb ring"), value)


def test_a_forged_answer_that_makes_no_sense_is_not_believed(attacker: Attacker, time_limit: Callable[[float], None]) -> None:
    time_limit(0.5)
    first, stride, data = _engine.exchange_layout()
    attacker.put(struct.pack("<II", 1, 60000))  # a fault of a kind that there is not
    with pytest.raises(DeviceError, match=r"was lost: (its answer made no sense|somebody in it wrote over)"):
        attacker.run("forge_answers", mapping("aclimb ring")[0] + first, stride, data, 64)


def test_a_forged_profile_that_makes_no_sense_is_not_believed(attacker: Attacker, time_limit: Callable[[float], None]) -> None:
    """No fault, no notes, no text, then a tape whose first entry is of a kind that there is not."""
    time_limit(0.5)
    first, stride, data = _engine.exchange_layout()
    answer = struct.pack("<III??II", 0, 0, 0, False, False, 0, 1) + b"\xff" * 40 + struct.pack("<I", 0)
    attacker.put(answer)
    with Profile(scalar=False) as profile:
        with pytest.raises(DeviceError, match=r"was lost: (its answer made no sense|somebody in it wrote over)"):
            attacker.run("forge_answers", mapping("aclimb ring")[0] + first, stride, data, len(answer))
        attacker.works()
    assert [each.kernel for each in profile.launches] == ["forge_answers", "add_one"]
    assert profile.launches[1].task_us > 0


def test_forged_findings_that_make_no_sense_are_not_believed(attacker: Attacker, time_limit: Callable[[float], None]) -> None:
    time_limit(0.5)
    first, stride, data = _engine.exchange_layout()
    attacker.put(struct.pack("<IIIII", 0, 0, 0, 1, 60000))  # one finding, of a kind that there is not
    with aclimb.check() as checked:
        with pytest.raises(DeviceError, match=r"was lost: (its answer made no sense|somebody in it wrote over)"):
            attacker.run("forge_answers", mapping("aclimb ring")[0] + first, stride, data, 64)
        attacker.works()
    assert not any("60000" in str(each) for each in checked.findings)


# --- the report


BORROWER = """#include "kernel_operator.h"
extern "C" __global__ __aicore__ void borrower(GM_ADDR x) {{
#line 2 "{secret}"
    *(__gm__ int*)nullptr = 1;
}}
"""


def test_a_binary_that_names_a_file_of_the_hosts_does_not_have_it_quoted(
    attacker: Attacker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was built elsewhere: this machine does not know its sources, and does not take its word."""
    secret, binary = tmp_path / "secrets" / "secret.txt", tmp_path / "borrower.o"
    secret.parent.mkdir()
    secret.write_text("first\npassword 4711\n")
    words = f"from aclimb import Program; Program({BORROWER.format(secret=secret)!r}, name='borrower').compile().save({str(binary)!r})"
    elsewhere = {**os.environ, "ACLIMB_CACHE_DIR": str(tmp_path / "cache")}
    subprocess.run([sys.executable, "-c", words], env=elsewhere, check=True, timeout=600)

    def told() -> str:
        launch(attacker.stream, ONE, Kernel(KernelBinary.read(binary)), attacker.out)
        with pytest.raises(AddressFault) as caught:
            attacker.stream.synchronize()
        return str(caught.value)

    assert "secret.txt:2" in told()
    assert "4711" not in told()
    with aclimb.check() as checked:
        told()
    assert "secret.txt:2" in checked.report()
    assert "4711" not in checked.report()
    monkeypatch.setenv("ACLIMB_SOURCES", str(tmp_path / "elsewhere"))
    assert "4711" not in told()
    monkeypatch.setenv("ACLIMB_SOURCES", str(secret.parent))
    assert "secret.txt:2   password 4711" in told()


def test_answers_forged_for_other_launches_reach_none(attacker: Attacker, capfd: pytest.CaptureFixture[str]) -> None:
    """Nobody waits for them, so that they are noticed; and the next launch is answered by the engine."""
    first, stride, data = _engine.exchange_layout()
    text = b"forged"
    answer = struct.pack("<IIIII", 0, 0, 1, 0, len(text)) + text  # no fault, no notes, a core has printed
    attacker.put(answer)
    words = "was lost: somebody in it wrote over the ring of commands, forge_answers"
    attacker.fails(DeviceError, words, "forge_answers", mapping("aclimb ring")[0] + first, stride, data, len(answer))
    capfd.readouterr()
    attacker.run("say")
    assert capfd.readouterr().out == "said by the kernel itself\n"
