# SPDX-License-Identifier: Apache-2.0
"""`aclimb check`: a program of any kind, and what is wrong with the kernels that it launches."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import Field, fields, replace
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from aclimb import knobs
from aclimb.check.settings import Settings
from aclimb.cli.app import Isolated, Strictness, app, repeated, say, use_isolation, use_strictness
from aclimb.cli.fleets import Jobs, Memory, Needs, On, Seconds, limits_of
from aclimb.cli.programs import AROUND, PROGRAM, known
from aclimb.errors import AclimbError, InvalidArgument

if TYPE_CHECKING:
    from aclimb.check.asked import Asked
    from aclimb.check.schedules.across import Schedules
    from aclimb.check.schedules.tried import Tried

COULD_NOT = 2


def _option_of(setting: Field[Any]) -> Parameter:
    """Of the command, for a setting of the check."""
    words, help = f"--{setting.name.replace('_', '-')}", setting.metadata["help"]
    if setting.name == "rules":
        kind: Any = Annotated[list[str] | None, typer.Option("--rule", metavar="RULE", help=help)]
    elif isinstance(setting.default, bool):
        kind = Annotated[bool, typer.Option(*([] if setting.default else [words]), help=help)]
    else:
        kind = Annotated[str, typer.Option(words, metavar="HOW", help=help)]
    return Parameter(setting.name, Parameter.POSITIONAL_OR_KEYWORD, default=setting.default, annotation=kind)


def _with_settings(command: Callable[..., None]) -> Callable[..., None]:
    """What the command takes as `**settings`, as options of their own before `--schedules`."""
    taken = list(signature(command, eval_str=True).parameters.values())
    at = next(number for number, each in enumerate(taken) if each.name == "schedules")
    options = [_option_of(each) for each in fields(Settings) if each.init]
    command.__signature__ = Signature([*taken[:at], *options, *taken[at:-1]])  # type: ignore[attr-defined]
    return command


@app.command(short_help="Run a program and find races, lost waits and unwritten bytes.", context_settings=AROUND)
@_with_settings
def check(
    context: typer.Context,
    program: Annotated[Path, typer.Argument(help=PROGRAM)],
    format: Annotated[str, typer.Option("--format", metavar="NAME", help="text, json, sarif, junit or html.")] = "",
    out: Annotated[
        list[Path] | None,
        typer.Option("-o", "--out", metavar="FILE", help="File for the report, its format by suffix; may be given again."),
    ] = None,
    baseline: Annotated[Path | None, typer.Option(metavar="FILE", help="Findings that are known; only new ones are told.")] = None,
    write_baseline: Annotated[Path | None, typer.Option("--write-baseline", metavar="FILE", help="Write what is found as known.")] = None,
    schedules: Annotated[
        int, typer.Option(metavar="N", min=0, help="Also run each launch under N provoking schedules, and tell where the result changes.")
    ] = 0,
    replay: Annotated[str, typer.Option(metavar="STRING", help="Run each launch under the schedule of a finding again.")] = "",
    jobs: Jobs = None,
    on: On = None,
    needs: Needs = None,
    seconds: Seconds = None,
    memory: Memory = None,
    warnings_as_errors: Annotated[bool, typer.Option("--warnings-as-errors", help="Warnings make the exit status 1 too.")] = False,
    define: Annotated[list[str] | None, typer.Option("-D", "--define", metavar="NAME[=VALUE]", help="Macro for a source.")] = None,
    include: Annotated[list[Path] | None, typer.Option("-I", metavar="FOLDER", help="Folder of headers for a source.")] = None,
    timeline: Annotated[bool, typer.Option(help="Show the timeline of the run in an HTML report.")] = True,
    strictness: Strictness = None,
    isolated: Isolated = False,
    **settings: Any,
) -> None:
    """Run a program and find what is right by luck only: missing flags, races between cores and streams, unwritten bytes, misused memory.

    The exit status is 0 when nothing is to be mended, 1 when there are findings, and 2 when the program could not be checked.
    """
    known(program)
    with _status_2_for_errors():
        from aclimb import run as runner
        from aclimb.check.asked import Asked

        use_strictness(strictness)
        use_isolation(isolated)
        runner.require_program(program)
        provoking = _schedules(schedules, replay, settings["rules"], (jobs, on, needs, seconds, memory))
        asked = Asked(**settings, baseline=baseline, write_baseline=write_baseline, warnings_as_errors=warnings_as_errors, format=format,
                      files=tuple(out or ()))  # fmt: skip
        options = [*repeated("-D", define), *repeated("-I", include)]
        status = _run(program, context.args, asked, options, timeline and asked.wants_page, provoking)
    raise typer.Exit(status)


@contextmanager
def _status_2_for_errors() -> Iterator[None]:
    """What cannot be checked is a sentence and a status of its own: 1 says that something was found."""
    try:
        yield
    except (AclimbError, OSError) as error:
        say(error)
        raise typer.Exit(COULD_NOT) from None


def _schedules(count: int, replay: str, rules: list[str] | None, where: tuple[Any, ...]) -> Schedules | None:
    from aclimb.check.rules import chosen
    from aclimb.check.schedules.across import Schedules

    if count and replay:
        raise InvalidArgument("--schedules tries many and --replay one; give one of them")
    named = chosen(rules) or frozenset()
    if not count and not replay:
        if "S1" in named:
            raise InvalidArgument("S1 is what schedules find; add how many: --schedules 200")
        if any(each is not None for each in where):
            raise InvalidArgument(
                "--jobs, --on, --with, --time-limit and --memory-limit are for runs under --schedules; add how many, or put -- before "
                "options of the program's own"
            )
        return None
    if named and "S1" not in named:
        raise InvalidArgument("schedules find S1, which --rule leaves out; add --rule S1")
    jobs, on, needs, seconds, memory = where
    asked = Schedules(count, replay, jobs, on, limits_of(seconds, memory), tuple(needs or ()))
    _ = asked.parts  # refuses a count or a string that is none, before anything runs
    return asked


def _run(
    program: Path, arguments: list[str], asked: Asked, options: list[str], with_timeline: bool, provoking: Schedules | None = None
) -> int:
    """Runs it inside a check, after the runs under schedules; gives the status. A C or C++ program ends this process itself."""
    from aclimb import run as runner
    from aclimb.check.deliver import concluded, deliver
    from aclimb.host import programs
    from aclimb.report.profiles import run_to_its_end

    is_native = programs.is_native(program)
    executable = programs.executable_of(program, options) if is_native else program
    if options and not is_native:
        os.environ[knobs.defines.variable] = " ".join([knobs.defines(), *(each[2:] for each in options if each.startswith("-D"))]).strip()
    if provoking is not None and executable != program:  # what is built lies elsewhere; what it reads may lie beside its source
        provoking = replace(provoking, needs=(*provoking.needs, program.absolute().parent))
    tried = _tried(provoking, executable, arguments, asked) if provoking else None
    if is_native and not programs.can_host(executable):
        _hand_on(asked, tried)
        programs.run(executable, arguments)
    checked = asked.open("by `aclimb check`")
    if tried is not None:
        checked.add(tried)
    with ExitStack() as stack:
        profile = stack.enter_context(_profile()) if with_timeline else None
        stack.enter_context(checked)

        def end(status: int) -> int:
            stack.close()
            return deliver(concluded(checked, status), asked, sys.stdout, profile.json() if profile and profile.launches else None)

        if is_native:
            programs.run(executable, arguments, end)
        return end(run_to_its_end(lambda: runner.run(program, arguments)).code)


def _tried(provoking: Schedules, program: Path, arguments: list[str], asked: Asked) -> Tried:
    from aclimb.check.schedules.across import across

    try:
        return across(provoking, program, arguments, leave_out=asked.files)
    except KeyboardInterrupt:
        typer.echo("stopped; nothing was checked", err=True)
        raise typer.Exit(COULD_NOT) from None


def _hand_on(asked: Asked, tried: Tried | None) -> None:
    """To a program that Python comes into later, as a library."""
    from aclimb.check.asked import at_home, to_variable

    if tried is not None:
        file, name = tempfile.mkstemp(prefix="aclimb-tried-")  # whoever reads it takes it away
        os.write(file, tried.to_json().encode())
        os.close(file)
        asked = replace(asked, provoked=Path(name))
    os.environ[knobs.check.variable] = to_variable(at_home(replace(asked, sets_status=True)))


def _profile() -> Any:
    from aclimb.trace.profiling import Profile

    return Profile()
