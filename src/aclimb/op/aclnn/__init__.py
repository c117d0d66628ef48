# SPDX-License-Identifier: Apache-2.0
"""Two phases as C spells them: `aclnn<Op>GetWorkspaceSize` and `aclnn<Op>` of every operator that is registered with a prototype.

    size, executor, ret = aclnn.aclnnAddCustomGetWorkspaceSize(x, y, alpha, out)
    ret = aclnn.aclnnAddCustom(workspace, size, executor, stream)

What C gives back through pointers comes before the code. Tensors, arrays and executors are numbers, 0 or None is null; the sentence behind
a code is in acl.get_recent_err_msg(). `operator.plan(...)` is the same for Python.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from aclimb.op.aclnn.executors import (
    aclDestroyAclOpExecutor,
    aclSetAclOpExecutorRepeatable,
    aclSetDynamicInputTensorAddr,
    aclSetDynamicOutputTensorAddr,
    aclSetDynamicTensorAddr,
    aclSetInputTensorAddr,
    aclSetOutputTensorAddr,
    aclSetTensorAddr,
)
from aclimb.op.aclnn.functions import first_phase, parameters_of, second_phase
from aclimb.op.aclnn.objects import (
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
)
from aclimb.op.declare.space import default_space_registry
from aclimb.op.execute.operator import Operator

__all__ = [
    "aclCreateBoolArray", "aclCreateFloatArray", "aclCreateIntArray", "aclCreateScalar", "aclCreateScalarList", "aclCreateTensor",
    "aclCreateTensorList", "aclDestroyAclOpExecutor", "aclDestroyBoolArray", "aclDestroyFloatArray", "aclDestroyIntArray",
    "aclDestroyScalar", "aclDestroyScalarList", "aclDestroyTensor", "aclDestroyTensorList", "aclGetViewShape",
    "aclSetAclOpExecutorRepeatable", "aclSetDynamicInputTensorAddr", "aclSetDynamicOutputTensorAddr", "aclSetDynamicTensorAddr",
    "aclSetInputTensorAddr", "aclSetOutputTensorAddr", "aclSetTensorAddr",
]  # fmt: skip

PHASE_1 = "GetWorkspaceSize"


def _operator(op_type: str) -> Operator | None:
    found = default_space_registry().get_op_impl(op_type)
    return found.prototype if found is not None else None


def operator_types(name: str) -> list[str]:
    """Of which operator a function may be. One of type XTensor comes before the function of X that takes values as tensors."""
    op_type = name.removeprefix("aclnn").removesuffix(PHASE_1)
    return [op_type, op_type.removesuffix("Tensor")] if op_type.endswith("Tensor") else [op_type]


def function_of(operator: Operator, name: str) -> Callable[..., Any]:
    """The function of an operator that C has under that name."""
    if name.endswith(PHASE_1):
        as_tensors = operator.type != operator_types(name)[0]
        return first_phase(operator, name, parameters_of(operator, values_as_tensors=as_tensors))
    return second_phase(operator.type, name)


def __getattr__(name: str) -> Callable[..., Any]:
    """aclnn<Op>GetWorkspaceSize, aclnn<Op>TensorGetWorkspaceSize where values can be tensors, and aclnn<Op>."""
    if name.startswith("aclnn"):
        for op_type in operator_types(name):
            operator = _operator(op_type)
            if operator is not None:
                return function_of(operator, name)
    raise AttributeError(f"{__name__} has no {name}; it has aclnn<Op> and aclnn<Op>GetWorkspaceSize for operators that op.define() "
                         "declared and register() made known")  # fmt: skip


def __dir__() -> list[str]:
    types = [each for each in default_space_registry().types() if _operator(each) is not None]
    return sorted([*__all__, *(f"aclnn{each}{phase}" for each in types for phase in ("", PHASE_1))])
