# SPDX-License-Identifier: Apache-2.0
"""The command's root: its options, how its errors look, and what several commands take."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from aclimb import knobs
from aclimb.errors import AclimbError, InvalidArgument
from aclimb.version import __version__

app = typer.Typer(
    help="Runs Ascend C kernels on machines that have no Ascend NPU.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def use_strictness(strictness: str | None) -> None:
    """For the devices that this process, or one that it starts, opens from now on."""
    if strictness is not None:
        if strictness not in knobs.strictness.choices:
            raise InvalidArgument(f"--strictness is {strictness!r}; it takes {' or '.join(knobs.strictness.choices)}")
        os.environ[knobs.strictness.variable] = strictness


Strictness = Annotated[
    str | None,
    typer.Option("--strictness", metavar="HOW", help="strict refuses what a chip would run by accident, hardware runs and logs it."),
]


def use_isolation(isolated: bool) -> None:
    """As `use_strictness`."""
    if isolated:
        os.environ[knobs.isolated.variable] = "1"


Isolated = Annotated[
    bool,
    typer.Option("--isolated", help="Kernels run in a process of their own that reaches nothing of the host's: for those of strangers."),
]


def main() -> None:
    """Entry point: errors of the user, and of the machine, are one red line and exit code 1, without a traceback."""
    try:
        app(standalone_mode=True)
    except (AclimbError, OSError) as error:
        say(error)
        if isinstance(error, OSError):
            _drop_output()
        raise SystemExit(1) from None


def say(error: AclimbError | OSError) -> None:
    words = error.in_full() if isinstance(error, AclimbError) else str(error)
    text = f"[bold red]{type(error).__name__}:[/bold red] {escape(words)}"
    Console(stderr=True, soft_wrap=True, highlight=False).print(text)


def _drop_output() -> None:
    """What could not be written would be tried again at exit, and fail with words of its own."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"aclimb {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")] = False,
) -> None:
    pass


def repeated(option: str, values: Sequence[object] | None) -> list[str]:
    return [f"{option}{value}" for value in values or ()]


def text_of(path: Path) -> str:
    try:
        return path.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidArgument(f"{path} cannot be read: {getattr(error, 'strerror', None) or 'it is not text'}") from None


def write(path: Path, text: str) -> None:
    try:
        path.write_text(text)
    except OSError as error:
        raise InvalidArgument(f"{path} cannot be written: {error.strerror}; choose another place") from None
