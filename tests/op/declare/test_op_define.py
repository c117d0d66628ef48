# SPDX-License-Identifier: Apache-2.0
"""Declaring an operator: inputs, outputs and attributes in order, types and formats that belong together, and how it is called."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from op_parts import Find, Register, add_scaled, device, floats, ran, six_times

import aclimb
from aclimb import Buffer, Stream, op
from aclimb.errors import AclimbError, InvalidArgument


def nothing(type: str = "Nothing", **options: Any) -> Any:
    """An operator that does nothing with what comes later."""
    made = op.define(type, **options)
    made.infer_shape(lambda ctx: [ctx.output_shape.__setitem__(i, (2,)) for i in range(ctx.num_outputs)] and None)
    made.prepare(lambda ctx: op.Prepared(None, []))
    made.launch(lambda ctx: None)
    return made


@pytest.mark.requirement("op-66")
def test_the_order_of_declaration_is_the_order_of_everything(register: Register) -> None:
    made = nothing()
    made.input("b", dtype=["float32"])
    made.output("z", dtype=["float32"])
    made.attr("second", int, default=2)
    made.input("a", dtype=["float32"])
    made.attr("first", float, default=1.0)
    made.output("y", dtype=["float32"])
    register(made)
    assert (list(made.inputs), list(made.attrs), list(made.outputs)) == (["b", "a"], ["second", "first"], ["z", "y"])
    assert made.type == "Nothing"
    assert [name for name in made.signature.parameters if name in ("a", "b", "first", "second")] == ["b", "a", "second", "first"]


@pytest.mark.requirement("op-66")
@pytest.mark.parametrize(
    "declare",
    [
        lambda made: made.input("x", dtype=["float32"]),
        lambda made: made.output("z", follow="x").output("z", follow="x"),
        lambda made: made.attr("x", int),
        lambda made: made.input("", dtype=["float32"]),
        lambda made: made.input("not a name", dtype=["float32"]),
        lambda made: made.input("y", follow="nobody"),
        lambda made: made.input("y", dtype=["float99"]),
        lambda made: made.input("y", dtype=["float32"], optional=True, dynamic=True),
        lambda made: made.input("y", dtype=["float32"], value_depend="sometimes"),
        lambda made: made.attr("a", dict),
        lambda made: made.attr("a", int, default="1"),
        lambda made: made.attr("stream", int),
        lambda made: made.prepare(42),
    ],
)
def test_a_declaration_that_makes_no_sense_is_refused_where_it_is_made(declare: Callable[[Any], Any]) -> None:
    made = op.define("Wrong")
    made.input("x", dtype=["float32"])
    with pytest.raises(InvalidArgument, match="Wrong"):
        declare(made)


@pytest.mark.requirement("op-66")
def test_a_stage_has_one_function(kernel: Find) -> None:
    made = six_times(kernel)
    with pytest.raises(InvalidArgument, match=r"SixTimes.*prepare"):
        made.prepare(lambda ctx: None)


@pytest.mark.requirement("op-66")
def test_a_decorator_gives_the_function_back() -> None:
    made = op.define("Decorated")

    def own(ctx: Any) -> None: ...

    for stage in ("infer_shape", "infer_shape_range", "infer_data_type", "tiling", "prepare", "launch", "execute", "simplified_key"):
        assert getattr(made, stage)(own) is own
    for stage in ("infer_format", "calc_op_param", "generate_task", "check_support", "select_format", "on_exception"):
        assert getattr(made, stage)(own) is own
    assert made.tiling_parse(dict)(own) is own


@pytest.mark.requirement("op-67")
def test_lists_of_different_length_are_refused() -> None:
    """Where the second list is declared, or at the latest where the operator is registered."""

    def types() -> None:
        made = nothing()
        made.input("x", dtype=["float16", "float32"])
        made.input("y", dtype=["float16"])
        made.output("z", dtype=["float16", "float32"])
        made.register()

    def formats() -> None:
        made = nothing()
        made.input("x", dtype=["float16", "float32"], format=["ND"])
        made.output("z", follow="x")
        made.register()

    for declare, name in ((types, "y"), (formats, "x")):
        with pytest.raises(InvalidArgument, match=rf"Nothing.*\b{name}\b"):
            declare()
    assert op.get("Nothing") is None


@pytest.mark.requirement("op-67")
def test_entries_at_the_same_place_belong_together(stream: Stream, register: Register) -> None:
    made = nothing()
    made.input("x", dtype=["float16", "float32"])
    made.input("y", dtype=["int8", "int32"])
    made.output("z", dtype=["float32", "float16"])
    register(made)
    assert len(made.combinations) == 2
    assert made(np.ones(2, np.float16), np.ones(2, np.int8), stream=stream).dtype == np.float32
    assert made(np.ones(2, np.float32), np.ones(2, np.int32), stream=stream).dtype == np.float16
    with pytest.raises(AclimbError, match=r"Nothing.*int32"):
        made(np.ones(2, np.float16), np.ones(2, np.int32), stream=stream)


@pytest.mark.requirement("op-67")
def test_list_forms_give_every_combination(stream: Stream, register: Register) -> None:
    made = nothing()
    made.input("x", dtype_list=["float16", "float32"], format_list=["ND", "FRACTAL_NZ"])
    made.input("y", dtype_list=["int8", "int32", "int64"])
    made.output("z", dtype=["float32"])
    register(made)
    assert len(made.combinations) == 12
    for x in (np.float16, np.float32):
        for y in (np.int8, np.int32, np.int64):
            made(np.ones(2, x), np.ones(2, y), stream=stream)
    with pytest.raises(AclimbError):
        made(np.ones(2, np.float16), np.ones(2, np.uint8), stream=stream)


@pytest.mark.requirement("op-67")
def test_formats_that_count_as_nd_fit_and_others_do_not(stream: Stream, register: Register) -> None:
    made = nothing()
    made.input("x", dtype=["float32"], format=["ND"])
    made.output("z", dtype=["float32"])
    register(made)
    x = np.ones((1, 1, 1, 2), np.float32)
    for form in ("ND", "NCHW", "NHWC"):
        made(op.tensor(x, format=form), stream=stream)
    with pytest.raises(AclimbError, match="FRACTAL_NZ"):
        made(op.tensor(x, format="FRACTAL_NZ"), stream=stream)


@pytest.mark.requirement("op-67")
def test_an_output_that_follows_an_input_has_its_type_and_shape(stream: Stream, register: Register) -> None:
    made = op.define("Follows")
    made.input("x", dtype=["float16", "float32"])
    made.output("y", follow="x")
    made.prepare(lambda ctx: op.Prepared(None, []))
    made.launch(lambda ctx: None)
    register(made)
    for dtype in (np.float16, np.float32):
        result = made(np.ones((2, 5), dtype), stream=stream)
        assert (result.shape, result.dtype) == ((2, 5), dtype)


# --- calls


@pytest.mark.requirement("op-94")
def test_an_operator_takes_numpy_arrays_buffers_and_names(kernel: Find, stream: Stream, register: Register) -> None:
    made = add_scaled(kernel)
    register(made)
    x, y = floats(5), floats(5, 3.0)
    for arguments, named in (((x, y), {}), ((device(x), y), {}), ((x,), {"y": device(y)}), ((), {"y": y, "x": x})):
        result = made(*arguments, **named, alpha=2.0, stream=stream)
        assert isinstance(result, Buffer)
        np.testing.assert_array_equal(ran(stream, result), x + 2 * y)


@pytest.mark.requirement("op-94")
def test_arrays_that_are_not_contiguous_are_taken_as_they_read(kernel: Find, stream: Stream, register: Register) -> None:
    made = add_scaled(kernel)
    register(made)
    x = np.arange(24, dtype=np.float32).reshape(4, 6)[::2, ::-1]
    np.testing.assert_array_equal(ran(stream, made(x, x, stream=stream)), 2 * x)


@pytest.mark.requirement("op-94")
def test_an_operator_takes_whatever_speaks_dlpack(kernel: Find, stream: Stream, register: Register) -> None:
    class Foreign:
        def __init__(self, array: Any) -> None:
            self._array = array

        def __dlpack__(self, **options: Any) -> Any:
            return self._array.__dlpack__(**options)

        def __dlpack_device__(self) -> Any:
            return self._array.__dlpack_device__()

    made = add_scaled(kernel)
    register(made)
    np.testing.assert_array_equal(ran(stream, made(Foreign(floats(5)), Foreign(floats(5)), stream=stream)), 2 * floats(5))


@pytest.mark.requirement("op-94")
@pytest.mark.parametrize("wrong", [[1.0, 2.0], "text", 3, object()])
def test_what_is_no_tensor_is_named(kernel: Find, stream: Stream, register: Register, wrong: Any) -> None:
    made = add_scaled(kernel)
    register(made)
    with pytest.raises(AclimbError, match=r"AddScaled.*\by\b"):
        made(floats(2), wrong, stream=stream)


@pytest.mark.requirement("op-94")
def test_too_many_and_too_few_inputs_are_told(kernel: Find, stream: Stream, register: Register) -> None:
    made = add_scaled(kernel)
    register(made)
    with pytest.raises(AclimbError, match=r"AddScaled.*\by\b"):
        made(floats(2), stream=stream)
    with pytest.raises(AclimbError, match=r"AddScaled.*2.*3"):
        made(floats(2), floats(2), floats(2), stream=stream)
    with pytest.raises(AclimbError, match="x"):
        made(floats(2), floats(2), x=floats(2), stream=stream)


@pytest.mark.requirement("op-94")
def test_several_outputs_come_as_a_tuple_and_a_nullable_one_may_be_absent(stream: Stream, register: Register) -> None:
    seen: list[Any] = []
    made = op.define("TwoOutputs")
    made.input("x", dtype=["float32"])
    made.output("y", follow="x")
    made.output("mask", dtype=["uint8"], nullable=True)
    made.infer_shape(lambda ctx: [ctx.output_shape.__setitem__(i, (3,)) for i in (0, 1)] and None)
    made.prepare(lambda ctx: op.Prepared(None, []))
    made.launch(lambda ctx: seen.append(ctx.outputs["mask"] is None))
    register(made)
    assert op.get("TwoOutputs").nullable_outputs == 0b10
    y, mask = made(floats(3), stream=stream)
    assert (y.dtype, mask.dtype) == (np.float32, np.uint8)
    own = Buffer(3, np.float32)
    assert made(floats(3), out=(own, None), stream=stream) == (own, None)
    assert seen == [False, True]


@pytest.mark.requirement("op-94")
def test_without_a_stream_an_operator_uses_one_of_its_own(kernel: Find, register: Register) -> None:
    made = six_times(kernel)
    register(made)
    before = aclimb.live()["streams"]
    np.testing.assert_array_equal(made(floats(4)).to_numpy(), 6 * floats(4))
    assert aclimb.live()["streams"] == before


# --- what is public


def public() -> list[tuple[str, Any]]:
    """Functions of aclimb.op, and methods of its classes."""
    found: list[tuple[str, Any]] = []
    for name in op.__all__:
        value = getattr(op, name)
        if inspect.isclass(value):
            found += [(f"{name}.{key}", each) for key, each in vars(value).items() if inspect.isfunction(each) and key[0] != "_"]
        elif inspect.isfunction(value):
            found.append((name, value))
    return found


@pytest.mark.requirement("op-96")
def test_every_public_function_has_type_hints_and_a_docstring() -> None:
    found = public()
    assert {"define", "check", "OpImplRegisterV2.tiling"} <= {name for name, _ in found}
    assert [name for name, each in found if not each.__doc__] == []
    assert [name for name, each in found if "return" not in each.__annotations__] == []


@pytest.mark.requirement("op-96")
@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("OpImplRegisterV2.infer_shape", "InferShape"),
        ("OpImplRegisterV2.op_2stage_execute_funcs", "Op2StageExecuteFuncs"),
        ("OpImplRegisterV2.nullable_outputs", "NullableOutputs"),
        ("OpExecutePrepareContext.set_workspace_sizes", "SetWorkspaceSizes"),
        ("OpExecutePrepareContext.set_op_api_params", "SetOpApiParams"),
        ("OpExecuteLaunchContext.get_workspace_addrs", "GetWorkspaceAddrs"),
        ("OpExecuteContext.malloc_workspace", "MallocWorkspace"),
        ("TilingContext.get_tiling_data", "GetTilingData"),
        ("Operator.plan", "GetWorkspaceSize"),
        ("Plan.close", "aclDestroyAclOpExecutor"),
        ("define", "OpDef"),
    ],
)
def test_a_docstring_names_the_counterpart_in_c(path: str, name: str) -> None:
    found: Any = op
    for part in path.split("."):
        found = getattr(found, part)
    assert name in found.__doc__
