# SPDX-License-Identifier: Apache-2.0
"""`#if` on TILING_KEY_VAR: the preprocessor decides what a tiling key runs.

An operator project builds such a source once for each key. Here it is preprocessed once for each key, and every text gives its
version of the kernel; all of them stand in one file, and the entry calls the one of the launch's key:

    extern "C" void f(GM_ADDR x) {            extern "C" void f_aclimb_key_0(GM_ADDR x) { a(); }     // TILING_KEY_IS(1)
    #if TILING_KEY_VAR == 1                    extern "C" void f_aclimb_key_1(GM_ADDR x) { b(); }     // TILING_KEY_IS(2)
        a();
    #elif TILING_KEY_VAR == 2
        b(); ...

Only kernels may differ from key to key: the rest of the source is compiled once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from aclimb.compile import diagnostics
from aclimb.compile.passes import KernelEntry
from aclimb.compile.scan import Scan, ScannedKernel, scan_text
from aclimb.compile.tokens import Token, closing, spell
from aclimb.errors import CompileError

NAME = "TILING_KEY_VAR"
NO_KEY = "18446744073709551615ull"  # while the kernels are looked for
_SUFFIX = "_aclimb_key_"  # behind it the number of the version
_ERROR = re.compile(r"^([^\s:][^:\n]*):(\d+):", re.MULTILINE)
_COMPARED = re.compile(rf"{NAME}\s*==\s*\(?\s*(0[xX][0-9a-fA-F]+|\d+)[uUlL]*")
_CONDITION = re.compile(r"\s*#\s*(?:el)?if\b")


def is_mentioned(text: str) -> bool:
    """Whether a source, as it was written, has anything that depends on the tiling key."""
    return "TILING_KEY" in text


def is_asked(errors: str) -> bool:
    """Whether the preprocessor stopped at a condition on the tiling key, which is no number for it."""
    for file, line in _ERROR.findall(errors):
        text = diagnostics.source_line(file, int(line)) or ""
        if _CONDITION.match(text):
            return NAME in text
    return False


def definition(key: str) -> str:
    return f"#undef {NAME}\n#define {NAME} {key}\n"


def keys_of(found: Scan, written: str, fixed: str | None) -> list[str]:
    """The keys that the source names, with TILING_KEY_IS or in a condition; `fixed`: by a define, the only one then."""
    if fixed is not None:
        return [fixed]
    asked = [
        spell(found.tokens[at + 7 : closing(found.tokens, at + 6) - 1]) for at, t in enumerate(found.tokens) if t.text == "tiling_key_is"
    ]
    conditions = [line for line in written.splitlines() if _CONDITION.match(line)]
    numbers = {
        int(word.rstrip("uUlL"), 0): word
        for word in (*asked, *(n for line in conditions for n in _COMPARED.findall(line)))
        if _is_number(word)
    }
    return [f"{number}ull" for number in sorted(numbers)]


def _is_number(word: str) -> bool:
    return re.fullmatch(r"(?:0[xX][0-9a-fA-F]+|\d+)[uUlL]*", word) is not None


@dataclass(frozen=True)
class VersionedEntry(KernelEntry):
    """A kernel with a version for each key."""

    keys: tuple[str, ...] = ()

    def wrapper_line(self, workspace_from_end: int = 0) -> str:
        versions = [f"{self.qualified}{_SUFFIX}{at}" for at in range(len(self.keys))]
        workspace = self.workspace(workspace_from_end)
        calls = "; ".join(f"ACLIMB_CALL_INSTANCE({key}, {workspace}, {version})" for key, version in zip(self.keys, versions, strict=True))
        return self.in_place(f"ACLIMB_ENTRY({self.symbol}, {calls}, {versions[0]})")


class Versions:
    """The same source, preprocessed for each key."""

    def __init__(self, texts: dict[str, str], source: Path) -> None:
        self.keys, self.source = tuple(texts), source
        self.heads, self.scans = [], []
        for text in texts.values():
            start = text.rfind("\n", 0, max(text.find(f'"{source}"'), 0)) + 1  # our headers, which come before it, are long
            self.heads.append(text[:start])
            self.scans.append(scan_text(text[start:]))
        self._require_same_rest()

    def entry(self, entry: KernelEntry) -> KernelEntry:
        """The entry as it is where the kernel is the same for every key."""
        bodies = [_words(scan, kernel) for scan, kernel in zip(self.scans, self._kernels(entry.name.partition("<")[0]), strict=True)]
        if all(body == bodies[0] for body in bodies) and len(self.keys) > 1:
            return entry
        if type(entry) is not KernelEntry or "<" in entry.kernel.function:
            raise CompileError(f"kernel template {entry.name} is another one for each {NAME}; write the key as a template argument instead")
        return VersionedEntry(entry.kernel, entry.symbol, keys=self.keys)

    def text(self, entries: list[KernelEntry]) -> str:
        """One text with every version of these kernels, each where the kernel stands."""
        base = self.scans[0]
        out = base.text
        versioned = [entry for entry in entries if isinstance(entry, VersionedEntry)]
        places = {entry.name: self._kernels(entry.name) for entry in versioned}
        for entry in sorted(versioned, key=lambda entry: -places[entry.name][0].tokens[0]):
            kernels = places[entry.name]
            first, end = _span(base, kernels[0])
            pieces = [_renamed(scan, kernel, at) for at, (scan, kernel) in enumerate(zip(self.scans, kernels, strict=True))]
            behind = base.tokens[kernels[0].tokens[2] - 1]
            out = out[:first] + "\n".join(pieces) + f'\n# {behind.line} "{behind.file}"\n' + out[end:]
        return self.heads[0] + out

    def _kernels(self, name: str) -> list[ScannedKernel]:
        found = [next((k for k in (*scan.kernels, *(k for k, _ in scan.templates)) if k.name == name), None) for scan in self.scans]
        for key, kernel in zip(self.keys, found, strict=True):
            if kernel is None:
                raise CompileError(f"{self.source.name} has no kernel {name} when {NAME} is {key.rstrip('ul')}; define it for every key")
        return [kernel for kernel in found if kernel is not None]

    def _require_same_rest(self) -> None:
        rests = [_rest(scan) for scan in self.scans]
        for key, rest in zip(self.keys, rests, strict=True):
            for one, other in zip(rests[0], rest, strict=False):
                if one.text != other.text:
                    raise CompileError(self._other_rest(key, other))
            if len(rest) != len(rests[0]):
                raise CompileError(self._other_rest(key, max(rest, rests[0], key=len)[-1]))

    def _other_rest(self, key: str, place: Token) -> str:
        return (
            f"{self.source.name} is another source when {NAME} is {key.rstrip('ul')}, at {place.file}:{place.line}, outside of its kernels;"
            f' what a key decides may differ inside a kernel only, or build one key at a time with defines={{"{NAME}": {key.rstrip("ul")}}}'
        )


def _words(scan: Scan, kernel: ScannedKernel) -> list[str]:
    return [token.text for token in scan.tokens[kernel.tokens[0] : kernel.tokens[2]]]


def _rest(scan: Scan) -> list[Token]:
    kernels = (*scan.kernels, *(kernel for kernel, _ in scan.templates))
    inside = {at for kernel in kernels for at in range(kernel.tokens[0], kernel.tokens[2])}
    return [token for at, token in enumerate(scan.tokens) if at not in inside]


def _span(scan: Scan, kernel: ScannedKernel) -> tuple[int, int]:
    last = scan.tokens[kernel.tokens[2] - 1]
    return scan.tokens[kernel.tokens[0]].start, last.start + len(last.text)


def _renamed(scan: Scan, kernel: ScannedKernel, at: int) -> str:
    """The definition under the name of its version, with the place it comes from."""
    first, end = _span(scan, kernel)
    name = next(t for t in scan.tokens[kernel.tokens[0] : kernel.tokens[1]] if t.text == kernel.function)
    place = scan.tokens[kernel.tokens[0]]
    text = scan.text[first : name.start] + f"{kernel.function}{_SUFFIX}{at}" + scan.text[name.start + len(name.text) : end]
    return f'\n# {place.line} "{place.file}"\n{text}'
