# SPDX-License-Identifier: Apache-2.0
"""One translation unit of a program: host and device part of a source -> one object file.

    source -host pass-> text with calls for launches -> assembly -+-> assembly with image and registration -> object
           -device passes (build.py)----------------> image ------+

unit_build.py has the steps; what is here finds them done already.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from aclimb.binary.container import replace_file
from aclimb.compile import failures, headers, toolchain
from aclimb.compile.cache import Cache, open_cache
from aclimb.compile.host_options import HostOptions
from aclimb.compile.program import builder_hash
from aclimb.compile.toolchain import Toolchain
from aclimb.errors import CompileError, SourceNotFound


@dataclass(frozen=True)
class UnitResult:
    """An object file, and what was learnt on the way."""

    object: Path
    files: list[Path]  # the user's headers it was made from
    warnings: list[str]
    kernels: list[str]  # in its image


@dataclass(frozen=True)
class Made:
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
    def from_bytes(cls, data: bytes) -> Made | None:
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
                from aclimb.compile.unit_build import compile_both  # most of a compiler's start, for those who only ask the cache

                try:
                    made, job = compile_both(source, options, tools, cache)
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
    from aclimb.compile.functions import without_marks
    from aclimb.compile.host_pass import HostPass

    with tempfile.TemporaryDirectory(prefix="aclimb-unit-") as working:
        return without_marks(HostPass(Path(source).absolute(), options, toolchain.find(), Path(working).resolve()).preprocess())


def files_of(source: Path, options: HostOptions) -> list[Path]:
    """The user's files that its host part is made of, beside itself."""
    from aclimb.compile.host_pass import HostPass
    from aclimb.compile.tokens import user_text

    with tempfile.TemporaryDirectory(prefix="aclimb-unit-") as working:
        host = HostPass(Path(source).absolute(), options, toolchain.find(), Path(working).resolve())
        files: list[Path] = []
        user_text(host.preprocess(), host.own_folders, files)
    return [path for path in files if path != host.source]


def write_launch_headers(source: Path, options: HostOptions, folder: Path) -> list[Path]:
    """aclrtlaunch_<kernel>.h for every kernel of the source that is not a template."""
    from aclimb.compile import launch_functions
    from aclimb.compile.host_pass import HostPass
    from aclimb.compile.refusals import no_kernel
    from aclimb.compile.tokens import tokens_of, user_text

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


def _cached(cache: Cache, key: str) -> Made | None:
    data = cache.find(key)
    return Made.from_bytes(data) if data is not None else None


def _key(source: Path, options: HostOptions, tools: Toolchain) -> str:
    """Everything the object depends on, except other files, which the manifest lists."""
    device, host = headers.include_dir(), headers.host_include_dir()
    parts = ["unit", str(device), headers.headers_hash(device), headers.headers_hash(host), tools.identity, repr(options)]
    parts += [repr(options.for_device()), str(source), str(Path.cwd()), builder_hash()]
    return hashlib.sha256("\0".join(parts).encode() + b"\0" + source.read_bytes()).hexdigest()[:40]
