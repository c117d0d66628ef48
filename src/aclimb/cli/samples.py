# SPDX-License-Identifier: Apache-2.0
"""`aclimb try`: a whole folder of samples."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from aclimb.cli.app import Strictness, app, use_strictness
from aclimb.cli.fleets import Jobs, Memory, On, limits_of


@app.command(name="try", short_help="Build and run every program and operator project of a folder.")
def try_folder(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder of samples, such as a checkout. It is only read.")],
    only: Annotated[
        list[str] | None, typer.Option("--only", metavar="PATTERN", help="Part of a name, or a pattern with * and ?; may be given again.")
    ] = None,
    jobs: Jobs = None,
    on: On = None,
    memory: Memory = None,
    timeout: Annotated[float, typer.Option(metavar="SECONDS", help="How long a build, a script or a program may take.")] = 120.0,
    keep: Annotated[bool, typer.Option("--keep", help="Keep the scratch copy, and say where it is.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the rows as JSON.")] = False,
    strictness: Strictness = None,
) -> None:
    """Build and run every program and operator project of a folder in a scratch copy, and print what came of each.

    The exit code is 1 when something is wrong or fails; what is not supported, or needs something that is not there, leaves it at 0.
    """
    from aclimb.trial import table, trial

    use_strictness(strictness)
    made = trial.run(folder, only=only or (), jobs=jobs, timeout=timeout, keep=keep, on=on, memory=limits_of(None, memory).memory)
    if as_json:
        typer.echo(json.dumps(table.document(made), indent=1, ensure_ascii=False))
    else:
        table.show(made)
    if not made.ok:
        raise typer.Exit(1)
