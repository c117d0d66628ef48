# SPDX-License-Identifier: Apache-2.0
"""`aclimb sweep`: one program with many settings, here or on a cluster."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from aclimb.cli.app import Strictness, app, use_strictness
from aclimb.cli.fleets import Jobs, Memory, Needs, On, Seconds, limits_of
from aclimb.cli.programs import AROUND, PROGRAM, known

if TYPE_CHECKING:
    from aclimb.report.sweep.objective import Objective
    from aclimb.report.sweep.points import Axis
    from aclimb.report.sweep.runs import Asked, Budget, Swept

INTERRUPTED = 130  # as a shell says it of Ctrl-C


@app.command(short_help="Run a program with many settings, and find the best.", context_settings=AROUND)
def sweep(
    context: typer.Context,
    program: Annotated[Path | None, typer.Argument(help=PROGRAM)] = None,
    define: Annotated[
        list[str] | None, typer.Option("-D", "--define", metavar="NAME=A,B,...", help="Values of a macro; may be given again.")
    ] = None,
    blocks: Annotated[str | None, typer.Option(metavar="N,M,...", help="Numbers of blocks.")] = None,
    soc: Annotated[str | None, typer.Option(metavar="NAME,...", help="SoC versions.")] = None,
    override: Annotated[list[str] | None, typer.Option("--set", metavar="NAME=A,B,...", help="Values of a parameter of the model.")] = None,
    objective: Annotated[
        str | None, typer.Option(metavar="WHAT", help="What is to be small: task (the default), core, task:KERNEL (times) or hbm (bytes).")
    ] = None,
    budget: Annotated[
        str | None, typer.Option(metavar="N", help="Search instead of running all: so many runs, or so long (90s, 5m, 1h).")
    ] = None,
    patience: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="A search ends after so many runs that gain less than 1 percent.")
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="Compute everything; the default leaves the arithmetic out.")] = False,
    jobs: Jobs = None,
    on: On = None,
    needs: Needs = None,
    seconds: Seconds = None,
    memory: Memory = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the last run of FOLDER/sweep.sqlite; give the same command.")
    ] = False,
    show: Annotated[
        Path | None, typer.Option("--show", metavar="FILE", help="Print and plot the last run of a sweep.sqlite instead.")
    ] = None,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FOLDER", help="Where sweep.sqlite, sweep.html, sweep.csv and sweep.svg go.")
    ] = Path("aclimb_sweep"),
    strictness: Strictness = None,
) -> None:
    """Run a program with combinations of macros, blocks, chips and model parameters: all of them, or those a search within a budget tries.
    Print the times, the best, and why it won. Values are A,B,C or ranges: 8..48+8, 1024..32768*2. Results are in sweep.sqlite as they come:
    a sweep that was stopped goes on with --resume."""
    from aclimb.report import profiles
    from aclimb.report.sweep import objective as objectives
    from aclimb.report.sweep import points, runs

    if show is not None:
        _show(show, objective, output)
        return
    if program is None:
        raise typer.BadParameter("give a program, or --show sweep.sqlite")
    known(program)
    use_strictness(strictness)
    profiles.check_folder(output)
    axes, goal = points.axes_of(define or [], blocks, soc, override or []), objectives.objective(objective or "task")
    if budget is None and patience is not None:
        raise typer.BadParameter("--patience ends a search; give it a --budget too")
    limits = runs.Budget.of(budget, patience) if budget is not None else None
    runs.require_program(program)
    asked = runs.Asked(program, context.args, not full, jobs, on, limits_of(seconds, memory), tuple(needs or ()), (output,))
    _finish(_swept(asked, axes, goal, limits, output, resume), goal, program, output)


def _swept(asked: Asked, axes: list[Axis], goal: Objective, budget: Budget | None, output: Path, resume: bool) -> Swept:
    from aclimb.fleet.records import Records
    from aclimb.report.sweep import file, points, runs

    total = len(points.combinations(axes, is_searched=budget is not None))
    limit = None if budget is None else [budget.runs, budget.seconds, budget.patience]
    how = {"timing_only": asked.timing_only, "objective": goal.word, "budget": limit}
    settings = file.settings_of(asked.program, asked.arguments, axes, how)
    output.mkdir(parents=True, exist_ok=True)
    with Records(output / file.NAME, must_exist=resume) as records:
        kept = file.SweepFile(records, settings, total, resumes=resume)
        try:
            if budget is None:
                return runs.run_all(asked, axes, kept)
            return runs.run_search(asked, axes, goal, budget, kept)
        except KeyboardInterrupt:
            done = f"{kept.count} of {total} combinations are done and in {output / file.NAME}"
            typer.echo(f"stopped: {done}; the same command with --resume goes on", err=True)
            raise typer.Exit(INTERRUPTED) from None


def _show(path: Path, objective: str | None, output: Path) -> None:
    from aclimb.report import profiles
    from aclimb.report.sweep import file, runs
    from aclimb.report.sweep.objective import objective as named

    profiles.check_folder(output)
    outcomes, total, ending, program, word = file.read(path)
    _finish(runs.Swept(outcomes, total, ending), named(objective or word), Path(program), output)


def _finish(swept: Swept, goal: Objective, program: Path, output: Path) -> None:
    from aclimb.report.sweep import show

    show.show(swept, goal, program, output)
    if not any(goal.of(each) is not None for each in swept.outcomes):
        raise typer.Exit(1)
