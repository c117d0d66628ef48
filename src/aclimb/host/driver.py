# SPDX-License-Identifier: Apache-2.0
"""`bisheng`, the compiler that projects call: sources with kernels through the builder, others through the host's compiler, then the link.

Messages have gcc's form and go to standard error; the exit status is 0 only where every output was written.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from aclimb.compile import toolchain
from aclimb.errors import AclimbError, CompileError, InvalidArgument
from aclimb.host import depfile, jobs
from aclimb.host.command_line import Command, Source, parse
from aclimb.host.driver_options import options
from aclimb.version import __version__

NAME = "bisheng"


def main() -> None:
    words = sys.argv[1:]
    try:
        raise SystemExit(run(words))
    except CompileError as error:
        sys.stderr.write(f"{error.in_full()}\n")
    except AclimbError as error:
        sys.stderr.write(f"{NAME}: error: {error}\n")
    except OSError as error:
        sys.stderr.write(f"{NAME}: error: {error.filename}: {error.strerror}\n")
    raise SystemExit(1)


def run(words: list[str]) -> int:
    if any(word in ("--help", "-help") for word in words):
        print(_help(), end="")
        return 0
    if "--version" in words:
        print(f"aclimb {__version__}, in place of the Ascend C compiler\n{toolchain.find().version}")
        return 0
    command = parse(words)
    for note in command.notes:
        sys.stderr.write(f"{NAME}: note: {note}\n")
    if "--aclimb-launch-headers" in command.values:
        jobs.write_launch_headers(command, Path(command.values["--aclimb-launch-headers"]))
        return 0
    if command.has("--aclimb-image"):
        jobs.extract_image(command)
        return 0
    if not command.sources and not command.objects:
        return _forwarded(words)
    if command.has("-E", "-S", "-fsyntax-only") or any(word in ("-v", "-###") for word in command.host):
        if any(source.language == "asc" for source in command.sources):
            raise InvalidArgument("-E, -S, -fsyntax-only, -v and -### are for sources without kernels; compile these with -c")
        return _forwarded(words)
    if command.has("--cce-aicore-only"):
        jobs.build_image(command)
    elif command.has("-c") or (command.has("-dc") and command.output is not None and command.output.suffix == ".o"):
        _compile_only(command)
    else:
        _compile_and_link(command)
    return 0


def _compile_only(command: Command) -> None:
    if not command.sources:
        raise InvalidArgument("-c is given and there is no source to compile")
    if command.output is not None and len(command.sources) > 1:
        raise InvalidArgument(f"-o {command.output} is given with -c and {len(command.sources)} sources; compile them one by one")
    for source in command.sources:
        output = command.output or Path(f"{source.path.stem}.o")
        _compile(command, source, output)


def _compile(command: Command, source: Source, output: Path) -> None:
    files = jobs.compile_source(command, source, output)
    if command.has("-MD", "-MMD"):
        depfile.write(command, source, output, files)


def _compile_and_link(command: Command) -> None:
    output = command.output or Path("a.out")
    with tempfile.TemporaryDirectory(prefix="aclimb-link-") as folder:
        objects = []
        for number, source in enumerate(command.sources):
            target = Path(folder) / f"{number}_{source.path.stem}.o"
            _compile(command, source, target)
            objects.append(str(target))
        everything = [*objects, *command.objects]
        if command.has("-lib", "--cce-build-static-lib"):
            jobs.archive(everything, output)
        else:
            jobs.link(command, everything, output)


def _forwarded(words: list[str]) -> int:
    """What concerns host code alone is the host compiler's."""
    tools = toolchain.find()
    command = [*tools.compiler(), *jobs.for_host(words)]
    return subprocess.run(command, env=dict(os.environ)).returncode


def _help() -> str:
    lines = [f"{NAME} of aclimb {__version__}: [options] sources and objects\n\n"]
    lines += [f"  {option.spelling:<32}{option.kind.value:<26}{option.sentence}".rstrip() + "\n" for option in options()]
    return "".join(lines)


if __name__ == "__main__":
    main()
