# SPDX-License-Identifier: Apache-2.0
"""The C API: every function of acl/acl.h and runtime/rt.h under its C name, in C's parameter order, None for NULL.

What C gives back through pointers comes before the code: `function, ret = aclrtBinaryGetFunctionByEntry(binary, 7)`. Handles and addresses
are those of `acl`. Calls that pyACL has too are taken from there; those that only C has, or has otherwise, are in the files of this folder.
C and C++ programs reach the same functions through libascendcl.so and libruntime.so (aclimb.host.door).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from aclimb import calls, run
from aclimb.capi import callbacks, descriptors, kernels, models, objects, op_compiler, rt, runtime, settings, unsupported
from aclimb.op.single import aclop

ACL_GROUPS = ("_base", "_devices", "_streams", "_events", "_callbacks", "_memory", "_binaries", "_args", "_launches", "_descriptors")

ALL = calls.group_of(unsupported)
for _name in ACL_GROUPS:
    ALL.add(calls.in_c(run.our_acl()[f"acl.{_name}"]))
for _module in (aclop, kernels, runtime, rt, settings, callbacks, models, descriptors, objects, op_compiler):
    ALL.add(calls.group_of(_module))
ROWS = ALL.rows


def __getattr__(name: str) -> Callable[..., Any]:
    """The wrapper that checks arguments and answers with a code is made when a function is asked for the first time: a program uses few."""
    if name not in ROWS:
        raise AttributeError(f"module {calls.C_API!r} has no attribute {name!r}")
    if name in ALL.unsupported:
        made = calls.unsupported(calls.C_API, [ROWS[name]], ALL.unsupported[name])[name]
    else:
        made = calls.bind(calls.C_API, {name: ROWS[name]}, ALL.functions)[name]
    globals()[name] = made
    return made


def __dir__() -> list[str]:
    return sorted(ROWS)
