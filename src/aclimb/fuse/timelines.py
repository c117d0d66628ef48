# SPDX-License-Identifier: Apache-2.0
"""One chain, three timelines: separate launches, fused, and fused with early start; and what each boundary saves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from aclimb import chips, engine, knobs, pages
from aclimb.errors import FuseError
from aclimb.flow import Pipe
from aclimb.fuse.closed_form import Boundary, Core, Costs, Op, Outcome, Part, early_start, fused, separate
from aclimb.fuse.fuse import fuse, plan_of
from aclimb.fuse.member import Member
from aclimb.fuse.options import FuseOptions
from aclimb.runtime import Device, Kernel, LaunchConfig, Stream, launch
from aclimb.trace.chrome import write_trace
from aclimb.trace.document import write_document
from aclimb.trace.launch import CoreTiming, EntryKind, LaunchTiming
from aclimb.trace.profiling import Profile

MODES = ("separate", "fused", "early start")
_OPS = {row.name: number for number, row in enumerate(engine.instructions())}
_PIPE_OF_SET = {"AIC": "FIX", "AIV": "MTE3"}  # where a kernel does not say


@dataclass(frozen=True)
class ChainTimelines:
    """What the simulation says about the three ways to run a chain, and what the closed forms say about each boundary."""

    names: tuple[str, ...]
    profiles: dict[str, Profile]  # by mode
    times: dict[str, float]  # microseconds, simulated, by mode
    formulas: dict[str, Outcome]  # closed forms, by mode
    notes: tuple[str, ...]

    @property
    def boundaries(self) -> tuple[Boundary, ...]:
        return self.formulas["early start"].boundaries

    def spans(self, mode: str) -> list[tuple[str, float, float]]:
        """Each kernel with the start of its first core and its last effect, in microseconds."""
        launches = self.profiles[mode].launches
        if mode == "separate":
            first = launches[0].start
            return [(each.kernel, _us(each.start - first + _begin(each)), _us(each.start - first + _end(each))) for each in launches]
        return _sub_spans(launches[0])

    def __str__(self) -> str:
        return "\n".join([*self._totals(), "", *self._boundaries(), *(f"note: {note}" for note in self.notes)])

    def _totals(self) -> list[str]:
        base = self.times["separate"]
        rows = [f"{'':12} {'simulated':>12} {'by formula':>12} {'against separate':>18}"]
        for mode in MODES:
            rows.append(f"{mode:12} {self.times[mode]:9.2f} us {self.formulas[mode].total:9.2f} us {self.times[mode] / base:16.2f} x")
        return rows

    def _boundaries(self) -> list[str]:
        width = max(len(f"{each.before} > {each.after}") for each in self.boundaries) if self.boundaries else 10
        rows = [f"{'boundary, us':{width}}  dispatch saved  head hidden  barrier: skew  latency"]
        for each in self.boundaries:
            name = f"{each.before} > {each.after}"
            rows.append(f"{name:{width}}  {each.dispatch_saved:14.2f}  {each.head_hidden:11.2f}  {each.skew:13.2f}  {each.latency:7.2f}")
        return rows

    def save(self, folder: str | Path) -> list[Path]:
        """The three ways side by side as timelines.html, what is printed as timelines.txt, and a folder a mode with report.html,
        profile.json and trace.json."""
        folder = Path(folder)
        written, documents = [], {mode: profile.json() for mode, profile in self.profiles.items()}
        for mode, whole in documents.items():
            place = folder / mode.replace(" ", "_")
            written += [write_document(whole, place), write_trace(whole, place / "trace.json")]
            written.append(pages.write("report", whole, place / "report.html"))
        (folder / "timelines.txt").write_text(f"{self}\n")
        return [*written, folder / "timelines.txt", pages.write("timelines", self._page(documents), folder / "timelines.html")]

    def _page(self, documents: dict[str, dict[str, Any]]) -> dict[str, Any]:
        """What timelines.html is made from. The modes in their order, each with its whole profile."""
        return {
            "names": self.names,
            "modes": [
                {"mode": mode, "us": self.times[mode], "formula_us": self.formulas[mode].total, "spans": self.spans(mode), "profile": whole}
                for mode, whole in documents.items()
            ],
            "boundaries": [asdict(each) for each in self.boundaries],
            "notes": self.notes,
        }


def timelines(
    members: Sequence[Any],
    arguments: Sequence[Sequence[Any]],
    options: FuseOptions | str | None = None,
    *,
    soc: str | None = None,
    set: Mapping[str, float] = MappingProxyType({}),
    costs: Costs | None = None,
    device: Device | None = None,
) -> ChainTimelines:
    """Runs a chain three times and times each. `arguments` has one list for each member, as a launch of it would take them."""
    chain = [Member.of(member) for member in members]
    if len(chain) != len(arguments):
        raise FuseError(f"there are {len(chain)} members and {len(arguments)} lists of arguments; give one list for each member")
    if any(member.task_type == "dynamic" for member in chain):
        raise FuseError("a dynamic member reads its tiling from device memory and has no launch of its own; give its tiling key and blocks")
    chosen = FuseOptions.of(options)
    stream = Stream(device)
    profiles = {mode: Profile(soc=soc, set=set) for mode in MODES}
    with profiles["separate"]:
        for member, given in zip(chain, arguments, strict=True):
            kernel = Kernel(member.binary, member.info.name)
            launch(stream, LaunchConfig(member.num_blocks, member.key), kernel, *given)
        stream.synchronize()
    flat = [each for given in arguments for each in given]
    for mode, early in (("fused", 2), ("early start", chosen.early_start)):
        kernel = Kernel(fuse(chain, replace(chosen, early_start=early)))
        with profiles[mode]:
            launch(stream, LaunchConfig(plan_of(kernel.binary).num_blocks), kernel, *flat)
            stream.synchronize()
    return _gather(chain, profiles, chosen, costs, soc)


def _gather(
    chain: list[Member], profiles: dict[str, Profile], options: FuseOptions, costs: Costs | None, soc: str | None
) -> ChainTimelines:
    launches = profiles["separate"].launches
    families = (chain[0].binary.record.family, chips.load(soc or knobs.soc()).family)
    family = next((each for each in families if chips.support("SetNextTaskStart", each) != "effective"), families[0])
    has_early_start = options.early_start == 1 and chips.support("SetNextTaskStart", family) == "effective"
    ops = [op_of(each, sets_count=has_early_start) for each in launches]
    times = {mode: _us(profile.launches[0].task) for mode, profile in profiles.items()}
    times["separate"] = _us(launches[-1].start + launches[-1].task - launches[0].start)
    formulas = {"separate": separate(ops, costs), "fused": fused(ops, costs), "early start": early_start(ops, costs)}
    return ChainTimelines(tuple(each.kernel for each in launches), profiles, times, formulas, tuple(_notes(times, has_early_start, family)))


def _notes(times: dict[str, float], has_early_start: bool, family: str) -> list[str]:
    notes = []
    if not has_early_start:
        notes.append(f"early start has no effect here ({'switched off' if family == 'A3' else f'Atlas {family}'})")
    if times["fused"] > times["separate"]:
        notes.append("fused is slower than separate launches: the barriers between so short kernels cost more than their launches")
    if has_early_start and times["early start"] > times["fused"] * (1 + 1e-9):
        notes.append("early start is slower than fused alone: what overlaps shares the bandwidth of the same memory")
    return notes


# --- from a simulated launch to what the closed forms take


def op_of(timed: LaunchTiming, *, sets_count: bool = True) -> Op:
    """One kernel as the closed forms see it, read off its own launch."""
    parts: dict[Core, Part] = {}
    sets = waits = False
    for core in timed.cores:
        part, has_set, has_wait = _part(timed, core)
        parts[core.type, core.slot] = part
        sets, waits = sets or has_set, waits or has_wait
    return Op(timed.kernel, parts, sets=sets and sets_count, waits=waits and sets_count)


def _part(timed: LaunchTiming, core: CoreTiming) -> tuple[Part, bool, bool]:
    entries, results = timed.slices(core)
    start = results["start"] - core.start
    done = start + results["done"]
    scalar = core.pipes["S"]
    returned = scalar.busy + scalar.memory + scalar.flag
    wait_at = np.flatnonzero(entries["op"] == _OPS["pre_task_end"])
    set_at = np.flatnonzero(entries["op"] == _OPS["next_task_start"])
    wait = int(done[wait_at[0]]) if len(wait_at) else 0
    pipe = Pipe[_PIPE_OF_SET[core.type]]
    qp = _last(done[entries["pipe"] == pipe])
    s, d = returned, qp
    if len(set_at):
        first = int(set_at[0])
        s = int(start[first])
        d = _last(done[:first][entries["pipe"][:first] == int(entries["b"][first])])
    times = (wait, returned - wait, s - wait, d - wait, _last(done) - wait, qp - wait)
    return Part(*(_us(max(0, each)) for each in times)), len(set_at) > 0, len(wait_at) > 0


def _last(times: Any) -> int:
    return int(times.max()) if len(times) else 0


def _us(ps: float) -> float:
    return ps / 1e6


def _begin(timed: LaunchTiming) -> int:
    return min(core.start for core in timed.cores)


def _end(timed: LaunchTiming) -> int:
    return max(core.end for core in timed.cores)


def _sub_spans(timed: LaunchTiming) -> list[tuple[str, float, float]]:
    """Between the marks of each sub-kernel: its call, and the last effect of what it issued."""
    spans: dict[int, list[int]] = {}
    for core in timed.cores:
        entries, results = timed.slices(core)
        done = results["start"] + results["done"]
        at = np.flatnonzero(entries["kind"] == EntryKind.sub_kernel)
        for begin, end in zip(at[::2], at[1::2], strict=True):
            span = spans.setdefault(int(entries["a"][begin]), [1 << 62, 0])
            span[0] = min(span[0], int(results["start"][begin]))
            span[1] = max(span[1], int(done[begin : end + 1].max()))
    return [(timed.sub_kernels[number], _us(begin), _us(end)) for number, (begin, end) in sorted(spans.items())]
