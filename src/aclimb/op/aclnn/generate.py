# SPDX-License-Identifier: Apache-2.0
"""aclnn_<op>.h and aclnn_<op>.cpp: the two functions of an operator for C and C++ programs, made of its declaration."""

from __future__ import annotations

from dataclasses import dataclass

from aclimb.errors import InvalidArgument
from aclimb.op.aclnn.functions import Taken, has_values, parameters_of
from aclimb.op.declare.declaration import DeclaredAttr
from aclimb.op.declare.kernel import kernel_name
from aclimb.op.execute.operator import Operator

_ATTR_TYPES = {"bool": "bool ", "int": "int64_t ", "float": "double ", "str": "char* "}

_HEADER = """/* Made by aclimb from the declaration of {op_type}: do not edit. */
#pragma once
#include "acl/acl_rt.h"
#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {{
#endif
{functions}
#ifdef __cplusplus
}}
#endif
"""

_PROTOTYPES = """
/* {said} */
__attribute__((visibility("default"))) aclnnStatus {name}GetWorkspaceSize({parameters});
/* Queues it on the stream and returns. The workspace stays in use until the stream is through. */
__attribute__((visibility("default"))) aclnnStatus {name}(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
    aclrtStream stream);
"""

_SOURCE = """// Made by aclimb from the declaration of {op_type}: do not edit.
#include "{header}"

#include "aclimb/aclnn.h"

namespace {{
const char aclimb_inside = 0; // this library, and by it the package
}}
{functions}"""

_DEFINITIONS = """
aclnnStatus {name}GetWorkspaceSize({parameters}) {{
    const aclimb_value aclimb_values[] = {{{values}}};
    return aclimb::aclnn::plan(&aclimb_inside, "{name}GetWorkspaceSize", aclimb_values, workspaceSize, executor);
}}

aclnnStatus {name}(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream) {{
    return aclimb_aclnn_run(&aclimb_inside, "{name}", workspace, workspaceSize, executor, stream);
}}
"""


@dataclass(frozen=True, slots=True)
class ApiFiles:
    """The two files of an operator."""

    name: str  # without suffix: aclnn_add_custom
    header: str
    source: str


def generate(operator: Operator) -> ApiFiles:
    """Raises InvalidArgument for an operator that aclnn has no types for."""
    name = f"aclnn_{kernel_name(operator.type)}"
    functions = {f"aclnn{operator.type}": parameters_of(operator)}
    if has_values(operator):
        functions[f"aclnn{operator.type}Tensor"] = parameters_of(operator, values_as_tensors=True)
    prototypes = "".join(_PROTOTYPES.format(name=each, said=_said(taken), parameters=_parameters(operator, taken))
                         for each, taken in functions.items())  # fmt: skip
    definitions = "".join(_DEFINITIONS.format(name=each, parameters=_parameters(operator, taken), values=_values(taken))
                          for each, taken in functions.items())  # fmt: skip
    return ApiFiles(name, _HEADER.format(op_type=operator.type, functions=prototypes),
                    _SOURCE.format(op_type=operator.type, header=f"{name}.h", functions=definitions))  # fmt: skip


def _parameters(operator: Operator, taken: list[Taken]) -> str:
    """C's parameter list, one a line."""
    given = [_type(operator, each) + each.name for each in taken]
    return "".join(f"\n    {each}," for each in [*given, "uint64_t* workspaceSize"]) + "\n    aclOpExecutor** executor"


def _type(operator: Operator, taken: Taken) -> str:
    if taken.kind.startswith("acl"):
        return f"{taken.kind}* " if taken.is_reference else f"const {taken.kind}* "
    if taken.kind not in _ATTR_TYPES:
        raise InvalidArgument(f"attribute {taken.of.name} of {operator.type} is a list of lists, which aclnn has no type for")
    return _ATTR_TYPES[taken.kind]


def _values(taken: list[Taken]) -> str:
    casts = {"str": "static_cast<const char*>({})"}
    return ", ".join(f"aclimb::aclnn::of({casts.get(each.kind, '{}').format(each.name)})" for each in taken)


def _said(taken: list[Taken]) -> str:
    """What the types do not say: which may be NULL."""
    absent = [each.name for each in taken if each.may_be_null and not isinstance(each.of, DeclaredAttr)]
    defaults = [each.name for each in taken if each.may_be_null and isinstance(each.of, DeclaredAttr)]
    words = ["How much workspace it needs, and an executor for the second call."]
    words += [f"NULL is taken for {', '.join(absent)}."] if absent else []
    words += [f"NULL is the default of {', '.join(defaults)}."] if defaults else []
    return " ".join(words)
