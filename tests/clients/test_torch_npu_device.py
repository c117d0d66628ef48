# SPDX-License-Identifier: Apache-2.0
"""torch_npu, as it is installed, on the modelled device: start, tensors to and fro, streams, events, memory."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.torch_npu

DTYPES = ("float32 float16 bfloat16 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64 complex128 "
          "float8_e4m3fn float8_e5m2")  # fmt: skip


@pytest.mark.requirement("tool-27")
def test_the_device_is_there() -> None:
    import torch
    import torch_npu

    assert torch.npu.is_available()
    assert torch.npu.device_count() == 1
    torch.npu.set_device(0)
    assert torch.npu.get_device_name(0) == "Ascend910_9392"
    assert torch.npu.current_device() == 0
    assert torch_npu.npu.utils.get_cann_version() == "9.0.0"


@pytest.mark.requirement("tool-27")
@pytest.mark.parametrize("dtype", DTYPES.split())
def test_a_tensor_goes_to_the_device_and_back(dtype: str) -> None:
    import torch

    bits = torch.arange(256, dtype=torch.uint8).repeat(16)  # every byte, NaN and infinities among them
    there = (bits & 1).bool() if dtype == "bool" else bits.view(getattr(torch, dtype))
    back = there.npu().cpu()
    assert back.dtype is there.dtype
    assert back.shape == there.shape
    assert torch.equal(back.view(torch.uint8), there.view(torch.uint8))
    assert torch.equal(there.npu().reshape(2, -1)[1].cpu().view(torch.uint8), there.reshape(2, -1)[1].view(torch.uint8))


@pytest.mark.requirement("tool-27")
@pytest.mark.parametrize("shape", [(), (0,), (3, 0, 2), (1,), (5, 7, 3)])
def test_a_shape_is_kept(shape: tuple[int, ...]) -> None:
    import torch

    x = torch.rand(shape)
    assert torch.equal(x.npu().cpu(), x)
    assert torch.empty(shape, device="npu").shape == x.shape


@pytest.mark.requirement("tool-27")
def test_copies_between_tensors_of_the_device_and_pinned_memory() -> None:
    import torch

    x = torch.rand(1000)
    pinned = x.pin_memory()
    assert pinned.is_pinned()
    y = torch.empty(1000, device="npu")
    y.copy_(pinned, non_blocking=True)
    z = torch.empty_like(y).copy_(y)
    torch.npu.synchronize()
    assert torch.equal(z.cpu(), x)


@pytest.mark.requirement("tool-27")
def test_memory_of_the_caching_allocator() -> None:
    import gc

    import torch

    gc.collect()
    torch.npu.synchronize()
    torch.npu.empty_cache()
    before, reserved = torch.npu.memory_allocated(), torch.npu.memory_reserved()
    x = torch.empty(8 << 20, dtype=torch.uint8, device="npu")
    assert torch.npu.memory_allocated() - before >= 8 << 20
    assert torch.npu.max_memory_allocated() >= torch.npu.memory_allocated()
    address = x.data_ptr()
    del x
    assert torch.npu.memory_allocated() == before
    assert torch.npu.memory_reserved() > reserved
    assert torch.empty(8 << 20, dtype=torch.uint8, device="npu").data_ptr() == address  # from the cache
    torch.npu.empty_cache()
    assert torch.npu.memory_reserved() == reserved
    free, total = torch.npu.mem_get_info()
    assert 0 < free <= total


@pytest.mark.requirement("tool-27")
def test_too_large_a_tensor_is_out_of_memory_and_says_what_there_is() -> None:
    import torch

    with pytest.raises(torch.OutOfMemoryError, match=r"NPU out of memory. Tried to allocate 4096.00 GiB \(NPU 0; .* total capacity"):
        torch.empty(1 << 42, dtype=torch.uint8, device="npu")
    assert torch.equal(torch.ones(3).npu().cpu(), torch.ones(3))  # and it goes on


@pytest.mark.requirement("tool-27")
def test_streams_and_events() -> None:
    import torch

    one, two = torch.npu.Stream(), torch.npu.Stream()
    assert one != two
    assert torch.npu.current_stream() == torch.npu.default_stream()
    begin, end = torch.npu.Event(enable_timing=True), torch.npu.Event(enable_timing=True)
    x = torch.rand(1 << 16)
    with torch.npu.stream(one):
        assert torch.npu.current_stream() == one
        begin.record()
        a = x.npu(non_blocking=True)
        end.record()
    two.wait_event(end)
    with torch.npu.stream(two):
        b = torch.empty_like(a).copy_(a)
    two.synchronize()
    assert end.query()
    assert begin.elapsed_time(end) >= 0
    end.synchronize()
    assert one.query()
    assert torch.equal(b.cpu(), x)
    torch.npu.synchronize()


@pytest.mark.requirement("tool-27")
def test_a_stream_waits_for_another() -> None:
    import torch

    one, two = torch.npu.Stream(), torch.npu.Stream()
    x = torch.full((1 << 16,), 3.0).npu()
    torch.npu.synchronize()
    for _ in range(20):
        with torch.npu.stream(one):
            y = x * 2
        two.wait_stream(one)
        with torch.npu.stream(two):
            z = y + 1
        one.wait_stream(two)
        with torch.npu.stream(one):
            y.zero_()
        two.synchronize()
        assert torch.equal(z.cpu(), torch.full((1 << 16,), 7.0))


@pytest.mark.requirement("tool-27")
def test_a_seed_gives_the_same_numbers_again() -> None:
    import torch

    torch.npu.manual_seed(7)
    one = torch.randn(1000, device="npu"), torch.rand(1000, device="npu")
    torch.npu.manual_seed(7)
    two = torch.randn(1000, device="npu"), torch.rand(1000, device="npu")
    assert torch.equal(one[0].cpu(), two[0].cpu())
    assert torch.equal(one[1].cpu(), two[1].cpu())
    assert not torch.equal(one[1].cpu(), torch.rand(1000, device="npu").cpu())
    assert abs(one[0].mean().item()) < 0.2
    assert abs(one[0].std().item() - 1) < 0.1
    assert one[1].min().item() >= 0
    assert one[1].max().item() < 1
