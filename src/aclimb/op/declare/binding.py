# SPDX-License-Identifier: Apache-2.0
"""The arguments of a call, bound to what the operator declares."""

from __future__ import annotations

from typing import Any

import numpy as np

from aclimb.errors import AclimbError
from aclimb.op.declare.declaration import Declaration, Declared
from aclimb.op.node.node import Node, OpTensor, Value, as_tensor, next_name, tensors_of, unknown_output
from aclimb.op.status import ACLNN_ERR_PARAM_INVALID, ACLNN_ERR_PARAM_NULLPTR, OpError


def bind(declaration: Declaration, values: list[Any], attrs: dict[str, Any], out: list[Any] | None) -> Node:
    """The node of a call: inputs in the order of the prototype, outputs where they are given."""
    op_type = declaration.op_type
    inputs = [_value(op_type, each, value) for each, value in zip(declaration.inputs, values, strict=True)]
    bound = declaration.bind_attrs(attrs)
    given = {each.name: tensors_of(value) for each, value in zip(declaration.inputs, inputs, strict=True)}
    outputs: list[Value]
    if out is not None:
        if len(out) != len(declaration.outputs):
            raise OpError(ACLNN_ERR_PARAM_INVALID, f"{op_type} has {len(declaration.outputs)} outputs; {len(out)} are given")
        outputs = [_value(op_type, each, value) for each, value in zip(declaration.outputs, out, strict=True)]
        given |= {each.name: tensors_of(value) for each, value in zip(declaration.outputs, outputs, strict=True)}
    else:
        outputs = [unknown_output() for _ in declaration.outputs]
    declaration.require_supported(given)
    return Node(op_type, next_name(op_type), [each.parameter for each in declaration.inputs],
                [each.parameter for each in declaration.outputs], inputs, outputs, bound)  # fmt: skip


def _value(op_type: str, declared: Declared, value: Any) -> Value:
    if declared.dynamic:
        if not isinstance(value, list | tuple):
            raise OpError(ACLNN_ERR_PARAM_NULLPTR if value is None else ACLNN_ERR_PARAM_INVALID,
                          f"{declared.name} of {op_type} takes a list of tensors")  # fmt: skip
        return [_tensor(op_type, declared, each) for each in value]
    if value is None:
        if declared.optional or declared.nullable:
            return None
        raise OpError(ACLNN_ERR_PARAM_NULLPTR, f"{op_type} needs {declared.name}")
    return _tensor(op_type, declared, value)


def _tensor(op_type: str, declared: Declared, value: Any) -> OpTensor:
    try:
        return as_tensor(np.asarray(value) if declared.scalar and isinstance(value, int | float | bool) else value)
    except AclimbError as error:
        raise OpError(ACLNN_ERR_PARAM_INVALID, f"{declared.name} of {op_type}: {error}") from error
