# SPDX-License-Identifier: Apache-2.0
"""The make rule that says which files an object was made of."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from aclimb.binary.container import replace_file
from aclimb.host.command_line import Command, Source


def write(command: Command, source: Source, output: Path, files: Iterable[Path]) -> None:
    """-MD: beside the object, or where -MF says; for the object, or what -MT says."""
    place = Path(command.values.get("-MF") or output.with_suffix(".d"))
    replace_file(place, rule(command, source, output, files).encode())


def rule(command: Command, source: Source, output: Path, files: Iterable[Path]) -> str:
    target = command.values.get("-MT") or _escaped(command.values.get("-MQ") or str(output))
    needed = dict.fromkeys(str(path) for path in (source.path, *files))
    text = f"{target}: " + " \\\n ".join(map(_escaped, needed)) + "\n"
    if command.has("-MP"):
        text += "".join(f"{_escaped(path)}:\n" for path in list(needed)[1:])
    return text


def _escaped(path: str) -> str:
    return path.replace("$", "$$").replace("#", "\\#").replace(" ", "\\ ")
