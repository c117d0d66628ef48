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
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

from aclimb.trace.throughput import throughput

LANES = {"S": "SCALAR", "V": "VECTOR", "M": "CUBE", "FIX": "FIXP"}  # our pipe -> the lane's name, where the two differ
SORT = {"SCALAR": 1, "FLOWCTRL": 2, "MTE1": 3, "CUBE": 4, "FIXP": 5, "MTE2": 6, "VECTOR": 7, "MTE3": 8, "SET_FLAG": 14, "WAIT_FLAG": 15}
COLOURS = {
    "MTE1": "thread_state_running", "MTE2": "thread_state_iowait", "MTE3": "rail_response", "SCALAR": "startup",
    "VECTOR": "cq_build_failed", "CUBE": "background_memory_dump", "FIXP": "thread_state_unknown", "SET_FLAG": "black",
}  # fmt: skip
HOST, COUNTERS = "host", "MTE Throughput"


def write_trace(profile: dict[str, Any], path: Path) -> Path:
    """Writes the trace piece by piece: memory does not grow with the text of the file."""
    path = Path(path)
    head = {"schemaVersion": 2, "displayTimeUnit": "ns", "profilingType": "op"}
    with path.open("w", encoding="utf-8") as file:
        file.write(json.dumps(head)[:-1] + ', "traceEvents": [\n')
        _write_all(file, Trace(profile).events())
        file.write("\n]}\n")
    return path


def _write_all(file: TextIO, events: Iterator[str]) -> None:
    separator = ""
    while block := list(islice(events, 20_000)):
        file.write(separator + ",\n".join(block))
        separator = ",\n"


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
        slices = profile["slices"]
        starts = [round(us * 1000) for us in slices["start_us"]]
        self.starts = starts
        self.ends = [
            max(start, round((us + dur) * 1000)) for start, us, dur in zip(starts, slices["start_us"], slices["dur_us"], strict=True)
        ]
        self.pids = [process_name(lane["core"])[0] for lane in profile["lanes"]]
        self.tids = [LANES.get(lane["pipe"], lane["pipe"]) for lane in profile["lanes"]]
        self.side: dict[int, int] = {}  # slice -> how many lanes beside the first it went to; most are in the first
        kernels = {launch["id"]: launch["kernel"] for launch in profile["launches"]}
        self.names = [json.dumps(name) for name in profile["names"]]
        self.sites = [json.dumps(f"{site['file']}:{site['line']}") for site in profile["sites"]]
        self.details = [json.dumps(f"{kernels[lane['launch']]}, launch {lane['launch']}") for lane in profile["lanes"]]

    def events(self) -> Iterator[str]:
        lanes = self._lanes()
        yield from self._processes()
        for (pid, tid), numbers in lanes.items():
            yield from self._slices(pid, tid, numbers)
        yield from self._flags()
        yield from self._flows()
        yield from self._host()
        yield from self._counters()

    def _lanes(self) -> dict[tuple[str, str], list[int]]:
        """Slices by process and thread, in order of their start. Launches that follow each other share the core's lanes."""
        ranges: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
        numbers, at = self.profile["slices"]["lane"], 0
        for lane in range(len(self.pids)):
            first = at
            while at < len(numbers) and numbers[at] == lane:
                at += 1
            ranges[self.pids[lane], self.tids[lane]].append((first, at))
        return {key: self._in_order(parts) for key, parts in ranges.items()}

    def _in_order(self, parts: list[tuple[int, int]]) -> list[int]:
        numbers = [number for first, last in parts for number in range(first, last)]
        return numbers if len(parts) == 1 else sorted(numbers, key=self.starts.__getitem__)

    def _processes(self) -> Iterator[str]:
        places = dict(process_name(lane["core"]) for lane in self.profile["lanes"])
        for pid, place in sorted(places.items(), key=lambda item: item[1]):
            yield _meta(pid, None, "process_name", {"name": pid})
            yield _meta(pid, None, "process_sort_index", {"sort_index": place})

    def _slices(self, pid: str, tid: str, numbers: list[int]) -> Iterator[str]:
        columns, starts, ends = self.profile["slices"], self.starts, self.ends
        name_of, site_of, bytes_of, lane_of = columns["name"], columns["site"], columns["bytes"], columns["lane"]
        colour = f',"cname":"{COLOURS[tid]}"' if tid in COLOURS else ""
        heads: list[str] = []  # of the lane and those beside it: how each of its events begins
        free: list[int] = []  # of each: where its last slice ends
        for number in numbers:
            start, end = starts[number], ends[number]
            side = _first_fit(free, start, end)
            if side:
                self.side[number] = side
            if side == len(heads):
                yield _meta(pid, _beside(tid, side), "thread_sort_index", {"sort_index": SORT.get(tid, 11)})
                heads.append(f'{{"ph":"X","pid":{json.dumps(pid)},"tid":{json.dumps(_beside(tid, side))}{colour},"name":')
            site = site_of[number]
            code = f'"code":{self.sites[site]},' if site >= 0 else ""
            size = f',"process_bytes":{bytes_of[number]}' if bytes_of[number] else ""
            yield (
                f'{heads[side]}{self.names[name_of[number]]},"ts":{start / 1000},"dur":{(end - start) / 1000},'
                f'"args":{{{code}"detail":{self.details[lane_of[number]]}{size}}}}}'
            )

    def _flags(self) -> Iterator[str]:
        """A flag is set for one cycle behind the instruction before it. A pipe waits from where it was free until the flag is set;
        when it waits for several, one after the other."""
        cycle = max(1, round(1000 / self.profile["clock_mhz"]))
        lane_of, ends, waits = self.profile["slices"]["lane"], self.ends, defaultdict(list)
        sets: dict[str, list[tuple[int, int, str]]] = defaultdict(list)  # by process: begin, end, name
        for setter, waiter in self.profile["flows"]:
            name = _flag_name(self.tids[lane_of[setter]], self.tids[lane_of[waiter]])
            sets[self.pids[lane_of[setter]]].append((ends[setter], ends[setter] + cycle, name))
            waits[waiter].append((ends[setter], name))
        number = 0
        for tid, spans in (("SET_FLAG", sets), ("WAIT_FLAG", self._waits(waits))):
            for pid, each in spans.items():
                yield from self._begin_and_end(pid, tid, sorted(each), number)
                number += len(each)

    def _waits(self, waits: dict[int, list[tuple[int, str]]]) -> dict[str, list[tuple[int, int, str]]]:
        lane_of, starts, ends = self.profile["slices"]["lane"], self.starts, self.ends
        spans: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
        for waiter, flags in waits.items():
            if not waiter or lane_of[waiter - 1] != lane_of[waiter]:
                continue  # the first of its lane: nothing says since when it waits
            begin = ends[waiter - 1]
            for end, name in sorted(flags):
                if begin < end <= starts[waiter]:
                    spans[self.pids[lane_of[waiter]]].append((begin, end, name))
                    begin = end
        return spans

    def _begin_and_end(self, pid: str, tid: str, spans: list[tuple[int, int, str]], number: int) -> Iterator[str]:
        free: list[int] = []
        tails: list[str] = []
        colour = f',"cname":"{COLOURS[tid]}"' if tid in COLOURS else ""
        for begin, end, name in spans:
            side = _first_fit(free, begin, end)
            if side == len(tails):
                yield _meta(pid, _beside(tid, side), "thread_sort_index", {"sort_index": SORT[tid]})
                tails.append(f'"pid":{json.dumps(pid)},"tid":"{_beside(tid, side)}"{colour}')
            known = f'"name":"{name}","id":{number},{tails[side]}'
            yield f'{{"ph":"B","ts":{begin / 1000},{known}}},\n{{"ph":"E","ts":{end / 1000},{known}}}'
            number += 1

    def _flows(self) -> Iterator[str]:
        """Arrows bind to the slice around them, so each begins just inside the end of its slice. "s" and "t" are enough for
        Perfetto and chrome://tracing; an "f" behind the "t" would draw one more arrow from the slice to itself."""
        lane_of, starts, ends, side = self.profile["slices"]["lane"], self.starts, self.ends, self.side
        pids, tids = self.pids, self.tids
        for number, (setter, waiter) in enumerate(self.profile["flows"]):
            one, other = lane_of[setter], lane_of[waiter]
            known = f'"name":"flow","cat":"{tids[one]}To{tids[other]}","id":{number},"bp":"e",'
            at = max(starts[setter], ends[setter] - 1)
            tail = f'"ts":{at / 1000},{known}{_place(pids[one], tids[one], side.get(setter, 0))}'
            head = f'"ts":{starts[waiter] / 1000},{known}{_place(pids[other], tids[other], side.get(waiter, 0))}'
            yield f'{{"ph":"s",{tail}}},\n{{"ph":"t",{head}}}'

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


@cache  # a few answers, asked for each of many flags
def _flag_name(one: str, other: str) -> str:
    return f"{one}_TO_{other}"


@cache
def _place(pid: str, tid: str, side: int) -> str:
    return f'"pid":{json.dumps(pid)},"tid":{json.dumps(_beside(tid, side))}'


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
