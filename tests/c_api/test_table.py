# SPDX-License-Identifier: Apache-2.0
"""One table: every prototype of the headers is a row of aclimb.capi with parameters that fit, and a symbol of the library."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest
from native import CODES, PROTOTYPES, is_pointer, is_struct, result_type, stub, stubs

from aclimb import _door, capi

DONE = sorted(set(PROTOTYPES) - set(capi.ALL.unsupported))
UNDONE = sorted(capi.ALL.unsupported)
WITH_OUTPUTS = sorted(name for name, each in PROTOTYPES.items() if any(p.is_output for p in each.parameters))
FITS = {  # which C types a letter takes
    "i": {"int", "int32_t", "enum"},
    "I": {"uint32_t", "uint16_t", "enum", "aclFloat16"},
    "k": {"size_t", "uint64_t"},
    "p": {"pointer", "size_t", "uint64_t"},
    "z": {"text"},
}


def kind_of(parameter: Any) -> str:
    if is_pointer(parameter) and parameter.mark != "inout":
        return "text" if parameter.type in ("const char*", "char*") and not parameter.suffix else "pointer"
    word = parameter.type.removeprefix("const ").split()[0]
    return "enum" if word.startswith(("acl", "rt")) and word != "aclFloat16" else word


@pytest.mark.requirement("cpp-7")
def test_every_prototype_is_a_row_and_every_row_a_prototype() -> None:
    assert set(PROTOTYPES) == set(capi.ROWS)


@pytest.mark.requirement("cpp-4")
@pytest.mark.parametrize("name", DONE)
def test_a_row_has_the_parameters_and_outputs_of_its_prototype(name: str) -> None:
    prototype, row = PROTOTYPES[name], capi.ROWS[name]
    outputs = [each for each in prototype.parameters if each.is_output]
    inputs = [each for each in prototype.parameters if each.is_input]
    values = row.outputs[:-1] if row.bare and row.outputs[-1:] == ("ret",) else row.outputs
    assert len(row.parameters) == len(inputs), f"{row.signature} for {prototype}"
    if prototype.returns in CODES:
        assert len(values) == len(outputs) or (row.bare and not outputs), f"{row.outputs} for {[each.name for each in outputs]}"
    else:
        assert row.bare
        assert not outputs
    for (letter, _), each in zip(row.parameters, inputs, strict=True):
        assert letter in ("o", "n") or kind_of(each) in FITS[letter], f"{each.declaration} is taken as {letter}"


@pytest.mark.requirement("cpp-7")
@pytest.mark.parametrize("name", UNDONE)
def test_what_is_not_done_says_so_in_the_shape_of_its_prototype(name: str) -> None:
    prototype = PROTOTYPES[name]
    if any(is_struct(each) for each in prototype.parameters):
        assert len(capi.ROWS[name].outputs) == sum(each.is_output for each in prototype.parameters)
        return
    stub("aclGetRecentErrMsg")()
    room = ctypes.create_string_buffer(b"\xa5" * 4096, 4096)
    given = [ctypes.addressof(room) if each.is_output else 0 for each in prototype.parameters]
    answer = stub(name)(*given)
    text = stub("aclGetRecentErrMsg")().decode()
    assert text == f"207000: {name}: {capi.ALL.unsupported[name]}"
    assert room.raw == b"\xa5" * 4096, "nothing is written"
    if prototype.returns in CODES:
        assert answer == 207000
    else:
        assert answer in ((None,) if result_type(prototype) in (None, ctypes.c_void_p, ctypes.c_char_p) else (0, -1, 0.0))


@pytest.mark.requirement("cpp-7")
def test_structs_by_value_are_refused_too() -> None:
    """They are passed as the ABI has it, which ctypes does only with their types."""

    class Location(ctypes.Structure):
        _fields_ = (("type", ctypes.c_int), ("id", ctypes.c_int32))

    call = stubs()["aclrtMemManagedAdvise"]
    call.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_int, Location]
    assert call(0, 0, 0, Location()) == 207000
    assert stub("aclGetRecentErrMsg")().decode().startswith("207000: aclrtMemManagedAdvise: managed memory is not there")


@pytest.mark.requirement("cpp-3")
def test_the_library_exports_every_function() -> None:
    assert [name for name in PROTOTYPES if not hasattr(stubs(), name)] == []


@pytest.mark.requirement("cpp-3")
def test_the_table_has_a_place_for_every_function() -> None:
    ours = {"aclimb_launch", "aclimb_platform", "aclimb_tiling", "aclimb_log", "aclimb_aclnn_plan", "aclimb_aclnn_run",
            "aclimb_level0"}  # fmt: skip
    assert ours <= set(_door.names())
    assert set(_door.names()) - ours == set(PROTOTYPES) - {"aclFloat16ToFloat", "aclFloatToFloat16"}


@pytest.mark.requirement("cpp-5")
@pytest.mark.parametrize("name", WITH_OUTPUTS)
def test_a_null_output_is_refused_and_nothing_is_written(name: str) -> None:
    prototype = PROTOTYPES[name]
    for missing in (each for each in prototype.parameters if each.is_output):
        room = ctypes.create_string_buffer(b"\xa5" * 4096, 4096)
        stub("aclGetRecentErrMsg")()
        given = [ctypes.addressof(room) if each.is_output and each is not missing else 0 for each in prototype.parameters]
        if any(is_struct(each) for each in prototype.parameters):
            continue
        assert stub(name)(*given) == 100000
        assert stub("aclGetRecentErrMsg")().decode() == f"100000: {name}: {missing.name} is NULL"
        assert room.raw == b"\xa5" * 4096
