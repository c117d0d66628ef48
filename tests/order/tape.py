# SPDX-License-Identifier: Apache-2.0
"""From what the engine's cores issued to a program of events, so that the search can say what it thinks of a kernel that ran."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from events import (
    GM,
    Access,
    Barrier,
    Clean,
    Core,
    CrossSet,
    CrossWait,
    DataBarrier,
    Event,
    Meet,
    Member,
    Post,
    Program,
    Set,
    Take,
    Touch,
    Wait,
)

from aclimb import _engine

PIPES = ("S", "V", "M", "MTE1", "MTE2", "MTE3", "FIX")
SCOPES = ("ALL", "DDR", "UB", "SEQ")
VALUE, ELEMENT, PAST_CACHE, RAW, SYSTEM = range(5)  # how the scalar unit came to an access
LINE = 64
ATOMICS = ("", "add", "max", "min")
SILENT = {"init_buffer", "print", "dump_tensor", "assert_failed", "trap", "misuse", "system_cycle", "next_sender", "pre_task_end"}


class Row(NamedTuple):
    """One record, as the engine wrote it down."""

    instruction: str
    pipe: str
    dtype: int
    member: int
    numbers: list[int]
    touches: list[tuple[str, str, int, int, int, int]]  # memory, role, begin, length, count, stride
    where: tuple[str, int]  # image, offset
    has_run: bool


class Launch(NamedTuple):
    kernel: str
    cores: list[tuple[str, int, list[Row]]]  # kind, block, records
    images: dict[str, bytes | None]


@contextmanager
def tapes() -> Iterator[list[Launch]]:
    """The launches of the block, when it has ended. Whoever launched has to have waited for them."""
    session, launches = _engine.Issued(), list[Launch]()
    session.open()
    try:
        yield launches
    finally:
        session.close()
        for kernel, cores, images in session.launches:
            launches.append(Launch(kernel, [(kind, block, [Row(*row) for row in rows]) for kind, block, rows in cores], images))


def program_of(launch: Launch, auto_sync: str = "on") -> tuple[Program, list[list[Row]]]:
    """The events of each core, and beside them the record that each came from."""
    polls = _polled(launch)
    cores, rows_of = [], []
    for index, (kind, block, rows) in enumerate(launch.cores):
        events, origins = list[Event](), list[Row]()
        reader = _Reader(index, polls)
        for at, row in enumerate(rows):
            for event in reader.read(at, row):
                events.append(event)
                origins.append(row)
        cores.append(Core(kind, block, tuple(events)))
        rows_of.append(origins)
    return Program(tuple(cores), auto_sync), rows_of


def _polled(launch: Launch) -> dict[tuple[int, int], list[Hashable]]:
    """Stores past the cache whose value another core has read: for each (core, row) of both the words that lead from one to the other."""
    stores: dict[tuple[int, int], tuple[int, int]] = {}
    words: dict[tuple[int, int], list[Hashable]] = defaultdict(list)
    for core, (_, _, rows) in enumerate(launch.cores):
        for at, row in enumerate(rows):
            if row.instruction == "scalar_store" and row.numbers[0] == PAST_CACHE:
                stores.setdefault((row.touches[0][2], row.numbers[1]), (core, at))
    for core, (_, _, rows) in enumerate(launch.cores):
        for at, row in enumerate(rows):
            if row.instruction != "scalar_load" or row.numbers[0] != PAST_CACHE or not row.has_run:
                continue
            store = stores.get((row.touches[0][2], row.numbers[1]))
            if store and store[0] != core:
                word = ("polled", store, core, at)
                words[store].append(word)
                words[core, at].append(word)
    return words


class _Reader:
    """The records of one core, one by one."""

    def __init__(self, core: int, polls: dict[tuple[int, int], list[Hashable]]) -> None:
        self.core, self.polls = core, polls
        self.count: dict[Hashable, int] = defaultdict(int)

    def read(self, at: int, row: Row) -> Iterator[Event]:
        if row.instruction in SILENT:
            return
        found = getattr(self, row.instruction, None)
        if found:
            yield from found(row)
        elif row.instruction in ("scalar_load", "scalar_store"):
            yield from self.scalar(at, row)
        else:
            yield Access(row.pipe, (*_touches(row), *_registers(row)))

    def next(self, key: Hashable) -> int:
        self.count[key] += 1
        return self.count[key] - 1

    # --- order

    def set_flag(self, row: Row) -> Iterator[Event]:
        yield Set(PIPES[row.numbers[0]], PIPES[row.numbers[1]], row.numbers[2])

    def wait_flag(self, row: Row) -> Iterator[Event]:
        yield Wait(PIPES[row.numbers[0]], PIPES[row.numbers[1]], row.numbers[2])

    def pipe_barrier(self, row: Row) -> Iterator[Event]:
        yield Barrier(row.pipe)

    def cross_set(self, row: Row) -> Iterator[Event]:
        yield CrossSet(row.numbers[0], row.pipe, row.numbers[1])

    def cross_wait(self, row: Row) -> Iterator[Event]:
        yield CrossWait(row.numbers[1])

    def next_task_start(self, row: Row) -> Iterator[Event]:
        if row.numbers[0]:
            yield CrossSet(0, row.pipe, row.numbers[1])

    def dsb(self, row: Row) -> Iterator[Event]:
        yield DataBarrier(SCOPES[row.numbers[0]])

    def dcci(self, row: Row) -> Iterator[Event]:
        for _, _, begin, length, _, _ in row.touches:
            yield Clean(begin, begin + length)

    def sub_kernel(self, row: Row) -> Iterator[Event]:
        index, end = row.numbers
        yield Member(-1 if end else index)

    # --- words and messages between cores

    def post_message(self, row: Row) -> Iterator[Event]:
        yield Post(("message", self.core, row.numbers[0]), "C" if row.pipe == "S" else row.pipe)

    def take_message(self, row: Row) -> Iterator[Event]:
        yield Take(("message", row.numbers[0], self.core))

    def gm_sync_all(self, row: Row) -> Iterator[Event]:
        yield Barrier("ALL")
        yield Meet(("all", row.numbers[0]), row.numbers[1])

    def ib_set(self, row: Row) -> Iterator[Event]:
        slot = ("slot", row.numbers[0], row.numbers[2], row.numbers[3])
        yield Barrier("ALL")
        if self.next(slot):
            yield Take(("empty", *slot))
        yield Post(slot)

    def ib_wait(self, row: Row) -> Iterator[Event]:
        slot = ("slot", row.numbers[0], row.numbers[2], row.numbers[3])
        yield Barrier("ALL")
        yield Take(slot)
        yield Post(("empty", *slot))

    def pre_block_init(self, row: Row) -> Iterator[Event]:
        yield Barrier("ALL")

    def pre_block_wait(self, row: Row) -> Iterator[Event]:
        turn = self.next(("wait", row.numbers[0])) * row.numbers[5] + row.numbers[4]
        yield Barrier("ALL")
        if turn:
            yield Take(("turn", row.numbers[0], turn))

    def pre_block_notify(self, row: Row) -> Iterator[Event]:
        turn = self.next(("notify", row.numbers[0])) * row.numbers[5] + row.numbers[4]
        yield Barrier("ALL")
        yield Post(("turn", row.numbers[0], turn + 1))

    def group_arrive(self, row: Row) -> Iterator[Event]:
        address, _, index, waiters, _, _ = row.numbers
        turn = self.next(("arrive", address, index))
        yield Barrier("ALL")
        for waiter in range(waiters):
            yield Post(("group", address, index, waiter, turn))

    def group_wait(self, row: Row) -> Iterator[Event]:
        address, arrivers, index, _, _, _ = row.numbers
        turn = self.next(("group wait", address, index))
        yield Barrier("ALL")
        for arriver in range(arrivers):
            yield Take(("group", address, arriver, index, turn))

    # --- the scalar unit

    def scalar(self, at: int, row: Row) -> Iterator[Event]:
        way, in_superkernel, loads = row.numbers[0], row.numbers[2], row.instruction == "scalar_load"
        if way == SYSTEM or not row.touches:
            return
        memory, role, begin, length, _, _ = row.touches[0]
        if memory != GM:
            yield Access("S", (Touch(role, memory, begin, begin + length),), way in (VALUE, ELEMENT))
        elif way == PAST_CACHE:
            yield from (Post(word) for word in self.polls.get((self.core, at), ()) if not loads)
            yield Access("S", (Touch("a", GM, begin, begin + length, "word"),), False)
            yield from (Take(word) for word in self.polls.get((self.core, at), ()) if loads)
        else:
            line = Clean(begin // LINE * LINE, begin // LINE * LINE + LINE)
            flushes = in_superkernel and way == VALUE
            if flushes and loads:
                yield line
            is_listed = way == ELEMENT or (way == VALUE and loads)
            yield Access("S", (Touch(role, GM, begin, begin + length),), is_listed, cached=True)
            if flushes and not loads:
                yield line

    def merged_result(self, row: Row) -> Iterator[Event]:
        yield Access("S", tuple(_registers(row)))

    gathered_result = sum_result = extreme_result = merged_result

    # --- data with more to say

    def mmad(self, row: Row) -> Iterator[Event]:
        m, n, unit_flag = row.numbers
        yield Access(row.pipe, tuple(_touches(row)), True, unit_flag >= 2, -(-m // 16) * -(-n // 16))

    mmad_sparse = mmad

    def fixpipe(self, row: Row) -> Iterator[Event]:
        yield Access(row.pipe, tuple(_touches(row, row.numbers[1])), True, row.numbers[0] >= 2)

    def copy(self, row: Row) -> Iterator[Event]:
        yield Access(row.pipe, tuple(_touches(row, row.numbers[0])))


def _touches(row: Row, atomic: int = 0) -> Iterator[Touch]:
    for memory, role, begin, length, count, stride in row.touches:
        kind = f"{ATOMICS[atomic]} {row.dtype}" if atomic and memory == GM and role != "r" else ""
        for i in range(count):
            yield Touch("a" if kind else role, memory, begin + i * stride, begin + i * stride + length, kind)


_INSTRUCTIONS: dict[str, Any] = {}


def _registers(row: Row) -> Iterator[Touch]:
    if not _INSTRUCTIONS:
        _INSTRUCTIONS.update({each.name: each for each in _engine.instructions()})
    instruction = _INSTRUCTIONS[row.instruction]
    if not (row.instruction == "vsel" and row.numbers[0]):
        yield from (Touch("r", f"register {name}", 0, 1) for name in instruction.reads)
    yield from (Touch("w", f"register {name}", 0, 1) for name in instruction.leaves)
