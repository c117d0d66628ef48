# SPDX-License-Identifier: Apache-2.0
"""Bytes over time on the paths from and to global memory, from the slices that moved them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

# (type of core, pipe) -> path. Fixpipe writes from L0C, which has no counter of its own in the format: only the total has it.
PATHS = {("AIC", "MTE2"): "GM_TO_L1", ("AIV", "MTE2"): "GM_TO_UB", ("AIC", "MTE3"): "L1_TO_GM", ("AIV", "MTE3"): "UB_TO_GM"}
TOTALS = {"MTE2": "GM_TO_TOTAL", "MTE3": "TOTAL_TO_GM", "FIX": "TOTAL_TO_GM"}
STEPS = 400


def throughput(profile: dict[str, Any]) -> Iterator[tuple[str, float, float]]:
    """(counter, microseconds, MB/s) in order of time for each counter. The bytes of a slice are spread evenly over it, and what
    the counters add up to is what the slices moved."""
    slices = profile["slices"]
    if not slices["lane"]:
        return
    lane = np.asarray(slices["lane"])
    start, dur, size = (np.asarray(slices[key], dtype=np.float64) for key in ("start_us", "dur_us", "bytes"))
    edges = np.linspace(start.min(), (start + dur).max(), STEPS + 1)
    for name, lanes in sorted(_counters(profile["lanes"]).items()):
        chosen = np.isin(lane, lanes) & (size > 0)
        if not chosen.any():
            continue
        rates = np.diff(_moved(start[chosen], dur[chosen], size[chosen], edges)) / np.diff(edges)  # bytes a microsecond are MB/s
        before = None
        for at, rate in zip(edges, [*rates.tolist(), 0.0], strict=True):
            if rate != before:  # a counter holds its value until the next
                yield name, round(float(at), 3), round(rate, 3)
            before = rate


def _counters(lanes: list[dict[str, Any]]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for number, lane in enumerate(lanes):
        for name in (PATHS.get((lane["core"].split()[0], lane["pipe"])), TOTALS.get(lane["pipe"])):
            if name is not None:
                found.setdefault(name, []).append(number)
    return found


def _moved(start: Any, dur: Any, size: Any, at: Any) -> Any:
    """Bytes moved up to each time: the integral of a rate that changes where slices begin and end."""
    dur = np.maximum(dur, 1e-6)
    when = np.concatenate([start, start + dur])
    change = np.concatenate([size / dur, -size / dur])
    order = np.argsort(when, kind="stable")
    when, rate = when[order], np.cumsum(change[order])
    total = np.concatenate([[0.0], np.cumsum(rate[:-1] * np.diff(when))])
    return np.interp(at, when, total, left=0.0, right=float(size.sum()))
