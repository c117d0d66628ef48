# SPDX-License-Identifier: Apache-2.0
"""All slices of a profile as columns, lane by lane, and the arrows between them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from aclimb.flow import PIPES
from aclimb.trace.launch import NO_LINK, CoreTiming, EntryKind, LaunchTiming, Site
from aclimb.trace.tables import instruction_names

Array = np.ndarray[Any, Any]
SHOWN = (EntryKind.vector, EntryKind.move, EntryKind.local, EntryKind.mmad, EntryKind.scalar_ub, EntryKind.scalar_gm,
         EntryKind.scalars, EntryKind.cross_wait, EntryKind.meet, EntryKind.wait_round, EntryKind.exchange, EntryKind.post,
         EntryKind.take)  # fmt: skip
COLUMNS = ("lane", "name", "site", "start_us", "dur_us", "bytes")


def site_of(site: Site) -> dict[str, Any] | None:
    return {"file": Path(site.file).name, "line": site.line} if site.file else None


class Slices:
    def __init__(self) -> None:
        self.lanes: list[dict[str, Any]] = []
        self.names: dict[str, int] = {}
        self.sites: dict[Site, int] = {}
        self.parts: list[tuple[Array, ...]] = []
        self.arrows: list[Array] = []
        self.count = 0
        self.apis = instruction_names()

    def add(self, launch: LaunchTiming, core: CoreTiming) -> None:
        entries, results = launch.slices(core)
        if not len(entries):
            return
        ran = results["start"] >= 0
        shown = np.isin(entries["kind"], SHOWN) & ran
        waits = (entries["kind"] == EntryKind.wait_flag) & (results["link"] != NO_LINK) & ran
        number = np.full(len(entries), -1)
        for pipe in range(len(PIPES)):
            at = np.flatnonzero(shown & (entries["pipe"] == pipe))
            if len(at):
                number[at] = self.count + np.arange(len(at))
                self._lane(launch, core, PIPES[pipe], entries[at], results[at])
        self.arrows += _arrows(entries, results, number, np.flatnonzero(waits))
        self._sub_kernels(launch, core, entries, results)

    def _sub_kernels(self, launch: LaunchTiming, core: CoreTiming, entries: Array, results: Array) -> None:
        """A lane above the pipes: from the call of each sub-kernel of a fused kernel to its return."""
        marks = np.flatnonzero((entries["kind"] == EntryKind.sub_kernel) & (results["start"] >= 0))
        begin, end = marks[: len(marks) // 2 * 2 : 2], marks[1::2]
        if not len(end):
            return
        self.lanes.append({"launch": launch.id, "core": core.name, "pipe": "SK"})
        names = [self.names.setdefault(launch.sub_kernels[number], len(self.names)) for number in entries["a"][begin].tolist()]
        start = (launch.start + results["start"][begin]) / 1e6
        length = (results["start"][end] - results["start"][begin]) / 1e6
        count = len(begin)
        self.parts.append((np.full(count, len(self.lanes) - 1), np.array(names), np.full(count, -1), start, length, np.zeros(count, int)))
        self.count += count

    def _lane(self, launch: LaunchTiming, core: CoreTiming, pipe: str, entries: Array, results: Array) -> None:
        lane = len(self.lanes)
        self.lanes.append({"launch": launch.id, "core": core.name, "pipe": pipe})
        is_move, is_local = entries["kind"] == EntryKind.move, entries["kind"] == EntryKind.local
        size = np.where(is_move, entries["a"].astype(np.int64) * entries["b"], np.where(is_local, entries["a"], 0))
        self.parts.append((
            np.full(len(entries), lane),
            _looked_up(entries["op"], lambda op: self.names.setdefault(self.apis[op], len(self.names))),
            _looked_up(entries["site"], lambda site: self._site(launch.site(core.type, site))),
            (launch.start + results["start"]) / 1e6,
            results["done"] / 1e6,
            size,
        ))  # fmt: skip
        self.count += len(entries)

    def _site(self, site: Site) -> int:
        return self.sites.setdefault(site, len(self.sites)) if site.file else -1

    def columns(self) -> dict[str, Any]:
        columns = {key: np.concatenate([part[i] for part in self.parts]).tolist() if self.parts else [] for i, key in enumerate(COLUMNS)}
        return {
            "lanes": self.lanes,
            "names": list(self.names),
            "sites": [site_of(site) for site in self.sites],
            "slices": columns,
            "flows": np.concatenate(self.arrows).tolist() if self.arrows else [],
        }


def _looked_up(values: Array, find: Any) -> Array:
    """`find` of every value, asked once for each that occurs."""
    known, where = np.unique(values, return_inverse=True)
    return np.array([find(int(each)) for each in known])[where]


def _arrows(entries: Array, results: Array, number: Array, waits: Array) -> list[Array]:
    """From the last instruction before a SetFlag, on its pipe, to the first one after the WaitFlag, on the other."""
    lanes = [np.flatnonzero((entries["pipe"] == pipe) & (number >= 0)) for pipe in range(len(PIPES))]
    setters = results["link"][waits].astype(np.int64)
    found = []
    for source in range(len(PIPES)):
        for target in range(len(PIPES)):
            mine = (entries["pipe"][setters] == source) & (entries["pipe"][waits] == target)
            if not mine.any() or not len(lanes[source]) or not len(lanes[target]):
                continue
            first = np.searchsorted(lanes[source], setters[mine]) - 1
            last = np.searchsorted(lanes[target], waits[mine])
            both = (first >= 0) & (last < len(lanes[target]))
            found.append(np.stack([number[lanes[source][first[both]]], number[lanes[target][last[both]]]], axis=1))
    return found
