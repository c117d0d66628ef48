# SPDX-License-Identifier: Apache-2.0
"""`aclimb profile`: take a profile of a program, show it, write its files, compare two of them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from aclimb import chips, knobs
from aclimb.errors import InvalidArgument
from aclimb.report.summary import print_summary
from aclimb.trace.profiling import L2, Profile

RESULT_FILE = "ACLIMB_SWEEP_RESULT"


@dataclass(frozen=True, slots=True)
class Request:  # command line -> trace/
    soc: str | None = None
    overrides: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    blocks: int | None = None
    timing_only: bool = False
    sampled: bool = False
    trace: bool = True
    l2: str = "dirty-warm"
    limit: str | None = None

    def open(self) -> Profile:
        l2: L2 = self.l2  # type: ignore[assignment]  # Profile refuses others by sentence
        return Profile(
            soc=self.soc,
            set=chips.parse_overrides(self.overrides),
            timing_only=self.timing_only,
            sampled=self.sampled,
            trace=self.trace,
            l2=l2,
            limit=self.limit or knobs.profile_limit(),
            blocks=self.blocks,
        )


def take(request: Request, program: Callable[[], None]) -> tuple[Profile, int]:
    """Runs the program inside a profile. Its exit code is the second answer; its other exceptions are raised."""
    if request.soc:
        os.environ[knobs.soc.variable] = chips.buildable(request.soc).name
    if request.defines:
        os.environ[knobs.defines.variable] = " ".join([knobs.defines(), *request.defines]).strip()
    profile, code = request.open(), 0
    with profile:
        try:
            program()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
            if isinstance(end.code, str):
                Console(stderr=True).print(end.code)
    return profile, code


def show(profile: Profile, folder: Path | None) -> None:
    console = Console(highlight=False)
    if RESULT_FILE in os.environ:  # a process of `aclimb sweep`
        Path(os.environ[RESULT_FILE]).write_text(json.dumps(totals(profile)))
    print_summary(profile, console)
    if folder is not None and profile.launches:
        for path, what in write_files(profile, folder):
            console.print(f"{path}   [dim]{what}[/dim]", soft_wrap=True)


def totals(profile: Profile) -> dict[str, Any]:
    """The whole program in four numbers; bound by what its longest launch is bound by."""
    launches = profile.launches
    longest = max(launches, key=lambda each: each.task, default=None)
    return {
        "task_us": sum(each.task_us for each in launches),
        "core_us": sum(each.core_us for each in launches),
        "bound": longest.bound if longest else "",
        "launches": len(launches),
    }


def write_files(profile: Profile, folder: Path) -> list[tuple[Path, str]]:
    """Everything a profile has to say; each file with what it is good for."""
    from aclimb.report import html
    from aclimb.trace import chrome, csv_files

    whole = profile.json()
    folder.mkdir(parents=True, exist_ok=True)
    data, trace, page = folder / "profile.json", folder / "trace.json", folder / "report.html"
    data.write_text(json.dumps(whole, separators=(",", ":")))
    chrome.write_trace(whole, trace)
    html.write(whole, page)
    csv_files.write_csv(whole, folder)
    return [(page, "open in a browser"), (trace, "open in Perfetto or chrome://tracing"), (data, "for --compare"),
            (folder / "PipeUtilization.csv", "and the other tables")]  # fmt: skip


def compare(first: Path, second: Path, folder: Path) -> Path:
    from aclimb.report import html

    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "compare.html"
    html.write_comparison(read(first), read(second), path)
    return path


def read(path: Path) -> dict[str, Any]:
    """A saved profile. Anything else is refused by sentence."""
    try:
        data = json.loads(path.read_text())
    except FileNotFoundError:
        raise InvalidArgument(f"{path} does not exist; `aclimb profile program.py` writes a profile.json") from None
    except (OSError, ValueError) as error:
        raise InvalidArgument(f"{path} cannot be read as a profile: {error}") from None
    if not isinstance(data, dict) or data.get("format") != "aclimb profile":
        raise InvalidArgument(f"{path} is not a profile; `aclimb profile program.py` writes a profile.json")
    if data.get("version") != 1:
        raise InvalidArgument(f"{path} has version {data.get('version')!r}; this aclimb reads version 1: take the profile again")
    return data
