# SPDX-License-Identifier: Apache-2.0
"""One translation unit of a program: host and device part of a source -> one object file.

    source -host pass-> text with calls for launches -> assembly -+-> assembly with image and registration -> object
           -device passes (build.py)----------------> image ------+

Both run side by side. Where kernels are templates, the device waits until the host's assembly tells which instances it
launches.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from aclimb.binary import KernelBinary
from aclimb.binary.container import replace_file
from aclimb.compile import device_link, diagnostics, failures, headers, launch_functions, stubs, toolchain
from aclimb.compile.build import Build, build, check
from aclimb.compile.cache import Cache, open_cache
from aclimb.compile.functions import without_marks
from aclimb.compile.host_options import HostOptions
from aclimb.compile.host_pass import HostPass, HostResult
from aclimb.compile.host_text import HostText
from aclimb.compile.one_source import Wanted
from aclimb.compile.program import builder_hash
from aclimb.compile.refusals import no_kernel
from aclimb.compile.tokens import tokens_of, user_text
from aclimb.compile.toolchain import Toolchain
from aclimb.errors import CompileError, Diagnostic, SourceNotFound

KERNEL_SUFFIXES = (".asc", ".cce")


@dataclass(frozen=True)
class UnitResult:
    """An object file, and what was learnt on the way."""

    object: Path
    files: list[Path]  # the user's headers it was made from
    warnings: list[str]
    kernels: list[str]  # in its image


@dataclass(frozen=True)
class _Made:
    """What the cache keeps."""

    object: bytes
    files: list[str]
    all_files: list[str]
    warnings: list[str]
    kernels: list[str]

    def to_bytes(self) -> bytes:
        head = {"files": self.files, "all_files": self.all_files, "warnings": self.warnings, "kernels": self.kernels}
        return json.dumps(head).encode() + b"\n" + self.object

    @classmethod
    def from_bytes(cls, data: bytes) -> _Made | None:
        head, _, code = data.partition(b"\n")
        try:
            return cls(object=code, **json.loads(head))
        except (ValueError, TypeError):
            return None  # damaged on disk: compile again


def compile_unit(source: Path, options: HostOptions, output: Path) -> UnitResult:
    """Writes `output`. Raises CompileError, with the errors of both sides."""
    source = Path(source).absolute()
    if not source.is_file():
        raise SourceNotFound(f"source {source} does not exist")
    tools, cache = toolchain.find(), open_cache()
    key = _key(source, options, tools)
    made = _cached(cache, key)
    if made is None:
        with cache.lock(key):
            made = _cached(cache, key)
            if made is None:
                failed = failures.find(cache, key)
                if failed is not None:
                    raise failed
                try:
                    made, job = _compile(source, options, tools, cache)
                except CompileError as error:
                    failures.keep(cache, key, error)
                    raise
                cache.keep(key, [Path(file) for file in made.all_files], made.to_bytes())
                if job is not None:
                    job.start_precompiling()
    output.parent.mkdir(parents=True, exist_ok=True)
    replace_file(output, made.object)
    return UnitResult(output, [Path(file) for file in made.files], made.warnings, made.kernels)


def preprocessed(source: Path, options: HostOptions) -> str:
    """As the host pass sees it."""
    with tempfile.TemporaryDirectory(prefix="aclimb-unit-") as working:
        return without_marks(HostPass(Path(source).absolute(), options, toolchain.find(), Path(working).resolve()).preprocess())


def files_of(source: Path, options: HostOptions) -> list[Path]:
    """The user's files that its host part is made of, beside itself."""
    with tempfile.TemporaryDirectory(prefix="aclimb-unit-") as working:
        host = HostPass(Path(source).absolute(), options, toolchain.find(), Path(working).resolve())
        files: list[Path] = []
        user_text(host.preprocess(), host.own_folders, files)
    return [path for path in files if path != host.source]


def write_launch_headers(source: Path, options: HostOptions, folder: Path) -> list[Path]:
    """aclrtlaunch_<kernel>.h for every kernel of the source that is not a template."""
    source = Path(source).absolute()
    with tempfile.TemporaryDirectory(prefix="aclimb-unit-") as working:
        host = HostPass(source, replace(options, launch_functions=True), toolchain.find(), Path(working).resolve())
        preprocessed = host.preprocess()
        text = host.rewrite(preprocessed)
        if not text.plain_kernels:
            raise no_kernel(source, [kernel.name for kernel in text.kernels])
        compiled = host.compile_tables(text)
        tokens = list(tokens_of(user_text(preprocessed, host.own_folders, [])))
    return launch_functions.write_headers(text.plain_kernels, compiled, tokens, folder)


def _compile(source: Path, options: HostOptions, tools: Toolchain, cache: Cache) -> tuple[_Made, Build | None]:
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


def _without_image(host: HostPass, text: HostText, preprocessed: str) -> _Made:
    """Host code alone; a launch finds no device code."""
    output = host.working / "unit.o"
    result = host.compile(preprocessed, text)
    host.assemble(stubs.registration(result.assembly, result.stubs, text.kernels, host.source, None, 0, is_linked=False), output)
    return _made(output, [path for path in text.files if path != host.source], result, None)


def _linked_later(host: HostPass, text: HostText, preprocessed: str, cache: Cache) -> _Made:
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


def _plain(host: HostPass, output: Path, preprocessed: str) -> _Made:
    """What has nothing of ours is the host compiler's alone."""
    files: list[Path] = []
    user_text(preprocessed, host.own_folders, files)
    warnings = host.compile_plain(output)
    users = [path for path in files if path != host.source]
    return _Made(output.read_bytes(), _texts(users), _texts(host.files_of(preprocessed)), warnings.splitlines(), [])


def _made(output: Path, files: list[Path], result: HostResult, binary: KernelBinary | None) -> _Made:
    warnings = [*result.warnings.splitlines(), *(binary.record.warnings if binary else ())]
    names = list(binary.kernel_names) if binary else []
    every = [*result.all_files, *(path for path in files if path not in result.all_files)]
    return _Made(output.read_bytes(), _texts(files), _texts(every), warnings, names)


def _texts(files: list[Path]) -> list[str]:
    return [str(file) for file in files]


def _cached(cache: Cache, key: str) -> _Made | None:
    data = cache.find(key)
    return _Made.from_bytes(data) if data is not None else None


def _key(source: Path, options: HostOptions, tools: Toolchain) -> str:
    """Everything the object depends on, except other files, which the manifest lists."""
    device, host = headers.include_dir(), headers.host_include_dir()
    parts = ["unit", str(device), headers.headers_hash(device), headers.headers_hash(host), tools.identity, repr(options)]
    parts += [repr(options.for_device()), str(source), str(Path.cwd()), builder_hash()]
    return hashlib.sha256("\0".join(parts).encode() + b"\0" + source.read_bytes()).hexdigest()[:40]
