# SPDX-License-Identifier: Apache-2.0
"""`aclimb build`, `inspect`, `coverage`, `fuse`, `env` and `cmake-prefix`: from sources to binaries, and what is in them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from aclimb.binary import KernelBinary
from aclimb.cli.app import app, repeated, text_of, write
from aclimb.cli.fleets import Jobs, On
from aclimb.compile import Program
from aclimb.errors import InvalidArgument
from aclimb.flow import KernelInfo

_FACTS = {
    "uses_sync_all": "SyncAll",
    "uses_cross_core": "cross-core flags",
    "uses_gm_sync": "soft sync",
    "float_atomics": "float atomics",
    "integer_atomics": "integer atomics",
    "early_start_set": "SetNextTaskStart",
    "early_start_wait": "WaitPreTaskEnd",
    "raw_block_index": "block_idx",
    "prints": "printf",
    "dumps_tensors": "DumpTensor",
    "asserts": "assert",
    "uses_workspace": "workspace",
    "reads_clock": "GetSystemCycle",
}


class _LikeACompiler(TyperCommand):
    """g++'s options are words of several letters behind one dash: -Werror is not -W -e -r -r -o r."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        own: list[str] = []
        theirs: list[str] = []
        words = iter(args)
        for word in words:
            is_theirs = re.match(r"-(?![-oDIO])\w", word) is not None
            (theirs if is_theirs else own).append(word)
            if word in ("-L", "-l", "-x", "-include", "-isystem", "-iquote", "-idirafter", "-Xlinker"):
                theirs += [next(words, "")]
        rest = super().parse_args(ctx, own)
        ctx.args = [*theirs, *ctx.args]
        return rest


@app.command(
    cls=_LikeACompiler,
    short_help="Build kernels into an operator binary, or a whole program.",
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
)
def build(
    context: typer.Context,
    source: Annotated[Path, typer.Argument(help="Source, .cpp, .asc or .c; further ones, and g++'s options, may follow.")],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="name.o: operator binary; name.so: library; else a program.")
    ] = None,
    soc: Annotated[str | None, typer.Option(metavar="NAME", help="SoC version; default ACLIMB_SOC.")] = None,
    define: Annotated[
        list[str] | None, typer.Option("-D", metavar="NAME[=VALUE]", help="Macro, NAME or NAME=value; may be given again.")
    ] = None,
    include: Annotated[
        list[Path] | None, typer.Option("-I", metavar="FOLDER", help="Folder to look for headers in; may be given again.")
    ] = None,
    instance: Annotated[list[str] | None, typer.Option(metavar="KERNEL", help="Kernel template to instantiate: 'f<float>'.")] = None,
    opt_level: Annotated[int, typer.Option("-O", metavar="LEVEL", help="Optimisation, 0 to 3.")] = 1,
    isolated: Annotated[
        bool, typer.Option("--isolated", help="A stranger's kernel: the compiler reads its folder, those of -I and the system's alone.")
    ] = False,
) -> None:
    """Build kernel sources into an operator binary; sources with a main function into a program.

    A program takes several sources, objects and libraries, and the options of g++: -std=c++20, -Wall, -L, -l.
    """
    from aclimb.host import programs

    if programs.is_program([source, *map(Path, context.args)], output):
        if isolated:
            raise InvalidArgument("--isolated builds kernels: a program runs on the host with your rights, whatever it was built with")
        words = [*repeated("-D", define), *repeated("-I", include), f"-O{opt_level}", *(["--npu-soc=" + soc] if soc else [])]
        made = programs.build([*context.args, str(source), *words], output or Path(source.stem))
        typer.echo(f"{made}: a program" if made.suffix != ".so" else f"{made}: a library")
        return
    more = [word for word in context.args if Path(word).is_file()]
    if len(more) < len(context.args):
        others = " ".join(word for word in context.args if word not in more)
        raise InvalidArgument(f"{others}: an operator binary is built from its sources and the options of --help alone")
    program = Program(
        source, soc=soc, defines=define or [], include_dirs=include or [], instances=instance or [], opt_level=opt_level, more_sources=more,
        isolated=isolated,
    )  # fmt: skip
    binary = program.compile(warn=False)  # Python would add where in this file that is
    for text in binary.record.warnings:
        typer.echo(text, err=True)
    target = binary.save(output or Path(source.stem + ".o"))
    typer.echo(f"{target}: {', '.join(binary.kernel_names)} for {binary.soc}")


@app.command(short_help="Print what makes a shell use aclimb as its toolkit.")
def env(
    undo: Annotated[bool, typer.Option("--undo", help="Print what makes it as it was before.")] = False,
) -> None:
    """Print what makes a shell use aclimb as its toolkit: eval "$(aclimb env)". Commands and libraries are then where CANN's would be."""
    from aclimb.host.prefix import prefix

    typer.echo((prefix() / ("unset_env.sh" if undo else "set_env.sh")).read_text(), nl=False)


@app.command(name="cmake-prefix", short_help="Print the folder that CMake finds the toolkit in.")
def cmake_prefix() -> None:
    """Print the folder that CMake projects find the toolkit in: -DCMAKE_PREFIX_PATH="$(aclimb cmake-prefix)"."""
    from aclimb.host.prefix import prefix

    typer.echo(prefix())


@app.command()
def inspect(
    file: Annotated[Path, typer.Argument(help="Operator binary.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the description as it is stored.")] = False,
) -> None:
    """List what an operator binary contains."""
    binary = KernelBinary.read(file)
    if as_json:
        typer.echo(json.dumps(binary.meta, indent=1, sort_keys=True, ensure_ascii=False))
        return
    from aclimb.report import layout

    record, width = binary.record, layout.terminal_width()
    images = ", ".join(f"{core} {len(image):,} bytes" for core, image in sorted(binary.images.items()))
    head = [f"{file}: {record.soc} ({record.family}), {record.host}, ABI {binary.abi}; {images}",
            f"built from {record.source} with {record.compiler}",
            *([str(binary.plan)] if binary.plan is not None else [])]  # fmt: skip
    typer.echo(layout.wrapped("\n".join(head), width), nl=False)
    titles = ("kernel", "type", "parameters", "tiling keys", "uses")
    typer.echo(layout.table(titles, [_row(kernel) for kernel in binary.kernels], width), nl=False)


def _row(kernel: KernelInfo) -> tuple[str, str, list[str], list[str], list[str]]:
    arguments = {key: f"<{', '.join(words)}>" for key, words in kernel.key_arguments}
    kinds = {key: f"({kind.name})" for key, kind in kernel.key_types}
    keys = [" ".join(filter(None, (str(key), arguments.get(key), kinds.get(key)))) for key in kernel.tiling_keys]
    uses = [text for fact, text in _FACTS.items() if getattr(kernel, fact)]
    return kernel.name, kernel.kernel_type.name, list(map(str, kernel.parameters)), keys, uses


@app.command(short_help="Say what of Ascend C a folder of sources uses.")
def coverage(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Folders of Ascend C sources, or files.")],
    try_build: Annotated[bool, typer.Option("--build", help="Also build every file that has a kernel.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
    define: Annotated[list[str] | None, typer.Option("-D", metavar="NAME[=VALUE]", help="With --build: macro; may be given again.")] = None,
    include: Annotated[
        list[Path] | None, typer.Option("-I", metavar="FOLDER", help="With --build: folder to look for headers in; may be given again.")
    ] = None,
    jobs: Jobs = None,
    on: On = None,
) -> None:
    """Say which names of Ascend C a folder of sources uses, which of them are missing, and what alone blocks most files."""
    from aclimb.compile.coverage import scan
    from aclimb.report import coverage as report

    found = scan(paths)
    built = report.try_builds(found, define or [], include or [], jobs, on) if try_build else {}
    if as_json:
        typer.echo(json.dumps(report.document(found, built), indent=1, ensure_ascii=False))
    else:
        report.show(found, built, paths)


@app.command(name="fuse")
def fuse_command(
    members: Annotated[list[str], typer.Argument(metavar="FILE.o[:KERNEL]@BLOCKS...", help="Built kernels in their order, as add.o@8.")],
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", help="Operator binary to write.")] = None,
    plan: Annotated[Path | None, typer.Option("--plan", metavar="FILE", help="Write the plan as JSON.")] = None,
    options: Annotated[str, typer.Option("--options", metavar="KEY=VALUE:...", help="SuperKernel options.")] = "",
    name: Annotated[str, typer.Option("--name", metavar="KERNEL", help="Name of the fused kernel.")] = "",
    explain: Annotated[bool, typer.Option("--explain", help="Print what runs where, what stands between, and why.")] = False,
    accesses: Annotated[
        Path | None, typer.Option("--accesses", metavar="FILE", help="With --explain: what a run recorded (fuse.record), as JSON.")
    ] = None,
) -> None:
    """Fuse built kernels into one SuperKernel. A member may add ,key=N ,stream=N ,send=N ,recv=N ,dynamic."""
    from aclimb import fuse as fusion
    from aclimb.report import layout

    made = fusion.fuse([fusion.Member.parse(member) for member in members], options, name=name)
    found = fusion.plan_of(made)
    recorded = fusion.from_json(text_of(accesses)) if accesses else ()
    if plan:
        write(plan, found.to_json())
    saved = made.save(output) if output else None
    if explain:
        typer.echo(layout.wrapped(fusion.explain(found, recorded), layout.terminal_width()), nl=False)
    if saved:
        typer.echo(f"{saved}: {found}")
    elif not explain and not plan:
        typer.echo(str(found))
