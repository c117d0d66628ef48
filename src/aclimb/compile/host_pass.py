# SPDX-License-Identifier: Apache-2.0
"""The host pass of a source with kernels: preprocess for the host, make launches calls, compile to assembly, read the stubs."""

from __future__ import annotations

import logging
import re
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from aclimb.compile import diagnostics, headers, launch_functions, vendor_words
from aclimb.compile.edits import all_files
from aclimb.compile.functions import AICORE, HOST
from aclimb.compile.host_options import FOR_OUR_HEADERS, OLDEST, HostOptions, number_of
from aclimb.compile.host_text import REGISTRATION, HostText, host_text
from aclimb.compile.stubs import Stub, read_stubs
from aclimb.compile.tokens import user_text
from aclimb.compile.toolchain import Toolchain
from aclimb.errors import CompileError

_log = logging.getLogger("aclimb.compile")
_KERNEL_WORDS = re.compile(r"\b__(?:global|aicore)__\b|<<<|\[\s*(?:host\s*,\s*)?aicore\s*\]")
_STUB = {"gcc": "noinline, noipa", "clang": "noinline", "zig": "noinline"}


@dataclass(frozen=True)
class HostResult:
    """What the host part came to: all of it, or for a source without kernels just the text."""

    host: HostText
    assembly: str
    stubs: list[Stub]
    all_files: list[Path]
    warnings: str


class HostPass:
    def __init__(self, source: Path, options: HostOptions, toolchain: Toolchain, working: Path) -> None:
        self.source, self.options, self.toolchain, self.working = source, options, toolchain, working
        self.environment = toolchain.environment(working)
        self.include = headers.host_include_dir()
        self.own_folders = (self.include, headers.include_dir(), working)

    def preprocess(self) -> str:
        """The text as the host sees it."""
        command = [*self._command([f"-std={self._standard()}"]), *self._macros(), *self._folders()]
        text = self._succeed([*command, "-E", "-x", "c++", str(self.source)]).stdout
        return vendor_words.plain(text, AICORE, f"{HOST} {AICORE}")

    def preprocess_plain(self) -> str:
        return self._succeed([*self._plain_command(), "-E", str(self.source)]).stdout

    def text_without_kernels(self) -> str | None:
        """As any C++ compiler sees the source; None where it has words of kernels, or needs our headers for them."""
        answer = self._call([*self._plain_command(), "-E", str(self.source)])
        own = user_text(answer.stdout, self.own_folders, [])
        return answer.stdout if answer.returncode == 0 and not _KERNEL_WORDS.search(own) else None

    def files_of(self, preprocessed: str) -> list[Path]:
        """Every file of the text that is not ours, which the cache's key covers, nor of this build."""
        own = tuple(f"{folder}/" for folder in self.own_folders)
        return [path for path in all_files(preprocessed) if not str(path).startswith(own)]

    def uses_device_headers(self, preprocessed: str) -> bool:
        device = f"{headers.include_dir()}/"
        return any(str(path).startswith(device) and path.name != "qualifiers.h" for path in all_files(preprocessed))

    def rewrite(self, preprocessed: str) -> HostText:
        return host_text(preprocessed, self.source, self.own_folders, _STUB[self.toolchain.kind])

    def compile(self, preprocessed: str, host: HostText) -> HostResult:
        text = self.working / "host.cpp"
        launches = launch_functions.functions(host.plain_kernels) if self.options.launch_functions else ""
        text.write_text(f"{host.text}\n{launches}{REGISTRATION if host.kernels else ''}")
        assembly = self.working / "host.s"
        warnings = self._compile(text, assembly)
        written = assembly.read_text(errors="surrogateescape")
        return HostResult(host, written, read_stubs(written, host.kernels), self.files_of(preprocessed), warnings)

    def compile_tables(self, host: HostText) -> bytes:
        """An object that says what the parameters of the kernels are."""
        text, compiled = self.working / "host.cpp", self.working / "tables.o"
        text.write_text(f"{host.text}\n{launch_functions.tables(host.plain_kernels)}")
        self._compile(text, compiled, "-c")
        return compiled.read_bytes()

    def assemble(self, assembly: str, output: Path) -> None:
        path = self.working / "unit.s"
        path.write_text(assembly, errors="surrogateescape")
        self._succeed([*self.toolchain.compiler(), *self.toolchain.host_flags(), "-c", str(path), "-o", str(output)])

    def compile_plain(self, output: Path) -> str:
        """A source that neither has nor launches kernels: the warnings."""
        return self._succeed([*self._plain_command(), "-c", str(self.source), "-o", str(output)]).stderr

    def _plain_command(self) -> list[str]:
        language = "c" if self.options.language == "c" else "c++"
        fits = self.options.standard and ("++" in self.options.standard) == (language == "c++")
        standard = [f"-std={self.options.standard}"] if fits else []
        command = [*self._command(standard, is_plain=True), *self.options.macro_flags(), *self.options.folder_flags()]
        return [*command, "-isystem", str(self.include), "-x", language]

    def _compile(self, text: Path, output: Path, what: str = "-S") -> str:
        """The warnings. What g++ cannot read as C++17 may be C++ that the vendor's compiler reads: it gets a second chance. One such is
        ReduceSum<float>(t, ...), found by the namespace of t, which g++ takes from C++20 on and clang always."""
        language = ["-x", "c++" if self.toolchain.kind == "zig" else "c++-cpp-output"]
        tail = [*language, what, str(text), "-o", str(output)]
        answer = self._call([*self._command([f"-std={self._standard()}"]), *tail])
        if answer.returncode != 0 and self.toolchain.kind == "gcc" and number_of(self._standard()) < 20:
            again = self._call([*self._command(["-std=gnu++2a"]), *tail])
            answer = again if again.returncode == 0 else answer
        if answer.returncode != 0:
            raise self._error(answer.stderr)
        return answer.stderr

    # --- commands

    def _command(self, standard: list[str], *, is_plain: bool = False) -> list[str]:
        options = self.options
        return [
            *self.toolchain.compiler(),
            *self.toolchain.host_flags(),
            *standard,
            f"-O{options.opt_level}",
            *(["-g"] if options.debug else []),
            "-fPIC",
            *([] if is_plain else ["-Wno-attributes"]),  # [[bisheng::...]] and aic are for the device
            *options.flags,
            *([] if is_plain else ["-fno-lto"]),  # the stubs are read from real assembly
        ]

    def _standard(self) -> str:
        if not self.options.standard:
            return f"gnu++{OLDEST}"
        return self.options.standard if number_of(self.options.standard) >= OLDEST else f"gnu++{OLDEST}"

    def _macros(self) -> list[str]:
        own = ["-DACLIMB_HOST_PASS=1", "-D__CCE__=1", "-D__NPU_ARCH__=2201"]
        if self.options.launch_functions:  # in such a library, host code is what we add: macros are given to the device
            own += [flag for flag in self.options.device_flags if flag.startswith(("-D", "-U", "-I"))]
        return [*own, "-include", str(self.include / "aclimb" / "host_pass.h"), *self.options.macro_flags()]

    def _folders(self) -> list[str]:
        own = ["-isystem", str(headers.include_dir()), "-isystem", str(self.include)]
        return [*self.options.folder_flags(), *self._unseen_macros(), *own]

    def _unseen_macros(self) -> list[str]:
        """A folder before that of our headers, with one that hides the user's macros from them: -DN=8 is no matter of theirs."""
        names = [name.partition("(")[0] for name, _ in self.options.defines if name not in FOR_OUR_HEADERS]
        if not names:
            return []
        folder = self.working / "unseen"
        folder.mkdir(exist_ok=True)
        hidden = [line for name in names for line in (f'#pragma push_macro("{name}")', f"#undef {name}")]
        lines = ["#pragma once", *hidden, '#include_next "kernel_operator.h"', *(f'#pragma pop_macro("{name}")' for name in names)]
        (folder / "kernel_operator.h").write_text("\n".join(lines) + "\n")
        return ["-isystem", str(folder)]

    def _succeed(self, command: list[str]) -> subprocess.CompletedProcess[str]:
        answer = self._call(command)
        if answer.returncode != 0:
            raise self._error(answer.stderr)
        return answer

    def _error(self, output: str) -> CompileError:
        return diagnostics.compile_error(output, self.source, self.own_folders)

    def _call(self, command: list[str]) -> subprocess.CompletedProcess[str]:
        start = time.perf_counter()
        answer = subprocess.run(command, capture_output=True, text=True, errors="replace", env=self.environment)
        _log.debug("%.3f s  %s", time.perf_counter() - start, " ".join(command))
        return answer
