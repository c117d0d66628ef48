# SPDX-License-Identifier: Apache-2.0
"""`aclimb profile`: take a profile of a program, show it, write its files, compare two of them."""

from __future__ import annotations

import json
import os
import re
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape

from aclimb import chips, knobs
from aclimb.errors import AclimbError, CompileError, InvalidArgument, SourceNotFound
from aclimb.report.summary import print_summary
from aclimb.report.sweep.result import totals
from aclimb.runtime.where import users_frames
from aclimb.trace.profiling import L2, Profile

RESULT_FILE = "ACLIMB_SWEEP_RESULT"
PARTS_OF_A_PROFILE = ("soc", "mode", "notes", "peaks", "launches", "lanes", "names", "sites", "slices", "sources")


@dataclass(frozen=True, slots=True)
class Request:  # command line -> trace/
    soc: str | None = None
    overrides: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    blocks: int | None = None
    timing_only: bool = False
    sampled: bool = False
    trace: bool = True
    scalar: bool = True
    l2: str = "clean-warm"
    limit: str | None = None

    def open(self) -> Profile:
        l2: L2 = self.l2  # type: ignore[assignment]  # Profile refuses others by sentence
        return Profile(
            soc=self.soc,
            set=chips.parse_overrides(self.overrides),
            timing_only=self.timing_only,
            sampled=self.sampled,
            trace=self.trace,
            scalar=self.scalar,
            l2=l2,
            limit=self.limit or knobs.profile_limit(),
            blocks=self.blocks,
        )


@dataclass(frozen=True, slots=True)
class Ending:  # a program -> what is said about it
    code: int = 0
    error: Exception | None = None

    @property
    def sentence(self) -> str:
        """One line about the error; "" where there is none."""
        if self.error is None:
            return ""
        if isinstance(self.error, CompileError) and self.error.diagnostics:
            first = self.error.diagnostics[0]
            return f"CompileError: {Path(first.file).name}:{first.line}: {first.text}"
        lines = str(self.error).strip().splitlines()
        return f"{type(self.error).__name__}: {lines[0]}" if lines else type(self.error).__name__


def prepare(request: Request) -> Profile:
    """The profile, not yet open; builds in this process have the macros of the request from now on."""
    if request.soc:
        os.environ[knobs.soc.variable] = chips.buildable(request.soc).name
    if request.defines:
        os.environ[knobs.defines.variable] = " ".join([knobs.defines(), *map(_macro, request.defines)]).strip()
    return request.open()


def close(profile: Profile, ending: Ending, folder: Path | None) -> int:
    """Of a program that ended by exit(): shows the profile; gives the code to end with."""
    profile.close()
    show(profile, ending, folder)
    return ending.code


def take(request: Request, program: Callable[[], None]) -> tuple[Profile, Ending]:
    """Runs the program inside a profile. How the program ended is the second answer, and said on stderr as Python would."""
    profile = prepare(request)
    with profile:
        return profile, run_to_its_end(program)


def run_to_its_end(program: Callable[[], None]) -> Ending:
    """How it ended; said on stderr as Python would."""
    try:
        program()
    except SourceNotFound:
        raise  # of the program itself, or a sentence as good
    except SystemExit as end:
        if end.code is not None and not isinstance(end.code, int):
            print(end.code, file=sys.stderr)
        return Ending(int(end.code) if isinstance(end.code, int) else 0 if end.code is None else 1)
    except Exception as error:
        _explain(error)
        return Ending(1, error)
    return Ending()


def _macro(word: str) -> str:
    if not re.fullmatch(r"[A-Za-z_]\w*(=\S*)?", word):
        raise InvalidArgument(f"--define {word}: it takes NAME or NAME=VALUE, without spaces")
    return word


def _explain(error: Exception) -> None:
    """The program's own frames; ours around it say nothing."""
    frames = users_frames(error)
    if isinstance(error, AclimbError):
        at = f" ({Path(frames.tb_frame.f_code.co_filename).name}:{frames.tb_lineno})" if frames else ""
        text = f"[bold red]{type(error).__name__}:[/bold red] {escape(str(error))}[dim]{escape(at)}[/dim]"
        Console(stderr=True, soft_wrap=True, highlight=False).print(text)
    else:
        traceback.print_exception(type(error), error, frames)


def show(profile: Profile, ending: Ending, folder: Path | None) -> None:
    console = Console(highlight=False)
    if RESULT_FILE in os.environ:  # a process of `aclimb sweep`
        Path(os.environ[RESULT_FILE]).write_text(json.dumps(totals(profile, ending)))
    # First the files: who reads the words may have heard enough after a few lines (`| head`).
    written = write_files(profile, folder) if folder is not None and profile.launches else []
    print_summary(profile, console)
    for path, what in written:
        console.print(f"{escape(str(path))}   [dim]{what}[/dim]", soft_wrap=True)


def check_folder(folder: Path) -> Path:
    """Before anything runs: whether files can go there."""
    place = next(each for each in (folder, *folder.absolute().parents) if each.exists())
    if not place.is_dir() or not os.access(place, os.W_OK):
        raise InvalidArgument(f"--output {folder}: {place} is not a folder that can be written to")
    return folder


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


def compare(first: Path, second: Path, folder: Path) -> None:
    from aclimb.report import html
    from aclimb.report.comparison import print_comparison

    before, after, names = read(first), read(second), comparison_names(first, second)
    check_folder(folder).mkdir(parents=True, exist_ok=True)
    path = folder / "compare.html"
    html.write_comparison(before, after, path, names=names)
    console = Console(highlight=False)
    print_comparison(before, after, names, console)
    console.print(f"{escape(str(path))}   [dim]both side by side, with their timelines; open in a browser[/dim]", soft_wrap=True)


def comparison_names(first: Path, second: Path) -> tuple[str, str]:
    """What tells the two files apart: their names, else their folders', else A and B."""
    for names in ((first.stem, second.stem), (first.absolute().parent.name, second.absolute().parent.name)):
        if names[0] != names[1]:
            return names
    return "A", "B"


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
    missing = next((key for key in PARTS_OF_A_PROFILE if key not in data), None)
    if missing:
        raise InvalidArgument(f"{path} is damaged: it has no {missing!r}; take the profile again")
    return data
