# SPDX-License-Identifier: Apache-2.0
"""aclnn<Op>GetWorkspaceSize and aclnn<Op> of a program: which package a libcust_opapi.so belongs to, and what answers its functions."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from aclimb.errors import AclimbError
from aclimb.op import builtin
from aclimb.op.aclnn import PHASE_1, function_of, operator_types
from aclimb.op.aclnn.objects import refusal
from aclimb.op.native.package import find_operator, package_of
from aclimb.op.native.prototype import LoadedOperator
from aclimb.op.status import ACLNN_ERR_INNER_CREATE_EXECUTOR, ACLNN_ERR_PARAM_NULLPTR, OpError

# By the file of the library, too: another one may lie where a closed one did. None: an operator of our own.
_functions: dict[tuple[int, bytes, str], tuple[LoadedOperator | None, Callable[..., Any]]] = {}


class _DlInfo(ctypes.Structure):
    _fields_ = (("file", ctypes.c_char_p), ("base", ctypes.c_void_p), ("symbol", ctypes.c_char_p), ("address", ctypes.c_void_p))


def plan(inside: int, function: str, values: list[Any], size: int, executor: int) -> tuple[int, int, int]:
    """The first phase. `size` and `executor` say where the outputs go: aclnn has a code of its own for a missing one."""
    try:
        for name, place in (("workspaceSize", size), ("executor", executor)):
            if not place:
                raise OpError(ACLNN_ERR_PARAM_NULLPTR, f"{name} is NULL")
        found = _function(inside, function)
    except AclimbError as error:
        return 0, 0, refusal(function, error, other=ACLNN_ERR_INNER_CREATE_EXECUTOR)
    made: tuple[int, int, int] = found(*values)
    return made


def run(inside: int, function: str, workspace: int, size: int, executor: int, stream: int) -> int:
    """The second phase."""
    try:
        found = _function(inside, function)
    except AclimbError as error:
        return refusal(function, error)
    code: int = found(workspace, size, executor, stream)
    return code


def _function(inside: int, name: str) -> Callable[..., Any]:
    """libopapi.so, our own library of operators, gives no address inside itself."""
    file = file_of(inside) if inside else b""
    operator, function = _functions.get((inside, file, name), (None, None))
    if function is None or (operator is not None and not operator.is_open):
        operator, function = _functions[inside, file, name] = _found(file, name)
    return function


def _found(file: bytes, name: str) -> tuple[LoadedOperator | None, Callable[..., Any]]:
    if file:
        operator = operator_for(Path(os.fsdecode(file)), operator_types(name))
        return operator, function_of(operator, name)
    return None, builtin.first_phase(name) if name.endswith(PHASE_1) else builtin.second_phase(name)


def operator_for(file: Path, op_types: list[str]) -> LoadedOperator:
    """Of the package that the file belongs to, or of one that the environment names."""
    package = package_of(file)
    library = package.load() if package is not None else None
    for op_type in op_types:
        found = library.operators.get(op_type) if library is not None else None
        found = found or find_operator(op_type)
        if found is not None:
            return found
    raise AclimbError(f"nobody has {op_types[0]}: {file} lies in no package that has it, and no folder of ASCEND_CUSTOM_OPP_PATH or of "
                      "ASCEND_OPP_PATH has it; name the folder that `aclimb op build` made there")  # fmt: skip


def file_of(inside: int) -> bytes:
    """The library, or the program, that an address belongs to."""
    found = _DlInfo()
    there = _dladdr(inside, ctypes.byref(found))
    assert there, f"0x{inside:x} belongs to no library"
    file: bytes = found.file
    return file


_dladdr = ctypes.CDLL(None).dladdr
_dladdr.argtypes = (ctypes.c_void_p, ctypes.POINTER(_DlInfo))
