# SPDX-License-Identifier: Apache-2.0
"""Programs of plain events: what the model of order is tested with, without a kernel and without a compiler.

A program is one list of events for each core, in the order in which its scalar unit issues them. Memories are names, bytes are small
numbers; nothing here has a value.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import NamedTuple

AIV_PIPES = ("V", "MTE2", "MTE3")
AIC_PIPES = ("M", "MTE1", "MTE2", "MTE3", "FIX")
GM = "GM"  # the one memory that cores share
AUTO_SYNC = ("on", "off", "warn")


class Touch(NamedTuple):
    """Bytes [begin, end) of a memory. Roles: r reads, w writes, u both, a adds to it (or takes the maximum) atomically."""

    role: str
    memory: str
    begin: int
    end: int
    atomic: str = ""  # of role a: operation and type, e.g. "add float"

    @property
    def writes(self) -> bool:
        return self.role != "r"


class Access(NamedTuple):
    """One instruction on `pipe` and everything it touches."""

    pipe: str
    touches: tuple[Touch, ...]
    tensor: bool = True  # the compiler of an AIV may order it: on LocalTensor or GlobalTensor; of S, a call of its list
    unit_flag: bool = False  # Mmad, Fixpipe: modes 2 and 3
    fractals: int = 0  # of an Mmad that accumulates: how many 16 x 16 pieces its result has
    cached: bool = False  # S, global memory: through the data cache


class Set(NamedTuple):
    source: str
    target: str
    id: int


class Wait(NamedTuple):
    source: str
    target: str
    id: int


class Barrier(NamedTuple):
    pipe: str  # or ALL


class CrossSet(NamedTuple):
    mode: int
    pipe: str
    id: int


class CrossWait(NamedTuple):
    id: int


class DataBarrier(NamedTuple):
    """DataSyncBarrier."""

    of: str = "ALL"  # ALL, DDR, UB, SEQ


class Clean(NamedTuple):
    """DataCacheCleanAndInvalid of bytes [begin, end) of global memory."""

    begin: int = 0
    end: int = 1 << 62


class Post(NamedTuple):
    """A word that another core polls: what the scalar unit knows here, it knows behind the Take that pairs with it."""

    key: Hashable
    pipe: str = "C"  # a message is in the queue of its pipe, and says that what came before it there has ended


class Take(NamedTuple):
    key: Hashable


class Meet(NamedTuple):
    """`cores` cores meet at a word; k-th with k-th."""

    key: Hashable
    cores: int


class Member(NamedTuple):
    """A sub-kernel of a SuperKernel begins, or none runs (-1). It orders nothing."""

    place: int


Event = Access | Set | Wait | Barrier | CrossSet | CrossWait | DataBarrier | Clean | Post | Take | Meet | Member


class Core(NamedTuple):
    kind: str  # AIC or AIV
    block: int
    events: tuple[Event, ...]


class Program(NamedTuple):
    cores: tuple[Core, ...]
    auto_sync: str = "on"


Where = tuple[int, int]  # core, index of the event in its list
Pair = tuple[Where, Where]


def group_of(cores: tuple[Core, ...], core: int, mode: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Who sets together with this core in that mode, and who is released when all of them have."""
    own = cores[core]
    if mode == 0:
        same = tuple(i for i, each in enumerate(cores) if each.kind == own.kind)
        return same, same
    in_block = [i for i, each in enumerate(cores) if each.block == own.block]
    aics = tuple(i for i in in_block if cores[i].kind == "AIC")
    aivs = tuple(i for i in in_block if cores[i].kind == "AIV")
    if mode == 1:
        return (aivs, aivs) if own.kind == "AIV" else ((), ())
    return (aics, aivs) if own.kind == "AIC" else (aivs, aics)


def queue_of(event: Event) -> str | None:
    """The pipe in whose queue the event takes its place; None: the scalar unit does it, and goes on when it is done."""
    if isinstance(event, Access | Barrier | CrossSet):
        return None if event.pipe in ("S", "ALL") else event.pipe
    if isinstance(event, Set):
        return None if event.source == "S" else event.source
    if isinstance(event, Wait):
        return None if event.target == "S" else event.target
    return None


def overlap(a: Touch, b: Touch) -> bool:
    return a.memory == b.memory and a.begin < b.end and b.begin < a.end


def touches_conflict(a: Touch, b: Touch) -> bool:
    """A common byte, one writes, and they are not two atomics of one kind. Local memories are told apart by whoever asks."""
    if a.role == "r" and b.role == "r":
        return False
    return overlap(a, b) and not (a.role == "a" and b.role == "a" and a.atomic == b.atomic)


def conflict(a: Access, b: Access) -> bool:
    return any(touches_conflict(x, y) for x in a.touches for y in b.touches)


def accesses(program: Program) -> Iterable[tuple[Where, Access]]:
    for core, each in enumerate(program.cores):
        for index, event in enumerate(each.events):
            if isinstance(event, Access):
                yield (core, index), event
