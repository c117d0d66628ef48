# SPDX-License-Identifier: Apache-2.0
"""`aclimb op`: operator projects."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from aclimb.cli.app import app, repeated

_Define = Annotated[
    list[str] | None, typer.Option("-D", metavar="NAME[=VALUE]", help="Macro, for host code and kernels; may be given again.")
]
_Include = Annotated[
    list[Path] | None,
    typer.Option("-I", metavar="FOLDER", exists=True, file_okay=False, help="Folder to look for headers in; may be given again."),
]
op_app = typer.Typer(help="Operator projects: host code in C++, kernels in Ascend C.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(op_app, name="op")
_Around = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        exists=True,
        file_okay=False,
        help="Where headers are looked for that DIR does not have; by default the repository around it.",
    ),
]


@op_app.command(name="new", short_help="Write a small operator project.")
def op_new(
    name: Annotated[str, typer.Argument(metavar="TYPE", help="The operator's type, such as AddCustom.")],
    folder: Annotated[Path | None, typer.Argument(metavar="[DIR]", help="Where to; by default a folder of the kernel's name.")] = None,
) -> None:
    """Write a small operator project that builds and passes its check."""
    from aclimb.op.project.new import new_project

    typer.echo(new_project(name, folder))


@op_app.command(name="build", short_help="Build an operator project.")
def op_build(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder with op_host and op_kernel.")],
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Where to; by default DIR/build.")] = None,
    define: _Define = None,
    include: _Include = None,
    around: _Around = None,
) -> None:
    """Build an operator project, and list its operators: the host library, the kernels, and for C++ programs aclnn_<op>.h and a library."""
    from aclimb.host.op_package import build_project
    from aclimb.op.project.build import lines

    for line in lines(build_project(folder, output, _words(define, include), around)):
        typer.echo(line)


@op_app.command(name="test", short_help="Check the operators of a project.")
def op_test(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder with op_host, op_kernel and check.py.")],
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Where to build; by default DIR/build.")] = None,
    define: _Define = None,
    include: _Include = None,
    around: _Around = None,
) -> None:
    """Build an operator project and compare its operators with the NumPy functions of its check.py."""
    from aclimb.host.op_package import build_project
    from aclimb.op.project.check import check_project

    reports = check_project(build_project(folder, output, _words(define, include), around))
    for report in reports:
        typer.echo(report)
    if not all(report.ok for report in reports):
        raise typer.Exit(1)


def _words(define: list[str] | None, include: list[Path] | None) -> list[str]:
    return [*repeated("-D", define), *repeated("-I", [each.absolute() for each in include or ()])]
