# SPDX-License-Identifier: Apache-2.0
"""Kernels whose tiling struct depends on the tiling key: REGISTER_TILING_FOR_TILINGKEY together with GET_TILING_DATA.

The key is a value of the launch, and the type of a variable cannot wait for it. Such a kernel becomes a template on the
key, with one instance for each key it asks for, and code that a key does not reach is not compiled for that key:

    extern "C" void f(GM_ADDR t) {           extern "C++" template <uint64_t aclimb_tiling_key> void f(GM_ADDR t) {
        GET_TILING_DATA(data, t);                typename TilingStruct<aclimb_tiling_key, ...>::type data; ...
        if (TILING_KEY_IS(2)) { ... }            if constexpr (tiling_key_is<aclimb_tiling_key, 2>()) { ... }

It happens in the preprocessed text and adds no line, so every message names the user's own. For which keys an expression
holds, the preprocessor says, as in an operator project.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from aclimb.compile import diagnostics
from aclimb.compile.passes import KernelEntry
from aclimb.compile.scan import Scan, ScannedKernel, scan_text
from aclimb.compile.template_keys import TemplateEntry
from aclimb.compile.tokens import Token, closing, spell, tokens_of
from aclimb.errors import CompileError, Diagnostic

_GET = "aclimb_default_tiling"  # what tiling.h makes of GET_TILING_DATA
_KEY = "aclimb_tiling_key"  # the template's parameter
_HOLDS = re.compile(r"^aclimb_tiling_holds (\w+) (\d+) (\d+)$", re.MULTILINE)
_KEY_TEST = re.compile(r":: aclimb :: (?:tiling_key_is < static_cast < uint64_t > \( .*? \) >|tiling_key) \( \)")


@dataclass(frozen=True)
class Registration:
    """REGISTER_TILING_FOR_TILINGKEY(expression, struct)"""

    expression: str
    struct: str
    place: Token


@dataclass(frozen=True)
class KeyedKernel:
    """A kernel that becomes a template, and what decides its structs."""

    entry: KernelEntry
    keys: tuple[str, ...]  # as the source spells them
    registrations: tuple[Registration, ...]
    has_default: bool
    get: Token

    def wrapper_line(self, workspace_from_end: int = 0) -> str:
        """The questions about this kernel's expressions, and its entry with a call for each key."""
        lines = []
        for number, registration in enumerate(self.registrations):
            for at, key in enumerate(self.keys):
                condition = re.sub(r"\bTILING_KEY_VAR\b", f"({key})", registration.expression)
                lines += [f'#line {registration.place.line} "{registration.place.file}"', f"#if {condition}"]
                lines += [f"aclimb_tiling_holds {self.entry.symbol} {at} {number}", "#endif"]
        workspace = self.entry.workspace(workspace_from_end)
        calls = "; ".join(f"ACLIMB_CALL_INSTANCE({key}, {workspace}, {self._instance(at)})" for at, key in enumerate(self.keys))
        kinds = self.entry.kernel_types() if isinstance(self.entry, TemplateEntry) else ""
        return "\n".join([*lines, self.entry.in_place(f"ACLIMB_ENTRY({self.entry.symbol}, {kinds}{calls}, {self._instance(0)})")])

    def _instance(self, at: int) -> str:
        """f<key>, or f<key, arguments> of a kernel that is a template already."""
        arguments = self.entry.instances[at].arguments if isinstance(self.entry, TemplateEntry) else ()
        return f"{self.entry.qualified}<{', '.join((f'static_cast<uint64_t>({self.keys[at]})', *arguments))}>"

    def struct_of_key(self, holds: set[tuple[int, int]], source: Path) -> str:
        """The type that takes the place of the default one. `holds`: (key, registration) whose expression is true."""
        rows = []
        for at, key in enumerate(self.keys):
            found = {self.registrations[n].struct: self.registrations[n] for n in range(len(self.registrations)) if (at, n) in holds}
            if isinstance(self.entry, TemplateEntry) and (struct := self.entry.instances[at].struct):
                found = {struct: Registration("", struct, self.get)}  # ASCENDC_TPL_TILING_STRUCT_SEL names it for this key
            if len(found) > 1:
                first, second = list(found.values())[:2]
                raise _error(source, second.place, "REGISTER_TILING_FOR_TILINGKEY", self._two_structs(key, first, second))
            if not found and not self.has_default:
                raise _error(source, self.get, "GET_TILING_DATA", self._no_struct(key))
            rows += [f"::aclimb::ForKey<static_cast<uint64_t>({key}), {struct}>" for struct in found]
        default = _GET if self.has_default else "void"
        return f"typename ::aclimb::TilingStruct<{', '.join([_KEY, default, *rows])}>::type"

    def _two_structs(self, key: str, first: Registration, second: Registration) -> str:
        return (
            f"tiling key {key} of kernel {self.entry.name} has two tiling structs, {first.struct} because of"
            f' "{first.expression}" and {second.struct} because of "{second.expression}"; it takes one'
        )

    def _no_struct(self, key: str) -> str:
        tried = ", ".join(f'"{each.expression}"' for each in self.registrations)
        return (
            f"GET_TILING_DATA: tiling key {key} of kernel {self.entry.name} has no tiling struct: of {tried} none holds for it;"
            " write REGISTER_TILING_DEFAULT(Struct) for all other keys, or REGISTER_TILING_FOR_TILINGKEY for this one"
        )


def find(found: Scan, entry: KernelEntry, source: Path) -> KeyedKernel | None:
    """The kernel if its struct depends on the key; None for all others, kernel templates among them."""
    _, body, end = entry.kernel.tokens
    tokens = found.tokens[body:end]
    get = next((t for at, t in enumerate(tokens) if t.text == _GET and not _is_alias(tokens, at)), None)
    around = _outside_kernels(found)
    own = tuple(_registrations(tokens))
    registrations = (*_registrations(around), *own)
    selected = {each.struct for each in entry.instances if each.struct} if isinstance(entry, TemplateEntry) else set()
    if get is None or not (registrations or selected) or "<" in entry.kernel.function:
        return None
    defaults = _defaults(around) | _defaults(tokens)
    if {registration.struct for registration in registrations} | selected <= defaults:
        return None
    if isinstance(entry, TemplateEntry):
        return KeyedKernel(entry, tuple(f"{each.key}ull" for each in entry.instances), registrations, bool(defaults), get)
    keys = dict(_keys(tokens)) or dict(_keys(around))
    if defaults and not own and not (keys and all(map(_is_number, keys))):
        return None  # the host's classes, of which the default one is for every key that is not known here
    if not keys:
        raise _error(source, get, "GET_TILING_DATA", _no_keys(entry.name))
    for key, place in keys.items():
        if not _is_number(key):
            raise _error(source, place, "TILING_KEY_IS", _named_key(key, entry.name))
    return KeyedKernel(entry, tuple(keys), registrations, bool(defaults), get)


def rewrite(preprocessed: str, kernels: list[KeyedKernel], source: Path) -> str:
    """The text with these kernels as templates, ready to be compiled."""
    answers = {kernel.entry.symbol: set[tuple[int, int]]() for kernel in kernels}
    for symbol, key, number in _HOLDS.findall(preprocessed):
        answers[symbol].add((int(key), int(number)))
    text = _HOLDS.sub("", preprocessed)
    start = max(text.find(f'"{source}"'), 0)  # our headers, which come before it, are long
    users = scan_text(text[start:])
    edits: list[tuple[int, int, str]] = []
    for kernel in kernels:
        (definition,) = (k for k in (*users.kernels, *(k for k, _ in users.templates)) if k.name == kernel.entry.name)
        edits += _edits(users.tokens, definition, kernel.struct_of_key(answers[kernel.entry.symbol], source))
    out = users.text
    for at, length, new in sorted(edits, reverse=True):
        out = out[:at] + new + out[at + length :]
    return text[:start] + out


def _edits(tokens: list[Token], kernel: ScannedKernel, struct: str) -> list[tuple[int, int, str]]:
    """(where, how many characters go, what comes) for one kernel."""
    first, body, end = kernel.tokens
    if tokens[first].text == "template":
        edits = [(tokens[first + 1].start + 1, 0, f"uint64_t {_KEY}, ")]
    else:
        linkage = 2 if tokens[first].text == "extern" and tokens[first + 1].kind == "string" else 0
        head = tokens[first + linkage].start
        edits = [(tokens[first].start, head - tokens[first].start, f'extern "C++" template <uint64_t {_KEY}> ')]
    for at in range(body, end):
        token = tokens[at]
        is_ours = [t.text for t in tokens[at - 3 : at]] == ["::", "aclimb", "::"]
        if token.text == _GET and not _is_alias(tokens, at):
            edits.append((token.start, len(_GET), struct))
        elif token.text == "tiling_key_is" and is_ours:
            edits.append((tokens[at + 1].start + 1, 0, f"{_KEY}, "))
        elif token.text == "tiling_key" and is_ours:
            edits.append((tokens[at + 1].start, 0, f"<{_KEY}>"))
        elif token.text == "if" and tokens[at + 1].text == "(":
            edits += _constant_branch(tokens, at)
    return edits


def _constant_branch(tokens: list[Token], at: int) -> list[tuple[int, int, str]]:
    """An `if` that asks for nothing but the key is decided when the instance is compiled. Where its branch returns, the rest
    of the block is for the other keys only."""
    behind = closing(tokens, at + 1)
    condition = _apart(tokens[at + 2 : behind - 1])
    rest, tests = _KEY_TEST.subn("1", condition)
    if not tests or any(t.kind == "name" and t.text not in ("true", "false") for t in tokens_of(rest)):
        return []
    edits = [(tokens[at].start, 2, "if constexpr")]
    branch = closing(tokens, behind) if tokens[behind].text == "{" else behind
    returns = [t.text for t in tokens[branch - 3 : branch]] == ["return", ";", "}"]
    if returns and tokens[branch].text not in ("else", "}") and tokens[at - 1].text in ("{", "}", ";"):
        last = branch
        while tokens[last].text != "}":
            last = closing(tokens, last) if tokens[last].text in ("(", "[", "{") else last + 1
        edits += [(tokens[branch].start, 0, "else { "), (tokens[last].start, 0, "} ")]
    return edits


def _apart(tokens: list[Token]) -> str:
    return " ".join(token.text for token in tokens)


def _registrations(tokens: list[Token]) -> list[Registration]:
    """static_assert(::aclimb::is_tiling_for("expression") && sizeof(Struct) > 0, "")"""
    found = []
    for at, token in enumerate(tokens):
        if token.text == "is_tiling_for":
            behind = closing(tokens, at + 1)
            expression = "".join(t.text[1:-1] for t in tokens[at + 2 : behind - 1])
            struct = spell(tokens[behind + 3 : closing(tokens, behind + 2) - 1])
            found.append(Registration(expression, struct, token))
    return found


def _keys(tokens: list[Token]) -> list[tuple[str, Token]]:
    """Of TILING_KEY_IS(key) and KERNEL_TASK_TYPE(key, ...): name<static_cast<uint64_t>(key)"""
    found = []
    for at, token in enumerate(tokens):
        if token.text in ("tiling_key_is", "kernel_type_for"):
            found.append((spell(tokens[at + 7 : closing(tokens, at + 6) - 1]), token))
    return found


def _is_number(key: str) -> bool:
    return not any(token.kind == "name" for token in tokens_of(key))


def _outside_kernels(found: Scan) -> list[Token]:
    inside = {at for kernel in found.kernels for at in range(*kernel.tokens[1:])}
    return [token for at, token in enumerate(found.tokens) if at not in inside]


def _is_alias(tokens: list[Token], at: int) -> bool:
    """using aclimb_default_tiling [[maybe_unused]] = Struct;"""
    return tokens[at].text == _GET and at > 0 and tokens[at - 1].text == "using"


def _defaults(tokens: list[Token]) -> set[str]:
    found = set()
    for at in range(len(tokens)):
        if _is_alias(tokens, at):
            start = closing(tokens, at + 1) + 1
            end = next(i for i in range(start, len(tokens)) if tokens[i].text == ";")
            found.add(spell(tokens[start:end]))
    return found


def _error(source: Path, place: Token, macro: str, text: str) -> CompileError:
    column = (diagnostics.source_line(place.file, place.line) or "").find(macro) + 1
    return diagnostics.from_diagnostics(source, [Diagnostic(place.file, place.line, column, "error", text)])


def _no_keys(kernel: str) -> str:
    return (
        f"GET_TILING_DATA: the struct depends on the tiling key (REGISTER_TILING_FOR_TILINGKEY), and kernel {kernel} has none;"
        " name its keys with TILING_KEY_IS, or use GET_TILING_DATA_WITH_STRUCT(Struct, name, pointer)"
    )


def _named_key(key: str, kernel: str) -> str:
    return (
        f"the tiling key {key} is not a number; the tiling struct of kernel {kernel} depends on the key"
        " (REGISTER_TILING_FOR_TILINGKEY), and its keys have to be numbers, or macros that stand for one"
    )
