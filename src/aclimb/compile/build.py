# SPDX-License-Identifier: Apache-2.0
"""One build: preprocess and scan, decide the passes, compile each with its entries, read the facts, link, pack.

user.cpp -E-> text -scan-> kernels -+-> wrapper (#include user.cpp, one ACLIMB_KERNEL a kernel) -> .o -> facts
                                    |                                                              -> image
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import subprocess
import tempfile
import time
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
    by_key,
    diagnostics,
    fact_places,
    facts,
    forwarding,
    headers,
    initialisers,
    kernel_type,
    key_macro,
    link_errors,
    refusals,
    template_keys,
    ub_arrays,
    vendor_words,
)
from aclimb.compile.cache import Cache
from aclimb.compile.device_text import MARKS, DeviceText, device_text, from_source_on, has_host_part
from aclimb.compile.functions import AICORE, HOST
from aclimb.compile.kernels import PassResult, all_entries, built_with, facts_by_core, kernel_info
from aclimb.compile.options import Options, WantedKernel
from aclimb.compile.passes import AIC, AIV, CorePass, KernelEntry, entries, needs_aic, needs_aiv
from aclimb.compile.precompiled import PrecompiledHeader
from aclimb.compile.scan import Scan, scan
from aclimb.compile.toolchain import Toolchain, clang
from aclimb.errors import CompileError, Diagnostic
from aclimb.flow import KernelInfo, KernelType

_log = logging.getLogger("aclimb.compile")
T = TypeVar("T")
Wanted = tuple[WantedKernel, ...]
Part = tuple[Path, Options, Wanted]  # a further source of the same binary
_PLAIN = ["-O0"]
_EXCEPTIONS = ["-fexceptions", "-frtti"]  # for host code that stays in a device part until it is linked


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
        self.wanted = wanted
        self.source, self.options, self.toolchain, self.cache, self.working = source, options, toolchain, cache, working
        self.include = headers.include_dir()
        self.own_folders = (self.include, cache.folder / "pch", working)
        self.environment = toolchain.environment(working)
        self.forwarded = working / "forwarded"
        self.has_vendor_words = False
        self.asks_key = key_macro.NAME in dict(options.defines)  # whether the preprocessor decides by the tiling key
        # Behind our headers, which therefore neither see nor trip over the user's macros, and can be precompiled
        # whatever they are.
        self.has_host_part = options.has_host_part or has_host_part(source.read_text(errors="replace"))
        self.defines = working / "defines.h"
        self.defines.write_text("".join(f"#define {name} {value}\n" for name, value in options.defines) + MARKS * self.has_host_part)
        self.input = self._with_arrays()
        self.device_parts: dict[str, DeviceText] = {}  # by pass, of a source that has a host part
        self.scans: dict[str, Scan] = {}
        self.entries: dict[str, list[KernelEntry]] = {}  # by pass, of this source
        self.results: dict[str, PassResult] = {}
        self.plain: dict[str, PassResult] = {}  # without optimisation, for the facts alone; the passes that were asked for
        self.warnings: list[Diagnostic] = []
        more = [*((path, replace(options, more_sources=()), ()) for path in options.more_sources), *others]
        self.jobs: list[Build] = [self]  # a step of the build that is one source's is done for each of them
        for number, (path, own, launched) in enumerate(more, 1):
            self.jobs.append(Build(path, own, toolchain, cache, _folder(working, number), partial(tuple, launched)))

    def run(self) -> KernelBinary:
        scans = [job._scan(AIV) for job in self.jobs]
        wanted = [AIV] if any(needs_aiv(each) for each in scans) else []
        if needs_aic(self._text):
            wanted.append(AIC)
        images = self._run_passes(wanted or [AIV])
        kernels = self._kernels()
        if any(t.has_aic for k in kernels for t in _types(k)) and "aic" not in images:
            images |= self._run_passes([AIC])
            kernels = self._kernels()
        if not kernels:
            raise refusals.no_kernel(self.source, self._templates)
        refusals.check_instances(self.options.instances, kernels, self.source, self._templates)
        return self._pack(kernels, images)

    def check(self) -> None:
        """Compiles and does not link: what is missing may be in another source."""
        scan = self._scan(AIV)
        for core_pass in ([AIV] if needs_aiv(scan) else []) + ([AIC] if needs_aic(self._text) else []):
            self._find_entries(core_pass)
            self._objects(core_pass, self.options.opt_level)

    @property
    def files(self) -> list[Path]:
        """The user's files, without the source itself."""
        sources = [job.source for job in self.jobs]
        seen = dict.fromkeys([*sources, *(path for job in self.jobs for found in job.scans.values() for path in found.files)])
        return [path for path in seen if path != self.source]

    def start_precompiling(self) -> None:
        """For the next build: whatever this one had to do without."""
        for core_pass in (AIV, AIC):
            ours = [self._precompiled(core_pass)] if core_pass.name in self.results else []
            ours += [self._precompiled(core_pass, _PLAIN)] if core_pass.name in self.plain else []
            for header in ours:
                if header is not None and not header.exists:
                    header.start()

    # --- steps

    def _with_arrays(self) -> Path:
        """The source, or a copy of it where arrays are in UB; lines stay."""
        text = self.source.read_text(errors="replace")
        placed = ub_arrays.place(text)
        if placed == text:
            return self.source
        copy = self.working / self.source.name
        copy.write_text(f'#line 1 "{self.source}"\n{placed}')
        return copy

    def _run_passes(self, passes: list[CorePass]) -> dict[str, bytes]:
        with ThreadPoolExecutor(max_workers=2) as pool:
            images = list(pool.map(self._run_pass, passes))
        return {core_pass.name: image for core_pass, image in zip(passes, images, strict=True) if image is not None}

    def _run_pass(self, core_pass: CorePass) -> bytes | None:
        wanted = [entry for job in self.jobs for entry in job._find_entries(core_pass)]
        refusals.check_names(wanted)
        if not wanted:
            return None
        objects = self._objects(core_pass, self.options.opt_level)
        self.results[core_pass.name] = PassResult(wanted, facts.read_objects([path.read_bytes() for path in objects]))
        return self._link(objects)

    def _find_entries(self, core_pass: CorePass) -> list[KernelEntry]:
        found = self.scans.get(core_pass.name) or self._scan(core_pass)
        launched = self.wanted()
        own = entries(found, self.options.instances, launched)
        every = [*own, *template_keys.entries(found, self.options, {each.name.partition("<")[0] for each in launched})]
        self.entries[core_pass.name] = [entry for entry in every if core_pass.wants(entry.kernel)]
        return self.entries[core_pass.name]

    def _objects(self, core_pass: CorePass, opt_level: int) -> list[Path]:
        """What is linked into the image of a pass: an object of each source."""
        paths = [job._compile(core_pass, job.entries[core_pass.name], opt_level) for job in self.jobs]
        if any(job.device_parts.get(core_pass.name) for job in self.jobs):
            objects = [path.read_bytes() for path in paths]
            if opt_level == self.options.opt_level:  # without optimisation a value that the compiler could know is computed at the start
                initialisers.check(objects, self.source, self.files)
            for path, data in zip(paths, objects, strict=True):
                path.write_bytes(elf.without_initialisers(data))
        return paths

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
        return said if said is not None else kernel_type.inferred(by_core)

    def _open_cores(self, entry: KernelEntry) -> set[str]:
        """The passes whose plain form the kernel's type still waits for."""
        by_core = facts_by_core(entry, {**self.results, **self.plain})
        return set() if kernel_type.is_declared(entry, by_core) else kernel_type.open_cores(by_core, self._text)

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
            places = [fact_places.find(result.found, entry.symbol, fact, image, self.include) for fact in kernel_type.SHARED_WORK]
            found[core] = {(place.file, place.line) for each in places for place in each}
        return found

    @cached_property
    def _plain_images(self) -> dict[str, bytes]:
        return {core: self._link([job._object(core, 0) for job in self.jobs]) for core in self.plain}

    def _scan(self, core_pass: CorePass) -> Scan:
        if self.has_host_part:
            part = self.device_parts[core_pass.name] = self._device_part(core_pass)
            found = part.scan
        else:
            found = scan(self._preprocessed(self._command(core_pass, self._precompiled(core_pass))), self.own_folders)
        self.scans[core_pass.name] = found
        return found

    def _device_part(self, core_pass: CorePass) -> DeviceText:
        text = self._preprocessed(self._command(core_pass, self._precompiled(core_pass)))
        part = device_text(from_source_on(text, self.source), self.source, self.own_folders)
        if part.needs_exceptions:  # the host's headers read differently with them
            text = self._preprocessed([*self._command(core_pass, None), *_EXCEPTIONS])
            part = device_text(from_source_on(text, self.source), self.source, self.own_folders)
        return part

    def _preprocessed(self, command: list[str]) -> str:
        telling = ["-Wundef" if flag == "-w" else flag for flag in command]
        answer = self._preprocess([*telling, "-E", "-x", "c++", str(self.input)])
        warnings = build_warnings.undefined_names(answer.stderr, self.own_folders)
        self.warnings += [each for each in warnings if each not in self.warnings]
        text = self._plain_words(answer.stdout)
        self.has_vendor_words |= text != answer.stdout
        return text

    def _plain_words(self, text: str) -> str:
        return vendor_words.plain(text, *((AICORE, f"{HOST} {AICORE}") if self.has_host_part else ()))

    def _preprocess(self, command: list[str]) -> subprocess.CompletedProcess[str]:
        """With a header of one line for each that kernel_operator.h stands in for."""
        answer = self._call(command)
        while answer.returncode != 0 and (forwarding.provide(answer.stderr, self.forwarded) or self._fix_key(answer.stderr)):
            answer = self._call(command)
        return answer if answer.returncode == 0 else self._succeed(command)

    def _fix_key(self, errors: str) -> bool:
        """The tiling key becomes a number where conditions of the preprocessor ask for it."""
        if self.asks_key or not key_macro.is_asked(errors):
            return False
        self.asks_key = True
        with self.defines.open("a") as file:
            file.write(key_macro.definition(key_macro.NO_KEY))
        return True

    def _object(self, core: str, opt_level: int) -> Path:
        return self.working / f"{core}.O{opt_level}.o"

    def _compile(self, core_pass: CorePass, wanted: list[KernelEntry], opt_level: int) -> Path:
        compiled = self._object(core_pass.name, opt_level)
        wrapper = compiled.with_suffix(".cpp")
        part = self.device_parts.get(core_pass.name)
        source = self._split(part, compiled) if part else self.input
        text = self._text_of_keys(core_pass, wanted, wrapper) if self.asks_key else self._wrapped(core_pass, wanted, wrapper, source)
        level = [f"-O{opt_level}"] if opt_level != self.options.opt_level else []
        extra = _EXCEPTIONS if part and part.needs_exceptions else []
        header = None if extra else self._precompiled(core_pass, level)
        command = self._command(core_pass, header, is_split=part is not None and text is None)
        if text is not None:  # what is compiled is the preprocessed text, put right
            wrapper = wrapper.with_suffix(".plain.cpp")
            wrapper.write_text(text)
            command = [*self.toolchain.compiler(), *self._base_flags(core_pass)]
        prefix = f"-ffile-prefix-map={self.working}=aclimb"  # the folder's name is new each time, the bytes shall not be
        self._succeed([*command, *extra, *level, prefix, "-c", str(wrapper), "-o", str(compiled)])
        return compiled

    def _wrapped(self, core_pass: CorePass, wanted: list[KernelEntry], wrapper: Path, source: Path) -> str | None:
        """Writes the wrapper around the source, or around its device part; gives back its text where that is preprocessed first."""
        keyed = {entry: kernel for entry in wanted if (kernel := by_key.find(self.scans[core_pass.name], entry, self.source))}
        workspace = self.options.workspace_from_end
        lines = [keyed[each].wrapper_line() if each in keyed else each.wrapper_line(workspace) for each in wanted]
        part = self.device_parts.get(core_pass.name)
        ours = ['#include "aclimb/entry.h"', *(['#include "aclimb/host_leftovers.h"'] if part else [])]
        wrapper.write_text("\n".join([f'#include "{self.input if keyed else source}"', *ours, *lines]) + "\n")
        if not keyed and (part or not self.has_vendor_words):
            return None
        text = self._wrapper_text(core_pass, wrapper)
        if keyed:
            text = by_key.rewrite(text, list(keyed.values()), self.source)
        return device_text(text, self.source, self.own_folders).text if part else text

    def _text_of_keys(self, core_pass: CorePass, wanted: list[KernelEntry], wrapper: Path) -> str:
        """Of a source that is another one for each tiling key."""
        if self.has_host_part:
            raise refusals.key_beside_host(self.source)
        wrapper.write_text(f'#include "{self.input}"\n#include "aclimb/entry.h"\n')
        keys = key_macro.keys_of(self.scans[core_pass.name], self._text, dict(self.options.defines).get(key_macro.NAME))
        if not keys:
            raise refusals.no_key(self.source)
        for entry in wanted:
            if by_key.find(self.scans[core_pass.name], entry, self.source):
                raise refusals.struct_by_key(entry.name)
        versions = key_macro.Versions({key: self._wrapper_text(core_pass, wrapper, key) for key in keys}, self.source)
        entries = [versions.entry(entry) for entry in wanted]
        wrapper.write_text("\n".join(entry.wrapper_line() for entry in entries) + "\n")
        calls = self._wrapper_text(core_pass, wrapper)
        return versions.text(entries) + "\n" + calls[calls.rfind(f'"{wrapper}"') :].partition("\n")[2]

    def _wrapper_text(self, core_pass: CorePass, wrapper: Path, key: str | None = None) -> str:
        """With the tiling key as a number, where one is given."""
        number = wrapper.with_suffix(".key.h")
        if key is not None:
            number.write_text(key_macro.definition(key))
        command = [*self._command(core_pass, None), *(["-include", str(number)] if key is not None else []), "-E", str(wrapper)]
        return self._plain_words(self._succeed(command).stdout)

    def _split(self, part: DeviceText, compiled: Path) -> Path:
        """The device part as a file, already preprocessed."""
        path = compiled.with_suffix(".device.cpp")
        path.write_text(part.text)
        return path

    def _link(self, objects: list[Path]) -> bytes:
        image = objects[0].with_suffix(".so")
        answer = self._call(self.toolchain.link_command(objects, image))
        if answer.returncode != 0:
            hosts = frozenset[str]().union(*(part.host_functions for job in self.jobs for part in job.device_parts.values()))
            raise link_errors.link_error(answer.stderr, [job.source for job in self.jobs], hosts)
        return image.read_bytes()

    def _pack(self, kernels: tuple[KernelInfo, ...], images: dict[str, bytes]) -> KernelBinary:
        used = {
            "aic": any(t.has_aic for k in kernels for t in _types(k)),
            "aiv": any(t.has_aiv for k in kernels for t in _types(k)),
        }
        for job in self.jobs[1:]:
            self.warnings += [each for each in job.warnings if each not in self.warnings]
        for kernel in kernels:
            refusals.check_sides(kernel, _types(kernel), self.results)
            self._warn_of_other_core(kernel, images)
        chip = chips.load(self.options.soc)
        record = BuildRecord(
            name=self.options.name or self.source.stem,
            soc=chip.name,
            family=chip.family,
            host=host_architecture(),
            compiler=self.toolchain.version,
            source=str(self.source),
            source_sha256=hashlib.sha256(b"".join(job.source.read_bytes() for job in self.jobs)).hexdigest(),
            options={
                "defines": [list(pair) for pair in self.options.defines],
                "include_dirs": [str(folder) for folder in self.options.include_dirs],
                "opt_level": self.options.opt_level,
                "extra_flags": list(self.options.extra_flags),
                "instances": list(self.options.instances),
                **({"more_sources": [str(each) for each in self.options.more_sources]} if self.options.more_sources else {}),
            },
            warnings=build_warnings.render(self.warnings),
            rows=built_with(self.results),
        )
        kept = {core: image for core, image in images.items() if used[core]}
        return KernelBinary(record, kernels, kept, headers.abi_version(self.include))

    # --- commands

    def _base_flags(self, core_pass: CorePass) -> list[str]:
        flags = [
            *self.toolchain.flags(self.options.opt_level),
            *core_pass.defines(),
            "-isystem",
            str(self.include),
            "-isystem",
            str(headers.host_include_dir()),
        ]
        return [*flags, *self.options.extra_flags]

    def _command(self, core_pass: CorePass, header: PrecompiledHeader | None, *, is_split: bool = False) -> list[str]:
        start = header.include_flags() if header else ["-include", str(self.include / "kernel_operator.h")]
        own = [
            *([] if is_split else ["-include", str(self.defines)]),
            "-iquote",
            str(self.source.parent),
            *(f"-I{folder}" for folder in self.options.include_dirs),
            "-idirafter",
            str(self.forwarded),
        ]
        return [*self.toolchain.compiler(), *self._base_flags(core_pass), *start, *own]

    def _precompiled(self, core_pass: CorePass, level: list[str] | None = None) -> PrecompiledHeader | None:
        if not self.toolchain.has_precompiled_headers or self.cache.is_temporary:
            return None
        identity = self.toolchain.identity + headers.headers_hash(self.include)
        header = self.include / "kernel_operator.h"
        return PrecompiledHeader(
            self.cache.folder, self.toolchain.compiler(), [*self._base_flags(core_pass), *(level or ())], identity, header
        )

    def _succeed(self, command: list[str]) -> subprocess.CompletedProcess[str]:
        """What the compiler answers; its errors at the user's lines."""
        answer = self._call(command)
        if answer.returncode != 0:
            raise diagnostics.compile_error(answer.stderr, self.source, self.own_folders, self.files)
        return answer

    def _call(self, command: list[str]) -> subprocess.CompletedProcess[str]:
        start = time.perf_counter()
        answer = subprocess.run(command, capture_output=True, text=True, errors="replace", env=self.environment, cwd="/")
        _log.debug("%.3f s  %s", time.perf_counter() - start, " ".join(command))
        return answer

    # --- what the user wrote

    @cached_property
    def _text(self) -> str:
        """Of the user's files, before and after the preprocessor."""
        scans = [found for job in self.jobs for found in job.scans.values()]
        files = dict.fromkeys(path for found in scans for path in found.files)
        written = (path.read_text(errors="replace") for path in files if path.is_file())
        return "\n".join([*written, *(found.text for found in scans)])

    @property
    def _templates(self) -> list[str]:
        return list(dict.fromkeys(kernel.name for job in self.jobs for found in job.scans.values() for kernel, _ in found.templates))

    def _warn_of_other_core(self, kernel: KernelInfo, images: dict[str, bytes]) -> None:
        if any(kind.has_aic and kind.has_aiv for kind in _types(kernel)):
            return  # the calls may be for a core that one of its types has
        core = "aic" if kernel.kernel_type.has_aic else "aiv"
        symbol = kernel.entry.removeprefix(facts.ENTRY)
        self.warnings += build_warnings.calls_of_other_core(kernel, symbol, core, self.results[core], images[core], self.include)


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
    return _with_a_fitting(toolchain, source, lambda tools: _build_with(source, options, tools, cache, wanted, others))


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
        return job.run(), job
