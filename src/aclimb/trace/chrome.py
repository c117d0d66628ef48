# SPDX-License-Identifier: Apache-2.0
"""trace.json in Chrome's trace event format, with the lanes, colours and fields of the vendor's simulator.

Opens in Perfetto, chrome://tracing and MindStudio Insight. Times are microseconds, cut at whole nanoseconds: Perfetto counts in
those, and slices that meet must still meet after its rounding. It also drops slices that overlap on one thread without one being
inside the other, so such slices (a copy is done later than its pipe is free) go to a lane of their own beside the first.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from aclimb import _engine
from aclimb.trace.throughput import throughput

LANES = {"S": "SCALAR", "V": "VECTOR", "M": "CUBE", "FIX": "FIXP"}  # our pipe -> the lane's name, where the two differ
SORT = {"SCALAR": 1, "FLOWCTRL": 2, "MTE1": 3, "CUBE": 4, "FIXP": 5, "MTE2": 6, "VECTOR": 7, "MTE3": 8, "SET_FLAG": 14, "WAIT_FLAG": 15}
COLOURS = {
    "MTE1": "thread_state_running", "MTE2": "thread_state_iowait", "MTE3": "rail_response", "SCALAR": "startup",
    "VECTOR": "cq_build_failed", "CUBE": "background_memory_dump", "FIXP": "thread_state_unknown", "SET_FLAG": "black",
}  # fmt: skip
HOST, COUNTERS = "host", "MTE Throughput"


def write_trace(profile: dict[str, Any], path: Path) -> Path:
    path = Path(path)
    head = {"schemaVersion": 2, "displayTimeUnit": "ns", "profilingType": "op"}
    with path.open("wb") as file:
        file.write(json.dumps(head)[:-1].encode() + b', "traceEvents": [\n')
        Trace(profile).write(file)
        file.write(b"\n]}\n")
    return path


def process_name(core: str) -> tuple[str, int]:
    """'AIV 5' -> 'core2.veccore1' and its place: two vector cores stand beside each cube core."""
    found = re.fullmatch(r"(AIC|AIV)\D*(\d+)", core)
    if found is None:
        return core, 0
    number = int(found[2])
    if found[1] == "AIC":
        return f"core{number}.cubecore0", number * 3 + 1
    return f"core{number // 2}.veccore{number % 2}", number // 2 * 3 + 2 + number % 2


class Trace:
    def __init__(self, profile: dict[str, Any]) -> None:
        self.profile = profile
        self.pids = [process_name(lane["core"])[0] for lane in profile["lanes"]]
        self.tids = [LANES.get(lane["pipe"], lane["pipe"]) for lane in profile["lanes"]]

    def write(self, file: BinaryIO) -> None:
        before = ",\n".join(self._processes())
        file.write(before.encode())
        file.flush()
        is_empty = self._write_cores(file.fileno(), is_first=not before)
        behind = ",\n".join([*self._host(), *self._counters()])
        file.write(b",\n" if behind and not is_empty else b"")
        file.write(behind.encode())

    def _processes(self) -> Iterator[str]:
        places = dict(process_name(lane["core"]) for lane in self.profile["lanes"])
        for pid, place in sorted(places.items(), key=lambda item: item[1]):
            yield _meta(pid, None, "process_name", {"name": pid})
            yield _meta(pid, None, "process_sort_index", {"sort_index": place})

    def _write_cores(self, file: int, is_first: bool) -> bool:
        """What the cores do, written by the engine: slices, flags and the arrows between them. True: nothing is in the file yet."""
        flows = np.array(self.profile["flows"], np.int32).reshape(-1, 2)
        writer = self._writer(file, is_first)
        threads: dict[tuple[str, str], list[int]] = defaultdict(list)  # launches that follow each other share the core's lanes
        for lane, key in enumerate(zip(self.pids, self.tids, strict=True)):
            threads[key].append(lane)
        for (_, tid), lanes in threads.items():
            writer.slices(lanes, _style(tid))
        cycle = max(1, round(1000 / self.profile["clock_mhz"]))
        writer.flags(flows, cycle_ns=cycle, set_style=_style("SET_FLAG"), wait_style=_style("WAIT_FLAG"))
        writer.arrows(flows)
        writer.finish()
        return writer.is_first

    def _writer(self, file: int, is_first: bool) -> _engine.TraceWriter:
        columns, kernels = self.profile["slices"], {launch["id"]: launch["kernel"] for launch in self.profile["launches"]}
        begin, length = (np.asarray(columns[key], float) for key in ("start_us", "dur_us"))
        start = np.rint(begin * 1000).astype(np.int64)
        end = np.maximum(start, np.rint((begin + length) * 1000).astype(np.int64))
        details = [json.dumps(f"{kernels[lane['launch']]}, launch {lane['launch']}") for lane in self.profile["lanes"]]
        return _engine.TraceWriter(
            file,
            is_first=is_first,
            lanes=[(json.dumps(pid), tid, detail) for pid, tid, detail in zip(self.pids, self.tids, details, strict=True)],
            start=start,
            end=end,
            bytes=np.asarray(columns["bytes"], np.int64),
            lane=np.asarray(columns["lane"], np.int32),
            name=np.asarray(columns["name"], np.int32),
            site=np.asarray(columns["site"], np.int32),
            names=[json.dumps(name) for name in self.profile["names"]],
            sites=[json.dumps(f"{site['file']}:{site['line']}") for site in self.profile["sites"]],
        )

    def _host(self) -> Iterator[str]:
        """Streams, launches, copies and callbacks, as a process of their own above the cores."""
        items = sorted(self.profile["host"], key=lambda each: (each["lane"], each["start_us"]))
        if items:
            yield _meta(HOST, None, "process_name", {"name": HOST})
            yield _meta(HOST, None, "process_sort_index", {"sort_index": 0})
        free: dict[str, list[int]] = defaultdict(list)
        for place, lane in enumerate(sorted({each["lane"] for each in items})):
            yield _meta(HOST, lane, "thread_sort_index", {"sort_index": place + 1})
        for each in items:
            start, end = round(each["start_us"] * 1000), round((each["start_us"] + each["dur_us"]) * 1000)
            tid = _beside(each["lane"], _first_fit(free[each["lane"]], start, end))
            args = {"process_bytes": each["bytes"]} if each.get("bytes") else {}
            event = {
                "ph": "X",
                "pid": HOST,
                "tid": tid,
                "name": each["name"],
                "ts": start / 1000,
                "dur": (end - start) / 1000,
                "args": args,
            }
            yield json.dumps(event)

    def _counters(self) -> Iterator[str]:
        for name, ts, rate in throughput(self.profile):
            yield f'{{"ph":"C","pid":"{COUNTERS}","name":"{name}","ts":{ts},"args":{{"throughput(MB/s)":{rate}}}}}'


def _style(tid: str) -> tuple[str, int]:
    """Colour, as a piece of an event, and place of a lane."""
    return (f',"cname":"{COLOURS[tid]}"' if tid in COLOURS else "", SORT.get(tid, 11))


def _meta(pid: str, tid: str | None, name: str, args: dict[str, Any]) -> str:
    event = {"ph": "M", "pid": pid, **({"tid": tid} if tid is not None else {}), "name": name, "args": args}
    return json.dumps(event)


def _beside(tid: str, side: int) -> str:
    return f"{tid} ({side + 1})" if side else tid


def _first_fit(free: list[int], start: int, end: int) -> int:
    """The first lane that is free at `start`, which is then taken until `end`."""
    for lane, until in enumerate(free):
        if until <= start:
            free[lane] = end
            return lane
    free.append(end)
    return len(free) - 1
