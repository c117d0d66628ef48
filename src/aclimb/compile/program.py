# SPDX-License-Identifier: Apache-2.0
"""Program: a kernel source and how to build it."""

from __future__ import annotations

import errno
import hashlib
import os
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from aclimb.binary import FORMAT_VERSION, KernelBinary
from aclimb.compile import failures, headers
from aclimb.compile.cache import Cache, open_cache, replacement
from aclimb.compile.options import Defines, Options
from aclimb.errors import CompileError, InvalidArgument, InvalidBinary, SourceNotFound

if TYPE_CHECKING:
    from aclimb.compile.toolchain import Toolchain


class Program:
    """An Ascend C source, from a file or as text, and its options. `compile()` gives the operator binary.

    A text is recognised by its line breaks; everything else is a path. `more_sources` are the paths of further files, each compiled by
    itself and linked into the same binary. `isolated` is for sources that you do not trust: compilers then read the folder of the source,
    `include_dirs` and the system's own, and nothing else (docs/explain/trust.md). `prelude` is C++ that stands before the source: what the
    generator of an operator project writes for it.
    """

    def __init__(
        self,
        source: str | os.PathLike[str],
        *,
        soc: str | None = None,
        include_dirs: Iterable[str | os.PathLike[str]] = (),
        defines: Defines = (),
        opt_level: int = 1,
        extra_flags: Iterable[str] = (),
        instances: Iterable[str] = (),
        name: str | None = None,
        more_sources: Iterable[str | os.PathLike[str]] = (),
        isolated: bool = False,
        prelude: str = "",
    ) -> None:
        self.options = Options.create(
            soc=soc,
            include_dirs=include_dirs,
            defines=defines,
            opt_level=opt_level,
            extra_flags=extra_flags,
            instances=instances,
            name=name,
            more_sources=more_sources,
            isolated=isolated,
            prelude=prelude,
        )
        self.text = source if isinstance(source, str) and "\n" in source else None
        self.path = Path() if self.text is not None else _existing(source)

    def compile(self, *, warn: bool = True) -> KernelBinary:
        """Builds, or takes the result of an equal build from the cache. Raises CompileError; warns with BuildWarning, unless the caller
        shows record.warnings itself."""
        binary = self._binary()
        if warn and binary.record.warnings:
            from aclimb.compile import build_warnings

            build_warnings.tell(binary)
        return binary

    def _binary(self) -> KernelBinary:
        from aclimb.compile import toolchain  # half of the package's import time, for those who only launch

        tools = toolchain.find()
        if self.options.isolated:
            from aclimb.compile import sandbox

            sandbox.require()
            sandbox.require_flags(self.options.extra_flags)
        try:
            cache = open_cache()
            try:
                return self._from(cache, tools)
            except OSError as error:
                if cache.is_temporary or not str(error.filename or "").startswith(f"{cache.folder}/"):
                    raise
                reason = error.strerror or str(error)
            return self._from(replacement(cache.folder, reason), tools)
        except OSError as error:
            raise _cannot_build(self, error) from None

    def _from(self, cache: Cache, tools: Toolchain) -> KernelBinary:
        source = self.path if self.text is None else cache.keep_source(self.text, self.options.name or "kernel")
        key = self._key(source, tools)
        found = _cached(cache, key)
        if found is not None:
            return found
        with cache.lock(key):
            found = _cached(cache, key)  # somebody else built it while we waited
            if found is not None:
                return found
            failed = failures.find(cache, key)
            if failed is not None:
                raise failed
            from aclimb.compile.build import build

            try:
                binary, job = build(source, self.options, tools, cache)
            except CompileError as error:
                failures.keep(cache, key, error)
                raise
            cache.keep(key, job.files, binary.to_bytes())
        job.start_precompiling()
        return binary

    def _key(self, source: Path, tools: Toolchain) -> str:
        """Everything the result depends on, except the user's headers, which the manifest lists."""
        include = headers.include_dir()
        parts = [
            str(FORMAT_VERSION),
            headers.headers_hash(include),
            tools.identity,
            " ".join(tools.flags(self.options.opt_level)),
            repr(self.options),
            str(source),
            builder_hash(),
        ]
        content = source.read_bytes() if self.text is None else self.text.encode()
        return hashlib.sha256("\0".join(parts).encode() + b"\0" + content).hexdigest()[:40]


def _existing(source: str | os.PathLike[str]) -> Path:
    if not isinstance(source, str | os.PathLike):
        raise InvalidArgument(f"source is {source!r}; it takes the path of a kernel source or its text")
    path = Path(source).absolute()
    if path.is_dir():
        raise SourceNotFound(f"kernel source {path} is a folder; give the .cpp file in it")
    if not path.is_file():
        raise SourceNotFound(
            f"kernel source {path} does not exist; give the path of a .cpp or .asc file, or the source as text of several lines"
        )
    return path


def _cannot_build(program: Program, error: OSError) -> CompileError:
    what = program.path if program.text is None else "the kernel source"
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        hint = "free some space, or set ACLIMB_CACHE_DIR and TMPDIR to folders that have room"
    else:
        hint = "building reads the source and writes to ACLIMB_CACHE_DIR and TMPDIR"
    place = f" ({error.filename})" if error.filename else ""
    return CompileError(f"{what} cannot be built: {error.strerror or error}{place}; {hint}")


def _cached(cache: Cache, key: str) -> KernelBinary | None:
    data = cache.find(key)
    if data is None:
        return None
    try:
        return KernelBinary.read(data)
    except InvalidBinary:
        return None  # damaged on disk: build it again


@lru_cache(maxsize=1)
def builder_hash() -> str:
    """Of this folder: another version of it may build the same source differently."""
    total = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        total.update(path.read_bytes())
    return total.hexdigest()
