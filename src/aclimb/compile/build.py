# SPDX-License-Identifier: Apache-2.0
"""One build: scan the sources, decide the passes, compile each with its entries, read the facts, link, pack.

sources -scan-> kernels -> objects of a pass -+-> facts -> kernel types
                                              +-> image
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TypeVar

from aclimb import chips, knobs
from aclimb.binary import BuildRecord, KernelBinary, elf
from aclimb.binary.container import host_architecture
from aclimb.compile import (
    build_warnings,
    diagnostics,
    fact_places,
    facts,
    headers,
    initialisers,
    kernel_type,
    link_errors,
    origins,
    refusals,
)
from aclimb.compile.cache import Cache
from aclimb.compile.kernels import PassResult, all_entries, built_with, facts_by_core, kernel_info
from aclimb.compile.one_source import PLAIN, OneSource, Wanted
from aclimb.compile.options import Options
from aclimb.compile.passes import AIC, AIV, CorePass, KernelEntry, needs_aic, needs_aiv
from aclimb.compile.toolchain import Toolchain, clang, content_key
from aclimb.errors import CompileError, Diagnostic
from aclimb.flow import KernelInfo, KernelType

_log = logging.getLogger("aclimb.compile")
T = TypeVar("T")
Part = tuple[Path, Options, Wanted]  # a further source of the same binary


class Build:
    """The steps of one build, and what they share."""

    def __init__(
        self,
        source: Path,
        options: Options,
        toolchain: Toolchain,
        cache: Cache,
        working: Path,
        wanted: Callable[[], Wanted] = tuple,
        others: Sequence[Part] = (),
    ) -> None:
        self.source, self.options, self.toolchain = source, options, toolchain
        self.first = OneSource(source, options, toolchain, cache, working, wanted)
        self.sources = [self.first]
        more = [*((path, replace(options, more_sources=()), ()) for path in options.more_sources), *others]
        for number, (path, own, launched) in enumerate(more, 1):
            self.sources.append(OneSource(path, own, toolchain, cache, _folder(working, number), partial(tuple, launched)))
        self.results: dict[str, PassResult] = {}
        self.plain: dict[str, PassResult] = {}  # without optimisation, for the facts alone; the passes that were asked for

    def run(self) -> KernelBinary:
        images = self._run_passes(self._first_passes())
        kernels = self._kernels()
        if any(t.has_aic for k in kernels for t in _types(k)) and "aic" not in images:
            images |= self._run_passes([AIC])
            kernels = self._kernels()
        if not kernels:
            raise refusals.no_kernel(self.source, self._templates)
        refusals.check_instances(self.options.instances, kernels, self.source, self._templates)
        return self._pack(kernels, images)

    def _first_passes(self) -> list[CorePass]:
        """Those that were asked for, or that the words of the sources call for."""
        if self.options.cores:
            return {"aiv": [AIV], "aic": [AIC]}.get(self.options.cores, [AIV, AIC])
        scans = [each.scan(AIV) for each in self.sources]
        wanted = [AIV] if any(needs_aiv(each) for each in scans) else []
        return [*wanted, AIC] if needs_aic(self._text) else wanted or [AIV]

    def check(self) -> None:
        """Compiles and does not link: what is missing may be in another source."""
        for core_pass in self._first_passes():
            self.first.find_entries(core_pass)
            self._objects(core_pass, self.options.opt_level)

    @property
    def files(self) -> list[Path]:
        """The user's files, without the first source."""
        seen = dict.fromkeys(path for each in self.sources for path in each.files)
        return [path for path in seen if path != self.source]

    def start_precompiling(self) -> None:
        """For the next build: whatever this one had to do without."""
        for core_pass in (AIV, AIC):
            ours = [self.first.precompiled(core_pass)] if self.first.entries.get(core_pass.name) else []
            ours += [self.first.precompiled(core_pass, PLAIN)] if core_pass.name in self.plain else []
            for header in ours:
                if header is not None and not header.exists:
                    header.start()

    # --- the second images

    def observed(self, cores: Sequence[str]) -> dict[str, bytes]:
        """Images of the same passes, of sources whose options ask for it."""
        hooks = self._hooks()

        def image(core_pass: CorePass) -> bytes:
            for each in self.sources:
                each.find_entries(core_pass)
            return self._link([*self._objects(core_pass, self.options.opt_level), hooks])

        passes = [each for each in (AIV, AIC) if each.name in cores]
        with ThreadPoolExecutor(max_workers=2) as pool:
            return {core_pass.name: made for core_pass, made in zip(passes, pool.map(image, passes), strict=True)}

    def _hooks(self) -> Path:
        """The functions that observed code calls, as an object."""
        source, made, tools = self.first.working / "hooks.cpp", self.first.working / "hooks.o", self.toolchain
        flags = [*tools.flags(2), "-g0", "-isystem", str(self.first.include)]
        key = content_key("hooks", tools.identity, headers.headers_hash(self.first.include), *flags)
        found = self.first.cache.find(key)
        if found is None:
            source.write_text('#include "aclimb/observed.h"\n')
            answer = self.first.call([*tools.compiler(), *flags, "-c", str(source), "-o", str(made)])
            assert answer.returncode == 0, answer.stderr
            self.first.cache.keep(key, [], made.read_bytes())
        else:
            made.write_bytes(found)
        return made

    # --- passes

    def _run_passes(self, passes: list[CorePass]) -> dict[str, bytes]:
        with ThreadPoolExecutor(max_workers=2) as pool:
            images = list(pool.map(self._run_pass, passes))
        return {core_pass.name: image for core_pass, image in zip(passes, images, strict=True) if image is not None}

    def _run_pass(self, core_pass: CorePass) -> bytes | None:
        wanted = [entry for each in self.sources for entry in each.find_entries(core_pass)]
        refusals.check_names(wanted)
        if not wanted:
            return None
        objects = self._objects(core_pass, self.options.opt_level)
        self.results[core_pass.name] = PassResult(wanted, facts.read_objects([path.read_bytes() for path in objects]))
        return self._link(objects)

    def _objects(self, core_pass: CorePass, opt_level: int) -> list[Path]:
        """What is linked into the image of a pass: an object of each source."""
        paths = [each.compile(core_pass, opt_level) for each in self.sources]
        if any(each.device_parts.get(core_pass.name) for each in self.sources):
            objects = [path.read_bytes() for path in paths]
            if (
                opt_level == self.options.opt_level and not self.options.observed
            ):  # it has one that does nothing; without optimisation a value that the compiler could know is computed at the start
                initialisers.check(objects, self.source, self.files)
            for path, data in zip(paths, objects, strict=True):
                path.write_bytes(elf.without_initialisers(data))
        return paths

    def _link(self, objects: list[Path]) -> bytes:
        image = objects[0].with_suffix(".so")
        answer = self.first.call(self.toolchain.link_command(objects, image))
        if answer.returncode != 0:
            hosts = frozenset[str]().union(*(part.host_functions for each in self.sources for part in each.device_parts.values()))
            raise link_errors.link_error(answer.stderr, [each.source for each in self.sources], hosts)
        return image.read_bytes()

    # --- kernels and their types

    def _kernels(self) -> tuple[KernelInfo, ...]:
        missing = set[str]().union(*map(self._open_cores, all_entries(self.results))) - set(self.plain)
        with contextlib.suppress(CompileError):
            self._compile_plain(missing)  # at once, what all of them wait for
        return tuple(kernel_info(entry, self.results, self._type_of(entry)) for entry in all_entries(self.results))

    def _type_of(self, entry: KernelEntry) -> KernelType:
        by_core = facts_by_core(entry, self.results)
        with contextlib.suppress(CompileError):  # what builds only when it is optimised has the type of what is left
            by_core = self._plain_facts(entry)
        said = kernel_type.declared(entry, by_core)
        if said is not None:
            return said
        return kernel_type.on_cores(self.options.cores, by_core) if self.options.cores else kernel_type.inferred(by_core)

    def _open_cores(self, entry: KernelEntry) -> set[str]:
        """The passes whose plain form the kernel's type still waits for."""
        by_core = facts_by_core(entry, {**self.results, **self.plain})
        if kernel_type.is_declared(entry, by_core) or kernel_type.is_settled(self.options.cores, self._text):
            return set()
        return kernel_type.open_cores(by_core, self._text)

    def _plain_facts(self, entry: KernelEntry) -> dict[str, kernel_type.Facts]:
        while missing := self._open_cores(entry) - set(self.plain):
            self._compile_plain(missing)
        by_core = facts_by_core(entry, {**self.results, **self.plain})
        if len(self.plain) == 2 and kernel_type.may_branch(self._text):
            return kernel_type.with_own_work(by_core, self._shared_work(entry))
        return by_core

    def _compile_plain(self, cores: set[str]) -> None:
        """Passes again without optimisation, which drops no call that the source has."""
        passes = [core_pass for core_pass in (AIV, AIC) if core_pass.name in cores]
        if self.options.opt_level == 0:
            self.plain |= {each.name: self.results[each.name] for each in passes}
            return
        with ThreadPoolExecutor(max_workers=2) as pool:
            objects = pool.map(lambda each: [path.read_bytes() for path in self._objects(each, 0)], passes)
        found = zip(passes, objects, strict=True)
        self.plain |= {each.name: PassResult(self.results[each.name].entries, facts.read_objects(data)) for each, data in found}

    def _shared_work(self, entry: KernelEntry) -> dict[str, set[tuple[str, int]]]:
        """The lines of each pass with calls that both sorts of core have."""
        found = {}
        for core, result in self.plain.items():
            image = self._plain_images[core]
            places = [fact_places.find(result.found, entry.symbol, fact, image) for fact in kernel_type.SHARED_WORK]
            found[core] = {(place.file, place.line) for each in places for place in each}
        return found

    @cached_property
    def _plain_images(self) -> dict[str, bytes]:
        return {core: self._link([each.object_of(core, 0) for each in self.sources]) for core in self.plain}

    # --- the binary

    def _pack(self, kernels: tuple[KernelInfo, ...], images: dict[str, bytes]) -> KernelBinary:
        used = {
            "aic": any(t.has_aic for k in kernels for t in _types(k)),
            "aiv": any(t.has_aiv for k in kernels for t in _types(k)),
        }
        warnings = list(dict.fromkeys(warning for each in self.sources for warning in each.warnings))
        for kernel in kernels:
            refusals.check_sides(kernel, _types(kernel), self.results)
            warnings += self._calls_of_other_core(kernel, images)
        chip = chips.load(self.options.soc)
        record = BuildRecord(
            name=self.options.name or self.source.stem,
            soc=chip.name,
            family=chip.family,
            host=host_architecture(),
            compiler=self.toolchain.version,
            source=str(self.source),
            source_sha256=hashlib.sha256(b"".join(each.source.read_bytes() for each in self.sources)).hexdigest(),
            options={
                "defines": [list(pair) for pair in self.options.defines],
                "include_dirs": [str(folder) for folder in self.options.include_dirs],
                "opt_level": self.options.opt_level,
                "extra_flags": list(self.options.extra_flags),
                "instances": list(self.options.instances),
                **({"cores": self.options.cores} if self.options.cores else {}),
                **({"more_sources": [str(each) for each in self.options.more_sources]} if self.options.more_sources else {}),
            },
            warnings=build_warnings.render(warnings),
            rows=built_with(self.results),
        )
        kept = {core: image for core, image in images.items() if used[core]}
        return KernelBinary(record, kernels, kept, headers.abi_version(self.first.include))

    def _calls_of_other_core(self, kernel: KernelInfo, images: dict[str, bytes]) -> list[Diagnostic]:
        if any(kind.has_aic and kind.has_aiv for kind in _types(kernel)):
            return []  # the calls may be for a core that one of its types has
        core = "aic" if kernel.kernel_type.has_aic else "aiv"
        symbol = kernel.entry.removeprefix(facts.ENTRY)
        return build_warnings.calls_of_other_core(kernel, symbol, core, self.results[core], images[core])

    @cached_property
    def _text(self) -> str:
        return "\n".join(each.text for each in self.sources)

    @property
    def _templates(self) -> list[str]:
        return list(dict.fromkeys(name for each in self.sources for name in each.templates))


def _folder(working: Path, number: int) -> Path:
    made = working / str(number)
    made.mkdir()
    return made


def _types(kernel: KernelInfo) -> list[KernelType]:
    return [kernel.kernel_type, *(kind for _, kind in kernel.key_types)]


def build(
    source: Path, options: Options, toolchain: Toolchain, cache: Cache, wanted: Callable[[], Wanted] = tuple, others: Sequence[Part] = ()
) -> tuple[KernelBinary, Build]:
    """With the compiler that was found, or with another one where only that takes the source. `wanted` tells, when it is known,
    what the host part launches; `others` are further sources with options of their own."""
    binary, job = _with_a_fitting(toolchain, source, lambda tools: _build_with(source, options, tools, cache, wanted, others))
    origins.keep(cache, binary.images, [(source, options, wanted()), *others], [source, *job.files])
    return binary, job


def build_observed(parts: Sequence[Part], cores: Sequence[str], toolchain: Toolchain, cache: Cache) -> tuple[dict[str, bytes], Build]:
    """The second images of what was built of these sources."""
    (source, options, wanted), *others = [(path, replace(own, observed=True), launched) for path, own, launched in parts]

    def run(tools: Toolchain) -> tuple[dict[str, bytes], Build]:
        with tempfile.TemporaryDirectory(prefix="aclimb-build-") as working:
            job = Build(source, options, tools, cache, Path(working).resolve(), lambda: wanted, others)
            return job.observed(cores), job

    return _with_a_fitting(toolchain, source, run)


def preprocessed(source: Path, options: Options, toolchain: Toolchain, cache: Cache, core: str) -> str:
    """As the pass of a sort of core sees it, aiv or aic."""
    with tempfile.TemporaryDirectory(prefix="aclimb-build-") as working:
        return OneSource(source, options, toolchain, cache, Path(working).resolve(), tuple).preprocessed({"aiv": AIV, "aic": AIC}[core])


def check(source: Path, options: Options, toolchain: Toolchain, cache: Cache, wanted: Wanted) -> None:
    """Compiles a source that is linked later, for its errors."""

    def run(tools: Toolchain) -> None:
        with tempfile.TemporaryDirectory(prefix="aclimb-build-") as working:
            Build(source, options, tools, cache, Path(working).resolve(), lambda: wanted).check()

    _with_a_fitting(toolchain, source, run)


def _with_a_fitting(toolchain: Toolchain, source: Path, run: Callable[[Toolchain], T]) -> T:
    try:
        return run(toolchain)
    except CompileError as error:
        if toolchain.kind != "gcc" or not diagnostics.is_for_clang(error):
            raise
        other = clang() if not knobs.cxx() else None
        if other is None:
            raise refusals.for_clang(error, is_asked=bool(knobs.cxx())) from None
        _log.info("%s is built with %s, which takes what g++ does not", source.name, other.version)
        return run(other)


def _build_with(
    source: Path, options: Options, toolchain: Toolchain, cache: Cache, wanted: Callable[[], Wanted], others: Sequence[Part]
) -> tuple[KernelBinary, Build]:
    """In a folder of its own, which is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="aclimb-build-") as working:
        job = Build(source, options, toolchain, cache, Path(working).resolve(), wanted, others)
        try:
            return job.run(), job
        except CompileError as error:
            error.read = None if any(each.unread or not each.scans for each in job.sources) else job.files
            raise
