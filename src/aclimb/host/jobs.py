# SPDX-License-Identifier: Apache-2.0
"""What the driver does once the command line is understood: units, links, archives, device images, launch headers."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from aclimb import knobs
from aclimb.compile import Program, device_link, open_cache, toolchain, unit
from aclimb.compile.host_options import HostOptions
from aclimb.errors import CompileError, InvalidArgument
from aclimb.host import depfile, images, places
from aclimb.host.command_line import Command, Source
from aclimb.host.link import Kind, link_program

_MODES = ("-c", "-E", "-S", "-fsyntax-only", "-shared", "-v", "-###", "-M", "-MM", "-MD", "-MMD", "-MP")
_DEVICE_LEVELS = {"0": 0, "1": 1, "2": 2, "3": 3, "": 1}


def compile_source(command: Command, source: Source, output: Path) -> list[Path]:
    """An object file; the user's files that it depends on."""
    made = unit.compile_unit(source.path, replace(host_options(command), language=source.language), output)
    for warning in made.warnings:
        sys.stderr.write(f"{warning}\n")
    if made.kernels and source.language == "c++" and not source.is_said and command.has_architecture:
        note(f"{source.path.name} has kernels and the suffix of host code: they are built here, and the vendor's compiler wants -x asc")
    return made.files


def note(text: str) -> None:
    sys.stderr.write(f"bisheng: note: {text}\n")


def host_options(command: Command) -> HostOptions:
    defines: list[tuple[str, str]] = []
    values: dict[str, list[str]] = {}
    for option, value in _pairs([*(f"-D{each}" for each in knobs.defines().split()), *command.both]):
        if option == "-D":
            name, has_value, text = value.partition("=")
            defines.append((name, text if has_value else "1"))
        else:
            values.setdefault(option, []).append(value)
    level = (values.get("-O") or ["0"])[-1]
    device_level = values.get("-O", [""])[-1]
    standard = (values.get("-std=") or [""])[-1]
    return HostOptions(
        defines=tuple(defines),
        undefines=tuple(values.get("-U", [])),
        include_dirs=tuple(Path(folder) for option in ("-I", "-iquote") for folder in values.get(option, [])),
        system_dirs=tuple(Path(folder) for option in ("-isystem", "-idirafter") for folder in values.get(option, [])),
        included_files=tuple(values.get("-include", [])),
        standard=standard,
        opt_level=level or "1",
        debug="-g" in values,
        flags=tuple(command.host),
        device_flags=tuple(command.device),
        device_opt_level=_DEVICE_LEVELS.get(device_level, 1),
        soc=command.soc,
        launch_functions=command.has("--aclimb-launch-functions"),
        linked_later=command.has("-dc"),
        host_only=command.has("--cce-host-only"),
        cores=_cores(command, defines),
        auto_sync=command.is_auto_sync,
    )


def _cores(command: Command, defines: list[tuple[str, str]]) -> str:
    """An architecture of one sort of core says on which a kernel runs that does not say it itself."""
    if not command.core or not command.has("-cce-enable-mix"):
        return command.core
    return "1:1" if dict(defines).get("__MIX_CORE_AIC_RATION__") == "1" else "1:2"


_BOTH = ("-include", "-isystem", "-iquote", "-idirafter", "-std=", "-D", "-U", "-I", "-O", "-g")


def _pairs(words: list[str]) -> Iterator[tuple[str, str]]:
    """(option, value) of words such as -DN=8, -D N, -O2, -std=c++17."""
    rest = iter(words)
    for word in rest:
        option = next(each for each in _BOTH if word.startswith(each))
        value = word[len(option) :]
        takes_next = not value and option not in ("-O", "-g", "-std=")
        yield option, next(rest) if takes_next else value


def link(command: Command, objects: list[str], output: Path) -> None:
    kind: Kind = "shared" if command.is_shared else "executable"
    with tempfile.TemporaryDirectory(prefix="aclimb-image-") as folder:
        image = _linked_image(objects, Path(folder))
        link_program([*objects, *image], output, kind, [*command.link, *_for_linking(command.host)])


def _linked_image(objects: list[str], folder: Path) -> list[str]:
    """An object with the device code of those that were compiled with -dc; none where no object was."""
    recipes = device_link.recipes_of(objects)
    if not recipes:
        return []
    tools = toolchain.find()
    data = device_link.link_image(recipes, tools).to_bytes()
    image, assembly, made = folder / "image.bin", folder / "image.s", folder / "image.o"
    image.write_bytes(data)
    assembly.write_text(device_link.image_assembly(image, len(data)))
    command = [*tools.compiler(), *tools.host_flags(), "-c", str(assembly), "-o", str(made)]
    done = subprocess.run(command, capture_output=True, text=True, env=tools.environment(folder))
    if done.returncode:
        raise CompileError(f"the device image cannot be assembled: {done.stderr.strip()}")
    return [str(made)]


def _for_linking(flags: list[str]) -> list[str]:
    """Options of the compiler that concern a link too."""
    return [flag for flag in flags if flag.startswith(("-fsanitize", "-pthread", "-fopenmp", "-m", "-p"))]


def archive(objects: list[str], output: Path) -> None:
    tools = toolchain.find()
    command = [tools.path, "ar"] if tools.kind == "zig" else [shutil.which("ar") or "ar"]
    output.unlink(missing_ok=True)
    done = subprocess.run([*command, "rcs", str(output), *objects], capture_output=True, text=True)
    if done.returncode:
        raise CompileError(f"{output} cannot be made: {done.stderr.strip()}")


def build_image(command: Command) -> None:
    """An operator binary, of all sources."""
    if not command.sources:
        raise InvalidArgument("--cce-aicore-only is given and there is no source")
    output = command.output or Path(f"{command.sources[0].path.stem}.o")
    options = replace(host_options(command).for_device(), has_host_part=False)  # as `aclimb build`: the text tells
    first, *others = [each.path for each in command.sources]
    program = Program(first)
    program.options = replace(options, more_sources=tuple(each.absolute() for each in others))
    binary = program.compile(warn=False)
    for warning in binary.record.warnings:
        sys.stderr.write(f"{warning}\n")
    is_half = command.core and command.has("-cce-enable-mix")
    images.save(images.as_half(binary, command.core) if is_half else binary, output)


def extract_image(command: Command) -> None:
    """The device image that is embedded in an object, as an operator binary of its own."""
    found = [image for name in command.objects if (image := images.embedded(Path(name).read_bytes())) is not None]
    if len(found) != 1 or command.output is None:
        raise InvalidArgument(f"a device image is made of one source with kernels; {len(found)} of {', '.join(command.objects)} have some")
    images.save(found[0], command.output)


def write_launch_headers(command: Command, folder: Path) -> None:
    for source in command.sources:
        unit.write_launch_headers(source.path, host_options(command), folder)


def preprocess(command: Command) -> str:
    """-E of sources with kernels: the host's text, or the device's where only that is asked for."""
    from aclimb.compile import build

    options, text = host_options(command), ""
    for source in command.sources:
        if command.has("--cce-aicore-only"):
            text += build.preprocessed(source.path, options.for_device(), toolchain.find(), open_cache(), command.core or "aiv")
        else:
            text += unit.preprocessed(source.path, options)
    return text


def rule(command: Command, source: Source) -> str:
    """-M of a source: the make rule for its object."""
    output = Path(f"{source.path.stem}.o")
    return depfile.rule(command, source, output, unit.files_of(source.path, host_options(command)))


def forwarded(command: Command) -> int:
    """What concerns host code alone is the host compiler's, with our headers behind the user's."""
    tools = toolchain.find()
    modes = [flag for flag in _MODES if flag in command.flags]
    rules = [word for name in ("-MF", "-MT", "-MQ") if name in command.values for word in (name, command.values[name])]
    inputs = [word for source in command.sources for word in ("-x", "c" if source.language == "c" else "c++", str(source.path))]
    output = ["-o", str(command.output)] if command.output is not None else []
    words = [*modes, *rules, "-fPIC", *command.both, *command.host, *inputs, *(["-x", "none"] if inputs else []), *command.objects]
    own = [f"-idirafter{places.host_dir() / 'include'}"]
    return subprocess.run([*tools.compiler(), *words, *command.link, *output, *own], env=dict(os.environ)).returncode
