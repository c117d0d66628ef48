# SPDX-License-Identifier: Apache-2.0
"""Which unit a statement works on, and which memory it reads and writes."""

from __future__ import annotations

from dataclasses import dataclass, field

from aclimb.asc.codegen.tree import Block, Declare, Effect, Line, Node
from aclimb.asc.codegen.values import Tensor, Value, Variable

_CUBE = {"mmad": "M", "mmad_with_sparse": "M", "fixpipe": "FIX", "init_const_value": "MTE2"}
_TENSORS = ("LocalTensor", "GlobalTensor")
STATIC = "tensors with addresses of their own"  # they may overlap


@dataclass
class Accesses:
    unit: str  # V, S, MTE1, MTE2, MTE3, M, FIX; ALL for a call that waits for everything
    reads: list[object] = field(default_factory=list)
    writes: list[object] = field(default_factory=list)


def effect_of(node: Node) -> Effect | None:
    return node.effect if isinstance(node, Line | Declare | Block) else None


def memory_of(value: Value) -> object:
    """What two tensors share that may overlap: a queue, a buffer, an array in global memory."""
    root = value.root
    if root is None:
        return value.text.partition("[")[0]
    kind = root.declaration.type if root.declaration is not None else None
    if isinstance(kind, Tensor) and kind.is_local and root.declaration is not None and root.declaration.is_constructed:
        return STATIC
    return root


def accesses_of(effect: Effect | None) -> Accesses | None:
    """None where a statement touches no tensor's content."""
    if effect is None or not (effect.reads or effect.writes):
        return None
    name = effect.call.name
    if effect.owner in _TENSORS:
        if name not in ("get_value", "set_value"):
            return None
        unit = "S"
    elif effect.owner == "Matmul" and effect.writes and memory_of(effect.writes[0]) is not None:
        unit = "MTE2"  # the result comes through global memory
    elif effect.owner:
        return None
    elif effect.call.unit == "print" or effect.call.unit == "cross":
        unit = "ALL"
    elif effect.call.unit == "copy":
        unit = _copying(effect)
    elif effect.call.unit == "M":
        unit = _CUBE.get(name, "MTE1")
    else:
        unit = "V"
    return Accesses(unit, [memory_of(each) for each in effect.reads], [memory_of(each) for each in effect.writes])


def _copying(effect: Effect) -> str:
    dst, src = effect.writes[0].type, effect.reads[0].type if effect.reads else None
    to_global = isinstance(dst, Tensor) and not dst.is_local
    from_global = isinstance(src, Tensor) and not src.is_local
    return "MTE3" if to_global else "MTE2" if from_global else "V"


def handle(value: Value) -> str:
    """The variable that a tensor's text begins with."""
    return value.text.partition("[")[0].partition(".")[0]


__all__ = ["STATIC", "Accesses", "Variable", "accesses_of", "effect_of", "handle", "memory_of"]
