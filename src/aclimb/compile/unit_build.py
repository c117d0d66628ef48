# SPDX-License-Identifier: Apache-2.0
"""How a translation unit that the cache does not have is built (unit.py).

Host and device run side by side. Where kernels are templates, the device waits until the host's assembly tells which instances it
launches.
"""

from __future__ import annotations

import tempfile
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from aclimb.binary import KernelBinary
from aclimb.compile import device_link, diagnostics, stubs
from aclimb.compile.build import Build, build, check
from aclimb.compile.cache import Cache
from aclimb.compile.host_options import HostOptions
from aclimb.compile.host_pass import HostPass, HostResult
from aclimb.compile.host_text import HostText
from aclimb.compile.one_source import Wanted
from aclimb.compile.tokens import user_text
from aclimb.compile.toolchain import Toolchain
from aclimb.compile.unit import Made
from aclimb.errors import CompileError, Diagnostic

KERNEL_SUFFIXES = (".asc", ".cce")


def compile_both(source: Path, options: HostOptions, tools: Toolchain, cache: Cache) -> tuple[Made, Build | None]:
    with tempfile.TemporaryDirectory(prefix="aclimb-unit-") as folder:
        working = Path(folder).resolve()
        host = HostPass(source, options, tools, working)
        output = working / "unit.o"
        if options.language == "c":
            return _plain(host, output, host.preprocess_plain()), None
        if options.language == "c++" and source.suffix not in KERNEL_SUFFIXES:
            plain = host.text_without_kernels()
            if plain is not None:
                return _plain(host, output, plain), None
        preprocessed = host.preprocess()
        text = host.rewrite(preprocessed)
        files = [path for path in text.files if path != source]
        if not text.kernels and not text.has_launches and not text.has_device_words and not host.uses_device_headers(preprocessed):
            return _plain(host, output, preprocessed), None
        if options.linked_later and (text.kernels or text.has_device_words):
            return _linked_later(host, text, preprocessed, cache), None
        if options.host_only and text.kernels:
            return _without_image(host, text, preprocessed), None
        if not text.kernels:
            result = host.compile(preprocessed, text)
            host.assemble(result.assembly, output)
            return _made(output, files, result, None), None
        with ThreadPoolExecutor(max_workers=2) as pool:
            compiled = pool.submit(host.compile, preprocessed, text)

            def wanted() -> Wanted:
                return () if text.is_settled else stubs.wanted_kernels(compiled.result().stubs, text.kernels, source)

            built = pool.submit(build, source, options.for_device(), tools, cache, wanted)
            result, binary, job = _both(source, compiled, built, host.files_of(preprocessed))
        if result.stubs:
            _check_sides(source, result, binary)
        image = binary.to_bytes() if binary else b""
        (working / "image.o").write_bytes(image)
        assembly = stubs.registration(result.assembly, result.stubs, text.kernels, source, working / "image.o", len(image))
        host.assemble(assembly, output)
        seen = [*files, *(path for path in (job.files if job else []) if path not in files)]  # with those that only the device reads
        return _made(output, seen, result, binary), job


def _without_image(host: HostPass, text: HostText, preprocessed: str) -> Made:
    """Host code alone; a launch finds no device code."""
    output = host.working / "unit.o"
    result = host.compile(preprocessed, text)
    host.assemble(stubs.registration(result.assembly, result.stubs, text.kernels, host.source, None, 0, is_linked=False), output)
    return _made(output, [path for path in text.files if path != host.source], result, None)


def _linked_later(host: HostPass, text: HostText, preprocessed: str, cache: Cache) -> Made:
    """Host code, and a recipe for the device part."""
    source, options, output = host.source, host.options.for_device(), host.working / "unit.o"
    result = host.compile(preprocessed, text)
    wanted = () if text.is_settled else stubs.wanted_kernels(result.stubs, text.kernels, source)
    check(source, options, host.toolchain, cache, wanted)
    names = tuple(stubs.image_name(stub, text.kernels) for stub in result.stubs)
    path = host.working / "recipe.json"
    path.write_bytes(device_link.Recipe.of(source, options, wanted, names).to_bytes())
    assembly = stubs.registration(result.assembly, result.stubs, text.kernels, source, None, 0) if text.kernels else result.assembly
    host.assemble(assembly.rstrip() + "\n" + device_link.recipe_section(path), output)
    return _made(output, [path for path in text.files if path != source], result, None)


def _both(
    source: Path, compiled: Future[HostResult], built: Future[tuple[KernelBinary, Build]], read: list[Path]
) -> tuple[HostResult, KernelBinary | None, Build | None]:
    """The results of both sides, or the errors of both. `read`: the files of the host part."""
    found: dict[tuple[str, int], Diagnostic] = {}
    failure: CompileError | None = None
    for future in (compiled, built):
        try:
            future.result()
        except CompileError as error:
            failure = failure or error
            for each in error.diagnostics:
                found.setdefault((each.file, each.line), each)
    if failure is None:
        return compiled.result(), *built.result()
    if not compiled.exception() and not compiled.result().stubs:
        return compiled.result(), None, None  # only templates that nobody launches: there is nothing to build
    of_device = built.exception()
    raised = failure if len(found) <= len(failure.diagnostics) else diagnostics.from_diagnostics(source, list(found.values()))
    more = of_device.read if isinstance(of_device, CompileError) else built.result()[1].files
    raised.read = None if more is None else [path for path in (*read, *more) if path != source]
    raise raised


def _check_sides(source: Path, result: HostResult, binary: KernelBinary | None) -> None:
    for stub in result.stubs:
        name = stubs.image_name(stub, result.host.kernels)
        if binary is None or name not in binary.kernel_names:
            text = (
                f"kernel {name} is defined for the host only: the passes for the AI Core (__CCE_AICORE__ is 220 there) do not see it;"
                " define it for both sides"
            )
            raise diagnostics.from_diagnostics(source, [Diagnostic(stub.kernel.file, stub.kernel.line, 0, "error", text)])


def _plain(host: HostPass, output: Path, preprocessed: str) -> Made:
    """What has nothing of ours is the host compiler's alone."""
    files: list[Path] = []
    user_text(preprocessed, host.own_folders, files)
    warnings = host.compile_plain(output)
    users = [path for path in files if path != host.source]
    return Made(output.read_bytes(), _texts(users), _texts(host.files_of(preprocessed)), warnings.splitlines(), [])


def _made(output: Path, files: list[Path], result: HostResult, binary: KernelBinary | None) -> Made:
    warnings = [*result.warnings.splitlines(), *(binary.record.warnings if binary else ())]
    names = list(binary.kernel_names) if binary else []
    every = [*result.all_files, *(path for path in files if path not in result.all_files)]
    return Made(output.read_bytes(), _texts(files), _texts(every), warnings, names)


def _texts(files: list[Path]) -> list[str]:
    return [str(file) for file in files]
