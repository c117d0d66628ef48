# SPDX-License-Identifier: Apache-2.0
"""Every launch of C, with structures as a C program fills them."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from native import recent, stub

from aclimb import capi
from aclimb.runtime import loader

Find = Callable[[str], int]
Allocate = Callable[[int], int]
SCHEM_MODE, TIMEOUT, TIMEOUT_US = 1, 7, 8


class Attribute(ctypes.Structure):
    _fields_ = (("id", ctypes.c_int), ("words", ctypes.c_uint32 * 4))


class Configuration(ctypes.Structure):
    _fields_ = (("attrs", ctypes.c_void_p), ("count", ctypes.c_size_t))


class PlaceHolder(ctypes.Structure):
    _fields_ = (("address_offset", ctypes.c_uint32), ("data_offset", ctypes.c_uint32))


class FillArguments(ctypes.Structure):
    """As the kernel reads them: each at a multiple of 8."""

    _fields_ = (("out", ctypes.c_uint64), ("first", ctypes.c_int32), ("_1", ctypes.c_uint32), ("step", ctypes.c_uint8),
                ("_2", ctypes.c_uint8 * 7), ("count", ctypes.c_uint32), ("_3", ctypes.c_uint32))  # fmt: skip


def configuration(*attributes: tuple[int, tuple[int, ...]]) -> Configuration:
    """Whatever is not named is rubbish, as on a stack."""
    made = (Attribute * len(attributes))()
    ctypes.memset(made, 0xEE, ctypes.sizeof(made))
    for place, (number, data) in zip(made, attributes, strict=True):
        place.id = number
        ctypes.memmove(ctypes.addressof(place) + 4, bytes(data), len(data))
    held = Configuration(ctypes.addressof(made), len(attributes))
    held.kept = made
    return held


def word(number: int) -> tuple[int, ...]:
    return tuple(number.to_bytes(4, "little"))


@pytest.fixture
def out(memory: Allocate) -> int:
    return memory(64)


@pytest.fixture
def args_list(function: Find, out: int) -> int:
    """fill(out, 10, 2, 16) as a list."""
    args, parameter = ctypes.c_void_p(), ctypes.c_void_p()
    assert stub("aclrtKernelArgsInit")(function("fill"), ctypes.addressof(args)) == 0
    for value in (ctypes.c_uint64(out), ctypes.c_int32(10), ctypes.c_uint8(2), ctypes.c_uint32(16)):
        assert stub("aclrtKernelArgsAppend")(args.value, ctypes.addressof(value), ctypes.sizeof(value), ctypes.addressof(parameter)) == 0
    assert stub("aclrtKernelArgsFinalize")(args.value) == 0
    return args.value or 0


WANTED = np.arange(16, dtype=np.int32) * 2 + 10


@pytest.mark.requirement("cpp-4", "cpp-5", "cpp-8")
@pytest.mark.parametrize("attributes", [None, [], [(SCHEM_MODE, (1,))], [(TIMEOUT, (30, 0))], [(TIMEOUT_US, word(5_000_000) + word(0))]])
def test_an_argument_list_is_launched_with_a_configuration(function: Find, out: int, args_list: int, read: Any, attributes: Any) -> None:
    config = ctypes.addressof(held := configuration(*attributes)) if attributes is not None else None
    assert stub("aclrtLaunchKernelWithConfig")(function("fill"), 1, None, config, args_list, None) == 0, recent()
    np.testing.assert_array_equal(read(out, 16), WANTED)
    assert attributes is None or held.count == len(attributes)


@pytest.mark.requirement("cpp-8")
def test_a_limit_in_microseconds_has_two_words(function: Find, out: int) -> None:
    """A high word of 1 is more than an hour; without it the limit is 1 microsecond."""
    argument = ctypes.c_uint64(out)
    launch = stub("aclrtLaunchKernelWithHostArgs")
    short = configuration((TIMEOUT_US, word(20_000) + word(0)))
    assert launch(function("forever"), 1, None, ctypes.addressof(short), ctypes.addressof(argument), 8, None, 0) == 0
    assert stub("aclrtSynchronizeStream")(None) == 507034
    recent()
    long = configuration((TIMEOUT_US, word(1) + word(1)))
    code = launch(function("forever"), 1, None, ctypes.addressof(long), ctypes.addressof(argument), 8, None, 0)
    in_python = capi.aclrtLaunchKernelWithHostArgs(
        function("forever"), 0, None, [{"id": 8, "value": 2**32 + 1}], argument.value, 8, None, 0
    )
    assert in_python == 107000
    if code == 0:
        assert stub("aclrtSynchronizeStreamWithTimeout")(None, 50) == 507046, "it still runs"
        assert stub("aclrtStreamAbort")(None) == 0
    recent()


@pytest.mark.requirement("cpp-4", "cpp-8")
def test_refused_attributes_are_refused_alike(function: Find, args_list: int) -> None:
    for number, data, value in ((SCHEM_MODE, (9,), 9), (99, word(1), 0), (TIMEOUT, (1, 0), 1)):
        config = configuration((number, data), (TIMEOUT_US, word(1) + word(0)))
        in_c = stub("aclrtLaunchKernelWithConfig")(function("fill"), 1, None, ctypes.addressof(config), args_list, None)
        text = recent()
        in_python = capi.aclrtLaunchKernelWithConfig(
            function("fill"), 1, None, [{"id": number, "value": value}, {"id": 8, "value": 1}], args_list, 0
        )
        assert (in_c, text) == (in_python, capi.aclGetRecentErrMsg() or "")
        assert in_c != 0


@pytest.mark.requirement("cpp-4")
def test_a_configuration_that_is_no_memory_is_refused(function: Find, args_list: int) -> None:
    launch = stub("aclrtLaunchKernelWithConfig")
    assert launch(function("fill"), 1, None, 0x1000, args_list, None) == 107000
    assert recent().startswith("107000: aclrtLaunchKernelWithConfig: cfg: 0x1000 is not the address of anything")
    endless = Configuration(ctypes.addressof(Attribute()), 2**62)
    assert launch(function("fill"), 1, None, ctypes.addressof(endless), args_list, None) == 107000
    assert "cfg->attrs" in recent()


@pytest.mark.requirement("cpp-4")
def test_arguments_in_host_and_device_memory(function: Find, out: int, memory: Allocate, read: Any) -> None:
    block = FillArguments(out, 10, 0, 2, (ctypes.c_uint8 * 7)(), 16)
    launch = stub("aclrtLaunchKernelWithHostArgs")
    assert launch(function("fill"), 1, None, None, ctypes.addressof(block), ctypes.sizeof(block), None, 0) == 0
    np.testing.assert_array_equal(read(out, 16), WANTED)
    on_device = memory(64)
    block.first = -5
    assert stub("aclrtMemcpy")(on_device, 64, ctypes.addressof(block), ctypes.sizeof(block), 1) == 0
    assert stub("aclrtLaunchKernel")(function("fill"), 1, on_device, ctypes.sizeof(block), None) == 0
    np.testing.assert_array_equal(read(out, 16), WANTED - 15)
    block.first = 0
    assert stub("aclrtMemcpy")(on_device, 64, ctypes.addressof(block), ctypes.sizeof(block), 1) == 0
    config = configuration((TIMEOUT, (30, 0)))
    assert stub("aclrtLaunchKernelV2")(function("fill"), 1, on_device, ctypes.sizeof(block), ctypes.addressof(config), None) == 0
    np.testing.assert_array_equal(read(out, 16), WANTED - 10)


@pytest.mark.requirement("cpp-5", "cpp-12")
def test_placeholders_travel_with_the_arguments(function: Find, out: int, read: Any) -> None:
    class Block(ctypes.Structure):
        _fields_ = (("out", ctypes.c_uint64), ("table", ctypes.c_uint64), ("count", ctypes.c_uint32), ("_", ctypes.c_uint32),
                    ("data", ctypes.c_int32 * 16))  # fmt: skip

    block = Block(out, 0, 16, 0, (ctypes.c_int32 * 16)(*range(100, 116)))
    slots = (PlaceHolder * 1)(PlaceHolder(8, 24))
    launch = stub("aclrtLaunchKernelWithHostArgs")
    assert launch(function("copy_table"), 1, None, None, ctypes.addressof(block), ctypes.sizeof(block), slots, 1) == 0, recent()
    ctypes.memset(slots, 0xEE, 8)
    block.data[0] = -1
    np.testing.assert_array_equal(read(out, 16), np.arange(100, 116))
    assert launch(function("copy_table"), 1, None, None, ctypes.addressof(block), ctypes.sizeof(block), None, 1) == 107000
    assert "1 placeholders are announced and 0 are given" in recent()


def arguments_of_fill(out: int) -> tuple[Any, list[Any]]:
    values = [ctypes.c_uint64(out), ctypes.c_int32(10), ctypes.c_uint8(2), ctypes.c_uint32(16)]
    return (ctypes.c_void_p * 4)(*map(ctypes.addressof, values)), values


@pytest.mark.requirement("cpp-9")
def test_an_array_of_addresses_has_no_count(function: Find, out: int, read: Any) -> None:
    args, values = arguments_of_fill(out)
    launch = stub("aclrtLaunchKernelWithArgsArray")
    assert launch(function("fill"), 1, None, None, args) == 0, recent()
    np.testing.assert_array_equal(read(out, 16), WANTED)
    assert launch(function("fill"), 1, None, None, None) == 100000
    assert launch(function("fill"), 1, None, None, 0x1000) == 107000
    args[1] = None
    assert launch(function("fill"), 1, None, None, args) == 107000
    assert "none may be 0" in recent().splitlines()[0]
    assert values


@pytest.mark.requirement("cpp-9")
def test_the_address_of_a_kernel_of_the_program_is_a_function_too(
    function: Find, out: int, read: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who keeps the kernels of a program says which function lies at an address."""
    fill, symbol, found, count = loader.FUNCTIONS[function("fill")], 0x401000, ctypes.c_void_p(), ctypes.c_size_t()
    monkeypatch.setattr(loader, "SYMBOL_FINDERS", [lambda address: fill if address == symbol else None])
    args, _values = arguments_of_fill(out)
    assert stub("aclrtLaunchKernelWithArgsArray")(symbol, 1, None, None, args) == 0, recent()
    np.testing.assert_array_equal(read(out, 16), WANTED)
    assert stub("aclrtGetFuncBySymbol")(symbol, ctypes.addressof(found)) == 0
    assert found.value == fill.number
    assert stub("aclrtFunctionGetParamCount")(symbol, ctypes.addressof(count)) == 0
    assert count.value == 4
    assert stub("aclrtGetFuncBySymbol")(symbol + 1, ctypes.addressof(found)) == 107043
    assert stub("aclrtLaunchKernelWithArgsArray")(symbol + 1, 1, None, None, args) == 107017
    recent()


def test_a_function_tells_its_parameters(function: Find) -> None:
    offset, size, name = ctypes.c_size_t(), ctypes.c_size_t(), ctypes.create_string_buffer(2048)
    found = []
    for index in range(4):
        assert stub("aclrtFunctionGetParamInfo")(function("fill"), index, ctypes.addressof(offset), ctypes.addressof(size)) == 0
        found.append((offset.value, size.value))
    assert found == [(0, 8), (8, 4), (16, 1), (24, 4)]
    assert stub("aclrtFunctionGetParamInfo")(function("fill"), 4, ctypes.addressof(offset), ctypes.addressof(size)) == 107000
    assert stub("aclrtGetFunctionName")(function("fill"), 2048, name) == 0
    assert name.value == b"fill"
    assert stub("aclrtGetFunctionName")(function("fill"), 5, name) == 0
    name.value = b"????????"
    assert stub("aclrtGetFunctionName")(function("fill"), 4, name) == 107000
    assert name.value == b"????????"
    recent()


@pytest.mark.requirement("cpp-5")
def test_a_binary_is_loaded_with_and_without_options(device: None, kernels: Path) -> None:
    class Options(ctypes.Structure):
        _fields_ = (("options", ctypes.c_void_p), ("count", ctypes.c_size_t))

    option, binary = Attribute(2, (ctypes.c_uint32 * 4)(0x41415246, 0xEEEE)), ctypes.c_void_p()
    options, none = Options(ctypes.addressof(option), 1), Options(None, 0)
    path, code = str(kernels).encode(), kernels.read_bytes()
    from_file, from_data, unload = stub("aclrtBinaryLoadFromFile"), stub("aclrtBinaryLoadFromData"), stub("aclrtBinaryUnLoad")
    for given in (None, ctypes.addressof(none)):
        assert from_file(path, given, ctypes.addressof(binary)) == 0
        assert unload(binary.value) == 0
    assert from_data(code, len(code), ctypes.addressof(options), ctypes.addressof(binary)) == 0, recent()
    assert unload(binary.value) == 0
    option.id = 9
    in_c, text = from_data(code, len(code), ctypes.addressof(options), ctypes.addressof(binary)), recent()
    image = ctypes.create_string_buffer(code, len(code))
    _, in_python = capi.aclrtBinaryLoadFromData(ctypes.addressof(image), len(code), [{"type": 9, "value": 0x41415246}])
    assert (in_c, text) == (in_python, capi.aclGetRecentErrMsg())
    assert in_c == 107000
    assert from_file(path, 0x1000, ctypes.addressof(binary)) == 107000
    assert recent().startswith("107000: aclrtBinaryLoadFromFile: options: 0x1000 is not the address")


def test_attributes_of_streams_and_pointers_are_structures(memory: Allocate, device: None) -> None:
    value, found = (ctypes.c_uint32 * 4)(77, 0xEE, 0xEE, 0xEE), (ctypes.c_uint32 * 4)()
    assert stub("aclrtSetStreamAttribute")(None, 3, value) == 0
    assert stub("aclrtGetStreamAttribute")(None, 3, found) == 0
    assert list(found) == [77, 0, 0, 0]
    assert stub("aclrtSetStreamAttribute")(None, 3, None) == 100000
    where = (ctypes.c_uint32 * 7)(*[9] * 7)
    assert stub("aclrtPointerGetAttributes")(memory(64), where) == 0
    assert list(where) == [0, 1, 4096, 0, 0, 0, 0]
    recent()


def test_a_capture_mode_is_read_and_written_in_place() -> None:
    mode = ctypes.c_int(2)
    assert stub("aclmdlRICaptureThreadExchangeMode")(ctypes.addressof(mode)) == 0
    assert mode.value == 0
    assert stub("aclmdlRICaptureThreadExchangeMode")(ctypes.addressof(mode)) == 0
    assert mode.value == 2
    mode.value = 9
    assert stub("aclmdlRICaptureThreadExchangeMode")(ctypes.addressof(mode)) == 107000
    assert mode.value == 9
    recent()
