# SPDX-License-Identifier: Apache-2.0
"""Kernels of one's own on tensors of torch_npu: by address and stream, from a library that bisheng built and through pyACL."""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.torch_npu

SOURCE = """
#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void double_it(GM_ADDR x, GM_ADDR y, uint32_t length) {
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * length, length);
    to.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * length, length);
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, length * sizeof(float));
    LocalTensor<float> local = buffer.Get<float>();
    DataCopy(local, from, length);
    PipeBarrier<PIPE_ALL>();
    Add(local, local, local, length);
    PipeBarrier<PIPE_ALL>();
    DataCopy(to, local, length);
}
"""
CALL = """
extern "C" void call(uint32_t blocks, void* stream, void* x, void* y, uint32_t length) {
    double_it<<<blocks, nullptr, stream>>>((GM_ADDR)x, (GM_ADDR)y, length);
}
"""


@cache
def library() -> ctypes.CDLL:
    folder = Path(tempfile.mkdtemp())
    (folder / "double_it.cpp").write_text(SOURCE + CALL)
    command = "bisheng -xasc --npu-arch=dav-2201 -O2 -std=c++17 -fPIC --shared double_it.cpp -o libdouble_it.so"
    subprocess.run(command.split(), cwd=folder, check=True)
    return ctypes.CDLL(str(folder / "libdouble_it.so"))


def launch(x: Any, y: Any, blocks: int = 8, stream: Any = None) -> None:
    import torch

    stream = stream or torch.npu.current_stream()
    library().call(blocks, stream._as_parameter_, ctypes.c_void_p(x.data_ptr()), ctypes.c_void_p(y.data_ptr()), x.numel() // 8)


@pytest.mark.requirement("tool-28")
def test_a_library_takes_the_tensors_address_and_the_current_stream() -> None:
    import torch

    x = torch.randn(2048)
    there = x.npu()
    y = torch.empty_like(there)
    launch(there, y)
    assert torch.equal(y.cpu(), x + x)


@pytest.mark.requirement("tool-27", "tool-28")
def test_a_kernel_and_an_operator_run_in_the_order_of_their_stream() -> None:
    import torch

    x = torch.randn(2048)
    there = x.npu()
    y = torch.empty_like(there)
    for _ in range(50):
        launch(there, y)  # y = 2x
        y = y + y  # y = 4x
        launch(y, y)  # y = 8x
        y.mul_(0.125)
        assert torch.equal(y.cpu(), x)


@pytest.mark.requirement("tool-27", "tool-28")
def test_an_event_orders_a_kernel_of_one_stream_before_an_operator_of_another() -> None:
    import torch

    one, two = torch.npu.Stream(), torch.npu.Stream()
    x = torch.ones(2048).npu()
    torch.npu.synchronize()
    for _ in range(50):
        y, ready = torch.zeros_like(x), torch.npu.Event()
        torch.npu.synchronize()
        with torch.npu.stream(one):
            for _ in range(4):
                launch(x, y, stream=one)
                launch(y, y, stream=one)
            ready.record()
        with torch.npu.stream(two):
            ready.wait()
            z = y + y
        two.synchronize()
        assert torch.equal(z.cpu(), torch.full((2048,), 8.0))


@pytest.mark.requirement("tool-28")
def test_pyacl_launches_on_the_same_addresses_and_streams() -> None:
    import torch

    import acl
    from aclimb import Program

    folder = Path(tempfile.mkdtemp())
    Program(SOURCE, name="double_it").compile().save(folder / "double_it.o")
    binary, ret = acl.rt.binary_load_from_file(str(folder / "double_it.o"), [])
    assert ret == 0
    function, ret = acl.rt.binary_get_function(binary, "double_it")
    assert ret == 0
    x = torch.arange(2048, dtype=torch.float32).npu()
    y = torch.empty_like(x)
    stream = torch.npu.current_stream().npu_stream
    args = b"".join(value.to_bytes(8, "little") for value in (x.data_ptr(), y.data_ptr(), 256))
    assert acl.rt.launch_kernel_with_host_args(function, 8, stream, [], acl.util.bytes_to_ptr(args), len(args), [], 0) == 0
    assert torch.equal((y - x).cpu(), torch.arange(2048, dtype=torch.float32))


# Without its cache each tensor has a buffer of its own; torch_npu asks for 32 bytes more than the tensor has.
@pytest.mark.requirement("tool-28")
@pytest.mark.torch_npu(PYTORCH_NO_NPU_MEMORY_CACHING="1")
def test_an_access_beyond_a_tensor_names_its_buffer() -> None:
    import torch

    x, y = torch.ones(2048).npu(), torch.empty(2048, device="npu")
    launch(x, y, blocks=9)
    with pytest.raises(RuntimeError) as told:
        torch.npu.synchronize()
    text = str(told.value)
    assert "DataCopy needs 1024 bytes of from at 0x" in text, text
    assert "beyond the buffer of 8224 bytes" in text, text
    assert f"at 0x{x.data_ptr():x}, double_it block 8" in text, text
    assert "double_it.cpp:12" in text, text
