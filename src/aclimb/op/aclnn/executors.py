# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: N802 - C's names
"""aclOpExecutor: a plan behind a number, made to repeat, given other addresses, destroyed."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from aclimb.op.aclnn.objects import TENSOR_LISTS, TENSORS, coded
from aclimb.op.execute.plan import OpPlan
from aclimb.op.node.node import OpParameter, Value
from aclimb.op.status import ACLNN_ERR_INNER_NULLPTR, ACLNN_ERR_PARAM_INVALID, OpError
from aclimb.runtime.handles import Handles

_SPENT_KEPT = 4096

EXECUTORS: Handles[Any] = Handles("aclOpExecutor")  # an OpPlan, or the HostPlan of a built-in operator
_spent: OrderedDict[int, None] = OrderedDict()  # those that ended with their run; to destroy one of them does no harm


def end(executor: int) -> None:
    """Of one that has run and does not repeat."""
    EXECUTORS.end(executor).close()
    _spent[executor] = None
    while len(_spent) > _SPENT_KEPT:
        _spent.popitem(last=False)


@coded(null=ACLNN_ERR_INNER_NULLPTR)
def aclSetAclOpExecutorRepeatable(executor: int) -> None:
    """aclSetAclOpExecutorRepeatable: before the first run; from then on it has to be destroyed."""
    EXECUTORS[executor or 0].make_repeatable()


@coded(null=ACLNN_ERR_INNER_NULLPTR)
def aclDestroyAclOpExecutor(executor: int) -> None:
    """aclDestroyAclOpExecutor: of one that repeats, or never ran; one that ended with its run is gone already."""
    if executor in _spent:
        del _spent[executor]
    else:
        EXECUTORS.end(executor or 0).close()


@coded(null=ACLNN_ERR_INNER_NULLPTR)
def aclSetInputTensorAddr(executor: int, index: int, tensor: int, address: int) -> None:
    """aclSetInputTensorAddr: index counts the input tensors that are there."""
    _set_one(executor, tensor, index, address, _inputs(executor))


@coded(null=ACLNN_ERR_INNER_NULLPTR)
def aclSetOutputTensorAddr(executor: int, index: int, tensor: int, address: int) -> None:
    """aclSetOutputTensorAddr: index counts the output tensors that are there."""
    _set_one(executor, tensor, index, address, _outputs(executor))


@coded(null=ACLNN_ERR_INNER_NULLPTR)
def aclSetTensorAddr(executor: int, index: int, tensor: int, address: int) -> None:
    """aclSetTensorAddr: index counts the inputs and then the outputs."""
    inputs = _inputs(executor)
    _set_one(executor, tensor, index, address, inputs + [each for each in _outputs(executor) if each not in inputs])


@coded(null=ACLNN_ERR_INNER_NULLPTR)
def aclSetDynamicInputTensorAddr(executor: int, ir_index: int, relative_index: int, tensors: int, address: int) -> None:
    """aclSetDynamicInputTensorAddr: one tensor of an input that is a list."""
    plan: OpPlan = EXECUTORS[executor or 0]
    _set_in_list(plan, tensors, ir_index, relative_index, address, plan._operator.inputs)


@coded(null=ACLNN_ERR_INNER_NULLPTR)
def aclSetDynamicOutputTensorAddr(executor: int, ir_index: int, relative_index: int, tensors: int, address: int) -> None:
    """aclSetDynamicOutputTensorAddr: one tensor of an output that is a list."""
    plan: OpPlan = EXECUTORS[executor or 0]
    _set_in_list(plan, tensors, ir_index, relative_index, address, plan._operator.outputs)


@coded(null=ACLNN_ERR_INNER_NULLPTR)
def aclSetDynamicTensorAddr(executor: int, ir_index: int, relative_index: int, tensors: int, address: int) -> None:
    """aclSetDynamicTensorAddr: one tensor of a list; ir_index counts the inputs and then the outputs."""
    plan = EXECUTORS[executor or 0]
    names = [*plan._operator.inputs, *(each for each in plan._operator.outputs if each not in plan._operator.inputs)]
    _set_in_list(plan, tensors, ir_index, relative_index, address, names)


def _inputs(executor: int) -> list[tuple[str, int | None]]:
    node = EXECUTORS[executor or 0]._call.node
    return _instances(node.input_parameters, node.inputs)


def _outputs(executor: int) -> list[tuple[str, int | None]]:
    node = EXECUTORS[executor or 0]._call.node
    return _instances(node.output_parameters, node.outputs)


def _instances(parameters: Sequence[OpParameter], values: list[Value]) -> list[tuple[str, int | None]]:
    """Name of each tensor that is there, and its place in the list that it is part of."""
    found: list[tuple[str, int | None]] = []
    for each, value in zip(parameters, values, strict=True):
        if isinstance(value, list):
            found += [(each.name, place) for place in range(len(value))]
        elif value is not None:
            found.append((each.name, None))
    return found


def _set_one(executor: int, tensor: int, index: int, address: int, instances: list[tuple[str, int | None]]) -> None:
    plan = EXECUTORS[executor or 0]
    _ = TENSORS[tensor or 0]  # alive
    if not 0 <= index < len(instances):
        raise OpError(ACLNN_ERR_PARAM_INVALID, f"index is {index}; there are {len(instances)} such tensors in {plan.type}")
    name, place = instances[index]
    if place is None:
        plan.rebind(**{name: address})
    else:
        plan.rebind_one(name, place, address)


def _set_in_list(plan: OpPlan, tensors: int, ir_index: int, relative: int, address: int, names: list[str]) -> None:
    _ = TENSOR_LISTS[tensors or 0]  # alive
    if not 0 <= ir_index < len(names):
        raise OpError(ACLNN_ERR_PARAM_INVALID, f"index is {ir_index}; there are {len(names)} such parameters in {plan.type}")
    plan.rebind_one(names[ir_index], relative, address)
