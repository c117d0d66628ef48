# SPDX-License-Identifier: Apache-2.0
"""What commands take that do many tasks: how many at a time, where, and how much each may have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from aclimb import knobs
from aclimb.errors import InvalidArgument
from aclimb.fleet.task import Limits

Jobs = Annotated[
    int | None, typer.Option("-j", "--jobs", metavar="N", min=1, help="Processes at a time; default the host's cores, or the cluster's.")
]
On = Annotated[
    str | None,
    typer.Option("--on", metavar="WHERE", help="ray: the Ray cluster of this machine; ray://host:port: a remote one. Default: here."),
]
Needs = Annotated[
    list[Path] | None,
    typer.Option("--with", metavar="PATH", help="With --on: a file or folder that is needed beside the program's; may be given again."),
]
Seconds = Annotated[float | None, typer.Option("--time-limit", metavar="SECONDS", help="How long one run may take; default: no limit.")]
Memory = Annotated[str | None, typer.Option("--memory-limit", metavar="SIZE", help="Memory of one run, as 4G; default: no limit.")]


def limits_of(seconds: float | None, memory: str | None) -> Limits:
    if seconds is not None and not seconds > 0:
        raise InvalidArgument(f"--time-limit is {seconds:g}; it takes seconds, a number above 0")
    size = knobs.Size("--memory-limit", 0, "", default_text="no limit").parse(memory) if memory is not None else None
    return Limits(seconds, size)
