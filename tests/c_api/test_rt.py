# SPDX-License-Identifier: Apache-2.0
"""The runtime below acl, called from C: the same handles, functions behind stubs, arguments as C structs."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from native import PROTOTYPES, recent, stub, stubs

from aclimb import capi, chips

Allocate = Callable[[int], int]
AICORE, AIVEC, AICUBE, AICPU = 0x43554245, 0x41415246, 0x41494343, 0x41415243
FUNCTIONS = {
    "rtGetC2cCtrlAddr", "rtSetDevice", "rtDeviceReset", "rtStreamCreate", "rtStreamDestroy", "rtStreamSynchronize",
    "rtStreamSynchronizeWithTimeout", "rtDeviceSynchronize", "rtMalloc", "rtFree", "rtMallocHost", "rtFreeHost", "rtMemcpy",
    "rtDevBinaryRegister", "rtDevBinaryUnRegister", "rtFunctionRegister", "rtKernelLaunch", "rtGetSocVersion", "rtGetDeviceCount",
    "rtGetAiCoreCount", "rtGetDeviceInfo", "rtProfSetProSwitch",
}  # fmt: skip


class DevBinary(ctypes.Structure):
    _fields_ = (("magic", ctypes.c_uint32), ("version", ctypes.c_uint32), ("data", ctypes.c_void_p), ("length", ctypes.c_uint64))


class Scale(ctypes.Structure):
    """scale_and_shift's arguments, as a C program declares them: 24 bytes."""

    _fields_ = (("x", ctypes.c_uint64), ("scale", ctypes.c_int32), ("shift", ctypes.c_int32), ("y", ctypes.c_uint64))


class Fill(ctypes.Structure):
    """fill's; the small one takes 4 bytes."""

    _fields_ = (("out", ctypes.c_uint64), ("first", ctypes.c_int32), ("step", ctypes.c_uint8), ("count", ctypes.c_uint32))


def register(data: bytes, magic: int = AIVEC) -> int:
    held, handle = ctypes.create_string_buffer(data, len(data)), ctypes.c_void_p()
    binary = DevBinary(magic, 0, ctypes.addressof(held), len(data))
    assert stub("rtDevBinaryRegister")(ctypes.addressof(binary), ctypes.addressof(handle)) == 0, recent()
    ctypes.memset(held, 0xEE, len(data))  # it may be freed at once
    return handle.value or 0


@pytest.fixture
def binary(device: None, kernels: Path) -> Iterator[int]:
    handle = register(kernels.read_bytes())
    yield handle
    assert stub("rtDevBinaryUnRegister")(handle) == 0


def name_function(binary: int, at: int, name: bytes) -> None:
    """As launchers do: the kernel's name is given twice."""
    held = ctypes.create_string_buffer(name)
    assert stub("rtFunctionRegister")(binary, at, name, ctypes.addressof(held), 0) == 0, recent()


def launch(at: int, arguments: Any, stream: int | None = None, blocks: int = 1) -> int:
    code = stub("rtKernelLaunch")(at, blocks, ctypes.addressof(arguments), ctypes.sizeof(arguments), None, stream)
    return int(code)


# --- the table


@pytest.mark.requirement("tool-19")
def test_all_functions_are_there() -> None:
    assert len(FUNCTIONS) == 22
    assert FUNCTIONS.issubset(set(PROTOTYPES) - set(capi.ALL.unsupported))


@pytest.mark.requirement("tool-19")
@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("rtKernelLaunchWithFlagV2", "use rtKernelLaunch, or aclrtLaunchKernelWithHostArgs"),
        ("rtKernelLaunchWithHandleV2", "use rtKernelLaunch, or aclrtLaunchKernelWithHostArgs"),
        ("rtRegisterAllKernel", "use rtDevBinaryRegister and rtFunctionRegister, or aclrtBinaryGetFunctionByEntry"),
        ("rtBinaryLoadWithoutTilingKey", "use rtDevBinaryRegister and rtFunctionRegister, or aclrtBinaryGetFunctionByEntry"),
        ("rtGetDevResAddress", "the chip is modelled and its registers have no addresses"),
        ("rtGetVisibleDeviceIdByLogicDeviceId", "devices have one number; it is the one that rtSetDevice takes"),
    ],
)
def test_what_is_refused_says_what_to_use(name: str, sentence: str) -> None:
    room = ctypes.create_string_buffer(64)
    given = [ctypes.addressof(room) if each.is_output else 0 for each in PROTOTYPES[name].parameters]
    assert stub(name)(*given) == 207000
    text = recent()
    assert text.startswith(f"207000: {name}: ")
    assert sentence in text


# --- handles are acl's


@pytest.mark.requirement("tool-19")
def test_streams_and_memory_are_those_of_acl(device: None) -> None:
    stream, memory, host = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    assert stub("rtStreamCreate")(ctypes.addressof(stream), 0) == 0
    assert stub("aclrtSynchronizeStream")(stream.value) == 0
    assert stub("rtStreamSynchronize")(stream.value) == stub("rtStreamSynchronizeWithTimeout")(stream.value, 1000) == 0
    assert stub("rtDeviceSynchronize")() == 0
    assert stub("rtMalloc")(ctypes.addressof(memory), 64, 2 | 0x400, 33) == 0
    assert stub("aclrtMemset")(memory.value, 64, 5, 64) == 0
    assert stub("rtMallocHost")(ctypes.addressof(host), 64, 33) == 0
    assert stub("rtMemcpy")(host.value, 64, memory.value, 64, 2) == 0
    assert ctypes.string_at(host.value or 0, 64) == b"\x05" * 64
    assert stub("aclrtDestroyStream")(stream.value) == stub("aclrtFree")(memory.value) == stub("rtFreeHost")(host.value) == 0
    assert stub("rtStreamSynchronize")(stream.value) == 107017
    assert stub("rtFree")(memory.value) == 107000
    assert [line.split(" ")[1] for line in recent().splitlines() if line[:6] in ("107017", "107000")] == ["rtFree:", "rtStreamSynchronize:"]


@pytest.mark.requirement("tool-19")
@pytest.mark.parametrize("kind", range(8))
def test_copies_have_eight_kinds(memory: Allocate, kind: int) -> None:
    source, target = np.arange(16, dtype=np.int32), np.zeros(16, np.int32)
    first, second = memory(64), memory(64)
    to_device, from_device = stub("aclrtMemcpy"), stub("aclrtMemcpy")
    assert to_device(first, 64, source.ctypes.data, 64, 1) == 0
    to, given = target.ctypes.data, source.ctypes.data
    where = [(to, given), (second, given), (to, first), (second, first), (second, given), (second, first), (second, given), (to, first)]
    assert stub("rtMemcpy")(where[kind][0], 64, where[kind][1], 64, kind) == 0, recent()
    if where[kind][0] == second:
        assert from_device(target.ctypes.data, 64, second, 64, 2) == 0
    np.testing.assert_array_equal(target, source)


def test_a_copy_of_another_kind_is_refused(memory: Allocate) -> None:
    address = memory(64)
    for kind in (8, -1):
        assert stub("rtMemcpy")(address, 64, address, 64, kind) == 107000
        assert recent() == f"107000: rtMemcpy: kind is {kind}; it takes 0 to 7"


@pytest.mark.requirement("tool-19")
def test_what_the_device_is_comes_from_the_chip(device: None) -> None:
    count, cores, value, name = ctypes.c_int32(), ctypes.c_uint32(), ctypes.c_int64(), ctypes.create_string_buffer(64)
    assert stub("rtGetSocVersion")(name, 64) == 0
    chip = chips.load(name.value.decode())
    assert stub("rtGetDeviceCount")(ctypes.addressof(count)) == stub("rtGetAiCoreCount")(ctypes.addressof(cores)) == 0
    assert (count.value, cores.value) == (1, chip.aic_cores)
    for module, wanted in ((4, chip.aic_cores), (7, chip.aiv_cores)):
        assert stub("rtGetDeviceInfo")(0, module, 3, ctypes.addressof(value)) == 0
        assert value.value == wanted
    assert stub("rtGetDeviceInfo")(0, 4, 1, ctypes.addressof(value)) == 207000
    text = "module 4 with info 1 is not known; there are 4 (AI cores) and 7 (vector cores) with 3 (how many)"
    assert recent() == f"207000: rtGetDeviceInfo: {text}"
    assert stub("rtGetSocVersion")(name, 5) == 107000
    assert recent() == f"107000: rtGetSocVersion: maxLen is 5; {chip.name} needs {len(chip.name) + 1}"
    address, size = ctypes.c_uint64(7), ctypes.c_uint32(7)
    assert stub("rtGetC2cCtrlAddr")(ctypes.addressof(address), ctypes.addressof(size)) == 0
    assert (address.value, size.value) == (0, 0)
    assert stub("rtProfSetProSwitch")(None, 0) == 0


# --- functions behind stubs


@pytest.mark.requirement("tool-21")
def test_arguments_are_a_c_struct(binary: int, memory: Allocate, read: Callable[..., Any]) -> None:
    x, y, values = memory(64), memory(64), np.arange(16, dtype=np.int32) - 5
    assert stub("rtMemcpy")(x, 64, values.ctypes.data, 64, 1) == 0
    name_function(binary, 0x1000, b"scale_and_shift")
    assert ctypes.sizeof(Scale) == 24
    assert launch(0x1000, Scale(x, -3, 1000, y)) == 0, recent()
    np.testing.assert_array_equal(read(y, 16), values * -3 + 1000)


@pytest.mark.requirement("tool-21")
def test_scalars_of_every_width_reach_the_kernel(binary: int, memory: Allocate, read: Callable[..., Any]) -> None:
    class Widths(ctypes.Structure):
        _fields_ = (("a", ctypes.c_int8), ("_a", ctypes.c_int8 * 3), ("b", ctypes.c_int16), ("c", ctypes.c_int64), ("d", ctypes.c_int32),
                    ("out", ctypes.c_uint64))  # fmt: skip

    out = memory(64)
    name_function(binary, 0x1000, b"widths")
    assert launch(0x1000, Widths(-7, b=-30000, c=-(2**40), d=2**31 - 1, out=out)) == 0, recent()
    assert read(out, 8).view(np.int64).tolist() == [-7, -30000, -(2**40), 2**31 - 1]


@pytest.mark.requirement("tool-20")
def test_a_second_function_at_the_same_stub_replaces_the_first(binary: int, memory: Allocate, read: Callable[..., Any]) -> None:
    x, y = memory(64), memory(64)
    name_function(binary, 0x1000, b"scale_and_shift")
    name_function(binary, 0x1000, b"copy_table")
    assert stub("aclrtMemset")(x, 64, 1, 64) == 0

    class Copy(ctypes.Structure):
        _fields_ = (("out", ctypes.c_uint64), ("table", ctypes.c_uint64), ("count", ctypes.c_uint32))

    assert launch(0x1000, Copy(y, x, 16)) == 0, recent()
    assert read(y, 16).tolist() == [0x01010101] * 16
    name_function(binary, 0x1000, b"scale_and_shift")
    assert launch(0x1000, Scale(x, 2, 1, y)) == 0, recent()
    assert read(y, 16).tolist() == [0x02020203] * 16


@pytest.mark.requirement("tool-19")
def test_a_launch_on_a_stream_of_acl_is_in_its_order(binary: int, memory: Allocate) -> None:
    stream, out, host = ctypes.c_void_p(), memory(64), np.zeros(16, np.int32)
    assert stub("aclrtCreateStream")(ctypes.addressof(stream)) == 0
    name_function(binary, 0x1000, b"fill")
    assert launch(0x1000, Fill(out, 3, 2, 16), stream.value) == 0, recent()
    assert stub("aclrtMemcpyAsync")(host.ctypes.data, 64, out, 64, 2, stream.value) == 0
    assert stub("rtStreamSynchronize")(stream.value) == 0
    np.testing.assert_array_equal(host, 3 + 2 * np.arange(16))
    assert stub("rtStreamDestroy")(stream.value) == 0


@pytest.mark.requirement("tool-19")
@pytest.mark.parametrize("count", [1, 8])
def test_foreign_threads_launch(native_code: Callable[[str], ctypes.CDLL], binary: int, count: int) -> None:
    program = native_code("rt_threads.cpp")
    program.launches_from_threads.argtypes = [ctypes.c_void_p, ctypes.c_int]
    name_function(binary, 0x1000, b"scale_and_shift")
    assert program.launches_from_threads(0x1000, count) == 0
    recent()


def test_a_name_may_be_given_once_or_be_that_of_a_half(binary: int, memory: Allocate) -> None:
    assert stub("rtFunctionRegister")(binary, 0x1000, b"fill", None, 0) == 0
    held = ctypes.create_string_buffer(b"fill_mix_aic")
    assert stub("rtFunctionRegister")(binary, 0x1000, b"something", ctypes.addressof(held), 0) == 0
    assert launch(0x1000, Fill(memory(64), 3, 2, 16)) == 0
    assert stub("rtDeviceSynchronize")() == 0


# --- what is refused


def test_a_stub_without_a_function_is_refused(device: None, kernels: Path, memory: Allocate) -> None:
    arguments = Fill(memory(64), 1, 1, 4)
    assert launch(0x2000, arguments) == 507027
    text = "507027: rtKernelLaunch: no function is registered for the stub 0x2000; call rtFunctionRegister before the launch"
    assert recent() == text
    binary = register(kernels.read_bytes())
    name_function(binary, 0x2000, b"fill")
    assert stub("rtDevBinaryUnRegister")(binary) == 0
    assert launch(0x2000, arguments) == 507027, "it went with its binary"
    assert recent() == text


def test_a_launch_that_cannot_be_is_refused(binary: int, memory: Allocate) -> None:
    name_function(binary, 0x1000, b"scale_and_shift")
    arguments = Scale(memory(64), 1, 1, memory(64))
    call, at = stub("rtKernelLaunch"), ctypes.addressof(arguments)
    signature = "scale_and_shift(x: GM_ADDR, scale: int32, shift: int32, y: GM_ADDR)"
    for given, code, text in [
        ((1, at, 23, None, None), 107000, f"23 bytes of arguments are given; {signature} reads 24 of a C struct"),
        ((0, at, 24, None, None), 107000, "num_blocks is 0; it takes 1 to 65535"),
        ((1, None, 24, None, None), 100000, "the address of the arguments is 0 (NULL)"),
        ((1, at, 24, 0x10, None), 207000, "smDesc is given; there is no memory to set up for a launch, so leave it NULL"),
    ]:
        assert call(0x1000, *given) == code
        assert recent() == f"{code}: rtKernelLaunch: {text}"
    assert call(0x1000, 1, 0x10, 24, None, None) == 107000
    assert recent().startswith("107000: rtKernelLaunch: the arguments of scale_and_shift: 0x10 is not the address of anything")


def test_a_name_that_cannot_be_is_refused(binary: int) -> None:
    call = stub("rtFunctionRegister")
    assert call(binary, None, b"fill", None, 0) == 100000
    assert recent() == "100000: rtFunctionRegister: stubFunc is 0 (NULL)"
    assert call(binary, 0x1000, None, None, 0) == 100000
    assert recent() == "100000: rtFunctionRegister: kernelInfoExt and stubName are both NULL; one has to name the kernel"
    assert call(binary, 0x1000, b"missing", None, 0) == 107000
    assert recent().startswith("107000: rtFunctionRegister: kernels.o has no kernel 'missing'; it has fill, ")
    assert call(binary, 0x1000, None, 0x10, 0) == 107000
    assert recent().startswith("107000: rtFunctionRegister: kernelInfoExt: 0x10 is not the address of anything")
    assert call(0x10, 0x1000, b"fill", None, 0) == 107017
    endless = ctypes.create_string_buffer(b"x" * 5000)
    assert call(binary, 0x1000, None, ctypes.addressof(endless), 0) == 107000
    assert "no name of up to 4096 characters begins at 0x" in recent()


def test_a_binary_that_cannot_be_is_refused(device: None, kernels: Path) -> None:
    data, handle = ctypes.create_string_buffer(kernels.read_bytes()), ctypes.c_void_p()
    length = len(data) - 1
    for magic, given, code, text in [
        (AICPU, length, 207000, "magic is 0x41415243, for the AI CPU; aclimb runs AI Core kernels only"),
        (1, length, 107000, "MAGIC is 0x1; it takes 0x43554245 (AICORE), 0x41415246 (VECTOR_CORE), 0x41494343 (CUBE_CORE)"),
        (AICORE, 0, 100000, f"0 bytes at 0x{ctypes.addressof(data):x} are no operator binary; give the address and size of one"),
    ]:
        binary = DevBinary(magic, 0, ctypes.addressof(data), given)
        assert stub("rtDevBinaryRegister")(ctypes.addressof(binary), ctypes.addressof(handle)) == code
        assert recent() == f"{code}: rtDevBinaryRegister: {text}"
    for address in (None, 0x10):
        assert stub("rtDevBinaryRegister")(address, ctypes.addressof(handle)) == (100000 if address is None else 107000)
        assert "rtDevBinaryRegister: " in recent()
    assert handle.value is None
    assert stub("rtDevBinaryUnRegister")(0x10) == 107017
    recent()


# --- the neighbours


def test_reports_to_the_profiler_are_dropped() -> None:
    library, record = stubs(), ctypes.create_string_buffer(256)
    library.MsprofSysCycleTime.restype = library.MsprofGetHashId.restype = library._ZN9tm_engine7tm_timeEv.restype = ctypes.c_uint64
    assert library.MsprofRegisterCallback(ctypes.c_uint32(8), ctypes.c_void_p(0x10)) == 0
    assert library.MsprofReportApi(ctypes.c_uint32(0), record) == 0
    assert library.MsprofReportCompactInfo(ctypes.c_uint32(0), record, ctypes.c_uint32(64)) == 0
    assert library.MsprofReportAdditionalInfo(ctypes.c_uint32(0), record, ctypes.c_uint32(256)) == 0
    names = [library.MsprofGetHashId(name, ctypes.c_size_t(len(name))) for name in (b"add", b"mul", b"add", b"")]
    assert names[0] == names[2]
    assert len(set(names)) == 3
    for clock in (library.MsprofSysCycleTime, library._ZN9tm_engine7tm_timeEv):
        first = clock()
        assert 0 < first <= clock()
    library._ZN3Adx19AdumpPrintWorkSpaceEPKvmPvPKc(record, ctypes.c_size_t(256), None, b"name")
