# SPDX-License-Identifier: Apache-2.0
"""Addresses that are not what a call takes: refused with what they are, wherever host memory is read or written."""

from __future__ import annotations

import ctypes
import inspect
import mmap
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from host import DEVICE_TO_HOST, HOST_TO_DEVICE, argument_list, message, ok
from steps import packed

import acl
from aclimb import capi

Find = Callable[[str], int]
HERE = Path(__file__).name
WORDS = {
    "live": rf"is device memory \(4128 bytes, allocated at {HERE}:\d+\)",
    "freed": rf"is device memory that was freed at {HERE}:\d+ \(4128 bytes, allocated at {HERE}:\d+\)",
    "freed host": rf"is memory of malloc_host that was freed at {HERE}:\d+ \(4096 bytes at 0x[0-9a-f]+, allocated at {HERE}:\d+\)",
    "unmapped": "is not the address of anything: no memory lies there",
    "handle": "is the handle of a stream, not an address",
}


@pytest.fixture
def bad(stream: int) -> Iterator[dict[str, int]]:
    live, freed, freed_host = ok(acl.rt.malloc(4096, 0)), ok(acl.rt.malloc(4096, 0)), ok(acl.rt.malloc_host(4096))
    ok(acl.rt.free(freed))
    ok(acl.rt.free_host(freed_host))
    yield {"live": live, "freed": freed, "freed host": freed_host, "unmapped": 65536, "handle": stream}
    ok(acl.rt.free(live))


def readers(function: int, stream: int, good: int) -> dict[str, Callable[[int], int]]:
    """Every call that reads host memory, as a function of the address; 16 bytes are read."""
    args = ok(acl.rt.kernel_args_init(function))
    desc = acl.create_tensor_desc(0, [4], 2)
    return {
        "kernel_args_append": lambda at: acl.rt.kernel_args_append(args, at, 16)[-1],
        "kernel_args_init_by_user_mem": lambda at: acl.rt.kernel_args_init_by_user_mem(function, at, good, 4096),
        "kernel_args_init_by_user_mem: memory": lambda at: acl.rt.kernel_args_init_by_user_mem(function, good, at, 4096),
        "launch_kernel_with_host_args": lambda at: acl.rt.launch_kernel_with_host_args(function, 1, stream, [], at, 64, [], 0),
        "binary_load_from_data": lambda at: acl.rt.binary_load_from_data(at, 16, [])[-1],
        "create_binary": lambda at: 107000 if acl.rt.create_binary(at, 16) == 0 else 0,
        "set_tensor_const": lambda at: acl.set_tensor_const(desc, at, 16),
        "op.create_kernel": lambda at: acl.op.create_kernel("T", "id", "k", at, 16, 1, 0),
        "host_register": lambda at: acl.rt.host_register(at, 16, 0)[-1],
        "aclrtLaunchKernelWithArgsArray": lambda at: capi.aclrtLaunchKernelWithArgsArray(function, 1, stream, None, [at] * 4),
    }


READERS = re.findall(r'^        "(.*?)":', inspect.getsource(readers), re.MULTILINE)


@pytest.mark.parametrize("what", WORDS)
@pytest.mark.parametrize("call", READERS)
def test_an_address_that_the_host_cannot_read_is_refused_and_named(
    call: str, what: str, bad: dict[str, int], stream: int, function: Find
) -> None:
    memory = np.zeros(1 << 16, np.uint8)
    reader = readers(function("add_custom"), stream, memory.ctypes.data)[call]
    assert reader(bad[what]) == 107000
    assert re.search(f"0x{bad[what]:x} {WORDS[what]}", message())


@pytest.mark.parametrize("call", ["kernel_args_append", "launch_kernel_with_host_args", "set_tensor_const", "host_register"])
def test_the_same_calls_take_host_memory(call: str, stream: int, function: Find) -> None:
    memory = np.zeros(1 << 16, np.uint8)
    assert readers(function("fill_index"), stream, memory.ctypes.data)[call](memory.ctypes.data) == 0
    acl.rt.host_unregister(memory.ctypes.data)
    acl.rt.synchronize_stream(stream)


@pytest.fixture
def page() -> Iterator[tuple[int, Callable[[int], None]]]:
    """A page of host memory at the end of what is mapped, and how to protect it."""
    area = mmap.mmap(-1, 2 * mmap.PAGESIZE)
    start = ctypes.addressof(ctypes.c_char.from_buffer(area))

    def protect(bits: int, at: int = start) -> None:
        assert ctypes.CDLL(None).mprotect(ctypes.c_void_p(at), ctypes.c_size_t(mmap.PAGESIZE), bits) == 0

    protect(0, start + mmap.PAGESIZE)
    yield start, protect
    for at in (start, start + mmap.PAGESIZE):
        protect(mmap.PROT_READ | mmap.PROT_WRITE, at)


@pytest.mark.parametrize("length", [4097, 2**31, 2**32, 2**32 + 8, 2**63, 2**64 - 8])
def test_a_length_that_leads_beyond_the_memory_is_refused_with_what_is_there(
    length: int, device: int, page: tuple[int, Callable[[int], None]]
) -> None:
    start, _ = page
    said = f"{length} bytes at 0x{start:x} end too early: only 4096 of them can be read; check address and size"
    assert acl.rt.binary_load_from_data(start, length, [])[-1] == 107000
    assert said in message()
    assert acl.rt.create_binary(start, length) == 0
    assert said in message()
    for read in (acl.util.ptr_to_bytes, lambda at, size: acl.util.ptr_to_numpy(at, (size,), 2)):
        with pytest.raises(ValueError, match="only 4096 of them can be read"):
            read(start, length)
    assert acl.util.ptr_to_bytes(start, 4096) == bytes(4096)
    assert acl.util.ptr_to_numpy(start, (4096,), 2).sum() == 0


def test_host_memory_that_ends_too_early_is_neither_read_nor_written_by_a_copy(
    device: int, stream: int, page: tuple[int, Callable[[int], None]]
) -> None:
    start, protect = page
    memory = ok(acl.rt.malloc(8192, 0))
    assert acl.rt.memcpy(memory, 8192, start, 8192, HOST_TO_DEVICE) == 107000
    assert f"8192 bytes at 0x{start:x} end too early: only 4096 of them can be read" in message()
    assert acl.rt.memcpy(start, 8192, memory, 8192, DEVICE_TO_HOST) == 107000
    assert "only 4096 of them" in message()
    assert acl.rt.memcpy_async(memory, 8192, start, 8192, HOST_TO_DEVICE, stream) == 107000
    assert acl.rt.memcpy(memory, 8192, start, 4096, HOST_TO_DEVICE) == 0
    protect(mmap.PROT_READ)
    assert acl.rt.memcpy(start, 4096, memory, 4096, DEVICE_TO_HOST) == 107000
    assert f"4096 bytes at 0x{start:x} are host memory that can be read and not be written" in message()
    ok(acl.rt.free(memory))


def test_registered_memory_that_is_gone_is_not_filled(device: int, page: tuple[int, Callable[[int], None]]) -> None:
    start, protect = page
    ok(acl.rt.host_register(start, 4096, 0))
    assert acl.rt.memset(start, 256, 23, 8) == 0
    assert acl.util.ptr_to_bytes(start, 9) == bytes([23] * 8 + [0])
    protect(0)
    assert acl.rt.memset(start, 256, 23, 1) == 107000
    ok(acl.rt.host_unregister(start))


def test_a_list_in_memory_that_is_gone_is_refused(stream: int, function: Find, page: tuple[int, Callable[[int], None]]) -> None:
    start, protect = page
    handle, value = np.zeros(4096, np.uint8), ctypes.c_uint64(0)
    args = handle.ctypes.data
    ok(acl.rt.kernel_args_init_by_user_mem(function("fill_index"), args, start, 4096))
    ok(acl.rt.kernel_args_append(args, ctypes.addressof(value), 8))
    protect(0)
    assert acl.rt.kernel_args_append(args, ctypes.addressof(value), 8)[-1] == 107017
    assert "the memory of this argument list, given to kernel_args_init_by_user_mem, is gone" in message()
    ok(acl.rt.kernel_args_finalize(args))
    assert acl.rt.launch_kernel_with_config(function("fill_index"), 1, stream, [], args, 0) == 107017


def test_a_parameter_that_cannot_be_read_leaves_the_list_as_it_was(stream: int, function: Find) -> None:
    memory = ok(acl.rt.malloc(64, 0))
    args = argument_list(function("fill_index"), memory)
    ok(acl.rt.kernel_args_init(function("fill_index")))
    assert acl.rt.kernel_args_append(args, memory, 8)[-1] == 107000
    assert "(for a device address: the address of a variable with that address)" in message()
    value = ctypes.c_uint64(memory)
    ok(acl.rt.kernel_args_append(args, ctypes.addressof(value), 8))
    ok(acl.rt.kernel_args_finalize(args))
    ok(acl.rt.launch_kernel_with_config(function("fill_index"), 4, stream, [], args, 0))
    ok(acl.rt.synchronize_stream(stream))
    ok(acl.rt.free(memory))


# --- arguments that are missing


@pytest.mark.parametrize("data_bytes", [0, 8, 64])
def test_data_of_a_placeholder_is_no_argument(data_bytes: int, stream: int, function: Find) -> None:
    two_sources, value = function("two_sources"), ctypes.c_uint64(0)
    args = ok(acl.rt.kernel_args_init(two_sources))
    ok(acl.rt.kernel_args_append(args, ctypes.addressof(value), 8))
    placeholder = ok(acl.rt.kernel_args_append_place_holder(args))
    if data_bytes:
        ok(acl.rt.kernel_args_get_place_holder_buffer(args, placeholder, data_bytes))
    ok(acl.rt.kernel_args_finalize(args))
    assert acl.rt.launch_kernel_with_config(two_sources, 1, stream, [], args, 0) == 107000
    assert "16 bytes of arguments are given; two_sources(" in message()


def test_data_in_a_block_of_arguments_is_no_argument_either(stream: int, function: Find) -> None:
    out = ok(acl.rt.malloc(64, 0))
    block = packed(0, np.uint32(3), 0, np.uint32(5), out, b"abc", b"defgh")
    good = [{"addrOffset": 0, "dataOffset": 40}, {"addrOffset": 16, "dataOffset": 48}]
    short = [{"addrOffset": 0, "dataOffset": 24}, {"addrOffset": 16, "dataOffset": 48}]
    launch = acl.rt.launch_kernel_with_host_args
    assert launch(function("two_sources"), 1, stream, [], block.ctypes.data, block.nbytes, short, 2) == 107000
    assert "24 bytes of arguments are given; two_sources(" in message()
    ok(launch(function("two_sources"), 1, stream, [], block.ctypes.data, block.nbytes, good, 2))
    ok(acl.rt.synchronize_stream(stream))
    ok(acl.rt.free(out))
