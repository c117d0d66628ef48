# SPDX-License-Identifier: Apache-2.0
"""Hand-written aclnn functions of a program: what their C++ asks (aclimb/level0.h), answered with the operators of their package."""

from __future__ import annotations

import ctypes
import logging
import os
from pathlib import Path
from typing import Any

from aclimb.errors import AclimbError
from aclimb.host.aclnn_calls import file_of, operator_for
from aclimb.op.aclnn.objects import refusal
from aclimb.op.declare.space import default_space_registry
from aclimb.op.execute.operator import Operator
from aclimb.op.level0 import calls
from aclimb.op.status import ACLNN_ERR_INNER_FIND_KERNEL_ERROR, OpError

_log = logging.getLogger("aclimb")
MOST_RESULTS = 64  # words that C++ has room for


def _find(inside: int, op_type: str) -> Operator:
    """An operator of the package that asks, of one of the environment, or one that is registered."""
    try:
        return operator_for(Path(os.fsdecode(file_of(inside))), [op_type])
    except AclimbError as error:
        registered = default_space_registry().get_op_impl(op_type)
        if registered is None or registered.prototype is None:
            raise OpError(ACLNN_ERR_INNER_FIND_KERNEL_ERROR, str(error)) from error
        known: Operator = registered.prototype
        return known


def call(inside: int, function: str, method: str, values: list[Any] | None, results: int) -> int:
    """The code; numbers go to `results`. `function` is the aclnn function that asks, for messages."""

    try:
        found = calls.call(method, values or [], lambda op_type: _find(inside, op_type))
    except AclimbError as error:
        code = refusal(function or method, error)
        _log.error("%s: %s", function or method, str(error))  # the error itself would keep what it was about
        return code
    assert len(found) <= MOST_RESULTS, f"{method} has {len(found)} results"
    (ctypes.c_int64 * len(found)).from_address(results)[:] = [each - 2**64 if each >= 2**63 else each for each in found]
    return 0
