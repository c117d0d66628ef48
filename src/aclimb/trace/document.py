# SPDX-License-Identifier: Apache-2.0
"""A profile as plain data: what profile.json holds and every report is made from. Times are microseconds.

A launch's `critical_path` is null where the trace was off, else

    core    the core that ends last, whose time the path makes up
    parts   largest first: pipe, kind, name, us, share (of that core's time), count, at
    links   columns pipe, kind, start_us, dur_us, from the start to the end; the first of them are left out of a very long path

`advice` is what to change, the largest gain first: what (a short name that stays), text, gain (the model tried it: the task takes so
many times as long without it; at least 1.03), at (a line, or null). A stall's `advice` is the one of them that is about it, or empty.

The kinds of links are works, memory (an instruction waits for its data), "hands over" (from a SetFlag to its WaitFlag), issues (the scalar
unit has not issued it yet) and waits (for another core).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aclimb.trace.advice import advice_for
from aclimb.trace.columns import Slices, site_of
from aclimb.trace.counters import csv_counters
from aclimb.trace.launch import PARTS, CoreTiming, LaunchTiming
from aclimb.trace.memory_flow import memory_flow

if TYPE_CHECKING:
    from aclimb.trace.profiling import Profile

VERSION = 1
LINKS = 20_000  # of a critical path
HOST = 2**32 - 1  # the stream of copies that the host waited for


def document(profile: Profile) -> dict[str, Any]:
    model, chip = profile.model, profile.chip
    slices = Slices()
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
                name: {"value": row.value, "unit": row.unit, "source": row.source, "grade": row.grade}
                for name, row in model.parameters.items()
            },
            "overrides": profile.overrides,
        },
        "peaks": _peaks(profile),
        "launches": [_launch(profile, launch) for launch in profile.launches],
        "host": [_host_row(profile, row) for row in profile.log if row["kind"] not in ("host_waits",)],
        **slices.columns(),
        "sources": _sources(profile),
    }


def write_document(whole: dict[str, Any], folder: Path) -> Path:
    """profile.json in that folder: what `--compare` reads."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "profile.json"
    path.write_text(json.dumps(whole, separators=(",", ":")))
    return path


def _us(ps: int) -> float:
    return ps / 1e6


def _peaks(profile: Profile) -> dict[str, float]:
    value = {name: row.value for name, row in profile.model.parameters.items()}
    limits, aivs, aics = profile.chip.arch.limits, profile.chip.aiv_cores, profile.chip.aic_cores
    ghz, repeat = value["clock_mhz"] / 1e3, limits["vector_bytes"]  # one repeat a cycle
    return {
        "hbm_gbs": value["hbm_gbs"],
        "l2_gbs": value["l2_gbs"],
        "vector_gflops_f32": repeat / 4 * ghz * aivs,
        "vector_gflops_f16": repeat / 2 * ghz * aivs,
        "cube_gflops_f16": 2 * limits["cube_side"] ** 2 * value["cube_k_f16"] * ghz * aics,
        **profile.model.peaks,
    }


def _core_gbs(profile: Profile) -> dict[str, float]:
    """What the vector units move to and from UB, two sources and a destination each cycle, and MTE1 from L1, all cores together."""
    value = {name: row.value for name, row in profile.model.parameters.items()}
    ghz = value["clock_mhz"] / 1e3
    return {
        "UB": 3 * profile.chip.arch.limits["vector_bytes"] * ghz * profile.chip.aiv_cores,
        "L1": (value["l1_l0a"] + value["l1_l0b"]) * ghz * profile.chip.aic_cores,
    }


def _launch(profile: Profile, launch: LaunchTiming) -> dict[str, Any]:
    tried = profile.advice(launch)
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
             "at": site_of(each.at), "set_by": site_of(each.set_by), "advice": advice_for(each, tried)}
            for each in launch.stalls[:200]
        ],
        "advice": [{"what": each.what, "text": each.text, "gain": each.gain, "at": site_of(each.at)} for each in tried],
        "critical_path": _critical_path(launch),
        "bandwidth": bandwidth_of(launch),
        "memory_flow": memory_flow(launch),
        "arithmetic": _arithmetic(launch),
        "roofline": _roofline(profile, launch),
    }  # fmt: skip


def _critical_path(launch: LaunchTiming) -> dict[str, Any] | None:
    path = launch.critical_path
    if path is None:
        return None
    links = path.links[:LINKS][::-1]
    return {
        "core": path.core,
        "parts": [
            {"pipe": part.pipe, "kind": part.kind, "name": part.name, "us": _us(part.ps), "share": part.share, "count": part.count,
             "at": site_of(part.at)}
            for part in path.parts[:100]
        ],
        "links": {
            "pipe": [link.pipe for link in links],
            "kind": [link.kind for link in links],
            "start_us": [_us(launch.start + link.start) for link in links],
            "dur_us": [_us(link.end - link.start) for link in links],
        },
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
    inside = _core_gbs(profile)
    ops, seconds = vector + cube, max(launch.task, 1) / 1e12
    levels = [
        ("HBM", moved["hbm_read_bytes"] + moved["hbm_write_bytes"], peaks["hbm_gbs"]),
        ("L2", moved["l2_read_bytes"] + moved["l2_write_bytes"], peaks["l2_gbs"]),
        ("UB", launch.counter("vector_read") + launch.counter("vector_write"), inside["UB"]),
        ("L1", launch.counter("l1_l0a_bytes") + launch.counter("l1_l0b_bytes"), inside["L1"]),
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
        "call": f"{row['label']} (computed by the host)" if row["label"] else "callback",
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
