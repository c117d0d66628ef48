# SPDX-License-Identifier: Apache-2.0
"""`aclimb run` and `profile`: programs of the user."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from aclimb import knobs
from aclimb.cli.app import Isolated, Strictness, app, repeated, use_isolation, use_strictness
from aclimb.version import __version__


@app.command(
    short_help="Run a pyACL, C or C++ program on a modelled chip.",
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True, "allow_interspersed_args": False},
)
def run(
    context: typer.Context,
    program: Annotated[
        Path, typer.Argument(help="A Python program that imports acl, a C or C++ source (.asc, .cpp, .c), or an executable.")
    ],
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Do not say which acl is live.")] = False,
    define: Annotated[list[str] | None, typer.Option("-D", metavar="NAME[=VALUE]", help="Macro for a source.")] = None,
    include: Annotated[list[Path] | None, typer.Option("-I", metavar="FOLDER", help="Folder of headers for a source.")] = None,
    strictness: Strictness = None,
    isolated: Isolated = False,
) -> None:
    """Run a program on a modelled chip, even where another acl is installed. What follows the program is its own."""
    from aclimb import run as runner
    from aclimb.host import programs

    runner.require_program(program)
    use_strictness(strictness)
    use_isolation(isolated)
    is_native = programs.is_native(program)
    other = None if is_native else runner.other_acl()
    if not quiet:
        note = f" instead of {other}" if other else ""
        devices = f"{knobs.devices()} device{'s' if knobs.devices() > 1 else ''}"
        typer.echo(f"acl of aclimb {__version__}{note}, {knobs.soc()} (modelled), {devices}", err=True)
    if is_native:
        programs.run(program, context.args, options=[*repeated("-D", define), *repeated("-I", include)])
    runner.run_to_the_end(program, context.args)


# Their own options may stand before and behind the program; what they do not know, and all behind `--`, is the program's.
AROUND = {"allow_extra_args": True, "ignore_unknown_options": True}
PROGRAM = (
    "A Python program that launches kernels, a C or C++ source, or an executable. Options not listed here, and all behind --, are its own."
)


@app.command(short_help="Run a program and show what a chip would do.", context_settings=AROUND)
def profile(
    context: typer.Context,
    program: Annotated[Path | None, typer.Argument(help=PROGRAM)] = None,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FOLDER", help="Where the files go.")] = Path("aclimb_profile"),
    soc: Annotated[str | None, typer.Option(metavar="NAME", help="SoC version; default ACLIMB_SOC.")] = None,
    override: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Parameter of the model; may be given again.")
    ] = None,
    define: Annotated[list[str] | None, typer.Option("-D", "--define", metavar="NAME=VALUE", help="Macro for every build.")] = None,
    blocks: Annotated[int | None, typer.Option(metavar="N", help="Blocks of every launch, whatever the program asks for.")] = None,
    timing_only: Annotated[bool, typer.Option("--timing-only", help="Leave the arithmetic out; results are not valid.")] = False,
    sampled: Annotated[bool, typer.Option("--sampled", help="Run one block with its share of the bandwidth.")] = False,
    trace: Annotated[bool, typer.Option(help="Keep every slice, or only sums.")] = True,
    scalar: Annotated[bool, typer.Option(help="Count plain C++ of the kernels, or save the second build for it.")] = True,
    l2: Annotated[str, typer.Option(metavar="STATE", help="What a launch finds in the L2: cold, clean-warm or dirty-warm.")] = "clean-warm",
    limit: Annotated[str | None, typer.Option(metavar="SIZE", help="How much is recorded at most; default 1 GiB.")] = None,
    files: Annotated[bool, typer.Option(help="Write profile.json, trace.json, report.html and the CSV files.")] = True,
    compare: Annotated[tuple[Path, Path] | None, typer.Option(metavar="A.json B.json", help="Compare two profile.json instead.")] = None,
    strictness: Strictness = None,
    isolated: Isolated = False,
) -> None:
    """Run a program and show what a chip would do: time, bounds, stalls, and files for Perfetto, spreadsheets and the browser."""
    from aclimb.report import profiles

    if compare is not None:
        profiles.compare(*compare, output)
        return
    if program is None:
        raise typer.BadParameter("give a program, or --compare a.json b.json")
    known(program)
    use_strictness(strictness)
    use_isolation(isolated)
    profiles.check_folder(output)
    request = profiles.Request(
        soc=soc, overrides=tuple(override or ()), defines=tuple(define or ()), blocks=blocks, timing_only=timing_only, sampled=sampled,
        trace=trace, scalar=scalar, l2=l2, limit=limit,
    )  # fmt: skip
    from aclimb import run as runner
    from aclimb.host import programs

    runner.require_program(program)
    target = output if files else None
    if programs.is_native(program):
        with profiles.prepare(request) as profile:
            programs.run(program, context.args, lambda status: profiles.close(profile, profiles.Ending(status), target))
    taken, ending = profiles.take(request, lambda: runner.run(program, context.args))
    profiles.show(taken, ending, target)
    raise typer.Exit(ending.code)


def known(program: Path) -> None:
    """An option that is misspelt before the program would pass for the program."""
    if str(program).startswith("-"):
        raise typer.BadParameter(f"no such option: {program}")
