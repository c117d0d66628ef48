# SPDX-License-Identifier: Apache-2.0
"""A profile in the terminal: how long, bound by what, where the pipes' time goes, and the biggest stalls."""

from __future__ import annotations

import textwrap

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from aclimb.binary.source_lines import source_text
from aclimb.trace.advice import pipe_shares
from aclimb.trace.document import bandwidth_of
from aclimb.trace.launch import PARTS, LaunchTiming, Stall
from aclimb.trace.profiling import Profile

STALLS = 3
PARTS_OF_PATH, _SMALL = 5, 0.01
ADVICE = 3
LAUNCHES = 8  # described one by one; what comes after is only counted
_BAR = 20
_ASSUMED = ("launch_base_ns", "dispatch_ns", "xcore_flag", "fix_fixed", "api_issue")


def print_summary(profile: Profile, console: Console | None = None) -> None:
    console = console or Console(highlight=False)
    for launch in profile.launches[:LAUNCHES]:
        console.print(launch_summary(profile, launch, console.width))
    rest = profile.launches[LAUNCHES:]
    if rest:
        many = f"{len(rest)} more launch{'es' if len(rest) > 1 else ''}"
        console.print(hanging(f"and {many}, {sum(each.task for each in rest) / 1e6:.2f} us; profile.json has them all", console.width))
        console.print()
    if not profile.launches:
        console.print("no kernel was launched while the profile was open")
        return
    for note in profile.notes:
        console.print(hanging(f"note: {note}", console.width, style="yellow"))
    assumed = ", ".join(name for name in _ASSUMED if name in profile.assumed)
    words = f"modelled, not measured; assumed among others: {assumed} (docs/reference/timing_model.md)"
    console.print(hanging(words, console.width, style="dim"))


def hanging(text: str, width: int, *, first: str = "", rest: str = "  ", style: str = "") -> Text:
    """A text over as many lines as it needs; those after its first are indented."""
    lines = textwrap.wrap(text, width, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False)
    return Text("\n".join(lines), style)


def launch_summary(profile: Profile, launch: LaunchTiming, width: int = 80) -> RenderableType:
    bandwidth = hanging(_bandwidth(profile, launch), width, first="  ")
    return Group(
        *_title(profile, launch, width), _pipes(launch), bandwidth, *_stalls(launch), *_path(launch), *_advice(profile, launch, width), ""
    )


def _title(profile: Profile, launch: LaunchTiming, width: int) -> list[RenderableType]:
    """One line, or two where one is too long."""
    mode = "" if profile.mode == "full" else f", {profile.mode}"
    where = f"  {profile.chip.name} (modelled{mode}), {launch.num_blocks} block{'s' if launch.num_blocks > 1 else ''}"
    failed = "   failed" if launch.failed else ""
    title = Text.assemble((launch.kernel, "bold"), where, (f"   {launch.task_us:.2f} us", "bold green"), (failed, "bold red"))
    bound = f"bound by {launch.bound}"
    if title.cell_len + 3 + len(bound) <= width:
        return [Text.assemble(title, "   ", (bound, "cyan"))]
    return [title, hanging(bound, width, first="  ", rest="    ", style="cyan")]


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


def _bandwidth(profile: Profile, launch: LaunchTiming) -> str:
    moved, value = bandwidth_of(launch), {name: row.value for name, row in profile.model.parameters.items()}
    parts = [
        f"{name} {_gbs(moved[key])} of {value[key]:.0f} GB/s ({moved[key] / value[key]:.0%})"
        for name, key in (("HBM", "hbm_gbs"), ("L2", "l2_gbs"))
        if moved[key] > 0
    ]
    if moved["l2_read_bytes"]:
        parts.append(f"{moved['l2_hit_rate']:.0%} of reads hit the L2")
    return "   ".join(parts) or "no global memory was moved"


def _gbs(value: float) -> str:
    return f"{value:.0f}" if value >= 9.95 else f"{value:.1f}" if value >= 0.05 else "less than 0.1"


def _stalls(launch: LaunchTiming) -> list[RenderableType]:
    return [part for number, stall in enumerate(launch.biggest_stalls(STALLS), 1) for part in _stall(launch, number, stall)]


def _path(launch: LaunchTiming) -> list[RenderableType]:
    """What the time of the core that ends last is made of, the largest parts."""
    path = launch.critical_path
    if path is None:
        return []
    lines: list[RenderableType] = [Text(f"  critical path, of {path.core}", "bold")]
    for part in [each for each in path.parts if each.share >= _SMALL][:PARTS_OF_PATH]:
        at = f"   {part.at}" if part.at.file else ""
        lines.append(Text(f"  {part.share:>6.1%}  {part}{at}", "dim", no_wrap=True, overflow="ellipsis"))
    return lines


def _advice(profile: Profile, launch: LaunchTiming, width: int) -> list[RenderableType]:
    """What the model tried and found to help."""
    return [
        hanging(f"{each}{f'   {each.at}' if each.at.file else ''}", width, first="  try: ", rest=" " * 7)
        for each in profile.advice(launch)[:ADVICE]
    ]


def _stall(launch: LaunchTiming, number: int, stall: Stall) -> list[RenderableType]:
    """What waits for what, and where; the kernel's own text is cut where the line ends."""
    cores = max(1, len({core.slot for core in launch.cores if core.type == stall.core}))
    lines: list[RenderableType] = [Text.assemble((f"  {number}. {stall}", "bold"), (f"   {stall.ps / cores / 1e6:.2f} us a core", "red"))]
    if stall.at.file:
        by = f", set at {stall.set_by}" if stall.set_by.file and stall.set_by != stall.at else ""
        text = source_text(stall.at.file, stall.at.line)
        lines.append(Text(f"     {stall.at}{by}   {text}".rstrip(), "dim", no_wrap=True, overflow="ellipsis"))
    return lines
