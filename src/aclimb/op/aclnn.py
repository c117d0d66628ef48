# SPDX-License-Identifier: Apache-2.0
"""Two phases as C spells them: `aclnn<Op>GetWorkspaceSize` and `aclnn<Op>` of every operator that is registered with a prototype.

    size, executor, ret = aclnn.aclnnAddCustomGetWorkspaceSize(x, y, alpha, out)
    ret = aclnn.aclnnAddCustom(workspace, size, executor, stream)

What C gives back through pointers comes before the code. Tensors, arrays and executors are numbers, 0 or None is null; the sentence behind
a code is in acl.get_recent_err_msg(). `operator.plan(...)` is the same for Python.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from aclimb.errors import AclimbError
from aclimb.op.aclnn_executors import (
    EXECUTORS,
    aclDestroyAclOpExecutor,
    aclSetAclOpExecutorRepeatable,
    aclSetDynamicInputTensorAddr,
    aclSetDynamicOutputTensorAddr,
    aclSetDynamicTensorAddr,
    aclSetInputTensorAddr,
    aclSetOutputTensorAddr,
    aclSetTensorAddr,
    end,
)
from aclimb.op.aclnn_objects import (
    ARRAYS,
    SCALAR_LISTS,
    SCALARS,
    TENSOR_LISTS,
    TENSORS,
    aclCreateBoolArray,
    aclCreateFloatArray,
    aclCreateIntArray,
    aclCreateScalar,
    aclCreateScalarList,
    aclCreateTensor,
    aclCreateTensorList,
    aclDestroyBoolArray,
    aclDestroyFloatArray,
    aclDestroyIntArray,
    aclDestroyScalar,
    aclDestroyScalarList,
    aclDestroyTensor,
    aclDestroyTensorList,
    aclGetViewShape,
    refusal,
)
from aclimb.op.declare import REQUIRED, Declared, DeclaredAttr
from aclimb.op.define import Operator
from aclimb.op.node import OpTensor
from aclimb.op.plan import Plan, make_plan
from aclimb.op.registration import OpImplRegistry
from aclimb.op.run import own_stream
from aclimb.op.status import (
    ACLNN_ERR_INNER_CREATE_EXECUTOR,
    ACLNN_ERR_PARAM_INVALID,
    ACLNN_ERR_PARAM_NULLPTR,
    OpError,
)
from aclimb.op.tiling_data import dtype_of
from aclimb.runtime.context import stream_in_use, stream_of
from aclimb.runtime.stream import Stream

__all__ = [
    "aclCreateBoolArray", "aclCreateFloatArray", "aclCreateIntArray", "aclCreateScalar", "aclCreateScalarList", "aclCreateTensor",
    "aclCreateTensorList", "aclDestroyAclOpExecutor", "aclDestroyBoolArray", "aclDestroyFloatArray", "aclDestroyIntArray",
    "aclDestroyScalar", "aclDestroyScalarList", "aclDestroyTensor", "aclDestroyTensorList", "aclGetViewShape",
    "aclSetAclOpExecutorRepeatable", "aclSetDynamicInputTensorAddr", "aclSetDynamicOutputTensorAddr", "aclSetDynamicTensorAddr",
    "aclSetInputTensorAddr", "aclSetOutputTensorAddr", "aclSetTensorAddr",
]  # fmt: skip

_PHASE_1 = "GetWorkspaceSize"
_ATTRS = {bool: "bool", int: "int", float: "float", str: "str", list[bool]: "aclBoolArray", list[int]: "aclIntArray",
          list[float]: "aclFloatArray"}  # fmt: skip
_ARRAY_DTYPES = {"aclIntArray": "int64", "aclFloatArray": "float32", "aclBoolArray": "bool"}


# --- the functions of an operator


@dataclass(frozen=True, slots=True)
class _Taken:
    """A parameter of the first phase, and what of the operator it is."""

    name: str
    kind: str
    of: Declared | DeclaredAttr


def parameters_of(operator: Operator, *, values_as_tensors: bool = False) -> list[_Taken]:
    """Inputs, attributes and outputs, in the order of their declaration, each under its C name."""
    declaration = operator._declaration
    outputs = {each.name for each in declaration.outputs}
    taken = []
    for each in declaration.inputs:
        suffix = "Ref" if each.name in outputs else "Optional" if each.optional else ""
        taken.append(_Taken(_camel(each.name) + suffix, _input_kind(each, values_as_tensors), each))
    taken += [_Taken(_camel(each.name), _ATTRS.get(each.kind, "list"), each) for each in declaration.attrs if not each.private]
    inputs = {each.name for each in declaration.inputs}
    for each in declaration.outputs:
        if each.name not in inputs:
            name = "out" if len(declaration.outputs) == 1 else f"{_camel(each.name)}Out"
            taken.append(_Taken(name, "aclTensorList" if each.dynamic else "aclTensor", each))
    return taken


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word[:1].upper() + word[1:] for word in rest)


def _input_kind(declared: Declared, values_as_tensors: bool) -> str:
    if declared.scalar:
        return "aclScalarList" if declared.dynamic else "aclScalar"
    if declared.value_depend and not declared.dynamic and not values_as_tensors:
        kind = dtype_of((*declared.dtypes, *declared.dtype_list, "int64")[0]).kind
        return {"i": "aclIntArray", "u": "aclIntArray", "b": "aclBoolArray"}.get(kind, "aclFloatArray")
    return "aclTensorList" if declared.dynamic else "aclTensor"


def _argument(taken: _Taken, given: Any) -> Any:
    """A handle as what the operator takes; None for null."""
    kind = taken.kind
    if not kind.startswith("acl"):
        return given
    if not given:
        if isinstance(taken.of, DeclaredAttr) and taken.of.default is REQUIRED:
            raise OpError(ACLNN_ERR_PARAM_NULLPTR, f"{taken.name} is null")
        return None
    if kind == "aclTensor":
        return TENSORS[given].as_argument()
    if kind == "aclTensorList":
        return [TENSORS[each].as_argument() for each in TENSOR_LISTS[given]]
    if kind == "aclScalar":
        return SCALARS[given]
    if kind == "aclScalarList":
        return [SCALARS[each] for each in SCALAR_LISTS[given]]
    values = ARRAYS[kind][given]
    if isinstance(taken.of, DeclaredAttr):
        return list(values)
    known = (*taken.of.dtypes, *taken.of.dtype_list)
    usual = _ARRAY_DTYPES[kind]
    return np.array(values, dtype_of(usual if usual in known or not known else known[0]))


def _plan(operator: Operator, parameters: list[_Taken], given: dict[str, Any]) -> Plan:
    declaration = operator._declaration
    arguments = {each.name: _argument(each, given[each.name]) for each in parameters}
    inputs = {each.of.name: arguments[each.name] for each in parameters if each.of in declaration.inputs}
    attrs = {each.of.name: arguments[each.name] for each in parameters if isinstance(each.of, DeclaredAttr)}
    outputs = {each.of.name: arguments[each.name] for each in parameters if each.of in declaration.outputs}
    for each in parameters:
        if each.name.endswith("Ref") and each.of.name in operator.outputs:
            outputs[each.of.name] = _argument(each, given[each.name])  # the same memory once more, as the output
    return make_plan(operator, [inputs[name] for name in operator.inputs], attrs, [outputs[name] for name in operator.outputs],
                     stream=_planning_stream([*inputs.values(), *outputs.values()]))  # fmt: skip


def _planning_stream(values: list[Any]) -> Stream:
    """Whose core limits hold: the stream that this thread asks, else the framework's own of the device where the tensors are."""
    tensors = [each for value in values for each in (value if isinstance(value, list) else [value]) if isinstance(each, OpTensor)]
    device = next((each.buffer.device for each in tensors if each.buffer is not None), None)
    asked = stream_in_use()
    return asked if asked is not None and (device is None or asked.device is device) else own_stream(device)


def _first_phase(operator: Operator, name: str, parameters: list[_Taken]) -> Callable[..., tuple[int, int, int]]:
    signature = inspect.Signature([inspect.Parameter(each.name, inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=each.kind)
                                   for each in parameters], return_annotation="tuple[int, int, int]")  # fmt: skip

    def first(*args: Any, **named: Any) -> tuple[int, int, int]:
        given = signature.bind(*args, **named).arguments
        try:
            plan = _plan(operator, parameters, given)
        except AclimbError as error:
            return 0, 0, refusal(f"aclnn.{name}", error, other=ACLNN_ERR_INNER_CREATE_EXECUTOR)
        return plan.workspace_size, EXECUTORS.add(plan), 0

    first.__name__ = first.__qualname__ = name
    first.__doc__ = f"{name}: (workspace size, executor, ret). The first phase of {operator.type}."
    first.__signature__ = signature  # type: ignore[attr-defined]
    return first


def _second_phase(op_type: str, name: str) -> Callable[[int | None, int, int, Stream | int | None], int]:
    def second(workspace: int | None, size: int, executor: int, stream: Stream | int | None) -> int:
        try:
            _run(op_type, workspace or 0, size, executor or 0, stream)
        except AclimbError as error:
            return refusal(f"aclnn.{name}", error)
        return 0

    second.__name__ = second.__qualname__ = name
    second.__doc__ = f"{name}: ret. The second phase of {op_type}: queues it on the stream and returns."
    return second


def _run(op_type: str, workspace: int, size: int, executor: int, stream: Stream | int | None) -> None:
    plan = EXECUTORS[executor]
    if plan.type != op_type:
        raise OpError(ACLNN_ERR_PARAM_INVALID, f"the executor is one of {plan.type}, not of {op_type}")
    if workspace and size < plan.workspace_size:
        raise OpError(ACLNN_ERR_PARAM_INVALID, f"the workspace of {op_type} has {size} bytes; it needs {plan.workspace_size}")
    on = stream if isinstance(stream, Stream) else stream_of(stream or 0)
    try:
        plan.run(workspace, on)
    finally:
        if plan.spent:
            end(executor)


def _operator(op_type: str) -> Operator | None:
    found = OpImplRegistry.instance().get(op_type)
    return found.prototype if found is not None else None


def __getattr__(name: str) -> Callable[..., Any]:
    """aclnn<Op>GetWorkspaceSize, aclnn<Op>TensorGetWorkspaceSize where values can be tensors, and aclnn<Op>."""
    is_first = name.endswith(_PHASE_1)
    op_type = name.removeprefix("aclnn").removesuffix(_PHASE_1)
    if name.startswith("aclnn"):
        operator, as_tensors = _operator(op_type), False
        if operator is None and op_type.endswith("Tensor"):
            operator, as_tensors = _operator(op_type.removesuffix("Tensor")), True
        if operator is not None:
            return (_first_phase(operator, name, parameters_of(operator, values_as_tensors=as_tensors)) if is_first
                    else _second_phase(operator.type, name))  # fmt: skip
    raise AttributeError(f"{__name__} has no {name}; it has aclnn<Op> and aclnn<Op>GetWorkspaceSize for operators that op.define() "
                         "declared and register() made known")  # fmt: skip


def __dir__() -> list[str]:
    types = [each for each in OpImplRegistry.instance().types() if _operator(each) is not None]
    return sorted([*__all__, *(f"aclnn{each}{phase}" for each in types for phase in ("", _PHASE_1))])
