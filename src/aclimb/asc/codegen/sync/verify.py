# SPDX-License-Identifier: Apache-2.0
"""verify_sync: calls of a queue that have no partner, and tensors that are used when they are not there. Warnings, at the Python line."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path

from aclimb.asc.codegen.sync.accesses import effect_of, handle
from aclimb.asc.codegen.tree import Declare, Kernel, Line, Node, Place, walk
from aclimb.errors import BuildWarning

_QUEUES = ("TQue", "TQueBind")
_PAIRS = (("alloc_tensor", "free_tensor"), ("enque", "deque"))


def verify(kernel: Kernel) -> None:
    """The kernel with all its helpers inlined."""
    for place, sentence in dict.fromkeys(_found(list(walk(kernel.body)))):
        where = f"{Path(place.file).name}:{place.line}: " if place else ""
        warnings.warn(f"{where}{sentence}", BuildWarning, stacklevel=2)


def _found(nodes: list[Node]) -> Iterator[tuple[Place | None, str]]:
    yield from _without_partner(nodes)
    queued: dict[str, str] = {}  # tensor -> queue it was put into, until it is bound again
    freed: dict[str, str] = {}
    for node in nodes:
        effect = effect_of(node)
        bound = node.variable.name if isinstance(node, Declare) else ""
        if isinstance(node, Line) and " = " in node.text:
            bound = node.text.partition(" = ")[0]
        if effect is not None:
            for value in (*effect.reads, *effect.writes):
                name = handle(value)
                is_queues = effect.owner in _QUEUES
                if name in queued and not is_queues:
                    yield node.place, f"{name} is used between enque and deque of {queued[name]}; deque it first"
                elif name in freed and effect.call.name != "free_tensor":
                    yield node.place, f"{name} is used after free_tensor of {freed[name]}; free it after its last use"
                if is_queues and effect.receiver is not None:
                    into = {"enque": queued, "free_tensor": freed}.get(effect.call.name)
                    if into is not None:
                        into[name] = effect.receiver.text
        queued.pop(bound, None)
        freed.pop(bound, None)


def _without_partner(nodes: list[Node]) -> Iterator[tuple[Place | None, str]]:
    calls: dict[str, dict[str, list[Place | None]]] = {}
    for node in nodes:
        effect = effect_of(node)
        if effect is not None and effect.owner in _QUEUES and effect.receiver is not None:
            calls.setdefault(effect.receiver.text, {}).setdefault(effect.call.name, []).append(node.place)
    for queue, found in calls.items():
        for one, other in _PAIRS:
            for mine, theirs in ((one, other), (other, one)):
                if mine in found and theirs not in found:
                    yield found[mine][0], f"{queue}.{mine} has no {queue}.{theirs}"
