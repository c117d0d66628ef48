# SPDX-License-Identifier: Apache-2.0
"""stream-fusion=1: cube kernels of one stream beside vector kernels of another. AICs walk all C and M kernels, AIVs all V and M
kernels; edges order what has to be ordered."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal, NamedTuple

from aclimb.fuse import rules
from aclimb.fuse.rules import Class, Core

if TYPE_CHECKING:
    from aclimb.fuse.make import Builder

Direction = Literal["cub:cub", "vec:vec", "cub:vec", "vec:cub"]


class Edge(NamedTuple):
    sender: int
    receiver: int
    direction: Direction


def directions(first: Class, second: Class) -> tuple[Direction, ...]:
    if first == second == "M":
        return ("cub:vec", "vec:cub")
    if first == second:
        return ("cub:cub",) if first == "C" else ("vec:vec",)
    return ("cub:vec",) if (first, second) in (("C", "V"), ("C", "M"), ("M", "V")) else ("vec:cub",)


def without_needless(edges: Iterable[Edge]) -> list[Edge]:
    """Crossed edges, further receivers of one sender, earlier senders of one receiver: others see to these already."""
    kept = sorted(set(edges))

    def of_direction(edge: Edge) -> list[Edge]:
        return [e for e in kept if e.direction == edge.direction]

    kept = [e for e in kept if not any(o.sender > e.sender and o.receiver < e.receiver for o in of_direction(e))]
    kept = [e for e in kept if not any(o.sender == e.sender and o.receiver < e.receiver for o in of_direction(e))]
    return [e for e in kept if not any(o.receiver == e.receiver and o.sender > e.sender for o in of_direction(e))]


def edges_of(builder: Builder) -> list[Edge]:
    found: list[Edge] = []
    members, classes = builder.members, builder.classes

    def connect(first: int, second: int) -> None:
        found.extend(Edge(first, second, direction) for direction in directions(classes[first], classes[second]))

    last: dict[int, int] = {}
    for index, member in enumerate(members):
        if member.stream in last:
            connect(last[member.stream], index)
        last[member.stream] = index
    for _, sender, receiver in builder.events.inner:
        connect(sender, receiver)
    for index in range(len(members) - 1):
        if classes[index] == "M" and builder.events.sends[index] and members[index].stream != members[index + 1].stream:
            connect(index, index + 1)
    return without_needless(found)


def build_two_streams(builder: Builder) -> None:
    edges = edges_of(builder)
    for core in ("aic", "aiv"):
        if builder.has(core):
            _walk(builder, core, edges)


def _walk(builder: Builder, core: Core, edges: list[Edge]) -> None:
    mine = [index for index in range(len(builder.members)) if builder.has_core(index, core)]
    crossing: Direction = "cub:vec" if core == "aic" else "vec:cub"
    coming: Direction = "vec:cub" if core == "aic" else "cub:vec"
    for index in mine:
        builder.before_call(index, (core,))
        if any(edge.receiver == index and edge.direction == coming for edge in edges):
            sender = next(edge.sender for edge in edges if edge.receiver == index and edge.direction == coming)
            reason = f"{builder.names[index]} comes behind {builder.names[sender]}"
            builder.emit(core, ("wait 12" if core == "aic" else "wait 13",), index, "all", reason)
        _wait_for_outside(builder, core, index)
        if builder.members[index].task_type == "dynamic":
            builder.emit(core, rules.MEET[core], index, "all", "everybody has read its tiling")
        builder.call(index, (core,))
        if index == len(builder.members) - 1:
            continue
        leaving = [edge for edge in edges if edge.sender == index]
        if leaving or builder.events.sends[index]:
            builder.emit(core, rules.MEET[core], index, "all", f"all of {builder.names[index]} ends here")
        elif index != mine[-1]:
            builder.emit(core, ("barrier",), index, "all", f"nothing comes behind {builder.names[index]}")
        if any(edge.direction == crossing for edge in leaving):
            text = "set MTE3 2 13" if core == "aic" else "set MTE3 2 12"
            receiver = next(edge.receiver for edge in leaving if edge.direction == crossing)
            builder.emit(core, (text,), index, "all", f"{builder.names[receiver]} comes behind {builder.names[index]}")
        if builder.lock_core(index) == core:
            builder.notify(index)


def _wait_for_outside(builder: Builder, core: Core, index: int) -> None:
    if not builder.events.receives[index]:
        return
    if builder.lock_core(index) == core:
        builder.wait_for_events(index)
        builder.emit(core, rules.MEET[core], index, "all", "only one core saw the event")
        if builder.classes[index] == "M":
            builder.emit(core, ("set MTE3 2 12",), index, "all", "the AICs did not see the event")
    elif builder.classes[index] == "M":
        builder.emit(core, ("wait 12",), index, "all", "the AIVs saw the event")
