# SPDX-License-Identifier: Apache-2.0
"""The two phases under their C names: what the functions are called and take, tensors and lists, executors and their codes."""

from __future__ import annotations

import gc
import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from op_parts import Find, Register, add_scaled, floats, ran, six_times

import acl
import aclimb
from aclimb import Buffer, Stream, op
from aclimb.op import aclnn

FLOAT, INT32, ND = 0, 3, 2
NULL, INVALID, INNER_NULL = op.ACLNN_ERR_PARAM_NULLPTR, op.ACLNN_ERR_PARAM_INVALID, op.ACLNN_ERR_INNER_NULLPTR
Make = Callable[..., int]


@pytest.fixture
def tensor() -> Iterator[Make]:
    """tensor(buffer) is an aclTensor of it, destroyed after the test."""
    made: list[int] = []

    def make(buffer: Buffer, dtype: int = FLOAT) -> int:
        shape = list(buffer.shape)
        made.append(aclnn.aclCreateTensor(shape, dtype, None, 0, ND, shape, buffer.address))
        assert made[-1]
        return made[-1]

    yield make
    for each in made:
        aclnn.aclDestroyTensor(each)


@pytest.fixture
def add(kernel: Find, register: Register) -> Any:
    made = add_scaled(kernel)
    register(made)
    return made


@pytest.fixture
def six(kernel: Find, register: Register) -> Any:
    made = six_times(kernel, relaunchable=True)
    register(made)
    return made


# --- names and parameters


def parameters(type: str) -> list[tuple[str, str]]:
    function = getattr(aclnn, f"aclnn{type}GetWorkspaceSize")
    return [(each.name, str(each.annotation)) for each in inspect.signature(function).parameters.values()]


@pytest.mark.requirement("op-66", "op-69")
def test_parameters_are_inputs_attributes_and_outputs_with_their_suffixes(register: Register) -> None:
    made = op.define("Everything")
    made.attr("axis", int)
    made.input("x", dtype=["float32"])
    made.input("bias", dtype=["float32"], optional=True)
    made.output("y", dtype=["float32"])
    made.input("list", dtype=["float32"], dynamic=True)
    made.input("sizes", dtype=["int64"], value_depend="all")
    made.input("rates", dtype=["float32"], value_depend="all")
    made.input("alpha", dtype=["float32"], scalar=True)
    made.attr("eps", float, default=0.1)
    made.attr("keep", bool, default=False)
    made.attr("mode", str, default="a")
    made.attr("pads", list[int], default=[0])
    made.attr("weights", list[float], default=[0.0])
    made.output("mask", dtype=["uint8"])
    register(made)
    assert parameters("Everything") == [
        ("x", "aclTensor"),
        ("biasOptional", "aclTensor"),
        ("list", "aclTensorList"),
        ("sizes", "aclIntArray"),
        ("rates", "aclFloatArray"),
        ("alpha", "aclScalar"),
        ("axis", "int"),
        ("eps", "float"),
        ("keep", "bool"),
        ("mode", "str"),
        ("pads", "aclIntArray"),
        ("weights", "aclFloatArray"),
        ("yOut", "aclTensor"),
        ("maskOut", "aclTensor"),
    ]


def test_an_absent_input_keeps_its_number_in_a_call_of_aclnn_and_has_none_elsewhere(register: Register, tensor: Make) -> None:
    seen: list[Any] = []

    def prepare(ctx: Any) -> Any:
        shapes = [ctx.get_input_tensor(index) for index in range(4)]
        seen.append([each and each.nbytes // 4 for each in shapes])
        seen.append((ctx.num_inputs, ctx.ir_input_instance(1), ctx.ir_input_instance(2), ctx.get_optional_input_tensor(1)))
        return op.Prepared(None, [])

    made = op.define("Gap")
    made.input("x", dtype=["float32"])
    made.input("bias", dtype=["float32"], optional=True)
    made.input("scale", dtype=["float32"])
    made.output("y", dtype=["float32"])
    made.infer_shape(lambda ctx: ctx.output_shape.__setitem__("y", (1,)))
    made.prepare(prepare)
    made.launch(lambda ctx: None)
    register(made)
    x, scale, y = (Buffer.from_array(floats(count)) for count in (3, 5, 1))
    _, executor, ret = aclnn.aclnnGapGetWorkspaceSize(tensor(x), 0, tensor(scale), tensor(y))
    assert (ret, aclnn.aclDestroyAclOpExecutor(executor)) == (0, 0)
    assert seen == [[3, None, 5, None], (3, (1, 0), (2, 1), None)]
    seen.clear()
    made(x, None, scale)
    assert seen == [[3, 5, None, None], (2, (1, 0), (1, 1), None)]


@pytest.mark.requirement("op-69")
def test_one_output_is_out_and_one_that_is_an_input_too_is_ref(register: Register) -> None:
    made = op.define("InPlace")
    made.input("x", dtype=["float32"])
    made.input("y", dtype=["float32"])
    made.output("x", dtype=["float32"])
    register(made)
    assert parameters("InPlace") == [("xRef", "aclTensor"), ("y", "aclTensor")]
    plain = op.define("Plain")
    plain.input("x", dtype=["float32"])
    plain.output("y", dtype=["float32"])
    register(plain)
    assert parameters("Plain") == [("x", "aclTensor"), ("out", "aclTensor")]


@pytest.mark.requirement("op-69")
def test_a_value_can_be_given_as_a_tensor_through_another_function(register: Register) -> None:
    made = op.define("ByValue")
    made.input("x", dtype=["float32"])
    made.input("sizes", dtype=["int64"], value_depend="all")
    made.output("y", dtype=["float32"])
    register(made)
    assert parameters("ByValueTensor") == [("x", "aclTensor"), ("sizes", "aclTensor"), ("out", "aclTensor")]
    assert callable(aclnn.aclnnByValue)


@pytest.mark.requirement("op-69")
def test_an_operator_nobody_registered_has_no_function(six: Any) -> None:
    assert callable(aclnn.aclnnSixTimes)
    with pytest.raises(AttributeError, match="Nobody"):
        _ = aclnn.aclnnNobodyGetWorkspaceSize


# --- two phases


@pytest.mark.requirement("op-70", "op-71")
def test_size_first_and_then_a_run_in_the_workspace_of_the_caller(six: Any, stream: Stream, tensor: Make) -> None:
    x, y = Buffer.from_array(floats(50)), Buffer(50, np.float32)
    size, executor, ret = aclnn.aclnnSixTimesGetWorkspaceSize(tensor(x), tensor(y))
    assert (size, ret) == (200, 0)
    workspace = Buffer(size)
    assert aclnn.aclnnSixTimes(workspace.address, size, executor, stream) == 0
    np.testing.assert_array_equal(ran(stream, y), 6 * floats(50))


@pytest.mark.requirement("op-66")
def test_attributes_stand_between_inputs_and_outputs(add: Any, stream: Stream, tensor: Make) -> None:
    x, y, z = Buffer.from_array(floats(5)), Buffer.from_array(floats(5)), Buffer(5, np.float32)
    size, executor, ret = aclnn.aclnnAddScaledGetWorkspaceSize(tensor(x), tensor(y), 3.0, tensor(z))
    assert (size, ret) == (0, 0)
    assert aclnn.aclnnAddScaled(0, 0, executor, stream) == 0
    np.testing.assert_array_equal(ran(stream, z), 4 * floats(5))


@pytest.mark.requirement("op-70")
def test_the_first_phase_refuses_null_and_types(six: Any, tensor: Make) -> None:
    x, y, wrong = Buffer(4, np.float32), Buffer(4, np.float32), Buffer(4, np.int32)
    acl.get_recent_err_msg()
    assert aclnn.aclnnSixTimesGetWorkspaceSize(0, tensor(y)) == (0, 0, NULL)
    assert "SixTimes" in (acl.get_recent_err_msg() or "")
    assert aclnn.aclnnSixTimesGetWorkspaceSize(tensor(x), 0) == (0, 0, NULL)
    assert aclnn.aclnnSixTimesGetWorkspaceSize(tensor(wrong, INT32), tensor(y)) == (0, 0, INVALID)
    assert aclnn.aclnnSixTimesGetWorkspaceSize(tensor(x), tensor(wrong, INT32)) == (0, 0, INVALID)


@pytest.mark.requirement("op-71")
def test_the_second_phase_refuses_null_and_small_workspaces(six: Any, stream: Stream, tensor: Make) -> None:
    x, y = Buffer.from_array(floats(4)), Buffer(4, np.float32)
    assert aclnn.aclnnSixTimes(0, 0, 0, stream) == NULL
    size, executor, _ = aclnn.aclnnSixTimesGetWorkspaceSize(tensor(x), tensor(y))
    workspace = Buffer(size)
    assert aclnn.aclnnSixTimes(0, size, executor, stream) == NULL
    assert aclnn.aclnnSixTimes(workspace.address, size - 1, executor, stream) == INVALID
    assert aclnn.aclnnSixTimes(workspace.address, size, executor, stream) == 0, "what was refused can be done right"
    np.testing.assert_array_equal(ran(stream, y), 6 * floats(4))


@pytest.mark.requirement("op-71")
def test_an_executor_is_of_its_operator(six: Any, add: Any, stream: Stream, tensor: Make) -> None:
    x, y = Buffer.from_array(floats(4)), Buffer(4, np.float32)
    size, executor, _ = aclnn.aclnnSixTimesGetWorkspaceSize(tensor(x), tensor(y))
    assert aclnn.aclnnAddScaled(0, 0, executor, stream) != 0
    assert aclnn.aclDestroyAclOpExecutor(executor) == 0
    assert size == 16


@pytest.mark.requirement("op-72")
def test_an_executor_runs_once_and_may_be_destroyed_afterwards(six: Any, stream: Stream, tensor: Make) -> None:
    x, y, workspace = Buffer.from_array(floats(4)), Buffer(4, np.float32), Buffer(16)
    _, executor, _ = aclnn.aclnnSixTimesGetWorkspaceSize(tensor(x), tensor(y))
    assert aclnn.aclnnSixTimes(workspace.address, 16, executor, stream) == 0
    assert aclnn.aclnnSixTimes(workspace.address, 16, executor, stream) != 0
    assert aclnn.aclDestroyAclOpExecutor(executor) == 0, "programs do so, and it does no harm"


@pytest.mark.requirement("op-72")
def test_a_repeatable_executor_runs_often_with_new_addresses(six: Any, stream: Stream, tensor: Make) -> None:
    first, second = Buffer.from_array(floats(4)), Buffer.from_array(floats(4, 9.0))
    y, other, workspace = Buffer(4, np.float32), Buffer(4, np.float32), Buffer(16)
    x_tensor, y_tensor = tensor(first), tensor(y)
    _, executor, _ = aclnn.aclnnSixTimesGetWorkspaceSize(x_tensor, y_tensor)
    assert aclnn.aclSetAclOpExecutorRepeatable(executor) == 0
    for _ in range(2):
        assert aclnn.aclnnSixTimes(workspace.address, 16, executor, stream) == 0
        np.testing.assert_array_equal(ran(stream, y), 6 * floats(4))
    assert aclnn.aclSetInputTensorAddr(executor, 0, x_tensor, second.address) == 0
    assert aclnn.aclSetOutputTensorAddr(executor, 0, y_tensor, other.address) == 0
    assert aclnn.aclnnSixTimes(workspace.address, 16, executor, stream) == 0
    np.testing.assert_array_equal(ran(stream, other), 6 * floats(4, 9.0))
    np.testing.assert_array_equal(ran(stream, y), 6 * floats(4))
    assert aclnn.aclDestroyAclOpExecutor(executor) == 0
    assert aclnn.aclnnSixTimes(workspace.address, 16, executor, stream) != 0


@pytest.mark.requirement("op-72")
def test_addresses_are_checked(six: Any, stream: Stream, tensor: Make) -> None:
    x, y = Buffer.from_array(floats(4)), Buffer(4, np.float32)
    x_tensor, y_tensor = tensor(x), tensor(y)
    _, executor, _ = aclnn.aclnnSixTimesGetWorkspaceSize(x_tensor, y_tensor)
    assert aclnn.aclSetAclOpExecutorRepeatable(executor) == 0
    assert aclnn.aclSetInputTensorAddr(executor, 1, x_tensor, x.address) == INVALID
    assert aclnn.aclSetOutputTensorAddr(executor, 1, y_tensor, y.address) == INVALID
    assert aclnn.aclSetTensorAddr(executor, 2, y_tensor, y.address) == INVALID
    assert aclnn.aclSetInputTensorAddr(0, 0, x_tensor, x.address) == INNER_NULL
    assert aclnn.aclSetInputTensorAddr(executor, 0, 0, x.address) == INNER_NULL
    assert aclnn.aclSetInputTensorAddr(executor, 0, x_tensor, x.address + 4) == INVALID
    assert aclnn.aclSetTensorAddr(executor, 1, y_tensor, y.address) == 0
    assert aclnn.aclSetAclOpExecutorRepeatable(0) == INNER_NULL
    assert aclnn.aclDestroyAclOpExecutor(executor) == 0
    assert aclnn.aclDestroyAclOpExecutor(0) == INNER_NULL


@pytest.mark.requirement("op-72")
def test_repeating_is_decided_before_the_first_run(six: Any, stream: Stream, tensor: Make) -> None:
    x, y, workspace = Buffer.from_array(floats(4)), Buffer(4, np.float32), Buffer(16)
    _, executor, _ = aclnn.aclnnSixTimesGetWorkspaceSize(tensor(x), tensor(y))
    assert aclnn.aclnnSixTimes(workspace.address, 16, executor, stream) == 0
    assert aclnn.aclSetAclOpExecutorRepeatable(executor) != 0


@pytest.mark.requirement("op-72")
def test_tensors_of_a_list_can_be_given_new_addresses(stream: Stream, register: Register, tensor: Make) -> None:
    seen: list[list[int]] = []
    made = op.define("TakesList", relaunchable=True)
    made.input("x", dtype=["float32"], dynamic=True)
    made.output("y", dtype=["float32"])
    made.prepare(lambda ctx: op.Prepared(None, []))
    made.launch(lambda ctx: seen.append([each.address for each in ctx.inputs["x"]]))
    register(made)
    a, b, c, y = (Buffer(4, np.float32) for _ in range(4))
    tensors = aclnn.aclCreateTensorList([tensor(a), tensor(b)])
    _, executor, ret = aclnn.aclnnTakesListGetWorkspaceSize(tensors, tensor(y))
    assert ret == 0
    assert aclnn.aclSetAclOpExecutorRepeatable(executor) == 0
    assert aclnn.aclnnTakesList(0, 0, executor, stream) == 0
    assert aclnn.aclSetDynamicInputTensorAddr(executor, 0, 1, tensors, c.address) == 0
    assert aclnn.aclSetDynamicInputTensorAddr(executor, 0, 2, tensors, c.address) == INVALID
    assert aclnn.aclSetDynamicInputTensorAddr(executor, 1, 0, tensors, c.address) == INVALID
    assert aclnn.aclnnTakesList(0, 0, executor, stream) == 0
    assert seen == [[a.address, b.address], [a.address, c.address]]
    assert aclnn.aclDestroyAclOpExecutor(executor) == 0
    assert aclnn.aclDestroyTensorList(tensors) == 0


# --- objects


@pytest.mark.requirement("op-74")
def test_destroying_a_list_destroys_its_elements_and_frees_no_memory() -> None:
    memory = Buffer.from_array(floats(4))
    before = aclimb.live()
    tensors = [aclnn.aclCreateTensor([4], FLOAT, None, 0, ND, [4], memory.address) for _ in range(2)]
    made = aclnn.aclCreateTensorList(tensors)
    assert aclnn.aclGetViewShape(tensors[0]) == ([4], 0)
    assert aclnn.aclDestroyTensorList(made) == 0
    for each in tensors:
        assert aclnn.aclGetViewShape(each)[1] != 0
        assert aclnn.aclDestroyTensor(each) != 0
    assert aclimb.live() == before
    np.testing.assert_array_equal(memory.to_numpy(), floats(4))


@pytest.mark.requirement("op-74")
def test_destroying_a_tensor_frees_no_memory() -> None:
    memory = Buffer.from_array(floats(4))
    made = aclnn.aclCreateTensor([2, 2], FLOAT, None, 0, ND, [4], memory.address)
    assert aclnn.aclGetViewShape(made) == ([2, 2], 0)
    assert aclnn.aclDestroyTensor(made) == 0
    np.testing.assert_array_equal(memory.to_numpy(), floats(4))


@pytest.mark.requirement("op-74")
@pytest.mark.parametrize(
    ("kind", "args"), [("IntArray", ([1, 2],)), ("FloatArray", ([0.5],)), ("BoolArray", ([True],)), ("Scalar", (0.5, FLOAT))]
)
def test_arrays_and_scalars_are_made_and_destroyed_once(kind: str, args: tuple[Any, ...]) -> None:
    made = getattr(aclnn, f"aclCreate{kind}")(*args)
    assert made
    assert getattr(aclnn, f"aclDestroy{kind}")(made) == 0
    assert getattr(aclnn, f"aclDestroy{kind}")(made) != 0
    assert getattr(aclnn, f"aclDestroy{kind}")(0) != 0


@pytest.mark.requirement("op-73")
def test_empty_outputs_need_no_workspace(six: Any, stream: Stream, tensor: Make) -> None:
    x, y = Buffer((0, 4), np.float32), Buffer((0, 4), np.float32)
    size, executor, ret = aclnn.aclnnSixTimesGetWorkspaceSize(tensor(x), tensor(y))
    assert (size, ret) == (0, 0)
    assert aclnn.aclnnSixTimes(0, 0, executor, stream) == 0


@pytest.mark.requirement("op-72")
def test_an_executor_that_never_ran_can_be_destroyed(six: Any, tensor: Make) -> None:
    x, y = Buffer(4, np.float32), Buffer(4, np.float32)
    before = aclimb.live()
    _, executor, _ = aclnn.aclnnSixTimesGetWorkspaceSize(tensor(x), tensor(y))
    assert aclnn.aclDestroyAclOpExecutor(executor) == 0
    gc.collect()
    assert aclimb.live() == before
