# SPDX-License-Identifier: Apache-2.0
"""A call from C and the same call from Python: the same code, the same outputs, the same text."""

from __future__ import annotations

import ctypes
import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from native import PROTOTYPES, c_type, is_pointer, recent, stub

from aclimb import capi

# They change what the next call finds, or wait for somebody.
NOT_TWICE = {
    "aclInit", "aclFinalize", "aclFinalizeReference", "aclrtSetDevice", "aclrtResetDevice", "aclrtResetDeviceForce", "aclrtProcessReport",
    "aclrtDestroyContext", "aclrtDestroyStream", "aclrtDestroyStreamForce", "aclrtSetCurrentContext", "aclrtGetLastError",
    "aclGetRecentErrMsg", "aclrtSetOpExecuteTimeOut", "aclrtSetOpExecuteTimeOutV2", "aclrtSetOpExecuteTimeOutWithMs",
    "aclrtCreateContext", "aclAppLog", "aclrtSetStreamFailureMode", "aclrtSubscribeReport", "aclrtUnSubscribeReport",
    "aclopRegisterCompileFunc", "aclopUnregisterCompileFunc", "aclrtSetOpWaitTimeout", "aclrtDeviceTaskAbort",
    "rtSetDevice", "rtDeviceReset", "rtStreamDestroy",
}  # fmt: skip
SAME = sorted(set(PROTOTYPES) - set(capi.ALL.unsupported) - NOT_TWICE)
NUMBERS = [0, 1, 3, 77, 70000]
ADDRESSES = [0, 0, 0x1234, (0x0AC0 << 48) + 8]


def arguments(name: str, seed: int) -> tuple[list[Any], list[Any]]:
    """The same values for C and for Python."""
    pick = random.Random(f"{name} {seed}").choice
    in_c: list[Any] = []
    in_python: list[Any] = []
    for each, (letter, _) in zip((p for p in PROTOTYPES[name].parameters if p.is_input), capi.ROWS[name].parameters, strict=True):
        if letter == "z":
            text = pick([None, "x", "é"])
            in_c.append(text.encode() if text is not None else None)
            in_python.append(text)
        elif is_pointer(each) and each.mark == "inout":
            number = pick(NUMBERS)
            in_c.append(number)
            in_python.append(number)
        elif is_pointer(each):
            address = pick(ADDRESSES) if letter in ("p", "k") else 0
            in_c.append(address)
            in_python.append(address if letter in ("p", "k") else None)
        else:
            number = pick(NUMBERS) if c_type(each) is not ctypes.c_uint8 else 1
            in_c.append(number)
            in_python.append(number)
    return in_c, in_python


def call_c(name: str, given: list[Any]) -> tuple[Any, str]:
    """The answer without outputs, and the text; outputs are room for anything."""
    rest, values = list(given), []
    for each in PROTOTYPES[name].parameters:
        if each.mark == "inout":
            values.append(ctypes.addressof(held := ctypes.c_int(rest.pop(0))))
        elif each.is_output:
            values.append(ctypes.addressof(held := ctypes.create_string_buffer(4096)))
        else:
            held = rest.pop(0)
            values.append(held)
        KEPT.append(held)
    return stub(name)(*values), recent()


KEPT: list[Any] = []


def same(in_c: Any, in_python: Any) -> bool:
    if isinstance(in_python, tuple):
        in_python = in_python[-1]
    if isinstance(in_c, bytes):
        in_c = in_c.decode()
    return in_c == in_python or {in_c, in_python} <= {None, 0} or (isinstance(in_c, int) and ctypes.c_uint64(in_c).value == in_python)


RELEASE = {"aclrtMallocHost": "aclrtFreeHost", "aclrtMalloc": "aclrtFree", "aclrtCreateStream": "aclrtDestroyStream",
           "aclrtCreateEvent": "aclrtDestroyEvent", "aclrtHostRegister": "aclrtHostUnregister",
           "rtMallocHost": "rtFreeHost", "rtMalloc": "rtFree", "rtStreamCreate": "rtStreamDestroy"}  # fmt: skip


def release(name: str, in_python: Any) -> None:
    """What both calls made."""
    end = next((end for begin, end in RELEASE.items() if name.startswith(begin)), None)
    if end is not None and isinstance(in_python, tuple) and in_python[-1] == 0:
        room = next(each for each in KEPT if isinstance(each, ctypes.Array))
        for made in (in_python[0], ctypes.c_uint64.from_buffer(room).value):
            assert stub(end)(made) == 0


@pytest.mark.requirement("cpp-4")
@pytest.mark.usefixtures("device")
@pytest.mark.parametrize("name", SAME)
def test_c_and_python_answer_alike(name: str) -> None:
    made = name.startswith(("aclCreate", "aclopCreateAttr"))
    for seed in range(6):
        in_c, in_python = arguments(name, seed)
        KEPT.clear()
        first, text = call_c(name, in_c)
        second = getattr(capi, name)(*in_python)
        assert text == (capi.aclGetRecentErrMsg() or "")
        assert same(first, second) or (made and bool(first) == bool(second)), f"{name}{in_python}: {first} in C, {second} in Python"
        release(name, second)
        if text:
            assert re.match(rf"\d+: {name}: ", text, re.IGNORECASE), text


GETTERS: list[tuple[str, tuple[Any, ...], list[Any]]] = [
    ("aclrtGetDevice", (), [ctypes.c_int32]),
    ("aclrtGetDeviceCount", (), [ctypes.c_uint32]),
    ("aclrtGetRunMode", (), [ctypes.c_int]),
    ("aclrtGetVersion", (), [ctypes.c_int32] * 3),
    ("aclrtDeviceGetStreamPriorityRange", (), [ctypes.c_int32] * 2),
    ("aclrtGetDeviceInfo", (0, 101), [ctypes.c_int64]),
    ("aclrtGetDeviceInfo", (0, 302), [ctypes.c_int64]),
    ("aclGetDeviceCapability", (0, 1), [ctypes.c_int64]),
    ("aclrtQueryDeviceStatus", (0,), [ctypes.c_int]),
    ("aclrtGetPrimaryCtxState", (0,), [ctypes.c_uint32, ctypes.c_int32]),
    ("aclrtGetCurrentContext", (), [ctypes.c_uint64]),
    ("aclrtCtxGetCurrentDefaultStream", (), [ctypes.c_uint64]),
    ("aclrtGetStreamAvailableNum", (), [ctypes.c_uint32]),
    ("aclrtGetDeviceResLimit", (0, 1), [ctypes.c_uint32]),
    ("aclrtGetStreamResLimit", (0, 0), [ctypes.c_uint32]),
    ("aclrtGetResInCurrentThread", (1,), [ctypes.c_uint32]),
    ("aclrtGetMemInfo", (1,), [ctypes.c_size_t] * 2),
    ("aclrtStreamGetId", (0,), [ctypes.c_int32]),
    ("aclrtStreamQuery", (0,), [ctypes.c_int]),
    ("aclrtGetOpTimeOutInterval", (), [ctypes.c_uint64]),
    ("aclrtGetOpExecuteTimeout", (), [ctypes.c_uint32]),
    ("aclrtSetOpExecuteTimeOutV2", (2_000_000_000,), [ctypes.c_uint64]),
    ("aclsysGetVersionNum", (b"runtime",), [ctypes.c_int32]),
    ("aclmdlRICaptureGetInfo", (0,), [ctypes.c_int, ctypes.c_uint64]),
]


@pytest.mark.requirement("cpp-4")
@pytest.mark.usefixtures("device")
@pytest.mark.parametrize(("name", "given", "kinds"), GETTERS)
def test_outputs_are_the_same(name: str, given: tuple[Any, ...], kinds: list[Any]) -> None:
    outputs = [kind() for kind in kinds]
    inputs, places = list(given), [ctypes.addressof(each) for each in outputs]
    values = [(places if each.is_output else inputs).pop(0) for each in PROTOTYPES[name].parameters]
    assert stub(name)(*values) == 0, recent()
    in_python = getattr(capi, name)(*(each.decode() if isinstance(each, bytes) else each for each in given))
    assert (*[each.value for each in outputs], 0) == in_python


@pytest.mark.requirement("cpp-4")
def test_texts_are_the_same(device: None) -> None:
    assert stub("aclrtGetSocName")().decode() == capi.aclrtGetSocName()
    version = ctypes.create_string_buffer(128)
    assert stub("aclsysGetVersionStr")(b"runtime", version) == 0
    assert (version.value.decode(), 0) == capi.aclsysGetVersionStr("runtime")


@pytest.mark.requirement("cpp-4")
def test_handles_of_c_and_python_are_the_same_things(device: None) -> None:
    stream = ctypes.c_void_p()
    assert stub("aclrtCreateStream")(ctypes.addressof(stream)) == 0
    assert capi.aclrtSynchronizeStream(stream.value) == 0
    event, _ = capi.aclrtCreateEvent()
    assert stub("aclrtRecordEvent")(event, stream.value) == 0
    assert stub("aclrtSynchronizeEvent")(event) == 0
    assert stub("aclrtDestroyEvent")(event) == 0
    assert capi.aclrtDestroyStream(stream.value) == 0
    assert stub("aclrtDestroyStream")(stream.value) == 107017
    assert recent().startswith("107017: aclrtDestroyStream: ")


@pytest.mark.requirement("cpp-5")
def test_a_failed_call_writes_nothing(device: None) -> None:
    place = ctypes.c_uint64(0xA5A5)
    assert stub("aclrtMalloc")(ctypes.addressof(place), 0, 0) == 100000
    assert stub("aclrtBinaryLoadFromFile")(b"/no/such/file.o", None, ctypes.addressof(place)) == 107000
    assert stub("aclrtEventElapsedTime")(ctypes.addressof(place), 0x10, 0x10) == 107017
    assert place.value == 0xA5A5
    recent()


@pytest.mark.requirement("cpp-5")
def test_null_means_the_default_stream(device: None) -> None:
    assert stub("aclrtSynchronizeStream")(None) == 0
    number, default = ctypes.c_int32(-1), ctypes.c_void_p()
    assert stub("aclrtCtxGetCurrentDefaultStream")(ctypes.addressof(default)) == 0
    assert stub("aclrtStreamGetId")(None, ctypes.addressof(number)) == 0
    assert (number.value, 0) == capi.aclrtStreamGetId(default.value)


@pytest.mark.requirement("cpp-4")
def test_the_last_texts_stay_until_the_thread_asks_again(device: None) -> None:
    ask = stub("aclGetRecentErrMsg")
    found = PROTOTYPES["aclGetRecentErrMsg"]
    assert found.returns == "const char*"
    raw = ctypes.CFUNCTYPE(ctypes.c_void_p)(ctypes.cast(ask, ctypes.c_void_p).value)
    assert ask() is None
    assert stub("aclrtFree")(None) == 100000
    text = raw()
    assert stub("aclrtFree")(0x10) == 107000
    name = stub("aclrtGetSocName")()
    assert ctypes.string_at(text).startswith(b"100000: aclrtFree: ")
    assert ask().startswith(b"107000: aclrtFree: ")
    assert stub("aclrtGetSocName")() == name
    assert ask() is None


def test_the_log_gets_a_text_of_at_most_1023_bytes(caplog: pytest.LogCaptureFixture) -> None:
    log = stub("aclAppLog")
    log(ctypes.c_int(2), b"run", b"main.c", ctypes.c_uint32(7), b"%d of %s", ctypes.c_int(3), b"five")
    log(ctypes.c_int(3), b"run", b"main.c", ctypes.c_uint32(8), b"%s", b"x" * 5000)
    log(ctypes.c_int(3), None, None, ctypes.c_uint32(8), None)
    assert [each.levelname for each in caplog.records] == ["WARNING", "ERROR"]
    first, second = (each.getMessage() for each in caplog.records)
    assert first == "main.c:7 run: 3 of five"
    text = second.removeprefix("main.c:8 run: ")
    assert len(text) == 1023
    assert text == "x" * 1009 + "...[truncated]"
    assert recent() == "100000: aclAppLog: fmt is NULL"


@pytest.mark.requirement("cpp-5")
def test_arrays_come_with_their_count(device: None, read: Callable[..., Any]) -> None:
    dims = (ctypes.c_int64 * 3)(2, 3, 4)
    desc = stub("aclCreateTensorDesc")(1, 3, dims, 2)
    assert stub("aclGetTensorDescElementCount")(desc) == 24
    assert stub("aclGetTensorDescNumDims")(desc) == 3
    ranges = (ctypes.c_int64 * 6)(1, 2, 3, 4, 5, -1)
    assert stub("aclSetTensorShapeRange")(desc, 3, ranges) == 0
    room = (ctypes.c_int64 * 2)()
    assert stub("aclGetTensorDescDimRange")(desc, 2, 2, room) == 0
    assert list(room) == [5, -1]
    assert stub("aclCreateTensorDesc")(1, -1, dims, 2) is None
    assert "-1 values are announced" in recent()
    assert stub("aclCreateTensorDesc")(1, 3, 0x1000, 2) is None
    assert recent().startswith("107000: aclCreateTensorDesc: dims: 0x1000 is not the address of anything")
    assert stub("aclSetTensorShape")(desc, 2**31 - 1, dims) == 107000
    assert "end too early" in recent()
    stub("aclDestroyTensorDesc")(desc)
    assert (stub("aclGetTensorDescType")(desc), stub("aclGetTensorDescFormat")(None), stub("aclGetTensorDescName")(None)) == (-1, -1, b"")
    recent()


@pytest.mark.requirement("cpp-12")
def test_what_was_handed_in_may_change_at_once(device: None) -> None:
    dims, name = (ctypes.c_int64 * 2)(5, 6), ctypes.create_string_buffer(b"first")
    desc = stub("aclCreateTensorDesc")(1, 2, dims, 2)
    stub("aclSetTensorDescName")(desc, name)
    dims[0], name.value = 9, b"other"
    assert stub("aclGetTensorDescDim")(desc, 0) == 5
    assert stub("aclGetTensorDescName")(desc) == b"first"
    stub("aclDestroyTensorDesc")(desc)


def test_objects_of_aclnn_are_made_from_arrays(device: None) -> None:
    dims, strides, half = (ctypes.c_int64 * 2)(4, 5), (ctypes.c_int64 * 2)(10, 1), ctypes.c_uint16(0x3C00)
    tensor = stub("aclCreateTensor")(dims, 2, 1, strides, 3, 2, dims, 2, 0x1000)
    shape, count = ctypes.POINTER(ctypes.c_int64)(), ctypes.c_uint64()
    for name, wanted in {"aclGetViewShape": [4, 5], "aclGetStorageShape": [4, 5], "aclGetViewStrides": [10, 1]}.items():
        assert stub(name)(tensor, ctypes.addressof(shape), ctypes.addressof(count)) == 0
        assert shape[: count.value] == wanted
        ctypes.CDLL(None).free(shape)
    offset, kind, address = ctypes.c_int64(), ctypes.c_int(), ctypes.c_void_p()
    assert stub("aclGetViewOffset")(tensor, ctypes.addressof(offset)) == 0
    assert stub("aclGetDataType")(tensor, ctypes.addressof(kind)) == 0
    assert stub("aclSetRawTensorAddr")(tensor, 0x2000) == 0
    assert stub("aclGetRawTensorAddr")(tensor, ctypes.addressof(address)) == 0
    assert (offset.value, kind.value, address.value) == (3, 1, 0x2000)
    assert stub("aclInitTensor")(tensor, dims, 1, 3, None, 0, 2, dims, 1, None) == 0
    assert stub("aclGetDataType")(tensor, ctypes.addressof(kind)) == 0
    assert kind.value == 3
    scalar = stub("aclCreateScalar")(ctypes.addressof(half), 1)
    flags = stub("aclCreateBoolArray")((ctypes.c_bool * 3)(True, False, True), 3)
    assert stub("aclGetBoolArraySize")(flags, ctypes.addressof(count)) == 0
    assert count.value == 3
    both = stub("aclCreateTensorList")((ctypes.c_void_p * 1)(tensor), 1)
    assert stub("aclGetTensorListSize")(both, ctypes.addressof(count)) == 0
    assert stub("aclDestroyTensorList")(both) == stub("aclDestroyScalar")(scalar) == stub("aclDestroyBoolArray")(flags) == 0
    assert stub("aclDestroyTensor")(tensor) != 0, "it went with the list"
    assert recent().splitlines()[0].startswith("161002: aclDestroyTensor: ")
    assert stub("aclCreateScalar")(0x10, 1) is None
    recent()
