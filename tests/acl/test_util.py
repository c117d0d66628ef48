# SPDX-License-Identifier: Apache-2.0
"""Addresses of host objects, host objects at addresses, and threads."""

from __future__ import annotations

import ctypes
import sys
import threading
import warnings
from typing import Any

import numpy as np
import pytest
from host import code, ok

import acl

TYPES = {
    0: "bool",
    1: "int8",
    2: "uint8",
    3: "int16",
    4: "uint16",
    5: "int32",
    6: "uint32",
    7: "int64",
    8: "uint64",
    9: "longlong",
    10: "ulonglong",
    11: "float32",
    12: "float64",
    23: "float16",
}


def address_of(array: Any) -> int:
    """numpy_to_ptr warns that it is deprecated, on every call."""
    with pytest.warns(Warning, match="(?i)deprecat"):
        address: int = acl.util.numpy_to_ptr(array)
    return address


@pytest.mark.requirement("host-67")
@pytest.mark.parametrize(
    "array", [np.arange(6.0), np.zeros((2, 3), np.int8), np.zeros(0), np.array(5, np.float16)], ids=lambda a: str(a.shape)
)
def test_an_array_has_its_address(array: Any) -> None:
    references = sys.getrefcount(array)
    assert [address_of(array), address_of(array)] == [array.ctypes.data] * 2
    assert sys.getrefcount(array) == references, "nothing keeps the array alive"


@pytest.mark.requirement("host-67")
def test_an_array_with_gaps_is_warned_of() -> None:
    array = np.arange(12).reshape(3, 4)[:, 1:]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert acl.util.numpy_to_ptr(array) == array.ctypes.data
    texts = [str(each.message).lower() for each in caught]
    assert any("deprecat" in text for text in texts)
    assert any("contiguous" in text for text in texts)


@pytest.mark.requirement("host-67")
@pytest.mark.parametrize("value", [[1, 2], b"12", 5, None, np.float32(1), memoryview(b"12")], ids=lambda v: type(v).__name__)
def test_what_is_no_array_has_no_address(value: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(ValueError):  # noqa: PT011 - the text is the module's own affair
            acl.util.numpy_to_ptr(value)


@pytest.mark.requirement("host-68")
def test_an_array_with_gaps_is_copied() -> None:
    array = np.arange(12).reshape(3, 4)[:, 1:]
    address, copy = acl.util.numpy_contiguous_to_ptr(array)
    assert copy is not array
    assert copy.flags.c_contiguous
    assert address == copy.ctypes.data != array.ctypes.data
    np.testing.assert_array_equal(copy, array)
    assert ctypes.string_at(address, copy.nbytes) == array.tobytes()


@pytest.mark.requirement("host-68")
def test_a_contiguous_array_is_not_copied() -> None:
    array = np.arange(12.0).reshape(3, 4)
    address, same = acl.util.numpy_contiguous_to_ptr(array)
    assert address == array.ctypes.data == same.ctypes.data
    assert same.flags.c_contiguous


@pytest.mark.requirement("host-69")
@pytest.mark.parametrize(("number", "name"), TYPES.items(), ids=TYPES.values())
def test_an_address_becomes_an_array_of_every_type(number: int, name: str) -> None:
    memory = np.arange(1, 7).astype(name).reshape(2, 3)
    view = acl.util.ptr_to_numpy(memory.ctypes.data, (2, 3), number)
    assert (view.dtype, view.shape, view.ctypes.data) == (memory.dtype, (2, 3), memory.ctypes.data)
    np.testing.assert_array_equal(view, memory)
    assert view.flags.writeable
    view[1, 2] = 0
    memory[0, 0] = 0
    assert (memory[1, 2], view[0, 0]) == (0, 0)


@pytest.mark.requirement("host-70")
@pytest.mark.parametrize("data", [b"", b"x", bytes(range(256)), b"\0" * 5000])
def test_bytes_go_to_an_address_and_back(data: bytes) -> None:
    address = acl.util.bytes_to_ptr(data)
    assert type(address) is int
    assert address != 0
    assert ctypes.string_at(address, len(data)) == data
    assert acl.util.ptr_to_bytes(address, len(data)) == data


@pytest.mark.requirement("host-70")
def test_the_bytes_at_an_address_are_a_copy() -> None:
    array = np.arange(16, dtype=np.uint8)
    data = acl.util.ptr_to_bytes(array.ctypes.data + 4, 8)
    array[:] = 0
    assert type(data) is bytes
    assert data == bytes(range(4, 12))


@pytest.mark.requirement("host-70")
@pytest.mark.parametrize("value", [bytearray(b"12"), "12", 12, None, np.zeros(2)], ids=lambda v: type(v).__name__)
def test_what_is_not_bytes_has_no_address(value: Any) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the text is the module's own affair
        acl.util.bytes_to_ptr(value)


@pytest.mark.requirement("host-71")
def test_a_thread_runs_its_function_and_is_joined() -> None:
    go, calls = threading.Event(), list[tuple[Any, int]]()
    thing = [object(), 3]

    def work(argument: Any) -> None:
        go.wait(20)
        calls.append((argument, threading.get_ident()))

    thread = ok(acl.util.start_thread(work, thing))
    assert type(thread) is int
    assert thread != threading.get_ident()
    assert calls == [], "it runs beside this one"
    go.set()
    assert acl.util.stop_thread(thread) == 0
    ((argument, ident),) = calls
    assert argument is thing
    assert ident == thread


@pytest.mark.requirement("host-71")
def test_a_function_without_an_argument_gets_none_at_all() -> None:
    calls: list[str] = []
    thread = ok(acl.util.start_thread(lambda *args: calls.append(f"{len(args)} arguments"), None))
    ok(acl.util.stop_thread(thread))
    assert calls == ["0 arguments"]


@pytest.mark.requirement("host-71")
def test_stopping_a_thread_tells_that_it_raised() -> None:
    def fails(_: object) -> None:
        raise KeyError("on purpose")

    thread = ok(acl.util.start_thread(fails, 1))
    with pytest.raises(RuntimeError):
        acl.util.stop_thread(thread)


@pytest.mark.requirement("host-71")
def test_a_thread_that_does_not_exist_cannot_be_stopped() -> None:
    assert code(acl.util.stop_thread(12345)) != 0
