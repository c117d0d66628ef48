# SPDX-License-Identifier: Apache-2.0
"""acl_op_compiler.h: options that are kept and read back, and operators that real toolkits compile when they run.

An operator that the program registered, or that a package in the environment has, runs as with aclopExecute. There are no others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from aclimb.errors import InvalidArgument, Refused
from aclimb.op.single import aclop, declared
from aclimb.op.single.registry import OP_NOT_FOUND, has_selector
from aclimb.runtime.handles import NULL

_EXECUTE = "z op_type, i num_inputs, o in_descs, o inputs, i num_outputs, o out_descs, o outputs, p attr"

TABLE = f"""
aclSetCompileopt                      i option, z value                                                 ->
aclGetCompileoptSize                  i option                                                          => size
aclGetCompileopt                      i option, k length                                                -> value:t
aclopCompileAndExecute                {_EXECUTE}, i engine, i compile_type, z path, p stream  ->
aclopCompileAndExecuteV2              {_EXECUTE}, i engine, i compile_type, z path, p stream  ->
"""

WITHOUT_EFFECT = """
aclopSetCompileFlag                   i flag                                                            ->
"""

UNSUPPORTED = {
    "operators are not compiled when they run; build the kernel with `aclimb build`, or the package with `aclimb op build`": """
aclopCompile                          ->
aclGenGraphAndDumpForOp               ->
aclCreateGraphDumpOpt                 => value
aclDestroyGraphDumpOpt                ->
""",
}

_OPTIONS = ("ACL_PRECISION_MODE", "ACL_AICORE_NUM", "ACL_AUTO_TUNE_MODE", "ACL_OP_SELECT_IMPL_MODE", "ACL_OPTYPELIST_FOR_IMPLMODE",
            "ACL_OP_DEBUG_LEVEL", "ACL_DEBUG_DIR", "ACL_OP_COMPILER_CACHE_MODE", "ACL_OP_COMPILER_CACHE_DIR", "ACL_OP_PERFORMANCE_MODE",
            "ACL_OP_JIT_COMPILE", "ACL_OP_DETERMINISTIC", "ACL_CUSTOMIZE_DTYPES", "ACL_OP_PRECISION_MODE", "ACL_ALLOW_HF32",
            "ACL_PRECISION_MODE_V2", "ACL_OP_DEBUG_OPTION")  # fmt: skip
AT_FIRST = {_OPTIONS.index("ACL_OP_JIT_COMPILE"): "disable", _OPTIONS.index("ACL_OP_DETERMINISTIC"): "1"}  # what holds here
_values = dict(AT_FIRST)


def _require_option(option: int) -> None:
    if not 0 <= option < len(_OPTIONS):
        raise InvalidArgument(
            f"compile option {option} does not exist; there are 0 ({_OPTIONS[0]}) to {len(_OPTIONS) - 1} ({_OPTIONS[-1]})"
        )


def aclSetCompileopt(option: int, value: str | None) -> None:
    """Kept and given back; nothing is compiled that it could change."""
    _require_option(option)
    if value is None:
        raise Refused(NULL, "value is NULL")
    _values[option] = value


def aclGetCompileoptSize(option: int) -> int:
    """With the byte that ends the text."""
    _require_option(option)
    return len(_values.get(option, "").encode(errors="surrogateescape")) + 1  # a C text need not be UTF-8


def aclGetCompileopt(option: int, length: int) -> str:
    size = aclGetCompileoptSize(option)
    if length < size:
        raise InvalidArgument(f"the value of {_OPTIONS[option]} needs {size} bytes; length is {length}")
    return _values.get(option, "")


def aclopSetCompileFlag(flag: int) -> None:
    """Shapes may always change."""


def _require_known(op_type: str | None) -> None:
    if op_type is None:
        raise Refused(NULL, "opType is NULL")
    if declared.find(op_type) is None and not has_selector(op_type):
        raise Refused(OP_NOT_FOUND, f"aclimb has no operator {op_type}; move the tensors to the CPU (.cpu()), run a kernel of your own on "
                      "them, or name the package that has the operator in ASCEND_CUSTOM_OPP_PATH")  # fmt: skip


def _execute(execute: Callable[..., None], op_type: str, values: tuple[Any, ...]) -> None:
    """Without engine, kind of compilation and path."""
    _require_known(op_type)
    execute(op_type, *values[:-4], values[-1])


def aclopCompileAndExecute(op_type: str, *values: Any) -> None:
    """As aclopExecute."""
    _execute(aclop.aclopExecute, op_type, values)


def aclopCompileAndExecuteV2(op_type: str, *values: Any) -> None:
    """As aclopExecuteV2."""
    _execute(aclop.aclopExecuteV2, op_type, values)
