# SPDX-License-Identifier: Apache-2.0
"""Timelines as tables in an in-memory SQLite database, so that a question is a line of SQL. Times are picoseconds."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Any

import numpy as np

from aclimb import engine
from aclimb.errors import InvalidArgument
from aclimb.flow import PIPES
from aclimb.trace.launch import CoreTiming, EntryKind, LaunchTiming

SCHEMA = {
    "launch": "id, kernel, stream, num_blocks, tiling_key, start, end, core_ps",
    "pipe": "launch, core, type, block, pipe, busy, memory, flag, empty, total, instructions, bytes",
    "stall": "launch, pipe, kind, cause, ps, count, file, line, set_file, set_line",
    "slice": "launch, stream, block, core, type, pipe, n, name, start, free, end, waits, bytes, file, line",
}


class Tables:
    """The tables launch, pipe and stall at once; slice when somebody asks for it."""

    def __init__(self, launches: list[LaunchTiming]) -> None:
        self._launches = launches
        self._database = sqlite3.connect(":memory:", check_same_thread=False)
        for name, columns in SCHEMA.items():
            self._database.execute(f"create table {name} ({columns})")
        for launch in launches:
            self._fill(launch)
        self._has_slices = False

    def query(self, sql: str, values: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        if "slice" in sql and not self._has_slices:
            self._has_slices = True
            for launch in self._launches:
                for core in launch.cores:
                    self._insert("slice", list(slice_rows(launch, core)))
        try:
            return self._database.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            tables = "; ".join(f"{name}({columns})" for name, columns in SCHEMA.items())
            raise InvalidArgument(f"{error}, in {sql!r}. The tables are {tables}") from None

    def _insert(self, table: str, rows: list[tuple[Any, ...]]) -> None:
        if rows:
            marks = ", ".join("?" * len(rows[0]))
            self._database.executemany(f"insert into {table} values ({marks})", rows)

    def _fill(self, launch: LaunchTiming) -> None:
        self._insert("launch", [(launch.id, launch.kernel, launch.stream, launch.num_blocks, launch.tiling_key, launch.start,
                                 launch.start + launch.task, round(launch.core_us * 1e6))])  # fmt: skip
        self._insert("pipe", [
            (launch.id, core.name, core.type, core.block, pipe, *(getattr(each, part) for part in
             ("busy", "memory", "flag", "empty", "total", "instructions", "bytes")))
            for core in launch.cores for pipe, each in core.pipes.items()
        ])  # fmt: skip
        self._insert("stall", [
            (launch.id, each.pipe, each.kind, each.cause, each.ps, each.count, each.at.file, each.at.line, each.set_by.file,
             each.set_by.line)
            for each in launch.stalls
        ])  # fmt: skip


def instruction_names() -> list[str]:
    """By number; behind them what the scalar unit computes between two instructions."""
    return [*(row.call or row.name for row in engine.instructions()), "scalar code"]


def slice_rows(launch: LaunchTiming, core: CoreTiming) -> Iterator[tuple[Any, ...]]:
    """One row an instruction that ran, in the order of issue; `n` counts within its pipe."""
    entries, results = launch.slices(core)
    names = instruction_names()
    counts = np.zeros(len(PIPES) + 1, int)
    base = launch.start
    for entry, result in zip(entries.tolist(), results.tolist(), strict=True):
        _, _, site, a, b, _, op, pipe, kind, *_ = entry
        start, free, done, waits, _ = result
        if start < 0:
            continue
        place = launch.site(core.type, site)
        size = a * b if kind == EntryKind.move else a if kind == EntryKind.local else 0
        lane = PIPES[pipe] if pipe < len(PIPES) else "S"
        yield (launch.id, launch.stream, core.block, core.name, core.type, lane, int(counts[pipe]), names[op], base + start,
               base + start + free, base + start + done, waits, size, place.file, place.line)  # fmt: skip
        counts[pipe] += 1
