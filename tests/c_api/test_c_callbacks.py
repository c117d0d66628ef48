# SPDX-License-Identifier: Apache-2.0
"""Callbacks: functions of a C++ program, called without Python's lock on the threads that the interface says."""

from __future__ import annotations

import ctypes
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from native import recent, stub

from aclimb import capi

Native = Callable[[str], ctypes.CDLL]


@pytest.fixture
def program(device: None, native_code: Native) -> Any:
    found = native_code("callbacks.cpp")
    for each in (found.host_function, found.host_function_that_throws, found.callback_on_own_thread, found.set_failure_of_binary):
        each.argtypes = [ctypes.c_void_p] * {"callback_on_own_thread": 3, "host_function_that_throws": 1}.get(each.__name__, 2)
    found.text_seen.restype = ctypes.c_char_p
    found.create_kernel.argtypes = [ctypes.c_char_p, ctypes.c_void_p, ctypes.c_int]
    found.calls_seen(), found.calls_with_lock(), found.value_seen()
    return found


@pytest.fixture
def stream(device: None) -> Any:
    made = ctypes.c_void_p()
    assert stub("aclrtCreateStream")(ctypes.addressof(made)) == 0
    yield made.value
    assert stub("aclrtDestroyStream")(made.value) == 0


@pytest.mark.requirement("cpp-10")
def test_a_host_function_runs_in_stream_order_on_another_thread(program: Any, stream: int) -> None:
    number = ctypes.c_int(42)
    assert program.host_function(stream, ctypes.addressof(number)) == 0
    assert stub("aclrtSynchronizeStream")(stream) == 0
    assert (program.calls_seen(), program.value_seen(), program.calls_with_lock()) == (1, 42, 0)
    assert not program.was_this_thread()


@pytest.mark.requirement("cpp-10")
def test_a_callback_runs_on_the_thread_that_fetches_it(program: Any, stream: int) -> None:
    context, number = ctypes.c_void_p(), ctypes.c_int(7)
    assert stub("aclrtGetCurrentContext")(ctypes.addressof(context)) == 0
    assert program.callback_on_own_thread(stream, context.value, ctypes.addressof(number)) == 0, recent()
    assert (program.calls_seen(), program.value_seen(), program.calls_with_lock()) == (1, 7, 0)


@pytest.mark.requirement("cpp-10")
def test_an_exception_stays_in_its_callback(program: Any, stream: int, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR, "aclimb")
    assert program.host_function_that_throws(stream) == 0
    assert stub("aclrtSynchronizeStream")(stream) == 0
    assert program.calls_seen() == 2
    texts = [str(each.exc_info[1]) for each in caplog.records if each.exc_info]
    assert texts == [
        f"a callback of the program threw a C++ exception: {what}" for what in ("thrown by the program", "not a std::exception")
    ]


@pytest.mark.requirement("cpp-10")
def test_null_is_no_callback(program: Any, stream: int) -> None:
    assert stub("aclrtLaunchHostFunc")(stream, None, None) == 100000
    assert recent() == "100000: aclrtLaunchHostFunc: callback cannot be called"
    assert stub("aclrtLaunchCallback")(None, None, 1, stream) == 100000
    assert stub("aclrtExceptionInfoCallbackRegister")(None) == 100000
    recent()


def fail(function: Callable[[str], int], out: int) -> int:
    """The code with which a synchronise tells of a kernel that failed."""
    argument = ctypes.c_uint64(out)
    launched = stub("aclrtLaunchKernelWithHostArgs")(function("breaks"), 1, None, None, ctypes.addressof(argument), 8, None, 0)
    assert launched == 0, recent()
    code = int(stub("aclrtSynchronizeStream")(None))
    recent()
    return code


@pytest.mark.requirement("cpp-10")
def test_failures_are_told_to_c(program: Any, function: Callable[[str], int], memory: Callable[[int], int]) -> None:
    out, number = memory(64), ctypes.c_int(5)
    assert program.register_failure() == program.register_failure() == 0
    assert fail(function, out) == 507036
    assert (program.calls_seen(), program.calls_with_lock()) == (1, 0)
    assert program.text_seen() == b"breaks 507036 8 1"
    assert program.unregister_failure() == 0
    assert program.unregister_failure() == 107000, "the same function is the same callback, and it is gone"
    recent()
    assert fail(function, out) == 507036
    assert program.calls_seen() == 0
    assert program.set_failure(1) == 0
    fail(function, out)
    assert program.set_failure(0) == 0
    binary = ctypes.c_void_p()
    assert stub("aclrtFunctionGetBinary")(function("breaks"), ctypes.addressof(binary)) == 0
    assert program.set_failure_of_binary(binary.value, ctypes.addressof(number)) == 0
    fail(function, out)
    assert (program.calls_seen(), program.value_seen()) == (2, 5)


@pytest.mark.requirement("cpp-4", "cpp-10")
def test_a_single_operator_is_chosen_and_run_from_c(program: Any, kernels: Path, memory: Callable[[int], int], read: Any) -> None:
    assert stub("aclInit")(None) == 0
    code = kernels.read_bytes()
    image = ctypes.create_string_buffer(code, len(code))
    assert program.create_kernel(b"CopyInC", ctypes.addressof(image), len(code)) == 0, recent()
    assert program.register_selector(b"CopyInC") == 0
    assert program.register_selector(b"CopyInC") == 100030
    source, target, values = memory(64), memory(64), np.arange(16, dtype=np.int32)
    assert stub("aclrtMemcpy")(source, 64, values.ctypes.data, 64, 1) == 0
    dims = (ctypes.c_int64 * 1)(16)
    desc = stub("aclCreateTensorDesc")(3, 1, dims, 2)
    buffers = [stub("aclCreateDataBuffer")(address, 64) for address in (source, target)]
    descs, attr = (ctypes.c_void_p * 1)(desc), stub("aclopCreateAttr")()
    values_of = (ctypes.c_int64 * 3)(1, 2, 3)
    lists = (ctypes.c_void_p * 2)(ctypes.addressof(values_of), ctypes.addressof(values_of))
    names = (ctypes.c_char_p * 2)(b"a", "é".encode())
    assert stub("aclopSetAttrListListInt")(attr, b"lists", 2, (ctypes.c_int * 2)(3, 1), lists) == 0
    assert stub("aclopSetAttrListString")(attr, b"names", 2, names) == 0
    assert stub("aclopSetAttrListString")(attr, b"names", 2, (ctypes.c_char_p * 2)(b"a", None)) == 100000
    assert recent().startswith("100000: aclopSetAttrListString: values[1] is None (NULL)\n")
    assert stub("aclopSetAttrFloat")(attr, b"alpha", 0.5) == 0
    assert stub("aclopUpdateParams")(b"CopyInC", 1, descs, 1, descs, attr) == 0, recent()
    assert (program.calls_seen(), program.calls_with_lock()) == (1, 0)
    outputs, inputs = (ctypes.c_void_p * 1)(buffers[1]), (ctypes.c_void_p * 1)(buffers[0])
    assert stub("aclopExecuteV2")(b"CopyInC", 1, descs, inputs, 1, descs, outputs, attr, None) == 0, recent()
    np.testing.assert_array_equal(read(target, 16), values)
    stub("aclopDestroyAttr")(attr)
    stub("aclDestroyTensorDesc")(desc)
    assert [stub("aclDestroyDataBuffer")(each) for each in buffers] == [0, 0]
    assert capi.aclopUnregisterCompileFunc("CopyInC") == 0
    assert stub("aclFinalize")() == 0
    assert (program.calls_seen(), program.value_seen()) == (1, len(code)), "the image is given back to C"
    recent()
