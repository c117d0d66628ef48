# SPDX-License-Identifier: Apache-2.0
"""A profile as plain data: what profile.json holds and every report is made from. Times are microseconds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from aclimb import _engine
from aclimb.trace.advice import advice_for
from aclimb.trace.counters import csv_counters
from aclimb.trace.launch import NO_LINK, PARTS, PIPES, CoreTiming, LaunchTiming, Site
from aclimb.trace.tables import instruction_names

if TYPE_CHECKING:
    from aclimb.trace.profiling import Profile

VERSION = 1
HOST = 2**32 - 1  # the stream of copies that the host waited for


def document(profile: Profile) -> dict[str, Any]:
    model, chip = profile.model, profile.chip
    slices = _Slices()
    for launch in profile.launches:
        for core in launch.cores:
            slices.add(launch, core)
    return {
        "format": "aclimb profile",
        "version": VERSION,
        "soc": chip.name,
        "mode": profile.mode,
        "notes": profile.notes,
        "clock_mhz": model.parameters["clock_mhz"].value,
        "aiv_cores": chip.aiv_cores,
        "aic_cores": chip.aic_cores,
        "model": {
            "parameters": {
                name: {"value": row.value, "unit": row.unit, "source": row.source, "grade": row.grade} for name, row in model.parameters.items()
            },
            "overrides": profile.overrides,
        },
        "peaks": _peaks(profile),
        "launches": [_launch(profile, launch) for launch in profile.launches],
        "host": [_host_row(profile, row) for row in profile.log if row["kind"] not in ("host_waits",)],
        **slices.columns(),
        "sources": _sources(profile),
    }


def _us(ps: int) -> float:
    return ps / 1e6


def _peaks(profile: Profile) -> dict[str, float]:
    value = {name: row.value for name, row in profile.model.parameters.items()}
    ghz = value["clock_mhz"] / 1e3
    return {
        "hbm_gbs": value["hbm_gbs"],
        "l2_gbs": value["l2_gbs"],
        "vector_gflops_f32": 64 * ghz * profile.chip.aiv_cores,
        "vector_gflops_f16": 128 * ghz * profile.chip.aiv_cores,
        "cube_gflops_f16": 2 * 16 * 16 * value["cube_k_f16"] * ghz * profile.chip.aic_cores,
        **profile.model.peaks,
    }


def _site(site: Site) -> dict[str, Any] | None:
    return {"file": Path(site.file).name, "line": site.line} if site.file else None


def _launch(profile: Profile, launch: LaunchTiming) -> dict[str, Any]:
    return {
        "id": launch.id,
        "kernel": launch.kernel,
        "kernel_type": launch.kernel_type.name,
        "device": launch.device,
        "stream": launch.stream,
        "num_blocks": launch.num_blocks,
        "tiling_key": launch.tiling_key,
        "start_us": _us(launch.start),
        "task_us": launch.task_us,
        "core_us": launch.core_us,
        "bound": launch.bound,
        "instructions": launch.instructions,
        "cut": launch.cut,
        "timing_only": launch.timing_only,
        "failed": launch.failed,
        "cores": [_core(launch, core, profile.model.parameters["clock_mhz"].value) for core in launch.cores],
        "stalls": [
            {"pipe": each.pipe, "core": each.core, "kind": each.kind, "cause": each.cause, "us": _us(each.ps), "count": each.count,
             "at": _site(each.at), "set_by": _site(each.set_by), "advice": advice_for(each, launch)}
            for each in launch.stalls[:200]
        ],
        "bandwidth": bandwidth_of(launch),
        "arithmetic": _arithmetic(launch),
        "roofline": _roofline(profile, launch),
    }  # fmt: skip


def _core(launch: LaunchTiming, core: CoreTiming, clock_mhz: float) -> dict[str, Any]:
    return {
        "name": core.name,
        "type": core.type,
        "block": core.block,
        "sub": core.sub,
        "slot": core.slot,
        "start_us": _us(launch.start + core.start),
        "end_us": _us(launch.start + core.end),
        "pipes": {
            name: {
                **{f"{part}_us": _us(getattr(pipe, part)) for part in (*PARTS, "active")},
                "instructions": pipe.instructions,
                "bytes": pipe.bytes,
            }
            for name, pipe in core.pipes.items()
        },
        "counters": csv_counters(core.type, core.counters, clock_mhz),
    }


def bandwidth_of(launch: LaunchTiming) -> dict[str, float]:
    count = launch.counter
    seconds = max(launch.task, 1) / 1e12
    read, written = count("hbm_read"), count("hbm_write")
    gm_read, gm_write = count("read_hit") + count("read_miss"), count("write_hit") + count("write_miss")
    return {
        "hbm_read_bytes": read,
        "hbm_write_bytes": written,
        "l2_read_bytes": gm_read,
        "l2_write_bytes": gm_write,
        "gm_read_bytes": sum(count(f"{path}_bytes") for path in ("gm_ub", "gm_l1", "gm_l0")),
        "gm_write_bytes": sum(count(f"{path}_bytes") for path in ("ub_gm", "l1_gm", "l0c_gm")),
        "hbm_gbs": (read + written) / seconds / 1e9,
        "l2_gbs": (gm_read + gm_write) / seconds / 1e9,
        "l2_hit_rate": count("read_hit") / gm_read if gm_read else 0.0,
    }


def _arithmetic(launch: LaunchTiming) -> dict[str, int]:
    count = launch.counter
    return {
        "vector_ops_f32": count("lanes_f32"),
        "vector_ops_f16": count("lanes_f16"),
        "vector_ops_int": count("lanes_int"),
        "cube_ops": 2 * (count("macs") + count("macs_int")),
    }


def _roofline(profile: Profile, launch: LaunchTiming) -> list[dict[str, Any]]:
    """Operations against the bytes of each memory level. The peak of arithmetic is that of the unit that did most of it."""
    peaks, work, moved = _peaks(profile), _arithmetic(launch), bandwidth_of(launch)
    vector = work["vector_ops_f32"] + work["vector_ops_f16"] + work["vector_ops_int"]
    cube = work["cube_ops"]
    wide = work["vector_ops_f32"] >= work["vector_ops_f16"]
    peak = peaks["cube_gflops_f16"] if cube > vector else peaks["vector_gflops_f32" if wide else "vector_gflops_f16"]
    ghz = profile.model.parameters["clock_mhz"].value / 1e3
    ops, seconds = vector + cube, max(launch.task, 1) / 1e12
    levels = [
        ("HBM", moved["hbm_read_bytes"] + moved["hbm_write_bytes"], peaks["hbm_gbs"]),
        ("L2", moved["l2_read_bytes"] + moved["l2_write_bytes"], peaks["l2_gbs"]),
        ("UB", launch.counter("vector_read") + launch.counter("vector_write"), 3 * 256 * ghz * profile.chip.aiv_cores),
        ("L1", launch.counter("l1_l0a_bytes") + launch.counter("l1_l0b_bytes"), 384 * ghz * profile.chip.aic_cores),
    ]
    return [
        {"level": name, "bytes": size, "ops": ops, "gbs_peak": gbs, "gops_peak": peak, "gops": ops / seconds / 1e9}
        for name, size, gbs in levels
        if size
    ]


def _host_row(profile: Profile, row: dict[str, Any]) -> dict[str, Any]:
    names = {
        "copy": f"copy {row['direction']}",
        "record_event": "record event",
        "await_event": "wait for event",
        "call": "callback",
    }
    name = f"launch {profile.launches[row['launch']].kernel}" if row["kind"] == "launch" else names[row["kind"]]
    return {
        "lane": "host" if row["stream"] == HOST else f"stream {row['stream']}",
        "name": name,
        "start_us": _us(row["start"]),
        "dur_us": _us(row["end"] - row["start"]),
        "bytes": row["bytes"] if row["kind"] == "copy" else None,
    }


def _sources(profile: Profile) -> dict[str, str]:
    files = {site.file for launch in profile.launches for site in launch._sites.values() if site.file}
    texts = {}
    for file in sorted(files):
        try:
            texts[Path(file).name] = Path(file).read_text(errors="replace")
        except OSError:
            continue
    return texts


class _Slices:
    """Columns of all slices, lane by lane."""

    def __init__(self) -> None:
        self.lanes: list[dict[str, Any]] = []
        self.names: dict[str, int] = {}
        self.sites: dict[Site, int] = {}
        self.parts: list[tuple[np.ndarray[Any, Any], ...]] = []
        self.flows: list[list[int]] = []
        self.count = 0

    def add(self, launch: LaunchTiming, core: CoreTiming) -> None:
        entries, results = launch.slices(core)
        if not len(entries):
            return
        kinds = list(_engine.ENTRY_KINDS)
        shown = np.isin(entries["kind"], [kinds.index(each) for each in ("vector", "move", "local", "mmad", "scalar_ub", "scalar_gm",
                                                                          "cross_wait", "gm_sync_all", "ib_wait")]) & (results["start"] >= 0)  # fmt: skip
        waits = (entries["kind"] == kinds.index("wait_flag")) & (results["link"] != NO_LINK) & (results["start"] >= 0)
        number = np.full(len(entries), -1)
        for pipe in range(len(PIPES)):
            at = np.flatnonzero(shown & (entries["pipe"] == pipe))
            if len(at):
                number[at] = self.count + np.arange(len(at))
                self._lane(launch, core, PIPES[pipe], entries[at], results[at], kinds)
        self.flows += _flows(entries, results, number, np.flatnonzero(waits))

    def _lane(
        self, launch: LaunchTiming, core: CoreTiming, pipe: str, entries: np.ndarray[Any, Any], results: np.ndarray[Any, Any], kinds: list[str]
    ) -> None:
        lane = len(self.lanes)
        self.lanes.append({"launch": launch.id, "core": core.name, "pipe": pipe})
        apis = instruction_names()
        name_of = {int(op): self.names.setdefault(apis[op], len(self.names)) for op in np.unique(entries["op"])}
        site_of = {int(site): self._site(launch.site(core.type, int(site))) for site in np.unique(entries["site"])}
        is_move, is_local = entries["kind"] == kinds.index("move"), entries["kind"] == kinds.index("local")
        size = np.where(is_move, entries["a"].astype(np.int64) * entries["b"], np.where(is_local, entries["a"], 0))
        self.parts.append((
            np.full(len(entries), lane),
            np.vectorize(name_of.get, otypes=[int])(entries["op"]),
            np.vectorize(site_of.get, otypes=[int])(entries["site"]),
            (launch.start + results["start"]) / 1e6,
            results["done"] / 1e6,
            size,
        ))  # fmt: skip
        self.count += len(entries)

    def _site(self, site: Site) -> int:
        return self.sites.setdefault(site, len(self.sites)) if site.file else -1

    def columns(self) -> dict[str, Any]:
        keys = ("lane", "name", "site", "start_us", "dur_us", "bytes")
        columns = {key: np.concatenate([part[i] for part in self.parts]).tolist() if self.parts else [] for i, key in enumerate(keys)}
        return {
            "lanes": self.lanes,
            "names": list(self.names),
            "sites": [_site(site) for site in self.sites],
            "slices": columns,
            "flows": self.flows,
        }


def _flows(entries: np.ndarray[Any, Any], results: np.ndarray[Any, Any], number: np.ndarray[Any, Any], waits: np.ndarray[Any, Any]) -> list[list[int]]:
    """From the last instruction before a SetFlag, on its pipe, to the first one after the WaitFlag, on the other."""
    before, after = {}, {}
    for pipe in range(len(PIPES)):
        at = np.flatnonzero((entries["pipe"] == pipe) & (number >= 0))
        before[pipe] = after[pipe] = at
    flows = []
    for wait in waits:
        setter = int(results["link"][wait])
        source, target = before[int(entries["pipe"][setter])], after[int(entries["pipe"][wait])]
        first = np.searchsorted(source, setter) - 1
        last = np.searchsorted(target, wait)
        if first >= 0 and last < len(target):
            flows.append([int(number[source[first]]), int(number[target[last]])])
    return flows
