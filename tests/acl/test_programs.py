# SPDX-License-Identifier: Apache-2.0
"""Whole programs in the manner of public ones, each in a process of its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from host import run_program

Kernels = dict[str, Path]

# Every call is checked as public programs do it; codes of a repeated init or finalize count as success.
CHECK = """
import ctypes, os, sys
import numpy as np
import acl

ALREADY_INIT, ALREADY_FINAL = 100002, 100037

def check(what, ret):
    if ret not in (0, ALREADY_INIT, ALREADY_FINAL):
        raise RuntimeError(f"{what} failed, ret={ret}: {acl.get_recent_err_msg()}")
"""

TOLERANT = """
class Resource:
    def __enter__(self):
        check("init", acl.init())
        check("set_device", acl.rt.set_device(0))
        self.stream, ret = acl.rt.create_stream()
        check("create_stream", ret)

    def __exit__(self, *_):
        check("destroy_stream", acl.rt.destroy_stream(self.stream))
        check("reset_device", acl.rt.reset_device(0))
        check("finalize", acl.finalize())

with Resource():
    check("init", acl.init())  # a library that the program uses
    address, ret = acl.rt.malloc(1024, 0)
    check("malloc", ret)
    check("free", acl.rt.free(address))
check("finalize", acl.finalize())  # and what that library does at exit
print("done", acl.init(), acl.init(), acl.finalize(), acl.finalize())
"""

COPIES = """
MALLOC_HUGE_FIRST, HOST_TO_DEVICE, DEVICE_TO_HOST, NPY_FLOAT32, NPY_BYTE = 0, 1, 2, 11, 1

check("init", acl.init())
check("set_device", acl.rt.set_device(0))
context, ret = acl.rt.create_context(0)
check("create_context", ret)
stream, ret = acl.rt.create_stream()
check("create_stream", ret)
run_mode, ret = acl.rt.get_run_mode()
check("get_run_mode", ret)

image = np.arange(300, dtype=np.float32).reshape(10, 30)
pointer = acl.util.numpy_to_ptr(image)
device, ret = acl.rt.malloc(image.nbytes, MALLOC_HUGE_FIRST)
check("malloc", ret)
check("memcpy", acl.rt.memcpy(device, image.nbytes, pointer, image.nbytes, HOST_TO_DEVICE))

host, ret = acl.rt.malloc_host(image.nbytes)
check("malloc_host", ret)
check("memcpy", acl.rt.memcpy(host, image.nbytes, device, image.nbytes, DEVICE_TO_HOST))
back = acl.util.ptr_to_numpy(host, (10, 30), NPY_FLOAT32).copy()
text = acl.util.ptr_to_bytes(host, image.nbytes)
print("equal", np.array_equal(back, image), np.frombuffer(text, np.float32).tolist() == image.ravel().tolist(), run_mode)

data = image.tobytes()
check("memcpy", acl.rt.memcpy(device, len(data), acl.util.bytes_to_ptr(data), len(data), HOST_TO_DEVICE))
check("free_host", acl.rt.free_host(host))
check("free", acl.rt.free(device))
check("destroy_stream", acl.rt.destroy_stream(stream))
check("destroy_context", acl.rt.destroy_context(context))
check("reset_device", acl.rt.reset_device(0))
check("finalize", acl.finalize())
"""

ARGUMENT_LIST = """
check("init", acl.init())
check("set_device", acl.rt.set_device(0))
stream, ret = acl.rt.create_stream()
check("create_stream", ret)
binary, ret = acl.rt.binary_load_from_file(os.environ["KERNEL"], [])
check("binary_load_from_file", ret)
function, ret = acl.rt.binary_get_function(binary, "add_custom")
check("binary_get_function", ret)

count = 256
x = np.arange(count, dtype=np.float32)
y = np.full(count, 0.25, np.float32)
addresses = []
for array in (x, y, np.zeros_like(x)):
    address, ret = acl.rt.malloc(array.nbytes, 0)
    check("malloc", ret)
    check("memcpy", acl.rt.memcpy(address, array.nbytes, array.ctypes.data, array.nbytes, 1))
    addresses.append(address)

args, ret = acl.rt.kernel_args_init(function)
check("kernel_args_init", ret)
for address in addresses:
    slot = ctypes.c_uint64(address)
    _, ret = acl.rt.kernel_args_append(args, ctypes.addressof(slot), ctypes.sizeof(slot))
    check("kernel_args_append", ret)
length = ctypes.c_uint32(count)
_, ret = acl.rt.kernel_args_append(args, ctypes.addressof(length), ctypes.sizeof(length))
check("kernel_args_append", ret)
check("kernel_args_finalize", acl.rt.kernel_args_finalize(args))
check("launch", acl.rt.launch_kernel_with_config(function, 8, stream, [], args, 0))
check("synchronize_stream", acl.rt.synchronize_stream(stream))

z = np.empty_like(x)
check("memcpy", acl.rt.memcpy(z.ctypes.data, z.nbytes, addresses[2], z.nbytes, 2))
print("equal", np.array_equal(z, x + y))
for address in addresses:
    check("free", acl.rt.free(address))
check("binary_unload", acl.rt.binary_unload(binary))
check("destroy_stream", acl.rt.destroy_stream(stream))
check("reset_device", acl.rt.reset_device(0))
check("finalize", acl.finalize())
"""

PACKED = """
VECTOR_CORE, MAGIC = 0x41415246, 2

class Arguments(ctypes.Structure):
    _fields_ = [("x", ctypes.c_uint64), ("y", ctypes.c_uint64), ("z", ctypes.c_uint64), ("n", ctypes.c_uint32)]

def launch(function, num_blocks, stream, blob):
    args, ret = acl.rt.kernel_args_init(function)
    check("kernel_args_init", ret)
    _, ret = acl.rt.kernel_args_append(args, ctypes.addressof(blob), ctypes.sizeof(blob))
    check("kernel_args_append", ret)
    check("kernel_args_finalize", acl.rt.kernel_args_finalize(args))
    check("launch", acl.rt.launch_kernel_with_config(function, num_blocks, stream, [], args, 0))

check("set_device", acl.rt.set_device(0))  # before init, as some do
check("init", acl.init())
with open(os.environ["KERNEL"], "rb") as file:
    code = file.read()
buffer = ctypes.create_string_buffer(code, len(code))
binary, ret = acl.rt.binary_load_from_data(ctypes.addressof(buffer), len(code), [{"type": MAGIC, "value": VECTOR_CORE}])
check("binary_load_from_data", ret)
del buffer
function, ret = acl.rt.binary_get_function(binary, "add_custom")
check("binary_get_function", ret)

x = np.linspace(0, 1, 128, dtype=np.float32)
device, ret = acl.rt.malloc(2 * x.nbytes, 0)
check("malloc", ret)
check("memcpy", acl.rt.memcpy(device, x.nbytes, x.ctypes.data, x.nbytes, 1))
launch(function, 4, 0, Arguments(device, device, device + x.nbytes, 128))
check("synchronize_stream", acl.rt.synchronize_stream(0))
z = np.empty_like(x)
check("memcpy", acl.rt.memcpy(z.ctypes.data, z.nbytes, device + x.nbytes, z.nbytes, 2))
print("equal", np.array_equal(z, x + x))
check("free", acl.rt.free(device))
check("binary_unload", acl.rt.binary_unload(binary))
check("reset_device", acl.rt.reset_device(0))
check("finalize", acl.finalize())
"""

TIMED_LOOP = """
check("init", acl.init())
check("set_device", acl.rt.set_device(0))
stream, ret = acl.rt.create_stream()
check("create_stream", ret)
binary, ret = acl.rt.binary_load_from_file(os.environ["KERNEL"], [])
check("binary_load_from_file", ret)
function, ret = acl.rt.binary_get_function(binary, "count_runs")
check("binary_get_function", ret)
out, ret = acl.rt.malloc(4 * 8, 0)
check("malloc", ret)
check("memset", acl.rt.memset(out, 32, 0, 32))
args, ret = acl.rt.kernel_args_init(function)
check("kernel_args_init", ret)
slot = ctypes.c_uint64(out)
_, ret = acl.rt.kernel_args_append(args, ctypes.addressof(slot), 8)
check("kernel_args_append", ret)
check("kernel_args_finalize", acl.rt.kernel_args_finalize(args))

events = []
for _ in range(2):
    event, ret = acl.rt.create_event()
    check("create_event", ret)
    events.append(event)
times = []
for _ in range(10):
    check("record_event", acl.rt.record_event(events[0], stream))
    check("launch", acl.rt.launch_kernel_with_config(function, 8, stream, [], args, 0))
    check("record_event", acl.rt.record_event(events[1], stream))
    check("synchronize_event", acl.rt.synchronize_event(events[1]))
    milliseconds, ret = acl.rt.event_elapsed_time(*events)
    check("event_elapsed_time", ret)
    times.append(milliseconds)
runs = np.empty(8, np.int32)
check("memcpy", acl.rt.memcpy(runs.ctypes.data, 32, out, 32, 2))
print("equal", runs.tolist() == [10] * 8, all(type(each) is float and each >= 0 for each in times))
for event in events:
    check("destroy_event", acl.rt.destroy_event(event))
check("free", acl.rt.free(out))
check("binary_unload", acl.rt.binary_unload(binary))
check("destroy_stream", acl.rt.destroy_stream(stream))
check("reset_device", acl.rt.reset_device(0))
check("finalize", acl.finalize())
"""

LEFT_BEHIND = """
import threading, time
from aclimb import capi

check("init", acl.init())
check("set_device", acl.rt.set_device(0))
stream, ret = acl.rt.create_stream()
check("create_stream", ret)
other, ret = acl.rt.create_stream()
check("create_stream", ret)
binary, ret = acl.rt.binary_load_from_file(os.environ["KERNEL"], [])
check("binary_load_from_file", ret)
out, ret = acl.rt.malloc(64, 0)
check("malloc", ret)

def report():
    while True:
        acl.rt.process_report(5)

thread = threading.Thread(target=report, daemon=True)
thread.start()
check("subscribe_report", acl.rt.subscribe_report(thread.ident, stream))
for _ in range(5):
    check("launch_callback", acl.rt.launch_callback(time.sleep, 0.01, 1, stream))
    check("launch_host_func", capi.aclrtLaunchHostFunc(other, time.sleep, 0.01))
print("end")
"""


@pytest.mark.requirement("host-15")
def test_a_program_that_gives_nothing_back_ends_all_the_same(kernels: Kernels) -> None:
    assert run_program(CHECK + LEFT_BEHIND, KERNEL=str(kernels["add_custom"])) == ["end"]


@pytest.mark.requirement("host-152")
def test_a_program_that_takes_repeated_calls_for_success_runs() -> None:
    assert run_program(CHECK + TOLERANT)[-1] == "done 0 100002 0 100037"


@pytest.mark.requirement("host-157")
def test_a_program_of_copies_runs() -> None:
    assert run_program(CHECK + COPIES) == ["equal True True 1"]


@pytest.mark.requirement("host-157")
def test_a_program_with_an_argument_list_runs(kernels: Kernels) -> None:
    assert run_program(CHECK + ARGUMENT_LIST, KERNEL=str(kernels["add_custom"])) == ["equal True"]


@pytest.mark.requirement("host-157")
def test_a_program_with_one_packed_argument_runs(kernels: Kernels) -> None:
    assert run_program(CHECK + PACKED, KERNEL=str(kernels["add_custom"])) == ["equal True"]


@pytest.mark.requirement("host-157")
def test_a_program_with_a_timed_loop_runs(kernels: Kernels) -> None:
    assert run_program(CHECK + TIMED_LOOP, KERNEL=str(kernels["count_runs"])) == ["equal True True"]
