# SPDX-License-Identifier: Apache-2.0
"""A function in C++ sees what the same one in Python sees, and what it decides arrives unchanged."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from cpp_looking import Looking

from aclimb import Buffer, Stream, op
from aclimb.op.tiling.decide import decide


def arguments(dtype: Any = np.float32, **change: Any) -> dict[str, Any]:
    given = {
        "x": op.tensor(np.zeros((1, 2, 16, 16), dtype), format="FRACTAL_NZ", origin_shape=(20, 16)) if dtype == np.float32
        else np.zeros((3, 5), dtype),
        "maybe": np.arange(4, dtype=np.int64),
        "several": [np.zeros(2, np.int8), np.zeros((1, 3), np.int8)],
        "value": np.array([[7, -8], [9, 10]], np.int32),
        "whole": 4000000000,
    }  # fmt: skip
    return given | change


CASES = {
    "everything": arguments(),
    "no optional": arguments(maybe=None),
    "an empty list": arguments(several=[]),
    "scalars and no elements": arguments(np.float16, x=np.zeros((), np.float16), value=np.zeros((0,), np.int32)),
    "other attributes": arguments(np.float16, whole=-3, part=1e30, flag=False, mode="", ints=[], floats=[], lists=[], bools=[]),
    "buffers": arguments(np.float16, value=None),
}


def decision(operator: op.Operator, given: dict[str, Any], options: op.Options, stream: Stream, *, counts_absent: bool = False) -> Any:
    """Inference and tiling of a call, without a launch."""
    names = operator.inputs
    call = operator._call([given.get(name) for name in names], {k: v for k, v in given.items() if k not in names}, None, stream, options)
    call.node.counts_absent = counts_absent
    try:
        operator._inference(call).run()
        made = decide(call, operator._loaded, cached=False)
        return made.tiling, made.data, call.node.outputs[0].shape, call.node.outputs[0].dtype
    finally:
        call.discard_outputs()


def read(library: op.Library) -> str:
    function = library._file.seen_text
    function.restype = ctypes.c_char_p
    return function().decode()


@pytest.mark.requirement("cpp-25", "cpp-26", "cpp-27")
@pytest.mark.parametrize("counts_absent", [False, True], ids=["graph", "aclnn"])
@pytest.mark.parametrize("case", CASES)
def test_cpp_sees_what_python_sees_and_what_it_sets_arrives(
    case: str, counts_absent: bool, load_library: Callable[..., op.Library], stream: Stream
) -> None:
    given = CASES[case]
    if case == "buffers":
        given = given | {"value": Buffer.from_array(np.array([1, 2, 3], np.int32)), "maybe": Buffer.from_array(np.zeros(3, np.int64))}
    options = op.Options(deterministic=1, deterministic_level=2, aicore_num=5, vectorcore_num=9)
    python = Looking()
    made = python.make()
    with made.registered():
        expected = decision(made, given, options, stream, counts_absent=counts_absent)
    library = load_library("looking.cpp")
    got = decision(library["Looking"], given, options, stream, counts_absent=counts_absent)
    assert read(library) == "".join(python.seen)
    (tiling, data, shape, dtype), (wanted, wanted_data, wanted_shape, wanted_dtype) = got, expected
    assert (data, shape, dtype) == (wanted_data, wanted_shape, wanted_dtype)
    fields = ("tiling_key", "num_blocks", "need_atomic", "tiling_cond", "schedule_mode", "dyn_ubuf_size", "aicpu_num_blocks",
              "simt_block_dim", "simt_grid_dim", "workspace_sizes")  # fmt: skip
    assert {name: getattr(tiling, name) for name in fields} == {name: getattr(wanted, name) for name in fields}


@pytest.mark.requirement("cpp-24")
def test_a_prototype_of_cpp_is_the_one_of_python(load_library: Callable[..., op.Library]) -> None:
    library = load_library("looking.cpp")
    got, wanted = library["Looking"], Looking().make()
    assert (got.signature, got.combinations) == (wanted.signature, wanted.combinations)
    assert got._declaration.inputs == wanted._declaration.inputs
    assert got._declaration.outputs == wanted._declaration.outputs
    assert got._declaration.attrs == wanted._declaration.attrs
    assert got.socs == ("ascend910b", "ascend910_93")
    assert repr(library) == f"<Library {library.path.name}: Looking>"
    assert [each.type for each in library] == ["Looking"]
    assert len(library) == 1
