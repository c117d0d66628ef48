# SPDX-License-Identifier: Apache-2.0
"""Device memory used after its free, and host memory given as device memory: what the message says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from aclimb import Buffer, Device, Kernel, LaunchConfig, Program, Stream, launch
from aclimb.errors import AddressFault, KernelFault, OutOfBounds, UseAfterFree

ONE = LaunchConfig(1)
SOURCE = """
#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void double_it(GM_ADDR x, uint32_t count) {
    GlobalTensor<float> xGm;
    xGm.SetGlobalBuffer((__gm__ float*)x, count);
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, count * sizeof(float));
    LocalTensor<float> local = buffer.Get<float>();
    DataCopy(local, xGm, count);
    PipeBarrier<PIPE_ALL>();
    Add(local, local, local, count);
    PipeBarrier<PIPE_ALL>();
    DataCopy(xGm, local, count);
}
extern "C" __global__ __aicore__ void read_beside(GM_ADDR x, int64_t distance) {
    GlobalTensor<int32_t> xGm;
    xGm.SetGlobalBuffer((__gm__ int32_t*)(x + distance));
    xGm.SetValue(0, 1);
}
extern "C" __global__ __aicore__ void read_scalar(GM_ADDR x, GM_ADDR y) { *(__gm__ int32_t*)y = *(__gm__ int32_t*)x; }
"""


@pytest.fixture(scope="module")
def kernels() -> dict[str, Kernel]:
    binary = Program(SOURCE, name="freed").compile()
    return {name: Kernel(binary, name) for name in binary.kernel_names}


def line_of(text: str) -> int:
    """Where this file has that text first."""
    return next(number for number, line in enumerate(Path(__file__).read_text().splitlines(), 1) if text in line)


def fault_of(stream: Stream) -> KernelFault:
    with pytest.raises(KernelFault) as caught:
        stream.synchronize()
    return caught.value


def test_a_kernel_that_uses_a_freed_buffer_is_told_where_it_was_allocated_freed_and_launched(kernels: dict[str, Kernel]) -> None:
    stream = Stream()
    x = Buffer.from_array(np.ones(64, np.float32))  # allocated here
    address = x.address
    x.free()  # freed here
    launch(stream, ONE, kernels["double_it"], address, 64)  # launched here
    error = fault_of(stream)
    assert type(error) is UseAfterFree
    here = Path(__file__).name
    assert str(error).splitlines() == [
        f"DataCopy needs 256 bytes of xGm at 0x{address:x}, in device memory that was freed, double_it block 0 (AIV 0)",
        "    " + re.escape("freed.cpp:11   DataCopy(local, xGm, count);").replace("\\", ""),
        f"    256 bytes at 0x{address:x}, allocated at {here}:{line_of('# allocated here')}, freed at {here}:{line_of('# freed here')}",
        "    free memory after the kernels that use it: synchronise the stream first",
    ]
    assert error.launched_at == (__file__, line_of("# launched here"))
    assert error.__notes__[0].startswith(f"    launched at {here}:{line_of('# launched here')}   launch(stream, ONE,")


def test_the_same_kernel_works_before_the_free(kernels: dict[str, Kernel]) -> None:
    stream, x = Stream(), Buffer.from_array(np.arange(64, dtype=np.float32))
    launch(stream, ONE, kernels["double_it"], x.address, 64)
    np.testing.assert_array_equal(x.to_numpy(), 2 * np.arange(64, dtype=np.float32))
    x.free()
    stream.synchronize()


def test_a_scalar_read_of_freed_memory_is_named_too(kernels: dict[str, Kernel]) -> None:
    stream, y = Stream(), Buffer(8)
    x = Buffer(64)
    address = x.address + 4
    del x
    launch(stream, ONE, kernels["read_scalar"], address, y)
    error = fault_of(stream)
    assert type(error) is UseAfterFree
    assert str(error).startswith(f"access to address 0x{address:x}, in device memory that was freed, read_scalar block 0")
    assert f"64 bytes at 0x{address - 4:x}, allocated at test_freed_memory.py:" in str(error)


def test_an_offset_that_leads_into_somebody_elses_freed_memory_is_out_of_bounds(kernels: dict[str, Kernel]) -> None:
    stream, x, other = Stream(), Buffer(64), Buffer(64)
    distance, address = other.address - x.address, other.address
    other.free()
    launch(stream, ONE, kernels["read_beside"], x, distance)
    error = fault_of(stream)
    assert type(error) is OutOfBounds
    assert " the buffer of " in str(error).splitlines()[0]
    assert f"    memory that was freed lay there: 64 bytes at 0x{address:x}, allocated at test_freed_memory.py:" in str(error)


def test_freed_addresses_are_not_given_out_again_soon() -> None:
    seen = set()
    for _ in range(1000):
        buffer = Buffer(4096)
        seen.add(buffer.address)
        buffer.free()
    assert len(seen) == 1000


def test_a_free_that_comes_after_the_fault_changes_nothing_in_the_message(kernels: dict[str, Kernel]) -> None:
    stream, x = Stream(), Buffer(64)
    launch(stream, ONE, kernels["double_it"], x.address, 64)
    x.free()  # waits for the kernel, which has failed by then
    error = fault_of(stream)
    assert type(error) is OutOfBounds
    assert "192 bytes beyond the buffer of 64 bytes" in str(error)


def test_a_host_pointer_is_called_that(kernels: dict[str, Kernel]) -> None:
    stream, host = Stream(), np.zeros(64, np.float32)
    launch(stream, ONE, kernels["double_it"], host.ctypes.data, 64)
    error = fault_of(stream)
    assert type(error) is OutOfBounds
    first, _, advice = str(error).splitlines()
    assert first == f"DataCopy needs 256 bytes of xGm at 0x{host.ctypes.data:x}, which is host memory, double_it block 0 (AIV 0)"
    assert advice == "    copy the data to device memory first (acl.rt.memcpy, Buffer.from_array), and give the kernel that address"


@pytest.mark.parametrize(("address", "advice"), [(1 << 40, "is the argument an address of device memory?"),
                                                 (1 << 62, "is the argument an address of device memory?"),
                                                 (0, "a pointer argument given as None is address 0")])  # fmt: skip
def test_an_address_of_nothing_is_called_that(address: int, advice: str, kernels: dict[str, Kernel]) -> None:
    stream = Stream()
    launch(stream, ONE, kernels["double_it"], address, 64)
    first, _, last = str(fault_of(stream)).splitlines()
    assert first == f"DataCopy needs 256 bytes of xGm at 0x{address:x}, where no memory lies, double_it block 0 (AIV 0)"
    assert last == f"    {advice}"


def test_memory_of_another_device_is_called_that(kernels: dict[str, Kernel], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACLIMB_DEVICES", "2")
    stream, x = Stream(), Buffer(256, device=Device(1))
    launch(stream, ONE, kernels["double_it"], x.address, 64)
    assert "which is memory of another device, double_it" in str(fault_of(stream))


def test_a_scalar_access_to_nothing_is_an_address_fault_as_before(kernels: dict[str, Kernel]) -> None:
    stream, y = Stream(), Buffer(8)
    launch(stream, ONE, kernels["read_scalar"], 1 << 40, y)
    assert type(fault_of(stream)) is AddressFault


QUARANTINE = """
from aclimb import Buffer
def freed():
    buffer = Buffer(1 << 20)
    address = buffer.address
    buffer.free()
    return address
print(len({freed() for _ in range(100)}))
kept = [Buffer(1 << 20) for _ in range(15)]  # of 16 MiB
print(len({freed() for _ in range(100)}))
"""


@pytest.mark.parametrize(("size", "first"), [("0", "1"), ("1G", "100")])
def test_the_quarantine_has_a_size_and_costs_no_device_memory(size: str, first: str) -> None:
    env = os.environ | {"ACLIMB_QUARANTINE": size, "ACLIMB_DEVICE_MEMORY": "16M"}
    done = subprocess.run([sys.executable, "-c", QUARANTINE], capture_output=True, text=True, env=env, timeout=600, check=False)
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, [first, first], "")


def test_addresses_come_back_when_the_range_is_used_up() -> None:
    """A small device has about 1 GiB of addresses; ten times as much goes through it."""
    program = "from aclimb import Buffer\nfor _ in range(1000):\n    Buffer(10 << 20).free()\nprint('done')"
    env = os.environ | {"ACLIMB_QUARANTINE": "1T", "ACLIMB_DEVICE_MEMORY": "16M"}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=env, timeout=600, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "done\n", "")
