# SPDX-License-Identifier: Apache-2.0
"""What a callback finds in its context, by number and by name, and that the context ends with the callback."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from op_parts import Find, Register, add_scaled, device, floats, raised, same_shape, six_times, tile_add

from aclimb import Stream, op
from aclimb.errors import AclimbError


def many_inputs(look: Callable[[str, Any], None]) -> Any:
    """a, b (a list), c, d (optional), e; look(stage, ctx) is called in each callback."""
    made = op.define("ManyInputs")
    made.input("a", dtype=["float32"])
    made.input("b", dtype=["float32"], dynamic=True)
    made.input("c", dtype=["float32"])
    made.input("d", dtype=["float32"], optional=True)
    made.input("e", dtype=["float32"])
    made.output("y", dtype=["float32"])
    made.output("z", dtype=["float32"])

    def infer(ctx: Any) -> None:
        look("infer_shape", ctx)
        ctx.output_shape["y"] = ctx.output_shape["z"] = (2,)

    def prepare(ctx: Any) -> Any:
        look("prepare", ctx)
        return op.Prepared(None, [])

    made.infer_shape(infer)
    made.prepare(prepare)
    made.launch(lambda ctx: look("launch", ctx))
    return made


def a_to_e() -> tuple[Any, ...]:
    """Of sizes 1, [2, 3], 4, none, 5."""
    return device(floats(1)), [device(floats(2)), device(floats(3))], device(floats(4)), None, device(floats(5))


def run_and_look(stream: Stream, register: Register, look: Callable[[str, Any], None]) -> tuple[Any, ...]:
    made = many_inputs(look)
    register(made)
    arguments = a_to_e()
    made(*arguments, stream=stream)
    return arguments


@pytest.mark.requirement("op-15", "op-16")
def test_in_says_whether_a_tensor_was_given(stream: Stream, register: Register) -> None:
    seen: dict[str, list[bool]] = {}

    def look(stage: str, ctx: Any) -> None:
        shown = ctx.input_shape if stage == "infer_shape" else ctx.inputs
        seen[stage] = [key in shown for key in ("a", "b", "c", "d", "e", "f", 0, 3, 4, 5, -1, None, 0.5)]
        if stage != "infer_shape":
            assert "y" in ctx.outputs
            assert "a" not in ctx.outputs

    run_and_look(stream, register, look)
    expected = [True, True, True, False, True, False, True, False, True, False, False, False, False]
    assert seen == dict.fromkeys(("infer_shape", "prepare", "launch"), expected)


@pytest.mark.requirement("op-15", "op-16")
def test_in_is_false_for_a_list_without_tensors_and_true_for_an_optional_one_that_is_there(stream: Stream, register: Register) -> None:
    seen: list[bool] = []
    made = many_inputs(lambda stage, ctx: seen.extend([key in ctx.inputs for key in "bd"]) if stage == "launch" else None)
    register(made)
    a, _, c, _, e = a_to_e()
    made(a, [], c, device(floats(2)), e, stream=stream)
    assert seen == [False, True]


def test_in_says_whether_an_attribute_exists(stream: Stream, kernel: Find, register: Register) -> None:
    seen: list[Any] = []

    def tile(ctx: Any) -> None:
        seen.extend([key in ctx.attrs for key in ("alpha", "beta", 0, 1, 2.5)])
        seen.append(list(ctx.attrs))
        tile_add(ctx)

    made = add_scaled(kernel, tiling=tile)
    register(made)
    made(floats(2), floats(2), alpha=2.5, stream=stream)
    assert seen == [True, False, True, False, False, [2.5]]


@pytest.mark.requirement("op-15", "op-16")
def test_tensors_are_found_by_their_place_in_the_declaration(stream: Stream, register: Register) -> None:
    seen: dict[str, Any] = {}

    def look(stage: str, ctx: Any) -> None:
        if stage == "infer_shape":
            return
        seen[stage] = {
            "instances": [ctx.get_input_tensor(i).nbytes // 4 for i in range(5)],
            "required": [ctx.get_required_input_tensor(ir).nbytes // 4 for ir in (0, 2, 4)],
            "dynamic": [ctx.get_dynamic_input_tensor(1, rel).nbytes // 4 for rel in (0, 1)],
            "optional": ctx.get_optional_input_tensor(3),
            "numbers": (ctx.num_inputs, ctx.num_outputs),
            "info": [ctx.ir_input_instance(ir) for ir in range(5)],
            "names": [ctx.inputs[name].nbytes // 4 for name in "ace"],
            "list": [each.nbytes // 4 for each in ctx.inputs["b"]],
            "absent": ctx.inputs["d"],
            "by place": [ctx.inputs[0].nbytes // 4, len(ctx.inputs[1]), ctx.inputs[3], ctx.inputs[4].nbytes // 4],
        }

    run_and_look(stream, register, look)
    expected = {
        "instances": [1, 2, 3, 4, 5],
        "required": [1, 4, 5],
        "dynamic": [2, 3],
        "optional": None,
        "numbers": (5, 2),
        "info": [(0, 1), (1, 2), (3, 1), (4, 0), (4, 1)],
        "names": [1, 4, 5],
        "list": [2, 3],
        "absent": None,
        "by place": [1, 2, None, 5],
    }
    assert seen == {"prepare": expected, "launch": expected}


@pytest.mark.requirement("op-16")
def test_shapes_are_found_the_same_way(stream: Stream, register: Register) -> None:
    seen: list[Any] = []

    def look(stage: str, ctx: Any) -> None:
        if stage == "infer_shape":
            seen.append([tuple(ctx.get_input_shape(i).origin) for i in range(5)])
            seen.append([tuple(ctx.get_required_input_shape(ir).origin) for ir in (0, 2, 4)])
            seen.append([tuple(ctx.get_dynamic_input_shape(1, rel).origin) for rel in (0, 1)])
            seen.append(ctx.get_optional_input_shape(3))
            seen.append([tuple(each.origin) for each in ctx.input_shape["b"]])

    run_and_look(stream, register, look)
    assert seen == [[(1,), (2,), (3,), (4,), (5,)], [(1,), (4,), (5,)], [(2,), (3,)], None, [(2,), (3,)]]


@pytest.mark.requirement("op-15")
def test_getters_beyond_the_end_give_none_and_names_raise(stream: Stream, register: Register) -> None:
    def look(stage: str, ctx: Any) -> None:
        for wrong in (-1, 5, 64, 2**31):
            assert ctx.ir_input_instance(wrong) is None
        if stage == "infer_shape":
            assert ctx.get_input_shape(5) is None
            assert ctx.get_output_shape(2) is None
            assert ctx.get_required_input_shape(3) is None, "an absent input is no required one"
            raised(IndexError, lambda: ctx.input_shape[5])
            raised(IndexError, ctx.output_shape.__setitem__, 2, (1,))
            return
        assert ctx.get_input_tensor(5) is None
        assert ctx.get_output_tensor(2) is None
        assert ctx.get_required_input_tensor(3) is None
        assert ctx.get_required_input_tensor(5) is None
        assert ctx.get_optional_input_tensor(5) is None
        assert ctx.get_dynamic_input_tensor(1, 2) is None
        assert ctx.get_dynamic_input_tensor(5, 0) is None
        assert ctx.get_required_output_tensor(2) is None
        raised(IndexError, lambda: ctx.inputs[5])
        raised(IndexError, lambda: ctx.outputs[2])
        raised(KeyError, lambda: ctx.inputs["nobody"])

    run_and_look(stream, register, look)


@pytest.mark.requirement("op-15")
def test_an_unknown_input_type_is_undefined(stream: Stream, register: Register) -> None:
    made = six_types()
    seen: list[Any] = []

    def types(ctx: Any) -> None:
        seen.extend([ctx.get_input_data_type(0), ctx.get_input_data_type(7), ctx.get_output_data_type(9)])
        ctx.output_dtype["y"] = ctx.input_dtype["x"]

    made.infer_data_type(types)
    register(made)
    assert made(floats(2), stream=stream).dtype == np.float32
    assert seen == [np.float32, op.DT_UNDEFINED, op.DT_UNDEFINED]


def six_types() -> Any:
    made = op.define("Types")
    made.input("x", dtype=["float32"])
    made.output("y", dtype=["float32"])
    made.infer_shape(same_shape)
    made.prepare(lambda ctx: op.Prepared(None, []))
    made.launch(lambda ctx: None)
    return made


@pytest.mark.requirement("op-15")
def test_a_node_knows_its_type_and_has_a_name(kernel: Find, stream: Stream, register: Register) -> None:
    seen: list[Any] = []

    def prepare(ctx: Any) -> Any:
        seen.append((ctx.node_type, bool(ctx.node_name), ctx.ir_output_instance(0), ctx.ir_output_instance(1)))
        return op.Prepared(ctx.inputs[0].nbytes // 4, [ctx.inputs[0].nbytes])

    made = six_times(kernel, prepare=prepare)
    register(made)
    made(floats(3), stream=stream)
    assert seen == [("SixTimes", True, (0, 1), None)]


def with_attributes(look: Callable[[Any], None]) -> Any:
    made = op.define("Attributes")
    made.input("x", dtype=["float32"])
    made.output("y", follow="x")
    made.attr("axis", int)
    made.attr("scale", float, default=0.5)
    made.attr("keep", bool, default=True)
    made.attr("mode", str, default="fast")
    made.attr("pads", list[int], default=[1, 2])
    made.attr("rates", list[float], default=[0.5])
    made.attr("pairs", list[list[int]], default=[[1], [2, 3]])
    made.private_attr("own", int, 9)
    made.infer_shape(same_shape)

    def prepare(ctx: Any) -> Any:
        look(ctx)
        return op.Prepared(None, [])

    made.prepare(prepare)
    made.launch(lambda ctx: None)
    return made


@pytest.mark.parametrize("keep", [False, np.False_, np.True_])
def test_numbers_and_bools_of_numpy_are_taken_as_attributes(keep: Any, stream: Stream, register: Register) -> None:
    seen: list[Any] = []
    made = with_attributes(lambda ctx: seen.append([(given := ctx.get_attrs()).get_int(0), given.get_float(1), given.get_bool(2)]))
    register(made)
    made(floats(3), axis=np.int64(7), scale=np.float32(0.25), keep=keep, stream=stream)
    assert seen == [[7, 0.25, bool(keep)]]


@pytest.mark.requirement("op-17")
def test_attributes_are_numbered_as_declared_with_private_ones_behind(stream: Stream, register: Register) -> None:
    seen: list[Any] = []

    def look(ctx: Any) -> None:
        attrs = ctx.get_attrs()
        seen.append([attrs.get_int(0), attrs.get_float(1), attrs.get_bool(2), attrs.get_str(3), list(attrs.get_list_int(4))])
        seen.append([list(attrs.get_list_float(5)), [list(each) for each in attrs.get_list_list_int(6)], attrs.get_int(7)])
        seen.append([attrs.get_attr_num(), attrs.get_int(8), ctx.attrs["axis"], ctx.attrs[1], ctx.attrs["own"]])
        raised(IndexError, lambda: ctx.attrs[8])
        raised(KeyError, lambda: ctx.attrs["nobody"])

    made = with_attributes(look)
    register(made)
    made(floats(2), axis=-1, mode="exact", pads=[7], stream=stream)
    assert seen == [[-1, 0.5, True, "exact", [7]], [[0.5], [[1], [2, 3]], 9], [8, None, -1, 0.5, 9]]


@pytest.mark.requirement("op-17")
def test_a_required_attribute_that_is_missing_raises(stream: Stream, register: Register) -> None:
    made = with_attributes(lambda ctx: None)
    register(made)
    with pytest.raises(AclimbError, match=r"Attributes.*axis|axis.*Attributes"):
        made(floats(2), stream=stream)


@pytest.mark.requirement("op-17")
@pytest.mark.parametrize(
    "wrong", [{"axis": 0.5}, {"axis": "1"}, {"axis": 1, "pads": 3}, {"axis": 1, "keep": "yes"}, {"axis": 1, "nobody": 1}]
)
def test_an_attribute_of_another_type_or_name_raises(stream: Stream, register: Register, wrong: dict[str, Any]) -> None:
    made = with_attributes(lambda ctx: None)
    register(made)
    with pytest.raises(AclimbError, match=list(wrong)[-1]):
        made(floats(2), stream=stream, **wrong)


@pytest.mark.requirement("op-19")
def test_nothing_of_a_context_can_be_used_after_its_callback(kernel: Find, stream: Stream, register: Register) -> None:
    kept: dict[str, Any] = {}

    def infer(ctx: Any) -> None:
        kept["infer"], kept["shape"] = ctx, ctx.get_output_shape(0)
        same_shape(ctx)

    def prepare(ctx: Any) -> Any:
        kept["prepare"], kept["inputs"], kept["input"], kept["attrs"] = ctx, ctx.inputs, ctx.inputs["x"], ctx.get_attrs()
        count = ctx.inputs["x"].nbytes // 4
        return op.Prepared(count, [4 * count])

    def launch(ctx: Any) -> None:
        kept["launch"], kept["workspace"], kept["output"] = ctx, ctx.workspaces[0], ctx.get_output_tensor(0)

    made = six_times(kernel, infer_shape=infer, prepare=prepare, launch=launch)
    register(made)
    made(floats(3), stream=stream)
    uses: list[Callable[[], Any]] = [
        lambda: kept["infer"].get_input_shape(0),
        lambda: kept["infer"].input_shape,
        lambda: kept["shape"].append_dim(1),
        lambda: kept["prepare"].inputs,
        lambda: kept["prepare"].options,
        lambda: kept["prepare"].set_workspace_sizes([1]),
        lambda: kept["prepare"].set_op_api_params(1),
        lambda: "x" in kept["inputs"],
        lambda: "x" in kept["attrs"],
        lambda: kept["input"].address,
        lambda: kept["input"].shape,
        lambda: kept["input"].to_numpy(),
        lambda: kept["attrs"].get_int(0),
        lambda: kept["launch"].stream,
        lambda: kept["launch"].params,
        lambda: kept["workspace"].ptr,
        lambda: kept["output"].dtype,
    ]
    for use in uses:
        raised(RuntimeError, use)


@pytest.mark.requirement("op-19")
def test_a_context_ends_with_a_callback_that_raises_too(kernel: Find, stream: Stream, register: Register) -> None:
    kept: list[Any] = []

    def tiling(ctx: Any) -> None:
        tile_add(ctx)
        kept.extend([ctx, ctx.raw_tiling_data])
        raise ZeroDivisionError

    made = add_scaled(kernel, tiling=tiling)
    register(made)
    with pytest.raises(op.OpError):
        made(floats(2), floats(2), stream=stream)
    raised(RuntimeError, lambda: kept[0].tiling_key)
    raised(RuntimeError, setattr, kept[0], "num_blocks", 1)
    raised(RuntimeError, kept[1].append, b"1")


@pytest.mark.requirement("op-22")
def test_options_that_are_not_given_have_their_defaults(kernel: Find, stream: Stream, register: Register) -> None:
    seen: list[Any] = []

    def prepare(ctx: Any) -> Any:
        seen.append((bool(ctx.options.deterministic), ctx.options.allow_hf32, ctx.options.precision_mode))
        return op.Prepared(2, [8])

    made = six_times(kernel, prepare=prepare)
    register(made)
    made(floats(2), stream=stream)
    made(floats(2), stream=stream, options=op.Options(precision_mode=2, deterministic=True, allow_hf32="01"))
    made(floats(2), stream=stream, options=op.Options.from_attrs({}))
    assert seen == [(False, None, 2**31 - 1), (True, "01", 2), (False, "", 0)]
