# SPDX-License-Identifier: Apache-2.0
"""aclimb.capi: what a binary and a function know about themselves, and who hears of their failures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from host import launch, message, ok
from steps import loaded

import acl
from aclimb import capi

Malloc = Callable[[int], int]
Find = Callable[[str], int]
AICORE, CUBE, VECTOR, MIX = range(4)  # kernel types


@pytest.fixture
def vector(device: int, kernels: dict[str, Path]) -> Iterator[int]:
    """The binary of the AIV kernels."""
    with loaded(kernels["fill_index"]) as binary:
        yield binary


@pytest.mark.requirement("host-153")
def test_a_binary_lies_somewhere_on_the_device(vector: int) -> None:
    address, size, ret = capi.aclrtBinaryGetDevAddress(vector)
    assert ret == 0
    assert address
    assert size
    assert capi.aclrtBinaryGetDevAddress(None) == (0, 0, 100000)
    ok(acl.rt.binary_unload(vector))
    assert capi.aclrtBinaryGetDevAddress(vector) == (0, 0, 107017)


@pytest.mark.requirement("host-153")
def test_a_global_that_is_not_there_has_a_code_of_its_own(vector: int) -> None:
    assert capi.aclrtBinaryGetGlobal(vector, "no_such_global") == (0, 0, 107042)
    assert "no_such_global" in message()
    assert capi.aclrtBinaryGetGlobal(None, "no_such_global") == (0, 0, 100000)
    assert capi.aclrtBinaryGetGlobal(vector, None) == (0, 0, 100000)


@pytest.mark.requirement("host-83", "host-153")
def test_an_entry_is_looked_for_in_a_binary(vector: int, stream: int) -> None:
    assert capi.aclrtBinaryGetFunctionByEntry(None, 0) == (0, 100000)
    assert capi.aclrtBinaryGetFunctionByEntry(stream, 0) == (0, 107017)
    ok(acl.rt.binary_unload(vector))
    assert capi.aclrtBinaryGetFunctionByEntry(vector, 0) == (0, 107017)


@pytest.mark.requirement("host-153")
@pytest.mark.parametrize(("name", "kind"), [("fill_index", VECTOR), ("cube_index", CUBE), ("mix_index", MIX)])
def test_a_function_knows_its_kind(function: Find, name: str, kind: int) -> None:
    assert capi.aclrtGetFunctionAttribute(function(name), 1) == (kind, 0)


@pytest.mark.requirement("host-153")
def test_a_mixed_function_knows_its_ratio(function: Find) -> None:
    assert capi.aclrtGetFunctionAttribute(function("mix_index"), 2) == (1 << 16 | 2, 0)  # one cube, two vector cores


@pytest.mark.requirement("host-153")
def test_a_function_has_three_attributes(function: Find, stream: int) -> None:
    fill_index = function("fill_index")
    assert capi.aclrtGetFunctionAttribute(fill_index, 3) == (0, 0)  # schedule mode
    for number in (0, 4, 99):
        assert capi.aclrtGetFunctionAttribute(fill_index, number) == (0, 107000)
        assert str(number) in message()
    assert capi.aclrtGetFunctionAttribute(None, 1) == (0, 100000)
    assert capi.aclrtGetFunctionAttribute(stream, 1) == (0, 107017)


@pytest.mark.requirement("host-86", "host-153")
@pytest.mark.parametrize(
    ("name", "has_aic", "has_aiv"), [("fill_index", False, True), ("cube_index", True, False), ("mix_index", True, True)]
)
def test_a_function_has_a_size_for_each_kind_of_core(function: Find, name: str, has_aic: bool, has_aiv: bool) -> None:
    aic, aiv, ret = capi.aclrtGetFunctionSize(function(name))
    assert (aic > 0, aiv > 0, ret) == (has_aic, has_aiv, 0)


@pytest.mark.requirement("host-153")
def test_a_function_knows_its_binary(vector: int, stream: int) -> None:
    function = ok(acl.rt.binary_get_function(vector, "fill_index"))
    assert capi.aclrtFunctionGetBinary(function) == (vector, 0)
    assert capi.aclrtFunctionGetBinary(None) == (0, 100000)
    assert capi.aclrtFunctionGetBinary(stream) == (0, 107017)
    ok(acl.rt.binary_unload(vector))
    assert capi.aclrtFunctionGetBinary(function) == (0, 107017)


@pytest.mark.requirement("host-134", "host-153")
def test_a_binary_has_an_exception_callback(malloc: Malloc, stream: int, kernels: dict[str, Path]) -> None:
    user, first, seen = object(), [], []

    def callback(info: int, data: object) -> None:
        seen.append((data, capi.aclrtGetFuncHandleFromExceptionInfo(info), capi.aclrtGetArgsFromExceptionInfo(info)))

    with loaded(kernels["asserting"]) as binary:
        function = ok(acl.rt.binary_get_function(binary, "asserting"))
        assert capi.aclrtBinarySetExceptionCallback(binary, lambda *_: first.append(1), None) == 0
        assert capi.aclrtBinarySetExceptionCallback(binary, callback, user) == 0  # the last one counts
        ok(launch(function, 1, stream, malloc(64), np.int32(0)))
        assert acl.rt.synchronize_stream(stream) == 507036
        assert first == []
        ((data, handle, (address, size, ret)),) = seen
        assert data is user
        assert handle == (function, 0)
        assert ret == 0
        assert address
        assert size >= 12  # a pointer and an int32


@pytest.mark.requirement("host-134", "host-153")
def test_an_exception_callback_is_for_its_own_binary(malloc: Malloc, stream: int, kernels: dict[str, Path], vector: int) -> None:
    seen: list[int] = []
    with loaded(kernels["asserting"]) as binary:
        ok(capi.aclrtBinarySetExceptionCallback(vector, lambda *_: seen.append(1), None))
        ok(launch(ok(acl.rt.binary_get_function(binary, "asserting")), 1, stream, malloc(64), np.int32(0)))
        assert acl.rt.synchronize_stream(stream) == 507036
    assert seen == []
    assert capi.aclrtBinarySetExceptionCallback(None, print, None) == 100000
    assert capi.aclrtBinarySetExceptionCallback(stream, print, None) == 107017
