# SPDX-License-Identifier: Apache-2.0
"""Device memory: what can be copied into it, what comes back, and where it ends."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from aclimb import Buffer, Device, Event, Kernel, LaunchConfig, Stream, launch
from aclimb.errors import DeviceError, InvalidArgument, OutOfMemory, UnknownSoc

DTYPES = [*np.typecodes["AllInteger"], *np.typecodes["AllFloat"], "?", "<M8[s]", "<m8[ns]", "S5", "<U3"]


class CpuArray:
    """A foreign array type that speaks DLPack."""

    def __init__(self, array: np.ndarray, device: int = 1) -> None:
        self.array, self.device = array, device

    def __dlpack__(self, **options: Any) -> Any:
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device, 0


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_numpy_type_comes_back_as_it_went(dtype: str) -> None:
    x = (np.arange(24).reshape(2, 3, 4) % 2).astype(dtype)
    back = Buffer.from_array(x).to_numpy()
    assert (back.dtype, back.shape) == (x.dtype, x.shape)
    np.testing.assert_array_equal(back, x)


@pytest.mark.parametrize("dtype", [ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2, ml_dtypes.int4])
def test_types_of_ml_dtypes_come_back_as_they_went(dtype: Any) -> None:
    x = np.arange(-8, 8).astype(dtype)
    back = Buffer.from_array(x).to_numpy()
    assert back.dtype == x.dtype
    np.testing.assert_array_equal(back.view(np.uint8), x.view(np.uint8))


def test_a_structured_type_comes_back_as_it_went() -> None:
    x = np.array([(1, 2.5), (3, 4.5)], dtype=[("a", "<i4"), ("b", "<f8")])
    np.testing.assert_array_equal(Buffer.from_array(x).to_numpy(), x)


@pytest.mark.parametrize(
    "view",
    [lambda x: x.T, lambda x: x[::2], lambda x: x[:, 1:3], lambda x: x[::-1], np.asfortranarray, lambda x: np.broadcast_to(x[0], (5, 6))],
    ids=["transposed", "every second", "columns", "backwards", "fortran", "broadcast"],
)
def test_arrays_that_are_not_contiguous_keep_their_shape_and_content(view: Any) -> None:
    x = view(np.arange(24, dtype=np.float32).reshape(4, 6))
    np.testing.assert_array_equal(Buffer.from_array(x).to_numpy(), x)


@pytest.mark.parametrize("shape", [(0,), (3, 0, 2), ()])
def test_empty_and_zero_dimensional_arrays_have_their_shape(shape: tuple[int, ...]) -> None:
    x = np.full(shape, 7, np.int32)
    buffer = Buffer.from_array(x)
    assert buffer.to_numpy().shape == shape
    assert buffer.address
    np.testing.assert_array_equal(buffer.to_numpy(), x)


def test_a_numpy_scalar_is_an_array_without_dimensions() -> None:
    assert Buffer.from_array(np.float32(2.5)).to_numpy() == np.float32(2.5)


def test_dlpack_arrays_in_host_memory_are_copied() -> None:
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    np.testing.assert_array_equal(Buffer.from_array(CpuArray(x)).to_numpy(), x)


def test_dlpack_arrays_elsewhere_are_refused() -> None:
    words = r"^CpuArray lives on DLPack device type 2; aclimb takes arrays in host memory \(type 1\): copy it there first$"
    with pytest.raises(InvalidArgument, match=words):
        Buffer.from_array(CpuArray(np.zeros(3), device=2))


def test_what_is_no_array_is_refused() -> None:
    with pytest.raises(InvalidArgument, match=r"^list is neither a NumPy array nor a DLPack array; wrap it in numpy.asarray\(...\)$"):
        Buffer.from_array([1, 2, 3])


@pytest.mark.parametrize("dtype", [object, "no such type", [("a", object)]])
def test_types_that_are_no_numbers_are_refused(dtype: Any) -> None:
    with pytest.raises(InvalidArgument, match=r"cannot live in device memory; use a NumPy number type, or one of ml_dtypes \(bfloat16\)$"):
        Buffer(3, dtype)


@pytest.mark.parametrize("shape", [-1, (2, -3), (2, 1.5), ("4",)])
def test_a_side_that_is_no_size_is_refused(shape: Any) -> None:
    with pytest.raises(InvalidArgument, match=r"has a side that is not a whole number of at least 0$"):
        Buffer(shape)


def test_copy_from_wants_as_many_bytes_as_there_are() -> None:
    buffer = Buffer((2, 2), np.float32)
    words = r"^array of 12 bytes, float32\[3\], copied to a buffer of 16; they must be equal$"
    with pytest.raises(InvalidArgument, match=words):
        buffer.copy_from(np.zeros(3, np.float32))
    buffer.copy_from(np.arange(4, dtype=np.float32))
    assert buffer.to_numpy().tolist() == [[0, 1], [2, 3]]


def test_freeing_twice_is_harmless_and_using_it_afterwards_is_an_error() -> None:
    buffer = Buffer(16)
    buffer.free()
    buffer.free()
    for use in (buffer.to_numpy, lambda: buffer.copy_from(np.zeros(16, np.uint8))):
        with pytest.raises(DeviceError, match=r"^<Buffer uint8\[16\] freed on Device\(0, soc='[^']+'\)> was freed$"):
            use()


def test_more_than_the_device_has_is_out_of_memory(balanced: Device) -> None:
    used, total = balanced.memory_used, balanced.memory_total
    with pytest.raises(OutOfMemory) as caught:
        Buffer(total + 1)
    assert str(caught.value) == (
        f"{total + 1} bytes do not fit: {balanced} has {total - used} of {total} bytes free; free buffers, or raise ACLIMB_DEVICE_MEMORY"
    )
    assert isinstance(caught.value, MemoryError)
    for shape, size in ((2**70, 2**70), ((2**62, 4), 2**64), ((np.int64(2**62), 4), 2**64)):  # NumPy's numbers would wrap to 0
        with pytest.raises(OutOfMemory, match=f"^{size} bytes do not fit"):
            Buffer(shape)


def test_buffers_do_not_share_bytes() -> None:
    buffers = [Buffer.from_array(np.full(1 + 37 * i, i, np.uint8)) for i in range(50)]
    for i, buffer in enumerate(buffers):
        assert set(buffer.to_numpy()) == {i}


def test_memory_in_use_is_what_live_buffers_ask_for(balanced: Device) -> None:
    before = balanced.memory_used
    buffers = [Buffer((n, 8), np.float32) for n in (1, 100, 10000)]
    assert balanced.memory_used - before == 32 * (1 + 100 + 10000)
    del buffers
    gc.collect()
    assert balanced.memory_used == before


def test_a_buffer_that_died_under_kernels_is_gone_when_the_device_is_idle(balanced: Device, kernel: Callable[[str], Kernel]) -> None:
    """Also when the thread that ran the last of them has not come to freeing it."""
    word, stream, store = Buffer(1, np.int32), Stream(), kernel("store_word")
    used = balanced.memory_used
    for _ in range(500):
        dying = Buffer(64)
        launch(stream, LaunchConfig(1), store, word, 0, 1)
        del dying
        balanced.native.wait_idle()
        assert balanced.memory_used == used


def test_device_zero_is_always_the_same_object() -> None:
    assert Device() is Device(0)


@pytest.mark.parametrize("index", [1, -1, 64, "0", 0.0, None])
def test_a_device_that_does_not_exist_is_refused(index: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ACLIMB_DEVICES", raising=False)
    with pytest.raises(InvalidArgument) as caught:
        Device(index)
    assert str(caught.value) == f"device {index!r} does not exist; there are 1 (ACLIMB_DEVICES), counted from 0"


def test_devices_have_memory_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACLIMB_DEVICES", "2")
    used = Device(0).memory_used
    buffer = Buffer.from_array(np.arange(8), device=Device(1))
    assert (Device(0).memory_used, Device(1).memory_used) == (used, 64)
    assert buffer.to_numpy().tolist() == list(range(8))


def test_an_unknown_soc_is_refused_by_name() -> None:
    with pytest.raises(UnknownSoc, match="Ascend1"):
        Device(soc="Ascend1")


def test_copies_in_a_stream_keep_its_order() -> None:
    stream, buffer = Stream(), Buffer(1 << 16, np.int32)
    source, seen = np.empty(1 << 16, np.int32), np.empty((4, 1 << 16), np.int32)
    for turn in range(4):
        source[:] = turn
        buffer.copy_from(source, stream)
        source[:] = -1  # the copy has taken the bytes along
        buffer.copy_to(seen[turn], stream=stream)
    stream.synchronize()
    assert [set(row.tolist()) for row in seen] == [{0}, {1}, {2}, {3}]


def test_events_order_copies_of_two_streams() -> None:
    first, second, event = Stream(), Stream(), Event()
    buffer = Buffer.from_array(np.zeros(1 << 20, np.uint8))
    for turn in range(64):
        buffer.copy_from(np.full(1 << 20, turn, np.uint8), first)
    first.record(event)
    second.wait(event)
    back = np.empty(1 << 20, np.uint8)
    buffer.copy_to(back, second)
    assert set(back.tolist()) == {63}


def test_a_copy_fills_an_array_that_is_there() -> None:
    x = np.arange(6.0).reshape(2, 3)
    back = np.zeros_like(x)
    Buffer.from_array(x).copy_to(back)
    np.testing.assert_array_equal(back, x)


def test_a_copy_refuses_an_array_that_does_not_fit() -> None:
    buffer, x = Buffer(4, np.float32), np.zeros((4, 2), np.float32)
    with pytest.raises(InvalidArgument, match=r"buffer of 16 bytes copied to float32\[4, 2\] of 32; they must be equal$"):
        buffer.copy_to(x)
    for wrong in (x[:, 0], np.broadcast_to(np.float32(0), 4), [0.0] * 4):
        with pytest.raises(InvalidArgument, match=r"contiguous and writeable$"):
            buffer.copy_to(wrong)  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match="32 bytes"):
        buffer.copy_from(x, Stream())
    buffer.free()
    with pytest.raises(DeviceError, match=r"was freed$"):
        buffer.copy_to(np.zeros(4, np.float32), Stream())


def test_a_copy_goes_through_a_stream_of_the_same_device(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACLIMB_DEVICES", "2")
    with pytest.raises(InvalidArgument, match=r"copy on a stream of the same device$"):
        Buffer(4).copy_from(np.zeros(4, np.uint8), Stream(Device(1)))


@pytest.mark.parametrize("arguments", [((-1,),), ((4,), object)], ids=["shape", "dtype"])
def test_a_buffer_that_was_refused_can_be_shown(arguments: tuple[Any, ...]) -> None:
    """A debugger, or pytest, shows the arguments of the frame that raised."""
    with pytest.raises(InvalidArgument) as caught:
        Buffer(*arguments)
    trace = caught.value.__traceback__
    while trace is not None and "self" not in trace.tb_frame.f_locals:
        trace = trace.tb_next
    assert trace is not None
    assert repr(trace.tb_frame.f_locals["self"]) == "<Buffer that was never made>"
