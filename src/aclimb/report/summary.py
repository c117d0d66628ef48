# SPDX-License-Identifier: Apache-2.0
"""A profile in the terminal: how long, bound by what, where the pipes' time goes, and the biggest stalls."""

from __future__ import annotations

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from aclimb.trace.advice import advice_for, pipe_shares, scalar_keeps_up
from aclimb.trace.document import bandwidth_of
from aclimb.trace.launch import PARTS, LaunchTiming, Stall
from aclimb.trace.profiling import Profile
from aclimb.trace.source_lines import source_text

STALLS = 3
LAUNCHES = 8  # described one by one; what comes after is only counted
_BAR = 20


def print_summary(profile: Profile, console: Console | None = None) -> None:
    console = console or Console(highlight=False)
    for launch in profile.launches[:LAUNCHES]:
        console.print(launch_summary(profile, launch))
    rest = profile.launches[LAUNCHES:]
    if rest:
        console.print(f"and {len(rest)} more launches, {sum(each.task for each in rest) / 1e6:.1f} us; profile.json has them all\n")
    if not profile.launches:
        console.print("no kernel was launched while the profile was open")
    for note in profile.notes:
        console.print(Text(f"note: {note}", "yellow"))
    assumed = [name for name in ("launch_base_ns", "dispatch_ns", "xcore_flag", "fix_fixed", "api_issue") if name in profile.assumed]
    console.print(Text(f"modelled, not measured; assumed among others: {', '.join(assumed)} (docs/reference/timing_model.md)", "dim"))


def launch_summary(profile: Profile, launch: LaunchTiming) -> RenderableType:
    return Group(_title(profile, launch), _pipes(launch), _bandwidth(profile, launch), *_stalls(launch), Text(""))


def _title(profile: Profile, launch: LaunchTiming) -> Text:
    text = Text(launch.kernel, "bold")
    mode = "" if profile.mode == "full" else f", {profile.mode}"
    text.append(f"  {profile.chip.name} (modelled{mode}), {launch.num_blocks} block{'s' if launch.num_blocks > 1 else ''}", "default")
    text.append(f"   {launch.task_us:.2f} us", "bold green")
    text.append(f"   bound by {launch.bound}", "cyan")
    return text


def _pipes(launch: LaunchTiming) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("  pipe")
    table.add_column("active", justify="right")
    table.add_column("")
    for part in PARTS:
        table.add_column({"memory": "memory wait", "flag": "flag wait", "empty": "queue empty"}.get(part, part), justify="right")
    for pipe in sorted(pipe_shares(launch), key=lambda name: -launch.pipe_us(name)):
        mine = [core for core in launch.cores if pipe in core.pipes]
        total = sum(core.time for core in mine)
        share = {part: sum(getattr(core.pipes[pipe], part) for core in mine) / total for part in (*PARTS, "active")}
        bar = Text("█" * round(share["busy"] * _BAR), "green") + Text("█" * round(share["memory"] * _BAR), "yellow")
        table.add_row(f"  {pipe}", f"{share['active']:.1%}", bar, *(f"{share[part]:.1%}" for part in PARTS))
    return table


def _bandwidth(profile: Profile, launch: LaunchTiming) -> Text:
    moved, value = bandwidth_of(launch), {name: row.value for name, row in profile.model.parameters.items()}
    parts = [
        f"{name} {moved[key]:.0f} of {value[key]:.0f} GB/s ({moved[key] / value[key]:.0%})"
        for name, key in (("HBM", "hbm_gbs"), ("L2", "l2_gbs"))
        if moved[key] > 0
    ]
    hits = f"{moved['l2_hit_rate']:.0%} of reads hit the L2" if moved["l2_read_bytes"] else ""
    return Text("  " + "   ".join([*parts, hits]).rstrip()) if parts or hits else Text("  no global memory was moved")


def _stalls(launch: LaunchTiming) -> list[Text]:
    """The biggest, without those that only mirror another: a scalar unit that waits for room has run ahead, and a queue is empty while
    the scalar unit waits."""
    mirrors = scalar_keeps_up(launch)
    shown = [each for each in launch.stalls if not each.cause.startswith("queue of") and not (mirrors and each.kind == "empty")][:STALLS]
    return [part for number, stall in enumerate(shown, 1) for part in _stall(launch, number, stall)]


def _stall(launch: LaunchTiming, number: int, stall: Stall) -> list[Text]:
    cores = max(1, len({(core.type, core.slot) for core in launch.cores if core.type == stall.core}))
    head = Text(f"  {number}. {stall.pipe} ", "bold")
    head.append({"memory": "waits for memory", "empty": "has nothing queued"}.get(stall.kind, f"waits for {stall.cause}"), "default")
    head.append(f"   {stall.ps / cores / 1e6:.2f} us a core", "red")
    if stall.at.file:
        head.append(f"   {stall.at}   {source_text(stall.at.file, stall.at.line)}", "dim")
    if stall.set_by.file:
        head.append(f"   set at {stall.set_by}", "dim")
    return [head, Text(f"     try: {advice_for(stall, launch)}", "dim")]
