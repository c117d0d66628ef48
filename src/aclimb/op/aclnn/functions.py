# SPDX-License-Identifier: Apache-2.0
"""The two functions that C has for an operator, made of its declaration."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from aclimb.errors import AclimbError
from aclimb.op.aclnn.executors import EXECUTORS, end
from aclimb.op.aclnn.objects import ARRAY_DTYPES, ARRAYS, SCALAR_LISTS, SCALARS, TENSOR_LISTS, TENSORS, refusal
from aclimb.op.declare.declaration import REQUIRED, Declared, DeclaredAttr
from aclimb.op.execute.operator import Operator
from aclimb.op.execute.plan import OpPlan
from aclimb.op.execute.run import own_stream
from aclimb.op.node.dtypes import dtype_of
from aclimb.op.node.node import OpTensor
from aclimb.op.status import ACLNN_ERR_INNER_CREATE_EXECUTOR, ACLNN_ERR_PARAM_INVALID, ACLNN_ERR_PARAM_NULLPTR, OpError
from aclimb.runtime import dumps
from aclimb.runtime.context import stream_in_use, stream_of
from aclimb.runtime.stream import Stream

_ATTRS = {bool: "bool", int: "int", float: "float", str: "str", list[bool]: "aclBoolArray", list[int]: "aclIntArray",
          list[float]: "aclFloatArray"}  # fmt: skip
_VALUES: dict[str, Callable[[Any], Any]] = {"bool": bool, "int": int, "float": float}


@dataclass(frozen=True, slots=True)
class Taken:
    """A parameter of the first phase, and what of the operator it is."""

    name: str
    kind: str
    of: Declared | DeclaredAttr
    is_reference: bool = False  # an input that is an output, too

    @property
    def may_be_null(self) -> bool:
        if isinstance(self.of, DeclaredAttr):
            return self.of.default is not REQUIRED and self.kind not in ("bool", "int", "float")
        return self.of.optional or self.of.nullable


def parameters_of(operator: Operator, *, values_as_tensors: bool = False) -> list[Taken]:
    """Inputs, attributes and outputs, in the order of their declaration, each under its C name."""
    declaration = operator._declaration
    outputs = {each.name for each in declaration.outputs}
    taken = []
    for each in declaration.inputs:
        suffix = "Ref" if each.name in outputs else "Optional" if each.optional else ""
        taken.append(Taken(_camel(each.name) + suffix, _input_kind(each, values_as_tensors), each, suffix == "Ref"))
    taken += [Taken(_camel(each.name), _ATTRS.get(each.kind, "list"), each) for each in declaration.attrs if not each.private]
    inputs = {each.name for each in declaration.inputs}
    for each in declaration.outputs:
        if each.name not in inputs:
            name = "out" if len(declaration.outputs) == 1 else f"{_camel(each.name)}Out"
            taken.append(Taken(name, "aclTensorList" if each.dynamic else "aclTensor", each))
    return taken


def has_values(operator: Operator) -> bool:
    """Whether an input is read as a value on the host: then there is a function more, which takes it as a tensor."""
    return any(each.value_depend and not each.dynamic and not each.scalar for each in operator._declaration.inputs)


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


def _argument(taken: Taken, given: Any) -> Any:
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
        return values.tolist()
    known = (*taken.of.dtypes, *taken.of.dtype_list)
    usual = ARRAY_DTYPES[kind]
    return values.astype(dtype_of(usual if usual in known or not known else known[0]))


def attribute_of(taken: Taken, given: Any) -> Any:
    """The value of an attribute as C++ gives it: any number where a number is declared."""
    return _VALUES[taken.kind](given) if taken.kind in _VALUES else _argument(taken, given)


def _plan(operator: Operator, parameters: list[Taken], given: dict[str, Any]) -> OpPlan:
    declaration = operator._declaration
    arguments = {each.name: _argument(each, given[each.name]) for each in parameters}
    inputs = {each.of.name: arguments[each.name] for each in parameters if each.of in declaration.inputs}
    attrs = {each.of.name: arguments[each.name] for each in parameters if isinstance(each.of, DeclaredAttr)}
    outputs = {each.of.name: arguments[each.name] for each in parameters if each.of in declaration.outputs}
    for each in parameters:
        if each.is_reference:
            outputs[each.of.name] = _argument(each, given[each.name])  # the same memory once more, as the output
    return operator._plan([inputs[name] for name in operator.inputs], attrs, [outputs[name] for name in operator.outputs],
                     stream=planning_stream([*inputs.values(), *outputs.values()]), counts_absent=True)  # fmt: skip


def planning_stream(values: list[Any]) -> Stream:
    """Whose core limits hold: the stream that this thread asks, else the framework's own of the device where the tensors are."""
    tensors = [each for value in values for each in (value if isinstance(value, list) else [value]) if isinstance(each, OpTensor)]
    device = next((each.buffer.device for each in tensors if each.buffer is not None), None)
    asked = stream_in_use()
    return asked if asked is not None and (device is None or asked.device is device) else own_stream(device)


def first_phase(operator: Operator, name: str, parameters: list[Taken]) -> Callable[..., tuple[int, int, int]]:
    signature = inspect.Signature([inspect.Parameter(each.name, inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=each.kind)
                                   for each in parameters], return_annotation="tuple[int, int, int]")  # fmt: skip

    def first(*args: Any, **named: Any) -> tuple[int, int, int]:
        given = signature.bind(*args, **named).arguments
        try:
            plan = _plan(operator, parameters, given)
        except AclimbError as error:
            return 0, 0, refusal(name, error, other=ACLNN_ERR_INNER_CREATE_EXECUTOR)
        return plan.workspace_size, EXECUTORS.add(plan), 0

    first.__name__ = first.__qualname__ = name
    first.__doc__ = f"{name}: (workspace size, executor, ret). The first phase of {operator.type}."
    first.__signature__ = signature  # type: ignore[attr-defined]
    return first


def second_phase(op_type: str, name: str) -> Callable[[int | None, int, int, Stream | int | None], int]:
    def second(workspace: int | None, size: int, executor: int, stream: Stream | int | None) -> int:
        try:
            _run(op_type, workspace or 0, size, executor or 0, stream)
        except AclimbError as error:
            return refusal(name, error)
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
    dumps.say_left_out()
    try:
        plan.run(workspace, on)
    finally:
        if plan.spent:
            end(executor)
