# SPDX-License-Identifier: Apache-2.0
"""No public method of the operator headers is without a call in these tests; and attributes that tiling data take as another type."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from cpp_parts import HEADERS, HERE

from aclimb import Stream, op
from aclimb.op.native import wire
from aclimb.op.tiling.decide import decide

FOLDERS = ("exe_graph/runtime", "graph", "platform", "register", "tiling")
OURS = {"AclimbFields", "Add", "Configs", "Groups", "Json", "LaunchesEmpty", "Name", "Number", "Soc"}  # what the headers ask each other
_CLASS = re.compile(r"^(?:template <[^>]*> )?(class|struct) (?:\w+\(\"[^\"]*\"\) )?(\w+)[^;]*\{$")
_METHOD = re.compile(r"^    (?=\S)(?:template <.*?> )?[\w:<>,&*\s]+[\s*&]([A-Z]\w*)\(")


def methods(header: Path) -> Iterator[tuple[str, str]]:
    """Class and name of the public methods, by their place at the beginning of a line."""
    owner, is_public = "", False
    for line in header.read_text().splitlines():
        if found := _CLASS.match(line):
            owner, is_public = found[2], found[1] == "struct"
        elif line.strip() in ("public:", "private:", "protected:"):
            is_public = line.strip() == "public:"
        elif line.startswith("}"):
            owner = ""
        elif owner and is_public and (found := _METHOD.match(line)) and found[1] != owner and "= delete" not in line:
            yield owner, found[1]


def all_methods() -> set[tuple[str, str]]:
    headers = [path for folder in FOLDERS for path in sorted((HEADERS / folder).rglob("*.h"))]
    return {each for header in headers for each in methods(header)}


@pytest.mark.requirement("cpp-25")
def test_every_public_method_of_the_operator_headers_is_called_by_a_test() -> None:
    sources = [*(HERE / "sources").iterdir(), *(HERE.parent / "library" / "programs").iterdir()]
    text = "".join(path.read_text() for path in sorted(sources))
    called = set(re.findall(r"(?:\.|->|::)(?:template )?([A-Z]\w*)(?:<[^;(){}]*>)?\(", text))
    found = all_methods()
    assert {("Shape", "GetDimNum"), ("TilingContext", "SetTilingKey"), ("PlatformAscendC", "GetCoreNumAiv"), ("OpDef", "Input")} <= found
    assert len(found) > 250
    assert sorted(f"{owner}::{name}" for owner, name in found if name not in called | OURS) == []


# --- AppendConvertedAttrVal, compared with NumPy

# As AttrDataType counts them.
ATTR_TYPES = """
bool string int32 int64 uint32 float32 float16 list_bool list_string list_int32 list_int64 list_uint32 list_float32 list_float16
lists_int32 lists_int64 bfloat16 int8 int16 list_int8 list_int16 lists_bool lists_float16 list_bfloat16 lists_bfloat16 lists_float32
lists_int8 lists_int16 uint8 list_uint8 lists_uint8 uint16 list_uint16 lists_uint16 lists_uint32 uint64 list_uint64 lists_uint64
"""
A = {name: number for number, name in enumerate(ATTR_TYPES.split())}
WHOLES = [0, 1, -1, 7, 127, 128, 255, 256, -129, 32767, 40000, -(2**31), 2**31, 2**40 + 3, -(2**63), 2**63 - 1]
PARTS = [0.0, -0.0, 1.5, -2.25, 65504.0, 65519.9, 65520.0, 1e30, -1e30, 2**-14, 2**-24, 2**-25, 3 * 2**-25, 1e-8, 1 / 3, 2049.0, 2051.0,
         float("inf"), float("-inf"), float("nan"), 1.00390625, 1.01171875]  # fmt: skip
SMALL = [0.0, -0.75, 1.5, -2.25, 100.9, 3e9, -3e9]  # those that a whole number of 64 bits holds
TYPES = ("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float16", "bfloat16")


@pytest.fixture
def converted(load_library: Callable[..., op.Library]) -> op.Library:
    return load_library("converted.cpp")


def appended(library: op.Library, index: int, source: str, target: str, **attrs: Any) -> tuple[int, bytes]:
    """Whether it went well, and the bytes behind the first."""
    operator, x = library["Converted"], np.ones(3, np.float32)
    call = operator._call([x, None, []], attrs | {"what": [index, A[source], A[target]]}, None, Stream(), None)
    operator._inference(call).run()
    made = decide(call, operator._loaded, cached=False)
    call.discard_outputs()
    assert (made.tiling.dyn_ubuf_size, made.tiling.aicpu_num_blocks, made.data[0]) == (4096, 3, 0xEE)
    return made.tiling.tiling_key, made.data[1:]


def as_numpy(values: list[Any], kind: str, target: str) -> bytes:
    given = np.array(values, kind)
    with np.errstate(over="ignore", invalid="ignore"):
        if target == "bfloat16":
            return given.astype(np.float32).astype(ml_dtypes.bfloat16).tobytes()
        if target == "float16" and kind == "int64":
            given = given.astype(np.float32)
        if given.dtype.kind == "f" and target not in ("bool", "float16", "float32"):
            given = given.astype(np.int64)
        return given.astype(target).tobytes()


@pytest.mark.requirement("cpp-25", "cpp-30")
@pytest.mark.parametrize("target", TYPES)
def test_attributes_are_appended_as_numpy_converts_them(target: str, converted: op.Library) -> None:
    parts = PARTS if target in ("float32", "float16", "bfloat16") else SMALL
    assert appended(converted, 3, "list_int64", f"list_{target}", wholes=WHOLES) == (0, as_numpy(WHOLES, "int64", target))
    code, data = appended(converted, 4, "list_float32", f"list_{target}", parts=parts)
    assert code == 0
    kind = {"bool": np.uint8, "bfloat16": ml_dtypes.bfloat16}.get(target, target)
    got, expected = (np.frombuffer(each, kind) for each in (data, as_numpy(parts, "float32", target)))
    np.testing.assert_array_equal(got.astype(np.float64), expected.astype(np.float64))  # any NaN is one
    assert appended(converted, 0, "int64", target, whole=-3) == (0, as_numpy([-3], "int64", target))
    assert appended(converted, 1, "float32", target, part=2.5) == (0, as_numpy([2.5], "float32", target))
    assert appended(converted, 2, "bool", target, flag=True) == (0, as_numpy([1], "int64", target))
    lists = [[1, 2, 3], [], [-4]]
    assert appended(converted, 5, "lists_int64", f"lists_{target}", lists=lists) == (0, as_numpy([1, 2, 3, -4], "int64", target))


@pytest.mark.requirement("cpp-25")
def test_an_attribute_that_cannot_be_appended_leaves_the_data_as_they_were(converted: op.Library) -> None:
    assert appended(converted, 50, "int64", "int64") == (1, b"")
    assert appended(converted, 0, "string", "int64") == (1, b"")
    assert appended(converted, 0, "int64", "string") == (1, b"")
    assert appended(converted, 3, "list_int64", "list_int64", wholes=[1] * 300) == (1, b"")  # 2048 bytes have no room for them


@pytest.mark.requirement("cpp-24")
def test_words_of_an_opdef_that_change_nothing_here_are_taken(converted: op.Library) -> None:
    assert op.get("Converted").infer_shape_range is not None
    assert [(each.name, each.scalar) for each in converted["Converted"]._declaration.inputs] == [
        ("x", False),
        ("factor", True),
        ("list", True),
    ]
    says = converted._file.manager_says
    says.restype = ctypes.c_char_p
    assert says() == b"Ascend910B1 0"


# --- the border


@pytest.mark.requirement("cpp-27")
def test_both_sides_of_the_border_have_the_same_layout(tmp_path: Path, build: Any) -> None:
    lines = []
    for record in (wire.Request, wire.Answer, wire.Door):
        name = record.__name__
        lines.append(f'static_assert(sizeof({name}) == {ctypes.sizeof(record)}, "{name}");')
        for field, *_ in record._fields_:  # type: ignore[misc]
            lines.append(f'static_assert(offsetof({name}, {field}) == {getattr(record, field).offset}, "{name}.{field}");')
    numbers = {"kWireVersion": wire.VERSION, "kSaidBytes": wire.SAID_BYTES, "kShapeWords": wire.SHAPE_WORDS, "kTiling": wire.TILING,
               "kOutputWords": wire.OUTPUT_WORDS, "kExecute": wire.EXECUTE}  # fmt: skip
    lines += [f'static_assert({name} == {value}, "{name}");' for name, value in numbers.items()]
    source = tmp_path / "layout.cpp"
    source.write_text('#include "aclimb/op/wire.h"\nusing namespace aclimb::op;\n' + "\n".join(lines) + "\n")
    assert build(source).is_file()
