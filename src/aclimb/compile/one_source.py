# SPDX-License-Identifier: Apache-2.0
"""One source of a build: preprocessed and scanned, wrapped with an entry for each kernel, compiled.

user.cpp -E-> text -scan-> kernels -> wrapper (#include user.cpp, one ACLIMB_KERNEL a kernel) -> .o
"""

from __future__ import annotations

import logging
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from aclimb.binary.container import host_architecture
from aclimb.binary.source_lines import DEVICE_HEADERS, HOST_HEADERS
from aclimb.compile import (
    assumed_names,
    build_warnings,
    by_key,
    diagnostics,
    forwarding,
    headers,
    key_macro,
    observed_code,
    refusals,
    sandbox,
    template_keys,
    ub_arrays,
    vendor_words,
)
from aclimb.compile.cache import Cache
from aclimb.compile.device_text import MARKS, DeviceText, device_text, from_source_on, has_host_part
from aclimb.compile.functions import AICORE, HOST, without_marks
from aclimb.compile.host_options import FOR_OUR_HEADERS
from aclimb.compile.options import Options, WantedKernel
from aclimb.compile.passes import CorePass, KernelEntry, entries
from aclimb.compile.precompiled import PrecompiledHeader
from aclimb.compile.scan import Scan, scan
from aclimb.compile.tokens import user_text
from aclimb.compile.toolchain import Toolchain
from aclimb.errors import Diagnostic

_log = logging.getLogger("aclimb.compile")
Wanted = tuple[WantedKernel, ...]
PLAIN = ("-O0",)
_EXCEPTIONS = ["-fexceptions", "-frtti"]  # for host code that stays in a device part until it is linked


class OneSource:
    """A source, and what is known of it so far."""

    def __init__(
        self, source: Path, options: Options, toolchain: Toolchain, cache: Cache, working: Path, wanted: Callable[[], Wanted]
    ) -> None:
        self.source, self.options, self.toolchain, self.cache, self.working = source, options, toolchain, cache, working
        self.wanted = wanted
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
        self.input = self._as_compiled()
        self.device_parts: dict[str, DeviceText] = {}  # by pass, of a source that has a host part
        self.scans: dict[str, Scan] = {}
        self.entries: dict[str, list[KernelEntry]] = {}  # by pass
        self.warnings: list[Diagnostic] = []
        self.unread: set[str] = set()  # passes whose text is being preprocessed, or cannot be: which files they read is not known

    @property
    def _entry(self) -> str:
        lines = ['#include "aclimb/entry.h"']
        if self.options.auto_sync:
            lines += ["#undef ACLIMB_ENTRY_FACTS", "#define ACLIMB_ENTRY_FACTS ::aclimb::fact<::aclimb::Fact::auto_sync>();"]
        return "\n".join(lines)

    def _as_compiled(self) -> Path:
        """The source, or a copy of it where arrays are in UB or something stands before it; lines stay."""
        text = self.source.read_text(errors="replace")
        placed = ub_arrays.place(text)
        if placed == text and not self.options.prelude:
            return self.source
        copy = self.working / self.source.name
        start = f'#line 1 "{self.source}"\n'
        copy.write_text(f"{start}{self.options.prelude}\n{start}{placed}")
        return copy

    # --- what the user wrote

    @property
    def files(self) -> list[Path]:
        """The source, and the user's headers."""
        return list(dict.fromkeys([self.source, *(path for found in self.scans.values() for path in self._own(found.files))]))

    def _own(self, files: Iterable[Path]) -> Iterator[Path]:
        return (path for path in files if str(path) not in self.options.places_only)

    @property
    def text(self) -> str:
        """Of the user's files, before and after the preprocessor."""
        seen = dict.fromkeys(path for found in self.scans.values() for path in self._own(found.files))
        written = (path.read_text(errors="replace") for path in seen if path.is_file())
        return "\n".join([*written, *(found.text for found in self.scans.values())])

    @property
    def templates(self) -> list[str]:
        return [kernel.name for found in self.scans.values() for kernel, _ in found.templates]

    def find_entries(self, core_pass: CorePass) -> list[KernelEntry]:
        found = self.scans.get(core_pass.name) or self.scan(core_pass)
        launched = self.wanted()
        own = entries(found, self.options.instances, launched)
        every = [*own, *template_keys.entries(found, self.options, {each.name.partition("<")[0] for each in launched})]
        self.entries[core_pass.name] = [entry for entry in every if core_pass.wants(entry.kernel)]
        return self.entries[core_pass.name]

    def scan(self, core_pass: CorePass) -> Scan:
        self.unread.add(core_pass.name)
        if self.has_host_part:
            part = self.device_parts[core_pass.name] = self._device_part(core_pass)
            found = part.scan
        else:
            found = scan(self._own_text(core_pass), self.own_folders)
        self.scans[core_pass.name] = found
        self.unread.discard(core_pass.name)
        with self.defines.open("a") as file:
            file.write(assumed_names.definitions(found.text))
        return found

    def preprocessed(self, core_pass: CorePass) -> str:
        return without_marks(self._preprocessed(self._command(core_pass, None)))

    def _own_text(self, core_pass: CorePass) -> str:
        """Without our headers in front, which are the larger part by far, and none of the scan's business."""
        return self._preprocessed(self._command(core_pass, self.precompiled(core_pass)), lambda text: from_source_on(text, self.input))

    def _device_part(self, core_pass: CorePass) -> DeviceText:
        text = self._preprocessed(self._command(core_pass, self.precompiled(core_pass)))
        part = device_text(from_source_on(text, self.input), self.source, self.own_folders)
        if part.needs_exceptions:  # the host's headers read differently with them
            text = self._preprocessed([*self._command(core_pass, None), *_EXCEPTIONS])
            part = device_text(from_source_on(text, self.input), self.source, self.own_folders)
        return part

    @property
    def _given(self) -> list[Path]:
        """What an isolated build may read: a text that was given as such lies in the cache, beside those of others."""
        own = self.source if self.source.is_relative_to(self.cache.folder) else self.source.parent
        return [own, *self.options.include_dirs, self.include, self.cache.folder / "pch"]

    def _require_plain(self, preprocessed: str) -> None:
        read = sandbox.read_files((self.working / "read.d").read_text(errors="replace"))
        users = [path for path in sandbox.inside(read, self._given[:-2]) if not sandbox.inside([path], self.own_folders)]
        sandbox.require_plain([self.source, *users], user_text(preprocessed, self.own_folders, []))

    def _preprocessed(self, command: list[str], cut: Callable[[str], str] = str) -> str:
        telling = ["-Wundef" if flag == "-w" else flag for flag in command]
        told = ["-MD", "-MF", str(self.working / "read.d")] if self.options.isolated else []
        answer = self._preprocess([*telling, *told, "-E", "-x", "c++", str(self.input)])
        if self.options.isolated:
            self._require_plain(answer.stdout)
        warnings = build_warnings.undefined_names(answer.stderr, self.own_folders)
        self.warnings += [each for each in warnings if each not in self.warnings]
        written = cut(answer.stdout)
        text = self._plain_words(written)
        self.has_vendor_words |= text != written
        return text

    def _plain_words(self, text: str) -> str:
        return vendor_words.plain(text, *((AICORE, f"{HOST} {AICORE}") if self.has_host_part else ()))

    def _preprocess(self, command: list[str]) -> subprocess.CompletedProcess[str]:
        """With a header of one line for each that kernel_operator.h stands in for."""
        answer = self.call(command)
        while answer.returncode != 0 and (forwarding.provide(answer.stderr, self.forwarded) or self._fix_key(answer.stderr)):
            answer = self.call(command)
        return answer if answer.returncode == 0 else self._succeed(command)

    def _fix_key(self, errors: str) -> bool:
        """The tiling key becomes a number where conditions of the preprocessor ask for it."""
        if self.asks_key or not key_macro.is_asked(errors):
            return False
        self.asks_key = True
        with self.defines.open("a") as file:
            file.write(key_macro.definition(key_macro.NO_KEY))
        return True

    # --- compiling

    def object_of(self, core: str, opt_level: int) -> Path:
        return self.working / f"{core}.O{opt_level}.o"

    def compile(self, core_pass: CorePass, opt_level: int) -> Path:
        """The object of a pass, with the entries that were found for it."""
        wanted = self.entries[core_pass.name]
        compiled = self.object_of(core_pass.name, opt_level)
        wrapper = compiled.with_suffix(".cpp")
        part = self.device_parts.get(core_pass.name)
        source = self._split(part, compiled) if part else self.input
        is_by_key = self.asks_key and key_macro.is_mentioned(self.text)  # tools define the macro for every kernel
        text = self._text_of_keys(core_pass, wanted, wrapper) if is_by_key else self._wrapped(core_pass, wanted, wrapper, source)
        level = [f"-O{opt_level}"] if opt_level != self.options.opt_level else []
        extra = _EXCEPTIONS if part and part.needs_exceptions else []
        header = None if extra else self.precompiled(core_pass, level)
        command = self._command(core_pass, header, is_split=part is not None and text is None)
        if text is not None:  # what is compiled is the preprocessed text, put right
            wrapper = wrapper.with_suffix(".plain.cpp")
            wrapper.write_text(text)
            command = [*self.toolchain.compiler(), *headers.without_includes(self._base_flags(core_pass))]  # it has them in it
        prefix = f"-ffile-prefix-map={self.working}=aclimb"  # the folder's name is new each time, the bytes shall not be
        command = [*command, *extra, *level, prefix]
        if self.options.observed:
            self._compile_observed(command, wrapper, compiled)
        else:
            self._succeed([*command, "-c", str(wrapper), "-o", str(compiled)])
        return compiled

    def _compile_observed(self, command: list[str], wrapper: Path, compiled: Path) -> None:
        assembly = compiled.with_suffix(".s")
        self._succeed([*command, "-S", str(wrapper), "-o", str(assembly)])
        own = [f"{folder}/" for folder in (DEVICE_HEADERS, HOST_HEADERS, "aclimb")]  # that is the working folder's name
        text = observed_code.rewrite(assembly.read_text(errors="surrogateescape"), own, host_architecture())
        assembly.write_text(text, errors="surrogateescape")
        self._succeed([*self.toolchain.compiler(), "-c", str(assembly), "-o", str(compiled)])

    def _wrapped(self, core_pass: CorePass, wanted: list[KernelEntry], wrapper: Path, source: Path) -> str | None:
        """Writes the wrapper around the source, or around its device part; gives back its text where that is preprocessed first."""
        keyed = {entry: kernel for entry in wanted if (kernel := by_key.find(self.scans[core_pass.name], entry, self.source))}
        workspace = self.options.workspace_from_end
        lines = [keyed.get(each, each).wrapper_line(workspace) for each in wanted]
        part = self.device_parts.get(core_pass.name)
        ours = [self._entry, *(['#include "aclimb/host_leftovers.h"'] if part else [])]
        # What is preprocessed has its DT_FLOAT as a number where a macro was meant, and as an enumerator where the host's tiling means one.
        before = ['#include "aclimb/op/type_names.h"'] if part and not keyed else []
        wrapper.write_text("\n".join([*before, f'#include "{self.input if keyed else source}"', *ours, *lines]) + "\n")
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
        wrapper.write_text(f'#include "{self.input}"\n{self._entry}\n')
        keys = key_macro.keys_of(self.scans[core_pass.name], self.text, dict(self.options.defines).get(key_macro.NAME))
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

    # --- commands

    def _base_flags(self, core_pass: CorePass) -> list[str]:
        flags = [
            *self.toolchain.flags(self.options.opt_level),
            *(observed_code.flags(self.toolchain) if self.options.observed else []),
            *headers.name_flags(),  # here, since a precompiled header keeps the names that it was built with
            *core_pass.defines(),
            *(f"-D{name}={value}" for name, value in self.options.defines if name in FOR_OUR_HEADERS),
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

    def precompiled(self, core_pass: CorePass, level: Sequence[str] = ()) -> PrecompiledHeader | None:
        if not self.toolchain.has_precompiled_headers or self.cache.is_temporary:
            return None
        identity = self.toolchain.identity + headers.headers_hash(self.include)
        header = self.include / "kernel_operator.h"
        return PrecompiledHeader(self.cache.folder, self.toolchain.compiler(), [*self._base_flags(core_pass), *level], identity, header)

    def _succeed(self, command: list[str]) -> subprocess.CompletedProcess[str]:
        """What the compiler answers; its errors at the user's lines."""
        answer = self.call(command)
        if answer.returncode != 0:
            raise diagnostics.compile_error(
                answer.stderr, self.source, self.own_folders, [path for path in self.files if path != self.source]
            )
        return answer

    def call(self, command: list[str]) -> subprocess.CompletedProcess[str]:
        start = time.perf_counter()
        if self.options.isolated:
            answer = sandbox.run(command, self.environment, self._given, [self.working])
        else:
            answer = subprocess.run(command, capture_output=True, text=True, errors="replace", env=self.environment, cwd="/")
        _log.debug("%.3f s  %s", time.perf_counter() - start, " ".join(command))
        return answer
