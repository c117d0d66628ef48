# SPDX-License-Identifier: Apache-2.0
"""From what the engine's cores issued to a program of events, so that the search can say what it thinks of a kernel that ran."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
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
ALL_AICS, ALL_AIVS = 11, 14  # flags that the system keeps for SetNextTaskStart
LAYOUTS = _engine.record_layouts()
SILENT = {"init_buffer", "print", "dump_tensor", "assert_failed", "trap", "misuse", "system_cycle", "next_sender", "pre_task_end"}


class Row(NamedTuple):
    """One record, as the engine wrote it down."""

    instruction: str
    pipe: str
    dtype: int
    member: int
    record: bytes
    core_idx: int
    cores: int  # of its kind
    in_superkernel: bool
    touches: list[tuple[str, str, int, int, int, int]]  # memory, role, begin, length, count, stride
    where: tuple[str, int]  # image, offset
    has_run: bool

    def read(self, name: str) -> dict[str, int]:
        """The numbers of its record, whose struct has that name."""
        layout = LAYOUTS[name]
        values = np.frombuffer(self.record[: layout.itemsize], layout)[0]
        return {field: int(values[field]) for field in layout.names or ()}


class Launch(NamedTuple):
    kernel: str
    cores: list[tuple[str, int, list[Row]]]  # kind, block, records
    images: dict[str, bytes | None]
    sets: list[bool]  # by member: its SetNextTaskStart has an effect


@contextmanager
def tapes() -> Iterator[list[Launch]]:
    """The launches of the block, when it has ended. Whoever launched has to have waited for them."""
    session, launches = _engine.Issued(), list[Launch]()
    session.open()
    try:
        yield launches
    finally:
        session.close()
        for kernel, cores, images, sets in session.launches:
            launches.append(Launch(kernel, [(kind, block, [Row(*row) for row in rows]) for kind, block, rows in cores], images, sets))


def program_of(launch: Launch, auto_sync: str = "on") -> tuple[Program, list[list[Row]]]:
    """The events of each core, and beside them the record that each came from."""
    polls = _polled(launch)
    cores, rows_of = [], []
    for index, (kind, block, rows) in enumerate(launch.cores):
        events, origins = list[Event](), list[Row]()
        reader = _Reader(launch, index, polls)
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
            if row.instruction == "scalar_store" and row.read("ScalarAccess")["way"] == PAST_CACHE:
                stores.setdefault((row.touches[0][2], row.read("ScalarAccess")["value"]), (core, at))
    for core, (_, _, rows) in enumerate(launch.cores):
        for at, row in enumerate(rows):
            if row.instruction != "scalar_load" or row.read("ScalarAccess")["way"] != PAST_CACHE or not row.has_run:
                continue
            store = stores.get((row.touches[0][2], row.read("ScalarAccess")["value"]))
            if store and store[0] != core:
                word = ("polled", store, core, at)
                words[store].append(word)
                words[core, at].append(word)
    return words


class _Reader:
    """The records of one core, one by one."""

    def __init__(self, launch: Launch, core: int, polls: dict[tuple[int, int], list[Hashable]]) -> None:
        self.core, self.polls, self.sets, self.kind = core, polls, launch.sets, launch.cores[core][0]
        self.block = [i for i, (_, block, _) in enumerate(launch.cores) if block == launch.cores[core][1]]
        self.vectors = [i for i in self.block if launch.cores[i][0] == "AIV"]
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
        flag = row.read("Flag")
        yield Set(PIPES[flag["src"]], PIPES[flag["dst"]], flag["id"])

    def wait_flag(self, row: Row) -> Iterator[Event]:
        flag = row.read("Flag")
        yield Wait(PIPES[flag["src"]], PIPES[flag["dst"]], flag["id"])

    def pipe_barrier(self, row: Row) -> Iterator[Event]:
        yield Barrier(row.pipe)

    def cross_set(self, row: Row) -> Iterator[Event]:
        flag = row.read("CrossFlag")
        yield CrossSet(flag["mode"], row.pipe, flag["id"])

    def cross_wait(self, row: Row) -> Iterator[Event]:
        yield CrossWait(row.read("CrossFlag")["id"])

    def next_task_start(self, row: Row) -> Iterator[Event]:
        if row.member >= 0 and self.sets[row.member]:
            yield CrossSet(0, row.pipe, ALL_AICS if self.kind == "AIC" else ALL_AIVS)

    def dsb(self, row: Row) -> Iterator[Event]:
        yield DataBarrier(SCOPES[row.read("ScalarAccess")["value"]])

    def dcci(self, row: Row) -> Iterator[Event]:
        for _, _, begin, length, _, _ in row.touches:
            yield Clean(begin, begin + length)

    def sub_kernel(self, row: Row) -> Iterator[Event]:
        mark = row.read("SubKernelMark")
        yield Member(-1 if mark["end"] else mark["index"])

    # --- words and messages between cores

    def peer(self, row: Row) -> int:
        """An AIV of the block by its index; -1 is the AIC, which stands before them."""
        number = row.read("MessageHead")["peer"]
        return self.block[0] if number < 0 else self.vectors[number]

    def post_message(self, row: Row) -> Iterator[Event]:
        yield Post(("message", self.core, self.peer(row)), "C" if row.pipe == "S" else row.pipe)

    def take_message(self, row: Row) -> Iterator[Event]:
        yield Take(("message", self.peer(row), self.core))

    def gm_sync_all(self, row: Row) -> Iterator[Event]:
        sync = row.read("GmSync")
        yield Barrier("ALL")
        yield Meet(("all", sync["addr"]), sync["used_cores"] if sync["used_cores"] > 0 else row.cores)

    def slot(self, row: Row) -> Hashable:
        sync = row.read("GmSync")
        return ("slot", sync["addr"], sync["block_idx"], sync["event_id"])

    def ib_set(self, row: Row) -> Iterator[Event]:
        slot = self.slot(row)
        yield Barrier("ALL")
        if self.next(slot):
            yield Take(("empty", slot))
        yield Post(slot)

    def ib_wait(self, row: Row) -> Iterator[Event]:
        slot = self.slot(row)
        yield Barrier("ALL")
        yield Take(slot)
        yield Post(("empty", slot))

    def pre_block_init(self, row: Row) -> Iterator[Event]:
        yield Barrier("ALL")

    def turn(self, row: Row, what: str) -> tuple[int, int]:
        address = row.read("GmSync")["addr"]
        return address, self.next((what, address)) * row.cores + row.core_idx

    def pre_block_wait(self, row: Row) -> Iterator[Event]:
        address, turn = self.turn(row, "wait")
        yield Barrier("ALL")
        if turn:
            yield Take(("turn", address, turn))

    def pre_block_notify(self, row: Row) -> Iterator[Event]:
        address, turn = self.turn(row, "notify")
        yield Barrier("ALL")
        yield Post(("turn", address, turn + 1))

    def group_arrive(self, row: Row) -> Iterator[Event]:
        sync = row.read("GmSync")
        address, index = sync["addr"], sync["block_idx"]
        turn = self.next(("arrive", address, index))
        yield Barrier("ALL")
        for waiter in range(sync["event_id"]):
            yield Post(("group", address, index, waiter, turn))

    def group_wait(self, row: Row) -> Iterator[Event]:
        sync = row.read("GmSync")
        address, index = sync["addr"], sync["block_idx"]
        turn = self.next(("group wait", address, index))
        yield Barrier("ALL")
        for arriver in range(sync["used_cores"]):
            yield Take(("group", address, arriver, index, turn))

    # --- the scalar unit

    def scalar(self, at: int, row: Row) -> Iterator[Event]:
        way, loads = row.read("ScalarAccess")["way"], row.instruction == "scalar_load"
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
            flushes = row.in_superkernel and way == VALUE
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
        product = row.read("Mmad")
        yield Access(row.pipe, tuple(_touches(row)), True, product["unit_flag"] >= 2, -(-product["m"] // 16) * -(-product["n"] // 16))

    mmad_sparse = mmad

    def fixpipe(self, row: Row) -> Iterator[Event]:
        fixpipe = row.read("Fixpipe")
        yield Access(row.pipe, tuple(_touches(row, fixpipe["atomic"])), True, fixpipe["unit_flag"] >= 2)

    def copy(self, row: Row) -> Iterator[Event]:
        yield Access(row.pipe, tuple(_touches(row, row.read("Copy")["atomic"])))


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
    if not (row.instruction == "vsel" and row.read("Select")["has_mask"]):
        yield from (Touch("r", f"register {name}", 0, 1) for name in instruction.reads)
    yield from (Touch("w", f"register {name}", 0, 1) for name in instruction.leaves)
