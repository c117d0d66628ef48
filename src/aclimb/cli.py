# SPDX-License-Identifier: Apache-2.0
"""The `aclimb` command. Words and tables only; the work is done in the packages below."""

from __future__ import annotations

import json
import os
import re
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from typer.core import TyperCommand

from aclimb import chips, knobs
from aclimb.binary import KernelBinary
from aclimb.compile import Program, open_cache
from aclimb.errors import AclimbError, BuildWarning, InvalidArgument
from aclimb.flow import KernelInfo
from aclimb.version import __version__

app = typer.Typer(
    help="Runs Ascend C kernels on machines that have no Ascend NPU.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
cache_app = typer.Typer(help="The cache of built kernels.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(cache_app, name="cache")
op_app = typer.Typer(help="Operator projects: host code in C++, kernels in Ascend C.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(op_app, name="op")

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
}


def _use(strictness: str | None) -> None:
    """For the devices that this process, or one that it starts, opens from now on."""
    if strictness is not None:
        if strictness not in knobs.strictness.choices:
            raise InvalidArgument(f"--strictness is {strictness!r}; it takes {' or '.join(knobs.strictness.choices)}")
        os.environ[knobs.strictness.variable] = strictness


_Strictness = Annotated[
    str | None,
    typer.Option("--strictness", metavar="HOW", help="strict refuses what a chip would run by accident, hardware runs and logs it."),
]


def main() -> None:
    """Entry point: errors of the user, and of the machine, are one red line and exit code 1, without a traceback."""
    try:
        app(standalone_mode=True)
    except (AclimbError, OSError) as error:
        words = error.in_full() if isinstance(error, AclimbError) else str(error)
        text = f"[bold red]{type(error).__name__}:[/bold red] {escape(words)}"
        Console(stderr=True, soft_wrap=True, highlight=False).print(text)
        if isinstance(error, OSError):
            _drop_output()
        raise SystemExit(1) from None


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
) -> None:
    """Build kernel sources into an operator binary; sources with a main function into a program.

    A program takes several sources, objects and libraries, and the options of g++: -std=c++20, -Wall, -L, -l.
    """
    from aclimb.host import programs

    if programs.is_program([source, *map(Path, context.args)], output):
        words = [*_repeated("-D", define), *_repeated("-I", include), f"-O{opt_level}", *(["--npu-soc=" + soc] if soc else [])]
        made = programs.build([*context.args, str(source), *words], output or Path(source.stem))
        typer.echo(f"{made}: a program" if made.suffix != ".so" else f"{made}: a library")
        return
    more = [word for word in context.args if Path(word).is_file()]
    if len(more) < len(context.args):
        others = " ".join(word for word in context.args if word not in more)
        raise InvalidArgument(f"{others}: an operator binary is built from its sources and the options of --help alone")
    program = Program(
        source, soc=soc, defines=define or [], include_dirs=include or [], instances=instance or [], opt_level=opt_level, more_sources=more
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BuildWarning)  # Python would add where in this file compile() is called
        binary = program.compile()
    for text in binary.record.warnings:
        typer.echo(text, err=True)
    target = binary.save(output or Path(source.stem + ".o"))
    typer.echo(f"{target}: {', '.join(binary.kernel_names)} for {binary.soc}")


def _repeated(option: str, values: Sequence[object] | None) -> list[str]:
    return [f"{option}{value}" for value in values or ()]


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
) -> None:
    """Say which names of Ascend C a folder of sources uses, which of them are missing, and what alone blocks most files."""
    from aclimb.compile.coverage import scan
    from aclimb.report import coverage as report

    found = scan(paths)
    built = report.try_builds(found, define or [], include or []) if try_build else {}
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
    recorded = fusion.from_json(_text_of(accesses)) if accesses else ()
    if plan:
        _write(plan, found.to_json())
    saved = made.save(output) if output else None
    if explain:
        typer.echo(layout.wrapped(fusion.explain(found, recorded), layout.terminal_width()), nl=False)
    if saved:
        typer.echo(f"{saved}: {found}")
    elif not explain and not plan:
        typer.echo(str(found))


def _text_of(path: Path) -> str:
    try:
        return path.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidArgument(f"{path} cannot be read: {getattr(error, 'strerror', None) or 'it is not text'}") from None


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text)
    except OSError as error:
        raise InvalidArgument(f"{path} cannot be written: {error.strerror}; choose another place") from None


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
    strictness: _Strictness = None,
) -> None:
    """Run a program on a modelled chip, even where another acl is installed. What follows the program is its own."""
    from aclimb import run as runner
    from aclimb.host import programs

    runner.require_program(program)
    _use(strictness)
    is_native = programs.is_native(program)
    other = None if is_native else runner.other_acl()
    if not quiet:
        note = f" instead of {other}" if other else ""
        devices = f"{knobs.devices()} device{'s' if knobs.devices() > 1 else ''}"
        typer.echo(f"acl of aclimb {__version__}{note}, {knobs.soc()} (modelled), {devices}", err=True)
    if is_native:
        programs.run(program, context.args, options=[*_repeated("-D", define), *_repeated("-I", include)])
    runner.run_to_the_end(program, context.args)


# Their own options may stand before and behind the program; what they do not know, and all behind `--`, is the program's.
_AROUND = {"allow_extra_args": True, "ignore_unknown_options": True}
_PROGRAM = (
    "A Python program that launches kernels, a C or C++ source, or an executable. Options not listed here, and all behind --, are its own."
)


@app.command(short_help="Run a program and show what a chip would do.", context_settings=_AROUND)
def profile(
    context: typer.Context,
    program: Annotated[Path | None, typer.Argument(help=_PROGRAM)] = None,
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
    l2: Annotated[str, typer.Option(metavar="STATE", help="What a launch finds in the L2: cold, clean-warm or dirty-warm.")] = "dirty-warm",
    limit: Annotated[str | None, typer.Option(metavar="SIZE", help="How much is recorded at most; default 1 GiB.")] = None,
    files: Annotated[bool, typer.Option(help="Write profile.json, trace.json, report.html and the CSV files.")] = True,
    compare: Annotated[tuple[Path, Path] | None, typer.Option(metavar="A.json B.json", help="Compare two profile.json instead.")] = None,
    strictness: _Strictness = None,
) -> None:
    """Run a program and show what a chip would do: time, bounds, stalls, and files for Perfetto, spreadsheets and the browser."""
    from aclimb.report import profiles

    if compare is not None:
        profiles.compare(*compare, output)
        return
    if program is None:
        raise typer.BadParameter("give a program, or --compare a.json b.json")
    _known(program)
    _use(strictness)
    profiles.check_folder(output)
    request = profiles.Request(
        soc=soc, overrides=tuple(override or ()), defines=tuple(define or ()), blocks=blocks, timing_only=timing_only, sampled=sampled,
        trace=trace, l2=l2, limit=limit,
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


def _known(program: Path) -> None:
    """An option that is misspelt before the program would pass for the program."""
    if str(program).startswith("-"):
        raise typer.BadParameter(f"no such option: {program}")


@app.command(short_help="Run a program with every combination of settings.", context_settings=_AROUND)
def sweep(
    context: typer.Context,
    program: Annotated[Path, typer.Argument(help=_PROGRAM)],
    define: Annotated[
        list[str] | None, typer.Option("-D", "--define", metavar="NAME=A,B,...", help="Values of a macro; may be given again.")
    ] = None,
    blocks: Annotated[str | None, typer.Option(metavar="N,M,...", help="Numbers of blocks.")] = None,
    soc: Annotated[str | None, typer.Option(metavar="NAME,...", help="SoC versions.")] = None,
    override: Annotated[list[str] | None, typer.Option("--set", metavar="NAME=A,B,...", help="Values of a parameter of the model.")] = None,
    full: Annotated[bool, typer.Option("--full", help="Compute everything; the default leaves the arithmetic out.")] = False,
    jobs: Annotated[
        int | None, typer.Option("-j", "--jobs", metavar="N", min=1, help="Processes at a time; default the host's cores.")
    ] = None,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FOLDER", help="Where sweep.csv and sweep.svg go.")] = Path(
        "aclimb_sweep"
    ),
    strictness: _Strictness = None,
) -> None:
    """Run a program with every combination of macros, blocks and chips; print the times and the best."""
    from aclimb.report import profiles, sweeps

    _known(program)
    _use(strictness)
    profiles.check_folder(output)
    points = sweeps.combinations(define or [], blocks, soc, override or [])
    results = sweeps.run(program, context.args, points, jobs=jobs, timing_only=not full)
    sweeps.show(results, output)
    if not any(each.task_us is not None for each in results):
        raise typer.Exit(1)


@app.command(name="chips", short_help="List the chips that can be modelled.")
def list_chips() -> None:
    """List the chips that can be modelled, and those whose numbers can only be queried."""
    table = Table(box=None, pad_edge=False)
    for title in ("SoC", "family", "AIC", "AIV", "memory", "L2", "clock"):
        table.add_column(title)
    for name in chips.names(query_only=True):
        chip = chips.load(name)
        mark = " (default)" if chip.name.lower() == knobs.soc().lower() else "" if chip.can_build else " (query only)"
        table.add_row(
            chip.name + mark,
            chip.family,
            str(chip.aic_cores),
            str(chip.aiv_cores),
            f"{chip.device_memory >> 30} GiB",
            f"{chip.l2_size >> 20} MiB",
            f"{chip.clock_mhz} MHz",
        )
    Console(highlight=False).print(table)


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
) -> None:
    """Build the host library and the kernels of an operator project, and list its operators."""
    from aclimb.op.project import build as project

    for line in project.lines(project.build(folder, output)):
        typer.echo(line)


@op_app.command(name="test", short_help="Check the operators of a project.")
def op_test(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder with op_host, op_kernel and check.py.")],
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Where to build; by default DIR/build.")] = None,
) -> None:
    """Build an operator project and compare its operators with the NumPy functions of its check.py."""
    from aclimb.op.project import build as project

    reports = project.check_project(folder, output)
    for report in reports:
        typer.echo(report)
    if not all(report.ok for report in reports):
        raise typer.Exit(1)


@cache_app.command(name="info")
def cache_info() -> None:
    """Where the cache is and how full."""
    info = open_cache().info()
    typer.echo(
        f"{info.folder}: {info.objects} kernels, {info.precompiled_headers} precompiled headers, "
        f"{info.size_bytes / 2**20:.1f} of {info.limit_bytes / 2**20:.0f} MiB"
    )


@cache_app.command(name="clear")
def cache_clear() -> None:
    """Empty the cache."""
    cache = open_cache()
    typer.echo(f"{cache.folder}: {cache.clear() / 2**20:.1f} MiB removed")
