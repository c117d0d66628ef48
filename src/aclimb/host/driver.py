# SPDX-License-Identifier: Apache-2.0
"""`bisheng`, the compiler that projects call: sources with kernels through the builder, others through the host's compiler, then the link.

Messages have gcc's form and go to standard error; the exit status is 0 only where every output was written.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from aclimb import log
from aclimb.binary.container import replace_file
from aclimb.compile import toolchain
from aclimb.errors import AclimbError, CompileError, InvalidArgument
from aclimb.host import depfile, jobs
from aclimb.host.command_line import Command, Source, parse
from aclimb.host.driver_options import options
from aclimb.version import __version__

NAME = "bisheng"
_HOST_COMPILERS = ("-E", "-S", "-fsyntax-only", "-M", "-MM", "-v", "-###")  # where no source has kernels


def main() -> None:
    log.start()
    words = sys.argv[1:]
    try:
        raise SystemExit(run(words, is_command=True))
    except CompileError as error:
        sys.stderr.write(f"{error.in_full()}\n")
    except AclimbError as error:
        sys.stderr.write(f"{NAME}: error: {error}\n")
    except OSError as error:
        sys.stderr.write(f"{NAME}: error: {error.filename}: {error.strerror}\n")
    _remove_output(words)
    raise SystemExit(1)


def run(words: list[str], is_command: bool = False) -> int:
    """`is_command`: as the vendor's compiler, whose options are to be complete."""
    if any(word in ("--help", "-help") for word in words):
        print(_help(), end="")
        return 0
    if "--version" in words:
        print(_version())
        return 0
    command = parse(words)
    if is_command and not command.has_architecture and any(source.language == "asc" for source in command.sources):
        command.notes.append(f"no --npu-arch is given; built for {command.soc}")
    for note in command.notes:
        jobs.note(note)
    if "-cce-auto-sync-log" in command.values:
        replace_file(Path(command.values["-cce-auto-sync-log"]), b"")
    return _run(command)


def _run(command: Command) -> int:
    has_kernels = any(source.language == "asc" for source in command.sources)
    if "--aclimb-launch-headers" in command.values:
        jobs.write_launch_headers(command, Path(command.values["--aclimb-launch-headers"]))
    elif command.has("--aclimb-image"):
        jobs.extract_image(command)
    elif not (command.sources or command.objects) or (not has_kernels and command.has(*_HOST_COMPILERS)):
        return jobs.forwarded(command)
    else:
        _make(command)
    return 0


def _make(command: Command) -> None:
    """Outputs of sources with kernels, and of ordinary compiles and links."""
    if command.has("-S"):
        raise InvalidArgument("-S is for sources without kernels; compile these with -c")
    if command.has("-v", "-###"):
        sys.stderr.write(f"{_version()}\n")
    if command.has("-E"):
        _put(command, jobs.preprocess(command))
    elif command.has("-M", "-MM"):
        _put(command, "".join(jobs.rule(command, source) for source in command.sources))
    elif command.has("-###"):
        return
    elif command.has("-fsyntax-only"):
        with tempfile.TemporaryDirectory(prefix="aclimb-check-") as folder:
            for source in command.sources:
                jobs.compile_source(command, source, Path(folder) / "checked.o")
    elif command.has("--cce-aicore-only"):
        jobs.build_image(command)
    elif command.has("-c") or (command.has("-dc") and command.output is not None and command.output.suffix == ".o"):
        _compile_only(command)
    else:
        _compile_and_link(command)


def _put(command: Command, text: str) -> None:
    if command.output is None or str(command.output) == "-":
        sys.stdout.write(text)
    else:
        replace_file(command.output, text.encode(errors="surrogateescape"))


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


def _remove_output(words: list[str]) -> None:
    """A command that failed leaves nothing that looks like its result, also not that of an earlier one."""
    given = [words[at + 1] for at, word in enumerate(words[:-1]) if word == "-o"]
    inputs = {Path(word).absolute() for at, word in enumerate(words) if word[:1] != "-" and words[at - 1] != "-o"}
    for path in map(Path, given):
        if path.is_file() and path.absolute() not in inputs:
            path.unlink()


def _version() -> str:
    return f"aclimb {__version__}, in place of the Ascend C compiler\n{toolchain.find().version}"


def _help() -> str:
    lines = [f"{NAME} of aclimb {__version__}: [options] sources and objects\n\n"]
    lines += [f"  {option.spelling:<32}{option.kind.value:<28}{option.sentence}".rstrip() + "\n" for option in options()]
    return "".join(lines)


if __name__ == "__main__":
    main()
