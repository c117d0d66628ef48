# SPDX-License-Identifier: Apache-2.0
"""Two profiles in the terminal: each launch of one beside the same launch of the other, and which takes how much longer."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from aclimb.report.summary import hanging

LAUNCHES = 20  # rows; the whole is summed in any case
_SAME = 0.005

Launch = dict[str, Any]
Pair = tuple[Launch | None, Launch | None]


def print_comparison(a: dict[str, Any], b: dict[str, Any], names: tuple[str, str], console: Console) -> None:
    pairs = pair(a["launches"], b["launches"])
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("kernel", overflow="fold")
    for title in (f"{names[0]} us", f"{names[1]} us", "factor"):
        table.add_column(title, justify="right", overflow="fold")
    table.add_column("bound by", overflow="fold")
    for one, other in pairs[:LAUNCHES]:
        table.add_row(*_row(one, other))
    console.print(table)
    if len(pairs) > LAUNCHES:
        console.print(f"and {len(pairs) - LAUNCHES} more; compare.html has the first launch of each kernel, profile.json all")
    console.print(hanging(verdict(_total(a), _total(b), names), console.width))
    if a["soc"] != b["soc"]:
        console.print(hanging(f"note: {names[0]} is {a['soc']}, {names[1]} is {b['soc']}", console.width, style="yellow"))


def pair(a: list[Launch], b: list[Launch]) -> list[Pair]:
    """The first launch of a kernel with the first of the same name there, the second with the second; what is over stands alone."""
    rest = list(b)
    pairs: list[Pair] = []
    for one in a:
        other = next((each for each in rest if each["kernel"] == one["kernel"]), None)
        if other is not None:
            rest.remove(other)
        pairs.append((one, other))
    return [*pairs, *((None, other) for other in rest)]


def verdict(before: float, after: float, names: tuple[str, str]) -> str:
    if not before or not after:
        return f"{names[0] if not before else names[1]} launched no kernel"
    factor = before / after
    if abs(factor - 1) < _SAME:
        return f"{names[1]} takes as long as {names[0]}: {after:.2f} us (modelled)"
    how = f"{factor:.2f} times as fast as" if factor > 1 else f"{1 / factor:.2f} times as slow as"
    return f"{names[1]} is {how} {names[0]}: {after:.2f} us against {before:.2f} us (modelled)"


def _total(profile: dict[str, Any]) -> float:
    return float(sum(each["task_us"] for each in profile["launches"]))


def _row(one: Launch | None, other: Launch | None) -> tuple[str | Text, ...]:
    times = [f"{each['task_us']:.2f}" if each else "-" for each in (one, other)]
    bounds = list(dict.fromkeys(each["bound"] for each in (one, other) if each))
    return (one or other or {})["kernel"], *times, _factor(one, other), " -> ".join(bounds)


def _factor(one: Launch | None, other: Launch | None) -> Text:
    if one is None or other is None or not one["task_us"]:
        return Text("new" if one is None else "gone" if other is None else "-")
    factor = other["task_us"] / one["task_us"]
    if abs(factor - 1) < _SAME:
        return Text("same")
    return Text(f"x {factor:.2f}", "green" if factor < 1 else "red")
