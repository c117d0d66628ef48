# SPDX-License-Identifier: Apache-2.0
"""OpImplRegisterV2: what a builder takes, when it counts, and how registrations of one type come together."""

from __future__ import annotations

import logging
import typing
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from op_parts import Find, Register, add_scaled, device, floats, raised, six_times

from aclimb import Stream, op

# Python's name, C++'s name, arguments, the slot where it shows.
FUNCTIONS = [
    ("infer_shape", "InferShape"),
    ("infer_shape_range", "InferShapeRange"),
    ("infer_data_type", "InferDataType"),
    ("tiling", "Tiling"),
    ("gen_simplified_key", "GenSimplifiedKey"),
    ("op_execute_func", "OpExecuteFunc"),
    ("infer_format", "InferFormat"),
    ("calc_op_param", "CalcOpParam"),
    ("generate_task", "GenerateTask"),
    ("check_support", "CheckSupport"),
    ("op_select_format", "OpSelectFormat"),
    ("exception_dump_parse_func", "ExceptionDumpParseFunc"),
]
MASKS = [
    ("inputs_data_dependency", "InputsDataDependency", "is_input_data_dependency"),
    ("tiling_inputs_data_dependency", "TilingInputsDataDependency", "is_tiling_input_data_dependency"),
    ("host_inputs", "HostInputs", "is_host_input"),
    ("output_shape_depend_on_compute", "OutputShapeDependOnCompute", "is_output_shape_depend_on_compute"),
    ("nullable_outputs", "NullableOutputs", "is_nullable_output"),
]
OTHERS = [
    ("infer_out_data_type_same_with_first_input", "InferOutDataTypeSameWithFirstInput", ()),
    ("private_attr", "PrivateAttr", ("name", 1)),
    ("tiling_parse", "TilingParse", (print, object)),
    ("op_2stage_execute_funcs", "Op2StageExecuteFuncs", (print, print)),
]
SLOTS = """
infer_shape infer_shape_range infer_data_type tiling gen_simplified_key tiling_parse compile_info op_execute_func prepare launch
infer_format calc_op_param generate_task check_support op_select_format exception_dump_parse_func
"""


def one(ctx: Any) -> None: ...


def two(ctx: Any) -> None: ...


@pytest.fixture
def library() -> Any:
    """A registry of its own, so that nothing has to be taken back."""
    return op.OpImplRegistry()


@pytest.fixture
def build(library: Any) -> Callable[[], Any]:
    return lambda: op.OpImplRegisterV2("T", registry=library)


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    with caplog.at_level(logging.WARNING, "aclimb"):
        yield caplog


@pytest.mark.requirement("op-1")
@pytest.mark.parametrize(("name", "cpp"), FUNCTIONS)
def test_a_function_is_taken_under_both_names_and_the_builder_comes_back(
    build: Callable[[], Any], library: Any, name: str, cpp: str
) -> None:
    for spelling, function in ((name, one), (cpp, two)):
        builder = build()
        assert getattr(builder, spelling)(function) is builder
        builder.commit()
        assert getattr(library.get("T"), name) is function


@pytest.mark.requirement("op-1")
@pytest.mark.parametrize(("name", "cpp", "args"), OTHERS)
def test_the_other_calls_are_there_under_both_names_too(build: Callable[[], Any], name: str, cpp: str, args: tuple[Any, ...]) -> None:
    for spelling in (name, cpp):
        builder = build()
        assert getattr(builder, spelling)(*args) is builder


@pytest.mark.requirement("op-1")
@pytest.mark.parametrize(("name", "cpp", "query"), MASKS)
def test_an_index_list_becomes_a_mask(build: Callable[[], Any], library: Any, name: str, cpp: str, query: str) -> None:
    for spelling, indices in ((name, [1]), (cpp, [0, 63])):
        builder = op.OpImplRegisterV2(spelling, registry=library)
        assert getattr(builder, spelling)(indices) is builder
        builder.commit()
        found = library.get(spelling)
        assert getattr(found, name) == sum(1 << index for index in indices)
        assert [index for index in range(70) if getattr(found, query)(index)] == indices


@pytest.mark.requirement("op-1")
def test_a_chain_with_every_call_sets_every_slot(build: Callable[[], Any], library: Any) -> None:
    chain = build()
    for name, _ in FUNCTIONS:
        chain = getattr(chain, name)(one)
    chain.tiling_parse(one, compile_info=dict).op_2stage_execute_funcs(one, two).commit()
    found = library.get("T")
    assert [name for name in SLOTS.split() if getattr(found, name) is None] == []
    assert (found.prepare, found.launch, found.compile_info) == (one, two, dict)


@pytest.mark.requirement("op-1", "op-97")
def test_the_macros_are_the_constructor_under_other_names(register: Register) -> None:
    for macro in (op.IMPL_OP, op.IMPL_OP_INFERSHAPE, op.IMPL_OP_OPTILING):
        register(macro("FromMacro").infer_shape(one))
    register(op.IMPL_OP_DEFAULT().tiling(two))
    assert op.get("FromMacro").infer_shape is one
    assert op.get("DefaultImpl").tiling is two


@pytest.mark.requirement("op-1")
def test_placements_are_kept_with_their_inputs(build: Callable[[], Any], library: Any) -> None:
    build().tiling_inputs_data_dependency([2]).commit()
    assert library.get("T").tiling_placements == 1 << op.TilingPlacement.HOST
    build().tiling_inputs_data_dependency([2], placements=(op.TILING_ON_HOST, op.TILING_ON_AICPU)).commit()
    assert library.get("T").tiling_placements == 0b11


@pytest.mark.requirement("op-2")
def test_a_builder_alone_makes_its_type_known_and_empty(build: Callable[[], Any], library: Any) -> None:
    assert library.get("T") is None
    builder = build().infer_shape(one).host_inputs([0]).private_attr("a", 1)
    found = library.get("T")
    assert library.types() == ["T"]
    assert [name for name in SLOTS.split() if getattr(found, name) is not None] == []
    assert [getattr(found, name) for name, _, _ in MASKS] == [0] * 5
    assert not found.max_tiling_data_size
    assert found.private_attrs == []
    builder.commit()
    assert library.get("T").infer_shape is one


@pytest.mark.requirement("op-2")
def test_leaving_a_with_block_commits_unless_it_raised(build: Callable[[], Any], library: Any) -> None:
    with build() as builder:
        builder.infer_shape(one)
    assert library.get("T").infer_shape is one

    def broken() -> None:
        with build() as builder:
            builder.infer_shape(two)
            raise ZeroDivisionError

    raised(ZeroDivisionError, broken)
    assert library.get("T").infer_shape is one


@pytest.mark.requirement("op-3")
def test_a_later_commit_replaces_what_it_sets_and_keeps_the_rest(build: Callable[[], Any], library: Any) -> None:
    build().infer_shape(one).tiling(one, 64).host_inputs([1]).private_attr("a", 1).private_attr("b", "text").commit()
    build().infer_shape(two).infer_data_type(two).commit()
    found = library.get("T")
    assert (found.infer_shape, found.infer_data_type, found.tiling, found.max_tiling_data_size) == (two, two, one, 64)
    assert found.host_inputs == 0b10
    assert found.private_attrs == [("a", 1), ("b", "text")]
    build().private_attr("c", 0.5).commit()
    assert library.get("T").private_attrs == [("c", 0.5)]


@pytest.mark.requirement("op-3")
@pytest.mark.parametrize("value", [None, 7, 0.5, True, "text", [1, 2], [0.5, 1.5]])
def test_a_private_attribute_keeps_its_default(build: Callable[[], Any], library: Any, value: Any) -> None:
    build().private_attr("first", value).private_attr("second", 3).commit()
    assert library.get("T").private_attrs == [("first", value), ("second", 3)]
    assert library.get("Unknown") is None


@pytest.mark.requirement("op-4")
@pytest.mark.parametrize("pair", [(one, None), (None, one), (None, None)], ids=["no launch", "no prepare", "neither"])
def test_half_a_pair_changes_nothing(build: Callable[[], Any], library: Any, pair: tuple[Any, Any]) -> None:
    build().op_2stage_execute_funcs(one, two).commit()
    build().op_2stage_execute_funcs(*pair).commit()
    found = library.get("T")
    assert (found.prepare, found.launch) == (one, two)


@pytest.mark.requirement("op-4")
@pytest.mark.parametrize("given", ["prepare", "launch"])
def test_half_a_pair_cannot_be_registered_by_decorators(given: str) -> None:
    half = op.define("Half")
    half.input("x", dtype=["float32"])
    half.output("y", follow="x")
    getattr(half, given)(one)
    missing = {"prepare": "launch", "launch": "prepare"}[given]
    with pytest.raises(ValueError, match=rf"Half.*{missing}"):
        half.register()
    assert op.get("Half") is None


@pytest.mark.requirement("op-5")
def test_tiling_data_has_2048_bytes_unless_said_otherwise(build: Callable[[], Any], library: Any) -> None:
    build().tiling(one).commit()
    assert library.get("T").max_tiling_data_size == 2048
    build().tiling(two, 96).commit()
    assert library.get("T").max_tiling_data_size == 96
    build().tiling(None, 4096).commit()
    assert (library.get("T").tiling, library.get("T").max_tiling_data_size) == (two, 96)


@pytest.mark.requirement("op-5")
def test_the_capacity_reaches_the_tiling_function(kernel: Find, stream: Stream, register: Register) -> None:
    seen = []

    def tiling(ctx: Any) -> int:
        seen.append(ctx.raw_tiling_data.capacity)
        return 1

    plain, small = add_scaled(kernel, tiling=tiling), add_scaled(kernel, type="Small", tiling=None)
    small.tiling(max_tiling_data_size=32)(tiling)
    for each in (plain, small):
        register(each)
        with pytest.raises(op.OpError):
            each(floats(4), floats(4), stream=stream)
    assert seen == [2048, 32]


@pytest.mark.requirement("op-6")
@pytest.mark.parametrize(("name", "cpp", "query"), MASKS)
@pytest.mark.parametrize("bad", [64, 128, -1])
def test_a_bad_index_raises_and_the_builder_stays_as_it_was(
    build: Callable[[], Any], library: Any, name: str, cpp: str, query: str, bad: int
) -> None:
    builder = build()
    getattr(builder, name)([5])
    with pytest.raises(ValueError, match=rf"{bad}.*63"):
        getattr(builder, name)([0, 2, bad, 3])
    builder.commit()
    assert getattr(library.get("T"), name) == 1 << 5


@pytest.mark.requirement("op-7")
@pytest.mark.parametrize(("name", "together"), [(name, name not in ("host_inputs", "nullable_outputs")) for name, _, _ in MASKS])
def test_some_lists_add_up_and_some_are_replaced(build: Callable[[], Any], library: Any, name: str, together: bool) -> None:
    builder = build()
    getattr(builder, name)([0, 1])
    getattr(builder, name)([4])
    builder.commit()
    assert getattr(library.get("T"), name) == (0b10011 if together else 0b10000)


def typed(type: str) -> Any:
    """An operator that does nothing; how the type of its output is found comes later."""
    made = op.define(type)
    made.input("x", dtype=["float32", "int32"], optional=True)
    made.input("like", dtype=["int32", "int32"], optional=True)
    made.output("y", dtype=["float32", "int32"])
    made.infer_shape(lambda ctx: ctx.output_shape.__setitem__(0, (3,)))
    made.prepare(lambda ctx: op.Prepared(None, []))
    made.launch(lambda ctx: None)
    return made


@pytest.mark.requirement("op-8")
def test_rule_and_function_for_types_take_each_others_place(stream: Stream, register: Register) -> None:
    made = typed("Typed")
    register(made)
    x = device(floats(3))
    register(op.OpImplRegisterV2("Typed").infer_data_type(one).infer_out_data_type_same_with_first_input())
    assert made(x, stream=stream).dtype == np.float32
    register(
        op.OpImplRegisterV2("Typed")
        .infer_out_data_type_same_with_first_input()
        .infer_data_type(lambda ctx: ctx.set_output_data_type(0, np.int32))
    )
    assert made(x, stream=stream).dtype == np.int32


@pytest.mark.requirement("op-8")
def test_the_rule_fails_without_a_first_input(stream: Stream, register: Register) -> None:
    made = typed("Untyped")
    register(made)
    register(op.OpImplRegisterV2("Untyped").infer_out_data_type_same_with_first_input())
    with pytest.raises(op.OpError, match="Untyped") as caught:
        made(None, np.ones(3, np.int32), stream=stream)
    assert (caught.value.stage, caught.value.operator) == ("infer_data_type", "Untyped")


@pytest.mark.requirement("op-9")
@pytest.mark.parametrize("name", [None, ""])
def test_a_private_attribute_without_a_name_is_left_out_with_a_warning(
    build: Callable[[], Any], library: Any, log: pytest.LogCaptureFixture, name: str | None
) -> None:
    build().private_attr(name, 1).private_attr("kept", 2).commit()
    assert library.get("T").private_attrs == [("kept", 2)]
    assert "private attribute" in log.text


@pytest.mark.requirement("op-9")
def test_the_first_of_two_private_attributes_of_a_name_stays(build: Callable[[], Any], library: Any) -> None:
    build().private_attr("a", 1).private_attr("b", 2).private_attr("a", 3).commit()
    assert library.get("T").private_attrs == [("a", 1), ("b", 2)]


@pytest.mark.requirement("op-9")
def test_no_exception_parser_is_left_out_with_a_warning(build: Callable[[], Any], library: Any, log: pytest.LogCaptureFixture) -> None:
    build().exception_dump_parse_func(one).commit()
    build().exception_dump_parse_func(None).commit()
    assert library.get("T").exception_dump_parse_func is one
    assert log.text


@pytest.mark.requirement("op-1")
def test_the_two_stages_have_the_documented_names(kernel: Find, stream: Stream, register: Register) -> None:
    usual = six_times(kernel)
    declared = op.define("Mirrored").input("x", dtype=["float32"]).output("y", follow="x")
    register(declared)
    with usual.registered():
        found = op.get("SixTimes")
    prepare_func: op.OpExecPrepareFunc = found.prepare
    launch_func: op.OpExecLaunchFunc = found.launch
    builder = op.OpImplRegisterV2("Mirrored").InferShape(found.infer_shape)
    register(builder.Op2StageExecuteFuncs(prepare_func=prepare_func, launch_func=launch_func))
    np.testing.assert_array_equal(declared(floats(5), stream=stream).to_numpy(), 6 * floats(5))
    assert typing.get_args(op.OpExecPrepareFunc)[0] == [op.OpExecutePrepareContext]
    assert typing.get_args(op.OpExecLaunchFunc)[0] == [op.OpExecuteLaunchContext]


@pytest.mark.requirement("op-1")
def test_a_registration_from_cpp_reads_the_same_here(kernel: Find, stream: Stream, register: Register) -> None:
    """Decorators declare, the mirror layer registers; the operator runs."""
    usual = six_times(kernel)
    declared = op.define("Mirrored")
    declared.input("x", dtype=["float32"])
    declared.output("y", follow="x")
    register(declared)
    with usual.registered():
        found = op.get("SixTimes")
        builder = op.OpImplRegisterV2("Mirrored").InferShape(found.infer_shape).Op2StageExecuteFuncs(found.prepare, found.launch)
    register(builder)
    np.testing.assert_array_equal(declared(floats(5), stream=stream).to_numpy(), 6 * floats(5))
