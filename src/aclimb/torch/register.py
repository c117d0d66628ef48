# SPDX-License-Identifier: Apache-2.0
"""`register(add)` makes torch.ops.aclimb.add_scaled of an operator: on the CPU, on the npu where torch_npu is, and with shapes only."""

from __future__ import annotations

import re
import threading
from dataclasses import dataclass
from typing import Any

import torch

from aclimb.errors import InvalidArgument
from aclimb.op.declare.kernel import kernel_name
from aclimb.op.execute.operator import Operator
from aclimb.torch.calls import Calls
from aclimb.torch.schema import schema_of

NAMESPACE = "aclimb"
_NAME = re.compile(r"[A-Za-z]\w*")
_CALLED = (torch._ops.OpOverload, torch._ops.OpOverloadPacket)
_lock = threading.Lock()


@dataclass(frozen=True)
class Registered:
    name: str
    calls: Calls
    library: Any  # torch's; what it defined goes with it


_known: dict[str, Registered] = {}  # by name
_by_overload: dict[Any, Registered] = {}


def register(operator: Operator, name: str | None = None) -> Any:
    """The operator as `torch.ops.aclimb.<name>`; without a name, add_custom for AddCustom. Registered again it is the same one.

    It takes the inputs in their order and attributes by name, and returns new tensors. Types and shapes of them come from the operator's
    own inference, so it can be traced, exported and compiled. Calls on the CPU return when the result is there.
    """
    if not isinstance(operator, Operator):
        raise InvalidArgument(
            f"{type(operator).__name__} is not an operator; register takes what op.define made, or library['Type'] of op.load"
        )
    name = kernel_name(operator.type) if name is None else name
    if not _NAME.fullmatch(name):
        raise InvalidArgument(f"{name!r} is no name for torch.ops.{NAMESPACE}; it takes letters, digits and _")
    operator._impl()  # it has to be registered itself
    with _lock:
        found = _known.get(name)
        if found is not None and found.calls.operator is not operator:
            raise InvalidArgument(
                f"torch.ops.{NAMESPACE}.{name} is {found.calls.operator.type} already; unregister it, or give another name"
            )
        if found is None:
            _known[name] = found = _define(name, operator)
            _by_overload[getattr(torch.ops.aclimb, name).default] = found
    return getattr(torch.ops.aclimb, name)


def unregister(name: str) -> None:
    """Takes it out of torch.ops again; functions that were compiled with it fail from then on."""
    with _lock:
        found = _known.pop(name, None)
        if found is None:
            raise InvalidArgument(f"torch.ops.{NAMESPACE} has no {name!r}; registered are {', '.join(_known) or 'none'}")
        _by_overload.pop(getattr(torch.ops.aclimb, name).default, None)
        found.library._destroy()


def registered_as(target: Any) -> Registered | None:
    """The operator behind a call of a graph, which may name it without its overload."""
    return _by_overload.get(getattr(target, "default", target)) if isinstance(target, _CALLED) else None


def _define(name: str, operator: Operator) -> Registered:
    schema, calls = schema_of(operator._declaration), Calls(operator)
    library = torch.library.Library(NAMESPACE, "FRAGMENT")
    library.define(name + schema, tags=(torch.Tag.pt2_compliant_tag,))
    library.impl(name, calls.on_cpu, "CPU")
    library.impl(name, calls.on_npu, "PrivateUse1")
    torch.library.register_fake(f"{NAMESPACE}::{name}", calls.fake, lib=library)
    return Registered(name, calls, library)
